//go:build !unix

package userfile

// nonblocking is nothing: the paths of pipes are known by their form, and are not regular files.
const nonblocking = 0
