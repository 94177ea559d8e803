package loopback

import (
	"context"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Limits of a connection on which nothing happens.
const (
	// HeaderLimit is how long a client may take to send the header of a request, and, if it is refused, its body.
	HeaderLimit = 10 * time.Second
	// IdleLimit is how long a connection is kept between two requests.
	IdleLimit = 2 * time.Minute
)

// Server listens on a port. Its methods may be called from several goroutines.
type Server struct {
	listener net.Listener
	http     *http.Server
	life     context.Context
	end      context.CancelFunc

	mu      sync.Mutex
	closed  bool
	serving sync.WaitGroup // grows only while the server is not closed
}

// Listen takes a port of 127.0.0.1; 0 is any that is free. The caller must Close the server, and has it answer with
// Serve.
func Listen(port int) (*Server, error) {
	return ListenOn(context.Background(), net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
}

// ListenOn is like Listen, at a given address, which other machines may be able to reach.
func ListenOn(ctx context.Context, address string) (*Server, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return on(listener), nil
}

func on(listener net.Listener) *Server {
	s := &Server{listener: listener, http: NewHTTP(nil)}
	s.life, s.end = context.WithCancel(context.Background())
	return s
}

// NewHTTP returns an HTTP server that gives up clients which do not finish a header, for callers that have a listener
// of their own.
func NewHTTP(handler http.Handler) *http.Server {
	return &http.Server{Handler: handler, ReadHeaderTimeout: HeaderLimit, IdleTimeout: IdleLimit}
}

// Serve begins to answer. It is called once; the channel gets the error with which serving ends.
func (s *Server) Serve(handler http.Handler) (ended <-chan error) {
	s.http.Handler = handler
	done := make(chan error, 1)
	leave, ok := s.enter()
	if !ok {
		done <- http.ErrServerClosed
		return done
	}
	go func() { // ends when Close closes the listener, and Close waits for it
		defer leave()
		done <- s.http.Serve(s.listener)
	}()
	return done
}

// Port returns the port that is listened on.
func (s *Server) Port() int {
	if addr, ok := s.listener.Addr().(*net.TCPAddr); ok {
		return addr.Port
	}
	return 0
}

// Address returns the host and port that are listened on.
func (s *Server) Address() string { return s.listener.Addr().String() }

// Life ends when Close is called.
func (s *Server) Life() context.Context { return s.life }

// Lasting has Close wait for a handler, which must end with Life.
func (s *Server) Lasting(fn http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if leave, ok := s.enter(); ok {
			defer leave()
			fn(w, r)
		}
	}
}

func (s *Server) enter() (leave func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, false
	}
	s.serving.Add(1)
	return s.serving.Done, true
}

// Close ends the server and its connections, and returns when the lasting handlers have returned. It may be called
// again.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.end()
	_ = s.http.Close()
	_ = s.listener.Close() // of a server that never served
	s.serving.Wait()
}
