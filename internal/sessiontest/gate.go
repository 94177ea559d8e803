package sessiontest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Gate is an address that answers when the test says so.
type Gate struct {
	Path  string
	page  string        // what it answers with; empty means a plain text
	asked chan struct{} // closed when the first request is there
	ask   sync.Once
	free  chan struct{}
	once  sync.Once
	ended <-chan struct{} // closed when the site ends
}

// Gate makes an address that answers when the gate is opened, at the latest at the test's end.
func (s *Site) Gate(t testing.TB, page string) *Gate {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	g := &Gate{
		Path:  fmt.Sprintf("/gate/%d", len(s.gates)),
		page:  page,
		asked: make(chan struct{}),
		free:  make(chan struct{}),
		ended: s.ended,
	}
	s.gates = append(s.gates, g)
	t.Cleanup(g.Open)
	return g
}

// Block is a script whose page does not respond until the gate is opened. Unlike one that never ends it leaves the
// processor to other tests.
func (g *Gate) Block() string {
	return `(() => { const x = new XMLHttpRequest(); x.open("GET", "` + g.Path + `", false); x.send() })()`
}

// Open lets the requests pass, those that are waiting and those that come.
func (g *Gate) Open() { g.once.Do(func() { close(g.free) }) }

func (s *Site) serveGate(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	g := s.gates[Number(r.PathValue("n"))]
	s.mu.Unlock()
	if !g.Pass(r.Context()) {
		return
	}
	if g.page != "" {
		WritePage(w, g.page)
		return
	}
	w.Header().Set("Content-Type", "text/plain")
	_, _ = io.WriteString(w, "open")
}

// Pass waits for a request until the gate is open, and reports whether it is: the request or the site may end before.
func (g *Gate) Pass(ctx context.Context) bool {
	g.ask.Do(func() { close(g.asked) })
	select {
	case <-g.free:
		return true
	case <-ctx.Done():
	case <-g.ended:
	}
	return false
}

// WaitAsked waits until a request is at the gate.
func (g *Gate) WaitAsked(t testing.TB) {
	t.Helper()
	select {
	case <-g.asked:
	case <-time.After(CommandLimit):
		require.Fail(t, "no request for "+g.Path)
	}
}
