package daemon

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"strings"
	"time"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/wire"
	"github.com/skua-browser/skua/session/wire/hostdir"
)

// findLimit is how long a host may take to identify itself.
const findLimit = 5 * time.Second

// FindHost returns the identity of the host of a namespace, which is zero if none is running. base is a base directory,
// see SocketDir.
func FindHost(ctx context.Context, base, namespace string) (wire.Identity, error) {
	dir, err := namespaceDir(base, namespace)
	if err != nil {
		return wire.Identity{}, err
	}
	return findHost(ctx, dir)
}

// StopHost ends the host of a namespace, and those that still finish commands after a newer build took their place. It
// returns when their sessions are closed, and false if none was running.
func StopHost(ctx context.Context, base, namespace string) (bool, error) {
	dir, err := namespaceDir(base, namespace)
	if err != nil {
		return false, err
	}
	kind, _, err := askHost(ctx, hostdir.Join(dir, hostdir.Socket), wire.Shutdown)
	stopped := kind == wire.Exit
	for _, path := range leavingSockets(dir) {
		kind, _, leftErr := askHost(ctx, path, wire.Shutdown)
		stopped, err = stopped || kind == wire.Exit, errors.Join(err, leftErr)
	}
	return stopped, err
}

// leavingSockets returns the sockets of hosts that a newer build has taken the place of. Some may be left from hosts
// that were killed.
func leavingSockets(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var paths []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), hostdir.Leaving) {
			paths = append(paths, hostdir.Join(dir, e.Name()))
		}
	}
	return paths
}

func findHost(ctx context.Context, dir string) (wire.Identity, error) {
	ctx, cancel := context.WithTimeout(ctx, findLimit)
	defer cancel()
	kind, payload, err := askHost(ctx, hostdir.Join(dir, hostdir.Socket), wire.Ping)
	if err != nil || kind != wire.Pong {
		return wire.Identity{}, err
	}
	return wire.ParsePong(payload)
}

// askHost sends a request without arguments to a host's socket and returns the first frame of the answer. The kind is 0
// if there is no host, and Retry or 0 if it is ending.
func askHost(ctx context.Context, path string, kind wire.Kind) (wire.FrameKind, []byte, error) {
	c, token, err := dialHost(ctx, path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0, nil, nil
	case err != nil:
		return 0, nil, hostFault(path, err)
	}
	defer c.Close()
	stop := context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	req := wire.Request{Kind: kind, Token: token}
	_, writeErr := c.Write(req.Append(nil))
	got, payload, err := readFrame(c)
	switch {
	case err == nil && got == wire.Refused:
		return 0, nil, fault.New(fault.HostUnreachable, "The host behind %s refused: %s", path, payload).About(path)
	case err == nil:
		return got, payload, nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		return 0, nil, hostFault(path, errors.New("it does not answer"))
	case errors.Is(err, wire.ErrMalformed):
		return 0, nil, hostFault(path, err)
	case writeErr != nil || errors.Is(err, io.EOF) || isReset(err):
		return 0, nil, nil // it ended in the meantime
	}
	return 0, nil, hostFault(path, err)
}

func hostFault(path string, err error) error {
	return fault.New(fault.HostUnreachable, "The host behind %s cannot be used: %w.", path, err).About(path).
		WithHint(
			"End its process if it hangs, or set SKUA_SOCKET_DIR to another directory; where sockets are forbidden, set " +
				"SKUA_NO_SOCKETS=1.")
}

// readFrame reads one frame other than output.
func readFrame(c net.Conn) (wire.FrameKind, []byte, error) {
	var buf []byte
	chunk := make([]byte, 4<<10)
	for {
		kind, size, n := wire.Header(buf)
		if n < 0 || kind == wire.Stdout || kind == wire.Stderr {
			return 0, nil, wire.ErrMalformed
		}
		if n > 0 && uint64(len(buf)-n) >= size {
			return kind, buf[n : n+int(size)], nil
		}
		m, err := c.Read(chunk)
		buf = append(buf, chunk[:m]...)
		if m == 0 && err != nil {
			return 0, nil, err
		}
	}
}
