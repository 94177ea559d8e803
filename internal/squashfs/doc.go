// Package squashfs reads images of the file system SquashFS 4.0, in which AppImages and snaps carry their files,
// without mounting them (https://dr-emann.github.io/squashfs/). An FS is one; it is an io/fs.FS whose regular files are
// io.ReaderAts, so that a part of a large file costs only the blocks that it is in.
//
// Images come from outside: every length in them is held against a bound before it is used. The package must not know
// what the files mean.
package squashfs
