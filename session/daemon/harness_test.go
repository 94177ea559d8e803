package daemon

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/session/wire"
	"github.com/skua-browser/skua/session/wire/hostdir"
)

// handlerFunc is a Handler made of a function.
type handlerFunc func(ctx context.Context, req *wire.Request, out, errOut io.Writer) int

func (f handlerFunc) Handle(ctx context.Context, req *wire.Request, out, errOut io.Writer) int {
	return f(ctx, req, out, errOut)
}

// echo prints its arguments.
var echo = handlerFunc(func(_ context.Context, req *wire.Request, out, _ io.Writer) int {
	_, _ = io.WriteString(out, strings.Join(req.Args, " "))
	return 0
})

// shortDir makes a directory whose sockets have paths that every system takes, which those of t.TempDir may not be.
func shortDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "sk")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// testHost is a host in this process.
type testHost struct {
	base string
	end  context.CancelFunc
	done chan struct{} // closed when ServeDaemon has returned err
	err  error
}

// startTestHost runs a host until the test ends, and waits until it listens.
func startTestHost(t testing.TB, h Handler, change func(*Options)) *testHost {
	t.Helper()
	host, said := launchTestHost(t, h, change)
	require.Equal(t, wire.Ready, <-said)
	return host
}

// launchTestHost runs a host and passes on what it says about its start.
func launchTestHost(t testing.TB, h Handler, change func(*Options)) (*testHost, <-chan string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r, w := io.Pipe()
	o := Options{Ready: w}
	if change != nil {
		change(&o)
	}
	if o.Dir == "" {
		o.Dir = shortDir(t)
	}
	host := &testHost{base: o.Dir, end: cancel, done: make(chan struct{})}
	said := make(chan string, 1)
	go func() {
		b, _ := io.ReadAll(r)
		said <- string(b)
	}()
	go func() {
		defer close(host.done)
		host.err = Serve(ctx, h, o)
	}()
	t.Cleanup(func() {
		cancel()
		<-host.done
	})
	return host, said
}

// dial connects to the host.
func (h *testHost) dial(t *testing.T) net.Conn {
	t.Helper()
	c, _, err := dialHost(t.Context(), filepath.Join(h.base, hostdir.Socket))
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// answer is a whole reply.
type answer struct {
	Out, Err string
	Last     wire.FrameKind
	Payload  string
}

func exitWith(code byte, out string) answer {
	return answer{Out: out, Last: wire.Exit, Payload: string([]byte{code})}
}

// ask sends a request and reads the reply.
func ask(t *testing.T, c net.Conn, req wire.Request) answer {
	t.Helper()
	_, err := c.Write(req.Append(nil))
	require.NoError(t, err)
	return readAnswer(t, c)
}

func (h *testHost) run(t *testing.T, args ...string) answer {
	t.Helper()
	return ask(t, h.dial(t), wire.Request{Kind: wire.Run, Args: args})
}

// frameReader takes a reply apart.
type frameReader struct {
	c   net.Conn
	buf []byte
}

func (f *frameReader) next() (wire.FrameKind, string, error) {
	chunk := make([]byte, 32<<10)
	for {
		kind, size, n := wire.Header(f.buf)
		if n < 0 {
			return 0, "", wire.ErrMalformed
		}
		if n > 0 && uint64(len(f.buf)-n) >= size {
			payload := string(f.buf[n : n+int(size)])
			f.buf = f.buf[n+int(size):]
			return kind, payload, nil
		}
		m, err := f.c.Read(chunk)
		f.buf = append(f.buf, chunk[:m]...)
		if m == 0 && err != nil {
			return 0, "", err
		}
	}
}

func readAnswer(t *testing.T, c net.Conn) answer {
	t.Helper()
	_ = c.SetReadDeadline(time.Now().Add(2 * time.Minute))
	var out, errOut strings.Builder
	f := frameReader{c: c}
	for {
		kind, payload, err := f.next()
		require.NoError(t, err)
		switch kind {
		case wire.Stdout:
			out.WriteString(payload)
		case wire.Stderr:
			errOut.WriteString(payload)
		default:
			return answer{Out: out.String(), Err: errOut.String(), Last: kind, Payload: payload}
		}
	}
}

// memorySocket is a socket whose connections are pipes, so that a daemon can be run under a test's own clock.
type memorySocket struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newMemorySocket() *memorySocket {
	return &memorySocket{conns: make(chan net.Conn), closed: make(chan struct{})}
}

func (s *memorySocket) Accept() (net.Conn, error) {
	select {
	case c := <-s.conns:
		return c, nil
	case <-s.closed:
		return nil, net.ErrClosed
	}
}

func (s *memorySocket) Close() error {
	s.once.Do(func() { close(s.closed) })
	return nil
}

func (s *memorySocket) Addr() net.Addr { return &net.UnixAddr{} }

func (s *memorySocket) greet(_ net.Conn, buf []byte) ([]byte, error) { return buf, nil }

func (s *memorySocket) withdraw(func(net.Conn)) {}

func (s *memorySocket) stepAside() error { return nil }

// dial returns the client's end of a new connection.
func (s *memorySocket) dial() (net.Conn, error) {
	client, host := net.Pipe()
	select {
	case s.conns <- host:
		return client, nil
	case <-s.closed:
		return nil, errors.New("the host is gone")
	}
}
