// Package archive packs a folder into a tar.gz or zip file that depends on the contents alone: the order, the times,
// the modes and the owners of the files are set.
package archive
