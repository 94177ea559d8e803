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

	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/loopback"
)

// Gate is a proxy on loopback through which one session reaches what its rules allow, and nothing else. It wants a secret of who uses it.
type Gate struct {
	dialer   *Dialer
	rules    *policy.Network
	password string
	auth     []byte // the header that is wanted
	listener net.Listener
	server   *http.Server
	forward  *httputil.ReverseProxy
	plain    *http.Transport // without TLS, to servers
	relayed  *http.Transport // the same to the user's proxy

	life context.Context // ends with Close
	end  context.CancelFunc

	mu     sync.Mutex
	closed bool           // nothing is begun any more
	all    sync.WaitGroup // the server, and what it serves

	failures failures
}

// maxConnections bounds what a session has open here at a time. A browser has no more than 32 to a proxy, and some for WebSockets.
const maxConnections = 512

// What is kept of connections to servers that are asked without TLS.
const (
	idleLimit = 30 * time.Second
	maxIdle   = 64
)

// user is the name that goes with the password.
const user = "skua"

// greeting is the host that only the gate itself has: who asks it learns nothing but that the gate takes the secret.
const greeting = "gate.skua.invalid"

// Open starts a gate. It lives until Close.
func Open(o Options) (*Gate, error) {
	dialer, err := NewDialer(o)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fault.New(fault.BrowserLaunch, "no port of this machine can be had for the gate of the session's rules: %w", err)
	}
	g := &Gate{dialer: dialer, rules: o.Rules, password: rand.Text(), listener: &limited{Listener: l, slots: make(chan struct{}, maxConnections)}}
	g.auth = []byte(basic(user, g.password))
	g.life, g.end = context.WithCancel(context.Background())
	g.plain = &http.Transport{
		DialContext: func(ctx context.Context, _, address string) (net.Conn, error) {
			return g.dialer.dialFor(ctx, "http", address)
		},
		DisableCompression: true, IdleConnTimeout: idleLimit, MaxIdleConns: maxIdle,
	}
	g.relayed = &http.Transport{
		Proxy:              func(r *http.Request) (*url.URL, error) { return g.dialer.proxyFor("http", hostPort(r.URL)), nil },
		DisableCompression: true, IdleConnTimeout: idleLimit, MaxIdleConns: maxIdle,
	}
	g.forward = &httputil.ReverseProxy{
		Rewrite:       rewrite,
		Transport:     roundTrip(g.send),
		FlushInterval: -1,
		ErrorHandler:  g.failed,
		ModifyResponse: func(res *http.Response) error {
			address := hostPort(res.Request.URL)
			if via := g.dialer.proxyFor("http", address); via != nil && res.StatusCode == http.StatusProxyAuthRequired {
				return unwelcome(via) // the browser would take it for a question of the gate's
			}
			g.failures.set(address, nil)
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

// Address is the gate's address, as browsers want it of a proxy.
func (g *Gate) Address() string { return "http://" + g.listener.Addr().String() }

// Credentials are what the gate wants of who uses it.
func (g *Gate) Credentials() (name, password string) { return user, g.password }

// Greeting is an address that the gate itself answers, without content, to whoever has the credentials.
func (g *Gate) Greeting() string { return "http://" + greeting + "/" }

// Upstream reports whether a proxy of the user's resolves the names.
func (g *Gate) Upstream() bool { return g.dialer.Upstream() }

// Failed returns why the last connection to the host of an address was not made: a *fault.Error of code PolicyBlocked when the rules forbid it,
// else a *Failure; nil: it was made, or was not asked for.
func (g *Gate) Failed(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	return g.failures.of(hostPort(u))
}

// Close ends the gate with everything that goes through it.
func (g *Gate) Close() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.end()
	_ = g.server.Close()
	g.all.Wait()
	g.plain.CloseIdleConnections()
	g.relayed.CloseIdleConnections()
}

// begin counts something that Close waits for.
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
	case r.Method != http.MethodConnect && r.URL.Host == "": // who takes it for a server
		http.Error(w, "this is a proxy", http.StatusBadRequest)
	case subtle.ConstantTimeCompare([]byte(r.Header.Get("Proxy-Authorization")), g.auth) != 1:
		w.Header().Set("Proxy-Authenticate", `Basic realm="skua"`)
		http.Error(w, "this proxy is for one session of skua", http.StatusProxyAuthRequired)
	case r.URL.Hostname() == greeting:
		w.WriteHeader(http.StatusNoContent)
	case r.Method == http.MethodConnect:
		g.connect(w, r)
	case r.URL.Scheme != "http":
		http.Error(w, "only http is asked for like this", http.StatusBadRequest)
	default:
		g.forward.ServeHTTP(w, r)
	}
}

// connect makes a tunnel.
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

// copyBoth carries bytes until the client is gone, or the server and then the client, or the gate is closed.
func (g *Gate) copyBoth(client net.Conn, early *bufio.Reader, server net.Conn) {
	stop := context.AfterFunc(g.life, func() { _, _ = client.Close(), server.Close() })
	defer stop()
	done := make(chan struct{})
	go func() {
		defer close(done)
		if n := early.Buffered(); n > 0 {
			_, _ = io.CopyN(server, early, int64(n)) // what breaks here breaks below
		}
		_, _ = io.Copy(server, client)
		_ = server.Close() // a browser does not leave one half open
	}()
	_, err := io.Copy(client, server)
	if half, ok := client.(interface{ CloseWrite() error }); err == nil && ok && half.CloseWrite() == nil {
		<-done
	}
	_ = client.Close()
	<-done
}

// roundTrip makes a function a transport.
type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip calls the function.
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// send asks a server without TLS, or the user's proxy for it.
func (g *Gate) send(r *http.Request) (*http.Response, error) {
	address := hostPort(r.URL)
	via := g.dialer.proxyFor("http", address)
	if via == nil || via.Scheme != "http" && via.Scheme != "https" {
		return g.plain.RoundTrip(r)
	}
	host, port, err := split(address)
	if err == nil {
		err = g.dialer.allowed(host, port)
	}
	if err != nil {
		return nil, err
	}
	return g.relayed.RoundTrip(r)
}

// rewrite has the request go on as it came, without what it said to the proxy.
func rewrite(r *httputil.ProxyRequest) {
	r.Out.URL, r.Out.Host = r.In.URL, r.In.Host
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
		if v, ok := r.In.Header[name]; ok {
			r.Out.Header[name] = v
		}
	}
	if _, ok := r.Out.Header["User-Agent"]; !ok {
		r.Out.Header.Set("User-Agent", "") // none, in place of Go's
	}
}

// failed ends a request that got no answer as it ends without a proxy: without one.
func (g *Gate) failed(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() == nil { // else the browser is gone, and knows why
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
	panic(http.ErrAbortHandler) // the server's own word for it
}

// limited takes no more connections than it has slots for; further ones wait.
type limited struct {
	net.Listener
	slots chan struct{}
}

func (l *limited) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	select {
	case l.slots <- struct{}{}:
	default: // more than a browser ever has: somebody else tries
		_ = c.Close()
		return &closedConn{c}, nil
	}
	return &slotted{Conn: c, free: sync.OnceFunc(func() { <-l.slots })}, nil
}

// closedConn is a connection that was not taken.
type closedConn struct{ net.Conn }

func (closedConn) Read([]byte) (int, error) { return 0, net.ErrClosed }

// slotted gives its slot back when it is closed.
type slotted struct {
	net.Conn
	free func()
}

func (s *slotted) Close() error {
	s.free()
	return s.Conn.Close()
}

func (s *slotted) CloseWrite() error {
	if half, ok := s.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// ReadFrom lets the kernel carry what it can.
func (s *slotted) ReadFrom(r io.Reader) (int64, error) { return io.Copy(s.Conn, r) }
