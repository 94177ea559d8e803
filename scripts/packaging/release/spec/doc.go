// Package spec says what a release consists of: its version, its commit, the systems that it is for, and the names of
// its files. The other packages make those files; this one reads git and CHANGELOG.md and writes nothing.
package spec
