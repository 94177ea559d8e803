package main

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/skua-browser/skua/session/wire"
)

// Paths end with a NUL, as on Linux.

const (
	programSuffix    = ".exe"
	separator        = '\\'
	listSeparator    = ';'
	socketsHavePaths = false
)

func isSeparator(c byte) bool { return c == '\\' || c == '/' }

func isAbsolute(path string) bool { return filepath.IsAbs(path) }

// socket is a connection on the loopback interface.
type socket struct {
	conn   net.Conn
	secret string
	limit  *time.Duration // of a call
}

// dial connects to the port that the file at path names. The user of the other side is not known here, so it is taken
// for this one, and proven by the token in the file, which only this user can read.
func dial(path []byte) (s socket, uid int, errno syscall.Errno) {
	b, err := os.ReadFile(withoutNUL(path))
	if err != nil {
		return socket{}, 0, errnoOf(err)
	}
	addr, rest, _ := strings.Cut(string(b), "\n")
	secret, _, ok := strings.Cut(rest, "\n")
	if host, _, err := net.SplitHostPort(addr); !ok || err != nil || host != "127.0.0.1" {
		return socket{}, 0, refused // no host wrote that; the host says so when it starts
	}
	conn, err := net.Dial("tcp4", addr)
	if err != nil {
		return socket{}, 0, errnoOf(err)
	}
	return socket{conn, secret, new(quietLimit * time.Second)}, 0, 0
}

// patience sets how many seconds a call on the socket may wait.
func (s socket) patience(seconds int64) { *s.limit = time.Duration(seconds) * time.Second }

// write sends p or a part of it. It reports false when the other side is gone.
func (s socket) write(p []byte) (int, bool) {
	_ = s.conn.SetWriteDeadline(time.Now().Add(*s.limit))
	n, err := s.conn.Write(p)
	return n, err == nil
}

// read returns 0 at the end of what the other side sent, and timedOut when nothing came for as long as the socket's
// patience lasts.
func (s socket) read(p []byte, _ bool) (int, syscall.Errno) {
	_ = s.conn.SetReadDeadline(time.Now().Add(*s.limit))
	n, err := s.conn.Read(p)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return 0, timedOut
	}
	if err == nil || err == io.EOF {
		return n, 0
	}
	return 0, errnoOf(err)
}

func (s socket) close() { _ = s.conn.Close() }

func (s socket) token() string { return s.secret }

func readStdin(p []byte) (int, error) { return readFile(os.Stdin, p) }

// writeOutput writes p to standard output or standard error, whole.
func writeOutput(kind wire.FrameKind, p []byte) bool { return writeFile(kind, p) }

// file is what the client needs to know of a file.
type file struct {
	uid   int
	dir   bool
	runs  bool
	stamp wire.Stamp
}

func look(path []byte) (file, syscall.Errno) {
	info, err := os.Stat(withoutNUL(path))
	if err != nil {
		return file{}, errnoOf(err)
	}
	return file{
		dir: info.IsDir(), runs: info.Mode().IsRegular(),
		stamp: wire.Stamp{MTime: info.ModTime().UnixNano(), Size: info.Size()},
	}, 0
}

// self appends the path of the running program, symbolic links resolved.
func self(b []byte) []byte {
	path, err := os.Executable()
	if err != nil {
		return b
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return append(b, path...)
}

// cwd appends the working directory; nothing when it was removed.
func cwd(b []byte) []byte {
	path, err := os.Getwd()
	if err != nil {
		return b
	}
	return append(b, path...)
}

// userID is the same for everyone: files are told apart by their access lists.
func userID() int { return 0 }

func isTerminal(fd int) bool {
	handle := syscall.Handle([...]*os.File{os.Stdin, os.Stdout, os.Stderr}[fd].Fd())
	var mode uint32
	return syscall.GetConsoleMode(handle, &mode) == nil
}
