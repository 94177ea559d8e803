package gate

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"

	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/loopback"
)

// Gate is a proxy on loopback through which one session reaches what its rules allow. Clients must send its
// credentials.
type Gate struct {
	dialer   *Dialer
	rules    *policy.Network
	password string
	auth     []byte // the expected Proxy-Authorization header
	listener net.Listener
	server   *http.Server
	forward  *httputil.ReverseProxy
	road     *Road

	life context.Context // ends with Close
	end  context.CancelFunc

	mu     sync.Mutex
	closed bool           // no new requests are accepted
	all    sync.WaitGroup // the server and its requests

	failures failures
}

// maxConnections bounds the open connections. A browser opens at most 32 to a proxy, and more for WebSockets.
const maxConnections = 512

// Limits for idle connections to servers without TLS.
const (
	idleLimit = 30 * time.Second
	maxIdle   = 64
)

// user is the user name of the credentials.
const user = "skua"

// probeHost is a host that only the gate answers for. A request to it only shows that the gate accepts the credentials.
const probeHost = "gate.skua.invalid"

// Open starts a gate. It lives until Close.
func Open(o Options) (*Gate, error) {
	dialer, err := NewDialer(o)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fault.New(fault.BrowserLaunch, "no local port is available for the gate of the session's rules: %w", err)
	}
	g := &Gate{
		dialer:   dialer,
		rules:    o.Rules,
		password: rand.Text(),
		listener: &limitedListener{Listener: l, slots: make(chan struct{}, maxConnections)},
	}
	g.auth = []byte(basic(user, g.password))
	g.life, g.end = context.WithCancel(context.Background())
	g.road = NewRoad(dialer, nil)
	g.forward = &httputil.ReverseProxy{
		Rewrite:       rewrite,
		Transport:     g.road,
		FlushInterval: -1,
		ErrorHandler:  g.failed,
		ModifyResponse: func(res *http.Response) error {
			g.failures.set(hostPort(res.Request.URL), nil)
			return nil
		},
		ErrorLog: log.New(io.Discard, "", 0),
	}
	g.server = loopback.NewHTTP(http.HandlerFunc(g.serve))
	g.server.BaseContext = func(net.Listener) context.Context { return g.life }
	g.server.ErrorLog = log.New(io.Discard, "", 0)
	g.all.Go(func() { _ = g.server.Serve(g.listener) })
	return g, nil
}

// Address returns the gate's address in the form that browsers expect for a proxy.
func (g *Gate) Address() string { return "http://" + g.listener.Addr().String() }

// Credentials returns the gate's credentials.
func (g *Gate) Credentials() (name, password string) { return user, g.password }

// ProbeURL returns a URL that the gate itself answers, with no content, to clients with its credentials.
func (g *Gate) ProbeURL() string { return "http://" + probeHost + "/" }

// Upstream reports whether the user's proxy resolves names.
func (g *Gate) Upstream() bool { return g.dialer.Upstream() }

// Failed returns why the last connection to the host of an address failed: a *fault.Error with code PolicyBlocked if
// the rules forbid it, else a *Failure; nil means that it succeeded or was not tried.
func (g *Gate) Failed(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	return g.failures.of(hostPort(u))
}

// Close ends the gate and all its connections.
func (g *Gate) Close() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.end()
	_ = g.server.Close()
	g.all.Wait()
	g.road.CloseIdleConnections()
}

// begin counts a request that Close waits for, or returns false after Close.
func (g *Gate) begin() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.closed {
		g.all.Add(1)
	}
	return !g.closed
}

func (g *Gate) serve(w http.ResponseWriter, r *http.Request) {
	if !g.begin() {
		hangUp(w)
		return
	}
	defer g.all.Done()
	switch {
	case r.Method != http.MethodConnect && r.URL.Host == "": // a client that thinks this is a server
		http.Error(w, "this is a proxy", http.StatusBadRequest)
	case subtle.ConstantTimeCompare([]byte(r.Header.Get("Proxy-Authorization")), g.auth) != 1:
		w.Header().Set("Proxy-Authenticate", `Basic realm="skua"`)
		http.Error(w, "this proxy is for one session of skua", http.StatusProxyAuthRequired)
	case r.URL.Hostname() == probeHost:
		w.WriteHeader(http.StatusNoContent)
	case r.Method == http.MethodConnect:
		g.connect(w, r)
	case r.URL.Scheme != "http":
		http.Error(w, "only http is asked for like this", http.StatusBadRequest)
	default:
		g.forward.ServeHTTP(w, r)
	}
}

// connect opens a tunnel.
func (g *Gate) connect(w http.ResponseWriter, r *http.Request) {
	server, err := g.dialer.DialContext(r.Context(), "tcp", r.Host)
	g.failures.set(r.Host, err)
	if err != nil {
		hangUp(w)
		return
	}
	defer server.Close()
	client, buf, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer client.Close()
	if _, err := io.WriteString(client, "HTTP/1.1 200 OK\r\n\r\n"); err != nil {
		return
	}
	g.copyBoth(client, buf.Reader, server)
}

// copyBoth copies bytes in both directions until the client closes, the server and then the client close, or the gate
// closes.
func (g *Gate) copyBoth(client net.Conn, early *bufio.Reader, server net.Conn) {
	stop := context.AfterFunc(g.life, func() { _, _ = client.Close(), server.Close() })
	defer stop()
	done := make(chan struct{})
	go func() {
		defer close(done)
		if n := early.Buffered(); n > 0 {
			_, _ = io.CopyN(server, early, int64(n)) // the next copy reports the error
		}
		_, _ = io.Copy(server, client)
		_ = server.Close() // browsers do not use half-closed connections
	}()
	_, err := io.Copy(client, server)
	if half, ok := client.(interface{ CloseWrite() error }); err == nil && ok && half.CloseWrite() == nil {
		<-done
	}
	_ = client.Close()
	<-done
}

// rewrite forwards a request unchanged, without the headers for the proxy.
func rewrite(r *httputil.ProxyRequest) {
	r.Out.URL, r.Out.Host = r.In.URL, r.In.Host
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
		if v, ok := r.In.Header[name]; ok {
			r.Out.Header[name] = v
		}
	}
	if _, ok := r.Out.Header["User-Agent"]; !ok {
		r.Out.Header.Set("User-Agent", "") // none, instead of Go's default
	}
}

// failed ends a request without an answer as it would end without a proxy: by closing the connection.
func (g *Gate) failed(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() == nil { // otherwise the browser canceled it
		g.failures.set(hostPort(r.URL), err)
	}
	hangUp(w)
}

// hangUp closes the connection of a request.
func hangUp(w http.ResponseWriter) {
	if c, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = c.Close()
		return
	}
	panic(http.ErrAbortHandler) // the way to abort a handler
}

// limitedListener accepts no more connections than it has slots.
type limitedListener struct {
	net.Listener
	slots chan struct{}
}

func (l *limitedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	select {
	case l.slots <- struct{}{}:
	default: // no browser opens so many: another program tries
		_ = c.Close()
		return &closedConn{c}, nil
	}
	return &limitedConn{Conn: c, free: sync.OnceFunc(func() { <-l.slots })}, nil
}

// closedConn is a connection that was rejected.
type closedConn struct{ net.Conn }

func (closedConn) Read([]byte) (int, error) { return 0, net.ErrClosed }

// limitedConn frees its slot when it closes.
type limitedConn struct {
	net.Conn
	free func()
}

func (s *limitedConn) Close() error {
	s.free()
	return s.Conn.Close()
}

func (s *limitedConn) CloseWrite() error {
	if half, ok := s.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// ReadFrom lets the kernel copy if it can.
func (s *limitedConn) ReadFrom(r io.Reader) (int64, error) { return io.Copy(s.Conn, r) }
