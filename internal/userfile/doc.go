// Package userfile reads files that a caller names: uploads, states, certificates, policies, scripts. Such a path may
// lead to anything, so that a read is bounded: only a regular file is opened, a pipe or a device never; no more than
// the given size is kept; and a file system that does not answer is waited for no longer than [Limit], or the deadline
// of the caller.
//
// The package must not know who asks, or whether they may read the file.
package userfile
