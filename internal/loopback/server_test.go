package loopback

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// pipes is a listener whose connections are in memory, so that a test's own clock passes for them.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), done: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.done) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

func (p *pipes) dial() net.Conn {
	here, there := net.Pipe()
	p.conns <- there
	return here
}

// open is a guard that lets in who has the secret "yes" in the path.
func open() Guard {
	return Guard{
		Host:   LocalHost,
		Origin: func(r *http.Request) bool { return LocalOrigin(r.Header.Get("Origin")) },
		Secret: func(r *http.Request) bool { _, ok := Secret("yes").InPath(r); return ok },
	}
}

// A client that does not finish what it sends does not keep its connection.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	const known = "POST /yes HTTP/1.1\r\nHost: localhost\r\n"
	tests := []struct {
		name, sends string
		within      time.Duration
	}{
		{"nothing at all", "", HeaderLimit},
		{"half a header", known + "X-Slow: ", HeaderLimit},
		{"half a header of a second request", known + "Content-Length: 0\r\n\r\n" + known + "X-", HeaderLimit},
		{"no second request", known + "Content-Length: 0\r\n\r\n", IdleLimit},
		{
			"half a body, without the secret", "POST /no HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf",
			HeaderLimit,
		},
		{
			"half a body, by another name", "POST /yes HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 10\r\n\r\nhalf",
			HeaderLimit,
		},
		{
			"half a body, from another page", known + "Origin: https://evil.example\r\nContent-Length: 10\r\n\r\nhalf",
			HeaderLimit,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				l := newPipes()
				s := on(l)
				s.Serve(open().Protect(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					w.WriteHeader(http.StatusNoContent)
				})))
				defer s.Close()
				conn, began := l.dial(), time.Now()
				defer conn.Close()
				go func() { _, _ = io.WriteString(conn, tt.sends) }()
				_, err := io.Copy(io.Discard, conn)
				require.NoError(t, err, "the server hangs up")
				require.LessOrEqual(t, time.Since(began), tt.within)
			})
		})
	}
}

func TestCloseWaitsForWhatLasts(t *testing.T) {
	t.Parallel()
	s, err := Listen(0)
	require.NoError(t, err)
	entered, left := make(chan struct{}), make(chan struct{})
	ended := s.Serve(s.Lasting(func(http.ResponseWriter, *http.Request) {
		close(entered)
		<-s.Life().Done()
		close(left)
	}))
	go func() {
		if res, err := http.Get("http://" + s.Address()); err == nil {
			_ = res.Body.Close()
		}
	}()
	<-entered
	s.Close()
	select {
	case <-left:
	default:
		t.Error("Close returned before the handler")
	}
	require.ErrorIs(t, <-ended, http.ErrServerClosed)
	s.Close()
	require.ErrorIs(t, <-s.Serve(nil), http.ErrServerClosed)
}

func TestListen(t *testing.T) {
	t.Parallel()
	s, err := Listen(0)
	require.NoError(t, err)
	defer s.Close()
	host, _, err := net.SplitHostPort(s.Address())
	require.NoError(t, err)
	require.Equal(t, "127.0.0.1", host)
	_, err = Listen(s.Port())
	require.Error(t, err, "the port is taken")
	s.Close()
	again, err := ListenOn(context.Background(), s.Address())
	require.NoError(t, err, "a server that never served gives its port back")
	again.Close()
}

// A connection that was refused is good for the next request.
func TestRefusedConnectionGoesOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newPipes()
		s := on(l)
		s.Serve(open().Protect(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNoContent)
		})))
		defer s.Close()
		conn := l.dial()
		defer conn.Close()
		answers := bufio.NewReader(conn)
		for _, want := range []int{http.StatusUnauthorized, http.StatusNoContent} {
			path := map[int]string{http.StatusUnauthorized: "/no", http.StatusNoContent: "/yes"}[want]
			_, err := io.WriteString(conn, "GET "+path+" HTTP/1.1\r\nHost: localhost\r\n\r\n")
			require.NoError(t, err)
			res, err := http.ReadResponse(answers, nil)
			require.NoError(t, err)
			_, err = io.Copy(io.Discard, res.Body)
			require.NoError(t, err)
			require.Equal(t, want, res.StatusCode)
			time.Sleep(HeaderLimit + time.Second) // the limit of the refusal is over
		}
	})
}
