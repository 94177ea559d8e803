package main

import (
	"syscall"
	"unsafe"

	"github.com/skua-browser/skua/session/wire"
)

// Everything in this file works before the Go runtime starts (see early_linux.go): raw system calls and no heap.
// Pointer conversions are in the calls themselves, as package unsafe requires. Paths end with a NUL.

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
	var addr syscall.RawSockaddrUnix
	if len(path) > len(addr.Path) {
		return -1, -1, syscall.ENAMETOOLONG
	}
	addr.Family = syscall.AF_UNIX
	for i, c := range path {
		addr.Path[i] = int8(c)
	}
	fd, _, errno := syscall.RawSyscall(syscall.SYS_SOCKET, syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if errno != 0 {
		return -1, -1, errno
	}
	for {
		_, _, errno = syscall.RawSyscall(syscall.SYS_CONNECT, fd, uintptr(unsafe.Pointer(&addr)),
			unsafe.Sizeof(addr.Family)+uintptr(len(path)))
		if errno != syscall.EINTR {
			break
		}
	}
	var peer syscall.Ucred
	size := uint32(unsafe.Sizeof(peer))
	if errno == 0 {
		_, _, errno = syscall.RawSyscall6(syscall.SYS_GETSOCKOPT, fd, syscall.SOL_SOCKET, syscall.SO_PEERCRED,
			uintptr(unsafe.Pointer(&peer)), uintptr(unsafe.Pointer(&size)), 0)
	}
	if errno != 0 {
		socket(fd).close()
		return -1, -1, errno
	}
	socket(fd).patience(quietLimit)
	return socket(fd), int(peer.Uid), 0
}

// patience sets how many seconds a call on the socket may wait.
func (s socket) patience(seconds int64) {
	limit := syscall.Timeval{Sec: seconds}
	for _, which := range [...]uintptr{syscall.SO_RCVTIMEO, syscall.SO_SNDTIMEO} {
		_, _, _ = syscall.RawSyscall6(syscall.SYS_SETSOCKOPT, uintptr(s), syscall.SOL_SOCKET, which,
			uintptr(unsafe.Pointer(&limit)), unsafe.Sizeof(limit), 0)
	}
}

// write sends p or a part of it. It reports false when the other side is gone.
func (s socket) write(p []byte) (int, bool) {
	for {
		n, _, errno := syscall.RawSyscall6(syscall.SYS_SENDTO, uintptr(s), uintptr(unsafe.Pointer(unsafe.SliceData(p))),
			uintptr(len(p)), syscall.MSG_NOSIGNAL, 0, 0)
		if errno != syscall.EINTR {
			return int(n), errno == 0
		}
	}
}

// read returns 0 at the end of the stream, and timedOut if nothing was received within the socket's timeout. While the
// Go runtime runs (late), it must know of the wait: it interrupts unknown waits repeatedly, and each would start again.
func (s socket) read(p []byte, late bool) (int, syscall.Errno) {
	for {
		var n uintptr
		var errno syscall.Errno
		if late {
			n, _, errno = syscall.Syscall(syscall.SYS_READ, uintptr(s), uintptr(unsafe.Pointer(unsafe.SliceData(p))),
				uintptr(len(p)))
		} else {
			n, _, errno = syscall.RawSyscall(syscall.SYS_READ, uintptr(s), uintptr(unsafe.Pointer(unsafe.SliceData(p))),
				uintptr(len(p)))
		}
		switch errno {
		case 0:
			return int(n), 0
		case syscall.EINTR:
		default:
			return 0, errno
		}
	}
}

func (s socket) close() { _, _, _ = syscall.RawSyscall(syscall.SYS_CLOSE, uintptr(s), 0, 0) }

func readFD(fd int, p []byte) (int, syscall.Errno) {
	for {
		n, _, errno := syscall.RawSyscall(syscall.SYS_READ, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(p))),
			uintptr(len(p)))
		switch errno {
		case 0:
			return int(n), 0
		case syscall.EINTR:
		case syscall.EAGAIN:
			await(fd, pollIn)
		default:
			return 0, errno
		}
	}
}

// writeOutput writes p to standard output or standard error, whole.
func writeOutput(kind wire.FrameKind, p []byte) bool {
	fd := 1
	if kind == wire.Stdout && stdoutClosed {
		outputErrno = syscall.EBADF
		return false
	}
	if kind == wire.Stderr {
		fd = 2
	}
	for len(p) > 0 {
		n, _, errno := syscall.RawSyscall(syscall.SYS_WRITE, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(p))),
			uintptr(len(p)))
		switch errno {
		case 0:
			p = p[n:]
		case syscall.EINTR:
		case syscall.EAGAIN:
			await(fd, pollOut)
		default:
			outputErrno = errno
			return false
		}
	}
	return true
}

// stdoutClosed reports that the caller gave no standard output. Later the runtime puts /dev/null there, which takes
// everything.
var stdoutClosed bool

func checkStdout() {
	_, _, errno := syscall.RawSyscall(syscall.SYS_FCNTL, 1, syscall.F_GETFD, 0)
	stdoutClosed = errno == syscall.EBADF
}

const (
	pollIn  = 1
	pollOut = 4
)

// await waits for a standard stream that was left in non-blocking mode.
func await(fd int, events int16) {
	p := struct {
		fd      int32
		events  int16
		revents int16
	}{fd: int32(fd), events: events}
	_, _, _ = syscall.RawSyscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&p)), 1, 0, 0, 0, 0)
}

// file is what the client needs to know of a file.
type file struct {
	uid   int
	dir   bool
	runs  bool // an executable regular file
	stamp wire.Stamp
}

func look(path []byte) (file, syscall.Errno) {
	var st syscall.Stat_t
	_, _, errno := syscall.RawSyscall6(sysFstatat, atCwd, uintptr(unsafe.Pointer(unsafe.SliceData(path))),
		uintptr(unsafe.Pointer(&st)), 0, 0, 0)
	if errno != 0 {
		return file{}, errno
	}
	return file{
		uid:   int(st.Uid),
		dir:   st.Mode&syscall.S_IFMT == syscall.S_IFDIR,
		runs:  st.Mode&syscall.S_IFMT == syscall.S_IFREG && st.Mode&0o111 != 0,
		stamp: wire.Stamp{MTime: st.Mtim.Nano(), Size: st.Size},
	}, 0
}

// atCwd is AT_FDCWD: relative paths start at the working directory.
const atCwd = ^uintptr(100) + 1

// self appends the path of the running program, symbolic links resolved.
func self(b []byte) []byte {
	path := [...]byte{'/', 'p', 'r', 'o', 'c', '/', 's', 'e', 'l', 'f', '/', 'e', 'x', 'e', 0}
	room := b[len(b):cap(b)]
	n, _, errno := syscall.RawSyscall6(syscall.SYS_READLINKAT, atCwd, uintptr(unsafe.Pointer(&path)),
		uintptr(unsafe.Pointer(unsafe.SliceData(room))), uintptr(len(room)), 0, 0)
	if errno != 0 || int(n) == len(room) {
		return b
	}
	return b[:len(b)+int(n)]
}

// cwd appends the working directory; nothing when it was removed.
func cwd(b []byte) []byte {
	room := b[len(b):cap(b)]
	n, _, errno := syscall.RawSyscall(syscall.SYS_GETCWD, uintptr(unsafe.Pointer(unsafe.SliceData(room))),
		uintptr(len(room)), 0)
	if errno != 0 || n < 2 || room[0] != '/' {
		return b
	}
	return b[:len(b)+int(n)-1]
}

func userID() int {
	uid, _, _ := syscall.RawSyscall(syscall.SYS_GETEUID, 0, 0, 0)
	return int(uid)
}

func isTerminal(fd int) bool {
	var settings syscall.Termios
	_, _, errno := syscall.RawSyscall(syscall.SYS_IOCTL, uintptr(fd), syscall.TCGETS, uintptr(unsafe.Pointer(&settings)))
	return errno == 0
}

// token is for systems whose sockets do not tell the user of the other side.
func (s socket) token() string { return "" }

func readStdin(p []byte) (int, error) {
	n, errno := readFD(0, p)
	if errno != 0 {
		return 0, errno
	}
	return n, nil
}
