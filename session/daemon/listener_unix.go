//go:build unix

package daemon

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/wire/hostdir"
)

// hostListener is the socket of a host.
type hostListener struct {
	*net.UnixListener
	path  string
	file  fs.FileInfo // the socket file as it was made
	uid   int         // the user of the host
	token string      // always empty: the system identifies the peer
}

// listen creates the socket of the host of dir. The caller holds the host's lock, so an existing socket is a stale one.
func listen(dir string) (*hostListener, error) {
	path := hostdir.Join(dir, hostdir.Socket)
	if err := checkSocketPath(path); err != nil {
		return nil, err
	}
	if info, err := os.Lstat(path); err == nil {
		if info.Mode().Type() != fs.ModeSocket {
			return nil, fault.New(fault.HostUnreachable, "%s is in the way: it is not a socket.", path).About(path).
				WithHint("Move it away, or set SKUA_SOCKET_DIR to another directory.")
		}
		if err := os.Remove(path); err != nil {
			return nil, listenFault(path, err)
		}
	}
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, listenFault(path, err)
	}
	ln.SetUnlinkOnClose(false) // withdraw removes it, if it is still this socket
	err = os.Chmod(path, 0o600)
	info, statErr := os.Lstat(path)
	if err = errors.Join(err, statErr); err != nil {
		_ = ln.Close()
		return nil, listenFault(path, err)
	}
	return &hostListener{UnixListener: ln, path: path, file: info, uid: os.Geteuid()}, nil
}

func checkSocketPath(path string) error {
	if n := len(path); n > hostdir.MaxSocketPath {
		return fault.New(fault.HostUnreachable, "The socket path %s is too long (%d bytes, the systems take %d).", path, n,
			hostdir.MaxSocketPath).About(path).
			WithHint("Set SKUA_SOCKET_DIR to a shorter directory, or use a shorter namespace.")
	}
	return nil
}

func listenFault(path string, err error) error {
	return fault.New(fault.HostUnreachable, "The socket %s cannot be created: %w.", path, err).About(path).
		WithHint(otherDirHint)
}

// greet refuses a peer of another user; the socket's mode keeps out all but the superuser. It also reads what has
// arrived: the request is usually complete by now, and a read that may wait would first set a deadline, which wakes
// another thread.
func (l *hostListener) greet(c net.Conn, buf []byte) ([]byte, error) {
	uc, ok := c.(*net.UnixConn)
	if !ok {
		return nil, fault.New(fault.Internal, "The connection is a %T.", c)
	}
	raw, err := uc.SyscallConn()
	if err != nil {
		return nil, err
	}
	uid, n, credErr := -1, 0, error(nil)
	err = raw.Control(func(fd uintptr) {
		if uid, credErr = peerUID(int(fd)); credErr == nil && uid == l.uid {
			n, _ = unix.Read(int(fd), buf[len(buf):cap(buf)]) // the next read returns the error again
		}
	})
	switch {
	case err != nil:
		return nil, err
	case credErr != nil:
		return nil, fault.New(fault.HostUnreachable, "The client's user is unknown: %w.", credErr)
	case uid != l.uid:
		return nil, fault.New(fault.HostUnreachable, "This host belongs to another user (uid %d).", l.uid).With("uid", uid)
	}
	return buf[:len(buf)+max(n, 0)], nil
}

// watch calls gone when the host's path no longer leads to its socket.
func (l *hostListener) watch(gone func()) (stop func(), err error) {
	stop, err = watchSocket(l.path, l.file, gone)
	if err != nil {
		return func() {}, err
	}
	return stop, nil
}

// withdraw removes the host's socket file and hands over connections that were made but not accepted yet, so that each
// request gets an answer. The listener must still be closed.
func (l *hostListener) withdraw(pending func(net.Conn)) {
	if info, err := os.Lstat(l.path); err == nil && os.SameFile(info, l.file) {
		_ = os.Remove(l.path)
	}
	raw, err := l.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		for {
			nfd, _, err := unix.Accept(int(fd))
			if errors.Is(err, syscall.EINTR) {
				continue
			}
			if err != nil {
				return
			}
			unix.CloseOnExec(nfd)
			f := os.NewFile(uintptr(nfd), l.path)
			c, err := net.FileConn(f)
			_ = f.Close()
			if err == nil {
				pending(c)
			}
		}
	})
}

// stepAside gives the host's socket another path, where only its successor looks. Connections that were made already
// are still accepted.
func (l *hostListener) stepAside() error {
	path := hostdir.Join(filepath.Dir(l.path), hostdir.Leaving+strconv.Itoa(os.Getpid()))
	if info, err := os.Lstat(l.path); err != nil || !os.SameFile(info, l.file) {
		return fs.ErrNotExist // the path leads to another host
	}
	if err := os.Rename(l.path, path); err != nil {
		return err
	}
	l.path = path
	return nil
}

// dialHost connects to the host behind path. The error is fs.ErrNotExist if there is none: no socket file, or no
// process that listens on it.
func dialHost(ctx context.Context, path string) (c net.Conn, token string, err error) {
	if err := checkSocketPath(path); err != nil {
		return nil, "", err
	}
	var d net.Dialer
	c, err = d.DialContext(ctx, "unix", path)
	if errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ENOTSOCK) {
		err = fs.ErrNotExist
	}
	return c, "", err
}

// isReset reports whether err means that the other side closed the connection without an answer.
func isReset(err error) bool {
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}
