package daemon

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/windows"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/wire/hostdir"
)

// hostListener is the loopback port of a host. Its address and the clients' token are in a file that only the user can
// read.
type hostListener struct {
	*net.TCPListener
	path    string
	content string
	token   string
}

// listen opens the port of the host of dir. The caller holds the host's lock, so an existing file is a stale one.
func listen(dir string) (*hostListener, error) {
	path := hostdir.Join(dir, hostdir.Socket)
	ln, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, fault.New(fault.HostUnreachable, "No port can be opened on the loopback interface: %w.", err)
	}
	token := rand.Text()
	l := &hostListener{TCPListener: ln, path: path, content: ln.Addr().String() + "\n" + token + "\n", token: token}
	// Written to a temporary file and renamed: a client must never read half of it.
	temp := path + ".new"
	err = os.WriteFile(temp, []byte(l.content), 0o600)
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		_ = ln.Close()
		return nil, fault.New(fault.HostUnreachable, "The file %s cannot be written: %w.", path, err).About(path).
			WithHint(otherDirHint)
	}
	return l, nil
}

// greet accepts every peer that can reach the port: the request's token is the check.
func (l *hostListener) greet(_ net.Conn, buf []byte) ([]byte, error) { return buf, nil }

// withdraw removes the host's file. Closing the port resets connections that were not accepted.
func (l *hostListener) withdraw(func(net.Conn)) {
	if b, err := os.ReadFile(l.path); err == nil && string(b) == l.content {
		_ = os.Remove(l.path)
	}
}

// stepAside gives the host's file another path, where only its successor looks. Connections that were made already are
// still accepted.
func (l *hostListener) stepAside() error {
	path := hostdir.Join(filepath.Dir(l.path), hostdir.Leaving+strconv.Itoa(os.Getpid()))
	if b, err := os.ReadFile(l.path); err != nil || string(b) != l.content {
		return fs.ErrNotExist // the path leads to another host
	}
	if err := os.Rename(l.path, path); err != nil {
		return err
	}
	l.path = path
	return nil
}

// dialHost connects to the host behind path and returns the token to send. The error is fs.ErrNotExist if there is
// none: no file, or no process that listens on the port.
func dialHost(ctx context.Context, path string) (c net.Conn, token string, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, "", err
	}
	addr, rest, _ := strings.Cut(string(b), "\n")
	token, _, ok := strings.Cut(rest, "\n")
	if host, _, err := net.SplitHostPort(addr); !ok || err != nil || host != "127.0.0.1" {
		return nil, "", fault.New(fault.HostUnreachable, "%s is in the way: no host wrote it.", path).About(path).
			WithHint("Remove it, or set SKUA_SOCKET_DIR to another directory.")
	}
	var d net.Dialer
	c, err = d.DialContext(ctx, "tcp4", addr)
	if errors.Is(err, windows.WSAECONNREFUSED) {
		err = fs.ErrNotExist
	}
	return c, token, err
}

// isReset reports whether err means that the other side closed the connection without an answer.
func isReset(err error) bool {
	return errors.Is(err, windows.WSAECONNRESET) || errors.Is(err, windows.WSAECONNABORTED)
}
