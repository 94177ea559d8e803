package stream

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/skua-browser/skua/engine/fault"
)

// Server listens on a port of this machine for those who want to watch a session.
type Server struct {
	source  Source
	options Options
	port    int
	http    *http.Server

	life    context.Context
	end     context.CancelFunc
	clients atomic.Int32

	mu      sync.Mutex
	closed  bool
	serving sync.WaitGroup // grows only while the server is not closed
}

// Limits of a connection that does not get on.
const (
	headerLimit = 10 * time.Second
	maxMessage  = 1 << 20
)

// Listen starts a server; port 0 is any that is free. The caller must Close it.
func Listen(port int, source Source, o Options) (*Server, error) {
	ln, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, fault.New(fault.File, "port %d cannot be listened on: %w", port, err).About(strconv.Itoa(port)).
			WithHint("Use another --port, or none for one that is free.")
	}
	s := &Server{source: source, options: o, port: ln.Addr().(*net.TCPAddr).Port}
	s.life, s.end = context.WithCancel(context.Background())
	s.http = &http.Server{Handler: http.HandlerFunc(s.handle), ReadHeaderTimeout: headerLimit}
	s.serving.Go(func() { _ = s.http.Serve(ln) })
	return s, nil
}

// Port returns the port that it listens on.
func (s *Server) Port() int { return s.port }

// Clients returns how many watch.
func (s *Server) Clients() int { return int(s.clients.Load()) }

// Close ends the server and all its connections, and returns when they are gone.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.end()
	_ = s.http.Close()
	s.serving.Wait()
}

// enter counts a client in, or reports false when the server ends.
func (s *Server) enter() (leave func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, false
	}
	s.serving.Add(1)
	s.clients.Add(1)
	return func() { s.clients.Add(-1); s.serving.Done() }, true
}

func (s *Server) handle(w http.ResponseWriter, r *http.Request) {
	switch {
	case !LocalHost(r.Host):
		http.Error(w, "Host not allowed", http.StatusForbidden)
	case !LocalOrigin(r.Header.Get("Origin")):
		http.Error(w, "Origin not allowed", http.StatusForbidden)
	default:
		if leave, ok := s.enter(); ok {
			defer leave()
			Accept(s.life, w, r, s.source, s.options)
		}
	}
}

// Accept makes a WebSocket of a request and serves it until it or life ends. Who may connect is the caller's business.
func Accept(life context.Context, w http.ResponseWriter, r *http.Request, source Source, o Options) {
	if r.Header.Get("Upgrade") == "" {
		w.Header().Set("Upgrade", "websocket")
		http.Error(w, "This is the live stream of a browser session: connect with a WebSocket.", http.StatusUpgradeRequired)
		return
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true, CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return // the client has been told
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(maxMessage)
	o.read(r.URL.Query())
	v := newViewer(socket{conn}, source, o)
	read := make(chan error, 1)
	go func() { read <- v.read() }() // ends with the connection
	// A client that is stuck does not keep the end from coming.
	unhook := context.AfterFunc(life, func() { time.AfterFunc(goodbyeLimit, func() { _ = conn.CloseNow() }) })
	defer unhook()
	done, err := v.serve(life, read)
	switch {
	case life.Err() != nil:
		_ = conn.Close(websocket.StatusGoingAway, "the stream was disabled")
	case errors.Is(err, context.DeadlineExceeded):
		_ = conn.Close(websocket.StatusPolicyViolation, "too slow")
	}
	_ = conn.CloseNow()
	if !done {
		<-read
	}
}

// goodbyeLimit is how long a client has to hear that the stream ends.
const goodbyeLimit = time.Second

// socket is a connection that carries text messages.
type socket struct{ conn *websocket.Conn }

// writeLimit is how long a client may take to accept a message.
const writeLimit = 10 * time.Second

// write sends a message. A context that ended meanwhile would end the connection without a goodbye, so that only the limit counts.
func (s socket) write(ctx context.Context, message []byte) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeLimit)
	defer cancel()
	return s.conn.Write(ctx, websocket.MessageText, message)
}

func (s socket) read() ([]byte, error) {
	_, message, err := s.conn.Read(context.Background())
	return message, err
}
