package inspect

import (
	"context"
	"encoding/json"
	"html"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/devtools"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/loopback"
)

// Server listens for DevTools.
type Server struct {
	*loopback.Server
	pages  func() []*engine.Page
	secret loopback.Secret
}

const (
	writeLimit = 30 * time.Second

	// maxMessage is the largest client message in bytes, as in Chromium.
	maxMessage = 100 << 20

	// maxBacklog is how many bytes may wait for a slow client.
	maxBacklog = 256 << 20
)

// Listen starts a server on a free port of this machine. pages returns the current pages. The caller must Close it.
func Listen(pages func() []*engine.Page) (*Server, error) {
	listening, err := loopback.Listen(0)
	if err != nil {
		return nil, fault.New(fault.File, "no local port is available: %w", err)
	}
	s := &Server{Server: listening, pages: pages, secret: loopback.NewSecret()}
	guard := loopback.Guard{
		Host: func(host string) bool {
			return host == s.Address() || host == strings.Replace(s.Address(), "127.0.0.1", "localhost", 1)
		},
		Origin:   func(r *http.Request) bool { return s.allowed(r.Header.Get("Origin")) },
		Secret:   func(r *http.Request) bool { _, ok := s.secret.InPath(r); return ok },
		Refusals: loopback.Refusals{Host: "Host not allowed", Origin: "Origin not allowed", Hide: true},
	}
	s.Serve(guard.Protect(s.Lasting(s.handle)))
	return s, nil
}

// URL returns the address of the page list.
func (s *Server) URL() string { return "http://" + s.Address() + "/" + string(s.secret) + "/" }

// Socket returns the WebSocket URL of a page.
func (s *Server) Socket(p *engine.Page) string {
	return "ws://" + s.Address() + "/" + string(s.secret) + "/page/" + p.ID()
}

// Frontend returns the DevTools URL for a page, for Chromium.
func (s *Server) Frontend(p *engine.Page) string {
	return "devtools://devtools/bundled/inspector.html?ws=" + url.QueryEscape(strings.TrimPrefix(s.Socket(p), "ws://"))
}

func (s *Server) handle(w http.ResponseWriter, r *http.Request) {
	rest, _ := s.secret.InPath(r)
	switch id, socket := strings.CutPrefix(rest, "page/"); {
	case socket:
		s.relay(w, r, s.page(id))
	case rest == "":
		s.list(w)
	case rest == "json" || rest == "json/list":
		s.describe(w)
	default:
		http.NotFound(w, r)
	}
}

// allowed reports whether a request comes from DevTools, the page list or a program, not from another site.
func (s *Server) allowed(origin string) bool {
	switch origin {
	case "", "devtools://devtools", "http://" + s.Address():
		return true
	}
	return false
}

func (s *Server) page(id string) *engine.Page {
	for _, p := range s.pages() {
		if p.ID() == id {
			return p
		}
	}
	return nil
}

// entry is a page in the form of Chromium's target list.
type entry struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Title    string `json:"title"`
	URL      string `json:"url"`
	Socket   string `json:"webSocketDebuggerUrl"`
	Frontend string `json:"devtoolsFrontendUrl"`
}

func (s *Server) entries() []entry {
	list := []entry{}
	for _, p := range s.pages() {
		list = append(list, entry{
			ID:       p.ID(),
			Type:     "page",
			Title:    p.Title(),
			URL:      p.URL(),
			Socket:   s.Socket(p),
			Frontend: s.Frontend(p),
		})
	}
	return list
}

func (s *Server) describe(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(s.entries())
}

const listHead = `<!doctype html><html lang=en><meta charset=utf-8><title>Pages to inspect</title>
<style>body { font: 16px system-ui; max-width: 60rem; margin: 2rem auto } code { user-select: all; overflow-wrap: anywhere }</style>
<h1>Pages to inspect</h1><p>Open a page's address in Chrome, Chromium or Edge: pages cannot link to DevTools, so copy it.</p>`

func (s *Server) list(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Referrer-Policy", "no-referrer")
	var page strings.Builder
	page.WriteString(listHead)
	for _, e := range s.entries() {
		page.WriteString("<h2>" + html.EscapeString(e.Title) + "</h2><p>" + html.EscapeString(e.URL) + "<p><code>" +
			html.EscapeString(e.Frontend) + "</code>")
	}
	_, _ = io.WriteString(w, page.String())
}

// relay relays CDP messages between a client and a page.
func (s *Server) relay(w http.ResponseWriter, r *http.Request, p *engine.Page) {
	if p == nil {
		http.Error(w, "There is no such page", http.StatusNotFound)
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
	out := newBacklog()
	relay, err := devtools.NewRelay(s.Life(), p, out.add)
	if err != nil {
		_ = conn.Close(websocket.StatusInternalError, "the page cannot be attached to")
		return
	}
	var writer sync.WaitGroup
	ctx, cancel := context.WithCancel(s.Life())
	writer.Go(func() {
		defer cancel() // the reader is useless without the writer
		out.write(ctx, relay.Done(), conn)
	})
	for {
		_, message, err := conn.Read(ctx)
		if err != nil {
			break
		}
		relay.Handle(message)
	}
	cancel()
	writer.Wait()
	relay.Close()
}

// backlog contains messages that the client has not read yet.
type backlog struct {
	more chan struct{} // has a token when there are messages

	mu       sync.Mutex
	messages [][]byte
	bytes    int
	full     bool
}

func newBacklog() *backlog { return &backlog{more: make(chan struct{}, 1)} }

// add adds a message without blocking. A client that falls too far behind is dropped.
func (b *backlog) add(message []byte) {
	b.mu.Lock()
	b.messages = append(b.messages, message)
	if b.bytes += len(message); b.bytes > maxBacklog {
		b.messages, b.full = nil, true
	}
	b.mu.Unlock()
	select {
	case b.more <- struct{}{}:
	default:
	}
}

// write sends messages until the page, the client or ctx ends.
func (b *backlog) write(ctx context.Context, gone <-chan struct{}, conn *websocket.Conn) {
	for {
		select {
		case <-b.more:
		case <-gone:
			_ = conn.Close(websocket.StatusGoingAway, "the page is gone")
			return
		case <-ctx.Done():
			return
		}
		b.mu.Lock()
		messages, full := b.messages, b.full
		b.messages, b.bytes = nil, 0
		b.mu.Unlock()
		if full {
			_ = conn.Close(websocket.StatusPolicyViolation, "too slow")
			return
		}
		for _, message := range messages {
			limited, cancel := context.WithTimeout(ctx, writeLimit)
			err := conn.Write(limited, websocket.MessageText, message)
			cancel()
			if err != nil {
				return
			}
		}
	}
}
