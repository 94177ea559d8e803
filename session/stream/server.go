package stream

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/loopback"
)

// Server listens on a port of this machine for clients that know its secret and want to watch a session.
type Server struct {
	*loopback.Server
	source  Source
	options Options
	secret  loopback.Secret
	clients atomic.Int32
}

// maxMessage is the largest message of a client in bytes.
const maxMessage = 1 << 20

// Listen starts a server; port 0 is any free port. The caller must Close it.
func Listen(port int, source Source, o Options) (*Server, error) {
	listening, err := loopback.Listen(port)
	if err != nil {
		return nil, fault.New(fault.File, "port %d is not available: %w", port, err).About(strconv.Itoa(port)).
			WithHint("Use another --port, or leave it out to get a free one.")
	}
	s := &Server{Server: listening, source: source, options: o, secret: loopback.NewSecret()}
	guard := loopback.Guard{
		Host:   loopback.LocalHost,
		Origin: func(r *http.Request) bool { return loopback.LocalOrigin(r.Header.Get("Origin")) },
		Secret: func(r *http.Request) bool { rest, ok := s.secret.InPath(r); return ok && rest == "" },
		Refusals: loopback.Refusals{
			Host: "Host not allowed", Origin: "Origin not allowed",
			Secret: "Connect to the address that `stream status` prints: it has a secret that lets you in.",
		},
	}
	s.Serve(guard.Protect(s.Lasting(s.watch)))
	return s, nil
}

// URL returns the WebSocket URL with the secret.
func (s *Server) URL() string { return "ws://" + s.Address() + "/" + string(s.secret) }

// Clients returns the number of connected clients.
func (s *Server) Clients() int { return int(s.clients.Load()) }

func (s *Server) watch(w http.ResponseWriter, r *http.Request) {
	s.clients.Add(1)
	defer s.clients.Add(-1)
	Accept(s.Life(), w, r, s.source, s.options)
}

// Accept upgrades a request to a WebSocket and serves it until it or life ends. The caller decides who may connect.
func Accept(life context.Context, w http.ResponseWriter, r *http.Request, source Source, o Options) {
	if r.Header.Get("Upgrade") == "" {
		w.Header().Set("Upgrade", "websocket")
		http.Error(w, "This is the live stream of a browser session: connect with a WebSocket.", http.StatusUpgradeRequired)
		return
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		InsecureSkipVerify: true,
		CompressionMode:    websocket.CompressionDisabled,
	})
	if err != nil {
		return // Accept has answered the client
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(maxMessage)
	o.read(r.URL.Query())
	v := newViewer(socket{conn}, source, o)
	read := make(chan error, 1)
	go func() { read <- v.read() }() // ends with the connection
	// A stuck client must not delay the end.
	unhook := context.AfterFunc(life, func() { time.AfterFunc(closeLimit, func() { _ = conn.CloseNow() }) })
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
		<-read //nolint:errcheck // wait for its end
	}
}

// closeLimit is how long a client has to receive the close message.
const closeLimit = time.Second

// socket is a connection for text messages.
type socket struct{ conn *websocket.Conn }

// writeLimit is how long a client may take to accept a message.
const writeLimit = 10 * time.Second

// write sends a message. Only the limit ends it: a context that ends would cut the connection without a close message.
func (s socket) write(ctx context.Context, message []byte) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeLimit)
	defer cancel()
	return s.conn.Write(ctx, websocket.MessageText, message)
}

func (s socket) read() ([]byte, error) {
	_, message, err := s.conn.Read(context.Background())
	return message, err
}
