// Image makes the container image of a version without a daemon: a layer of Debian packages with the headless shell,
// and one with skua. It is written as an OCI layout and as an archive for `docker load`. scripts/image calls it.
package main
