//go:build !linux

package main

import (
	"errors"
	"io"
	"os"
	"syscall"

	"github.com/skua-browser/skua/session/wire"
)

// What the systems have in common whose trips begin in main.

func withoutNUL(path []byte) string { return string(path[:len(path)-1]) }

// errnoOf returns the number of the system's error that is behind err.
func errnoOf(err error) syscall.Errno {
	if errors.Is(err, os.ErrNotExist) {
		return syscall.ENOENT
	}
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return errno
	}
	return syscall.EINVAL
}

func readFile(f *os.File, p []byte) (int, error) {
	n, err := f.Read(p)
	if err == io.EOF {
		err = nil
	}
	return n, err
}

func writeFile(kind wire.FrameKind, p []byte) bool {
	f := os.Stdout
	if kind == wire.Stderr {
		f = os.Stderr
	}
	_, err := f.Write(p)
	if err != nil {
		outputErrno = errnoOf(err)
	}
	return err == nil
}
