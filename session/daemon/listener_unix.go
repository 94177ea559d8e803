//go:build unix

package daemon

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/session/wire/hostdir"
)

// hostListener is the socket of a host.
type hostListener struct {
	*net.UnixListener
	path  string
	file  fs.FileInfo // the socket file as it was made
	uid   int         // the user of the host
	token string      // never needed here: the system names the peer
}

// listen makes the socket of the host of dir. The caller holds the host's lock, so that a socket which is there already
// belongs to nobody.
func listen(dir string) (*hostListener, error) {
	path := hostdir.Join(dir, hostdir.Socket)
	if err := checkSocketPath(path); err != nil {
		return nil, err
	}
	if info, err := os.Lstat(path); err == nil {
		if info.Mode().Type() != fs.ModeSocket {
			return nil, fault.New(fault.HostUnreachable, "%s is in the way: it is no socket.", path).About(path).
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
	ln.SetUnlinkOnClose(false) // withdraw removes it, and only if it is still this one
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
			hostdir.MaxSocketPath).About(path).WithHint("Set SKUA_SOCKET_DIR to a shorter directory, or use a shorter namespace.")
	}
	return nil
}

func listenFault(path string, err error) error {
	return fault.New(fault.HostUnreachable, "The socket %s cannot be made: %w.", path, err).About(path).WithHint(otherDirHint)
}

// greet refuses a peer of another user, which the socket's mode keeps out already except for the superuser. It takes what
// has been sent: a request is usually there by now, and a read that may have to wait would first set a deadline, at the
// cost of waking another thread.
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
			n, _ = unix.Read(int(fd), buf[len(buf):cap(buf)]) // an error will come again with the next read
		}
	})
	switch {
	case err != nil:
		return nil, err
	case credErr != nil:
		return nil, fault.New(fault.HostUnreachable, "It cannot be told which user the client belongs to: %w.", credErr)
	case uid != l.uid:
		return nil, fault.New(fault.HostUnreachable, "This host belongs to another user (uid %d).", l.uid).With("uid", uid)
	}
	return buf[:len(buf)+max(n, 0)], nil
}

// watch has gone called when nobody finds the host by its path any more.
func (l *hostListener) watch(gone func()) (stop func(), err error) {
	stop, err = watchSocket(l.path, l.file, gone)
	if err != nil {
		return func() {}, err
	}
	return stop, nil
}

// withdraw makes the host unfindable and hands over the connections that clients had already made but nobody accepted, so
// that no request which reached the host stays without an answer. The listener still has to be closed.
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

// dialHost connects to the host of dir. The error is fs.ErrNotExist when there is none: no socket, or one that nobody
// listens on.
func dialHost(ctx context.Context, dir string) (c net.Conn, token string, err error) {
	path := hostdir.Join(dir, hostdir.Socket)
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

// isReset reports whether err means that the other side went away without a word.
func isReset(err error) bool {
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}
