package main

import (
	"os"
	"path/filepath"
	"syscall"
	"unsafe"

	"github.com/skua-browser/skua/session/wire"
)

// Paths end with a NUL, as on Linux.

const (
	programSuffix    = ""
	separator        = '/'
	listSeparator    = ':'
	socketsHavePaths = true
)

func isSeparator(c byte) bool { return c == separator }

func isAbsolute(path string) bool { return len(path) > 0 && path[0] == separator }

// socket is a file descriptor.
type socket int

// dial connects to a socket and returns the user that the listening process runs as.
func dial(path []byte) (s socket, uid int, errno syscall.Errno) {
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return -1, -1, errnoOf(err)
	}
	s = socket(fd)
	syscall.CloseOnExec(fd)
	if err := syscall.Connect(fd, &syscall.SockaddrUnix{Name: withoutNUL(path)}); err != nil {
		s.close()
		return -1, -1, errnoOf(err)
	}
	uid, errno = peer(fd)
	if errno != 0 {
		s.close()
		return -1, -1, errno
	}
	s.patience(quietLimit)
	return s, uid, 0
}

// patience sets how many seconds a call on the socket may wait.
func (s socket) patience(seconds int64) {
	limit := syscall.Timeval{Sec: seconds}
	_ = syscall.SetsockoptTimeval(int(s), syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &limit)
	_ = syscall.SetsockoptTimeval(int(s), syscall.SOL_SOCKET, syscall.SO_SNDTIMEO, &limit)
}

// peer returns the user at the other end of a socket. Package syscall has no call of its own for it.
func peer(fd int) (int, syscall.Errno) {
	const solLocal, localPeerCred = 0, 1
	var cred struct {
		version, uid uint32
		groups       int16
		_            int16
		group        [16]uint32
	}
	size := uint32(unsafe.Sizeof(cred))
	_, _, errno := syscall.Syscall6(syscall.SYS_GETSOCKOPT, uintptr(fd), solLocal, localPeerCred,
		uintptr(unsafe.Pointer(&cred)), uintptr(unsafe.Pointer(&size)), 0)
	return int(cred.uid), errno
}

// write sends p or a part of it. It reports false when the other side is gone.
func (s socket) write(p []byte) (int, bool) {
	for {
		n, err := syscall.Write(int(s), p)
		if err != syscall.EINTR {
			return max(n, 0), err == nil
		}
	}
}

// read returns 0 at the end of what the other side sent, and timedOut when nothing came for as long as the socket's
// patience lasts.
func (s socket) read(p []byte, _ bool) (int, syscall.Errno) {
	for {
		n, err := syscall.Read(int(s), p)
		if err == nil {
			return n, 0
		}
		if err != syscall.EINTR {
			return 0, errnoOf(err)
		}
	}
}

func (s socket) close() { _ = syscall.Close(int(s)) }

// token is for systems whose sockets do not tell the user of the other side.
func (s socket) token() string { return "" }

func readStdin(p []byte) (int, error) { return readFile(os.Stdin, p) }

// writeOutput writes p to standard output or standard error, whole.
func writeOutput(kind wire.FrameKind, p []byte) bool { return writeFile(kind, p) }

// file is what the client needs to know of a file.
type file struct {
	uid   int
	dir   bool
	runs  bool // a regular file that is executable
	stamp wire.Stamp
}

func look(path []byte) (file, syscall.Errno) {
	info, err := os.Stat(withoutNUL(path))
	if err != nil {
		return file{}, errnoOf(err)
	}
	f := file{
		uid: -1, dir: info.IsDir(), runs: info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0,
		stamp: wire.Stamp{MTime: info.ModTime().UnixNano(), Size: info.Size()},
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		f.uid = int(st.Uid)
	}
	return f, 0
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

func userID() int { return os.Geteuid() }

func isTerminal(fd int) bool {
	var settings syscall.Termios
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), syscall.TIOCGETA, uintptr(unsafe.Pointer(&settings)))
	return errno == 0
}
