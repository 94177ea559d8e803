//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// site is the web server of the benchmark. It serves the pages and keeps what they report.
type site struct {
	base   string // http://127.0.0.1:port
	server *http.Server
	served chan error // the server's end

	mu      sync.Mutex
	pages   map[string]string      // token -> document
	events  []event                // as they came
	news    chan struct{}          // closed and replaced when an event came
	signals map[string]chan string // token -> the text that the page is waiting for
}

// event is what a page reports about itself.
type event struct {
	Token    string
	Kind     string // loaded, click, note, order, shown
	Value    string
	At       float64 // ms since the epoch, by the page's clock
	received time.Time
}

// errNotSeen: the operation claimed success and the page did not report the effect.
var errNotSeen = errors.New("the page did not report the effect")

// openSite starts the server on a free loopback port. close ends it.
func openSite() (*site, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &site{
		base:    "http://" + listener.Addr().String(),
		served:  make(chan error, 1),
		pages:   map[string]string{},
		news:    make(chan struct{}),
		signals: map[string]chan string{},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /page/{token}", s.servePage)
	mux.HandleFunc("POST /event", s.serveEvent)
	mux.HandleFunc("GET /signal", s.serveSignal)
	s.office(mux)
	s.server = &http.Server{Handler: mux}
	go func() { s.served <- s.server.Serve(listener) }() // ends with close, which waits for it
	return s, nil
}

// close ends the server and everything that still hangs on it.
func (s *site) close() {
	_ = s.server.Close()
	<-s.served //nolint:errcheck // Close is why it ended
}

// publish adds a page and returns its address.
func (s *site) publish(token, title, body string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages[token] = document(title, token, body)
	return s.base + "/page/" + token
}

func (s *site) servePage(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	text, ok := s.pages[r.PathValue("token")]
	s.mu.Unlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, text)
}

func (s *site) serveEvent(w http.ResponseWriter, r *http.Request) {
	var e event
	if err := json.NewDecoder(io.LimitReader(r.Body, 1<<20)).Decode(&e); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.keep(e)
	w.WriteHeader(http.StatusNoContent)
}

// keep adds an event and tells those who wait for one.
func (s *site) keep(e event) {
	e.received = time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, e)
	close(s.news)
	s.news = make(chan struct{})
}

// serveSignal holds the page's request until signal releases it.
func (s *site) serveSignal(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	ch := s.signalOf(r.URL.Query().Get("token"))
	s.mu.Unlock()
	select {
	case text := <-ch:
		_, _ = io.WriteString(w, text)
	case <-r.Context().Done():
	}
}

// signalOf returns the page's channel. s.mu is held.
func (s *site) signalOf(token string) chan string {
	ch, ok := s.signals[token]
	if !ok {
		ch = make(chan string, 1)
		s.signals[token] = ch
	}
	return ch
}

// signal makes the page of the token show a text.
func (s *site) signal(token, text string) {
	s.mu.Lock()
	ch := s.signalOf(token)
	s.mu.Unlock()
	ch <- text
}

// await returns the first event of the token and kind with that value, waiting some seconds for it.
func (s *site) await(ctx context.Context, token, kind, value string) (event, error) {
	limit := time.NewTimer(5 * time.Second)
	defer limit.Stop()
	for {
		s.mu.Lock()
		news := s.news
		var seen []string
		for _, e := range s.events {
			if e.Token != token || e.Kind != kind {
				continue
			}
			if e.Value == value {
				s.mu.Unlock()
				return e, nil
			}
			seen = append(seen, fmt.Sprintf("%q", e.Value))
		}
		s.mu.Unlock()
		select {
		case <-news:
		case <-ctx.Done():
			return event{}, ctx.Err()
		case <-limit.C:
			return event{}, fmt.Errorf("%w: %s %q; seen of this kind: [%s]", errNotSeen, kind, value, strings.Join(seen, " "))
		}
	}
}

// count returns how many events of the kind the page has reported.
func (s *site) count(token, kind string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, e := range s.events {
		if e.Token == token && e.Kind == kind {
			n++
		}
	}
	return n
}
