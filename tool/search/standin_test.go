package search

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/config"
)

// standIn is both APIs on loopback. It takes what they document and refuses all else, so that a wrong request cannot
// pass.
type standIn struct {
	server *httptest.Server

	mu       sync.Mutex
	requests []received
	reply    func(http.ResponseWriter, *http.Request) // instead of the usual answer; nil: the usual one
}

// received is a request as it came.
type received struct {
	method, path string
	key          string // of whichever header
	query        url.Values
	body         map[string]any
}

func newStandIn(t *testing.T) *standIn {
	s := &standIn{}
	s.server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.server.Close)
	return s
}

const (
	exaSecret   = "exa-0123456789"
	braveSecret = "brave+0123456789/="
)

func (s *standIn) serve(w http.ResponseWriter, r *http.Request) {
	got, problem := read(r)
	s.mu.Lock()
	s.requests = append(s.requests, got)
	reply := s.reply
	s.mu.Unlock()
	if problem != "" {
		http.Error(w, `{"error":"`+problem+`"}`, http.StatusBadRequest)
		return
	}
	if reply != nil {
		reply(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if got.path == "/search" {
		_ = json.NewEncoder(w).Encode(exaReply(int(got.body["numResults"].(float64))))
		return
	}
	_, _ = io.WriteString(w, braveReply)
}

// read takes a request apart; problem says what the API would refuse in it.
func read(r *http.Request) (got received, problem string) {
	got = received{method: r.Method, path: r.URL.Path, query: r.URL.Query()}
	switch r.Method + " " + r.URL.Path {
	case "GET /res/v1/web/search":
		got.key = r.Header.Get("X-Subscription-Token")
		return got, refused(got.query, "q", "count", "offset", "country", "search_lang", "safesearch", "freshness")
	case "POST /search":
		got.key = r.Header.Get("X-Api-Key")
		if r.Header.Get("Content-Type") != "application/json" || r.URL.RawQuery != "" {
			return got, "not JSON"
		}
		if err := json.NewDecoder(r.Body).Decode(&got.body); err != nil {
			return got, "no JSON"
		}
		return got, refused(got.body, "query", "type", "numResults", "contents", "userLocation", "moderation",
			"startPublishedDate")
	}
	return got, "no such endpoint"
}

func refused[V any](fields map[string]V, known ...string) string {
	taken := map[string]bool{}
	for _, name := range known {
		taken[name] = true
	}
	for name := range fields {
		if !taken[name] {
			return "unknown field " + name
		}
	}
	return ""
}

const braveReply = `{"type":"search","query":{"original":"birds","altered":"bird species"},"web":{"type":"search","results":[
 {"title":"<strong>Birds</strong> &amp; beaks","url":"https://birds.example/a?b=1","description":"All about <strong>birds</strong>.","age":"2 days ago","page_age":"2026-05-01T10:00:00",
  "language":"en","profile":{"name":"Birds","url":"https://birds.example"},"meta_url":{"hostname":"birds.example"},"extra_snippets":["one","two","three","four"]},
 {"title":"No address","url":""},
 {"title":"","url":"https://untitled.example/"},
 {"title":"A script","url":"javascript:alert(1)"},
 {"title":"Second","url":"http://second.example/","meta_url":{"hostname":"second.example"},"page_age":"2026-05-01T10:00:00"}]}}`

func exaReply(n int) map[string]any {
	var results []any
	for i := range n {
		results = append(results, map[string]any{
			"id": fmt.Sprint(i), "title": fmt.Sprintf("Result %d", i), "url": fmt.Sprintf("https://www.r%d.example/", i),
			"publishedDate": "2026-06-02T00:00:00.000Z",
			"author":        nil, "score": 0.5, "highlights": []string{fmt.Sprintf("Excerpt %d", i), "More"},
		})
	}
	return map[string]any{
		"requestId": "request-7", "resolvedSearchType": "neural", "results": results,
		"costDollars": map[string]any{"total": 0.005},
	}
}

// seen returns the requests so far.
func (s *standIn) seen() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]received(nil), s.requests...)
}

// open opens a Search on the stand-in, in an environment with these variables and nothing else.
func (s *standIn) open(t *testing.T, env map[string]string, change ...func(*Options)) *Search {
	t.Helper()
	o := Options{
		Config: config.Source{Getenv: func(name string) string {
			return env[name]
		}}, ExaURL: s.server.URL, BraveURL: s.server.URL, Clock: newClock(),
	}
	for _, c := range change {
		c(&o)
	}
	opened, err := Open(o)
	require.NoError(t, err)
	return opened
}

// clock stops, and every wait on it ends at once.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	waits []time.Duration
}

func newClock() *clock { return &clock{now: time.Date(2026, 6, 10, 12, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Wait(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.waits = append(c.waits, d)
	return nil
}
