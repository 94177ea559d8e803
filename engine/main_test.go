package engine_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/chrome"
)

// The tests of this package share one real browser; each has a context of its own.

// browser is launched by TestMain.
var browser *engine.Browser

func TestMain(m *testing.M) { os.Exit(withBrowser(m.Run)) }

func withBrowser(run func() int) int {
	b, err := engine.Launch(context.Background(), chrome.Options{Headless: true})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() {
		if err := b.Close(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}()
	browser = b
	return run()
}

// limit bounds what a test waits for, so that a hang names its place.
const limit = time.Minute

// timed is the test's context with a limit.
func timed(t testing.TB, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// ownBrowser launches a browser for a test that harms it.
func ownBrowser(t testing.TB) *engine.Browser {
	t.Helper()
	b, err := engine.Launch(timed(t, limit), chrome.Options{Headless: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close(context.Background())) })
	return b
}

// newContext makes a context in the shared browser.
func newContext(t testing.TB) *engine.Context { return contextIn(t, browser) }

func contextIn(t testing.TB, b *engine.Browser) *engine.Context {
	t.Helper()
	c, err := b.NewContext(timed(t, limit), engine.ContextOptions{Width: 1000, Height: 700})
	require.NoError(t, err)
	t.Cleanup(func() {
		if b.Err() == nil {
			_ = c.Close(context.Background()) // some tests have closed it themselves
		}
	})
	return c
}

// newPage opens an empty tab in a context of its own.
func newPage(t testing.TB) *engine.Page {
	t.Helper()
	return pageIn(t, newContext(t))
}

func pageIn(t testing.TB, c *engine.Context) *engine.Page {
	t.Helper()
	p, err := c.NewPage(timed(t, limit))
	require.NoError(t, err)
	return p
}

// open opens an address in a page, which must be loaded then.
func open(t testing.TB, p *engine.Page, url string) *engine.Navigation {
	t.Helper()
	nav, err := p.Navigate(timed(t, limit), url, engine.WaitLoad)
	require.NoError(t, err)
	require.Empty(t, nav.Pending)
	return nav
}

// openHTML opens a page with the HTML.
func openHTML(t testing.TB, html string) (*engine.Page, *site) {
	t.Helper()
	s := newSite(t, map[string]string{"/": html})
	p := newPage(t)
	open(t, p, s.URL+"/")
	return p, s
}

// eval runs a script in a page's own world and returns the JSON of its value.
func eval(t testing.TB, p *engine.Page, script string) string {
	t.Helper()
	v, err := p.Evaluate(timed(t, limit), script)
	require.NoError(t, err, script)
	return string(v.JSON)
}

// site is a server of HTML pages, and of addresses that wait for the test.
type site struct {
	*httptest.Server
	handlers map[string]http.HandlerFunc

	mu    sync.Mutex
	pages map[string]string
}

func newSite(t testing.TB, pages map[string]string) *site {
	s := &site{pages: pages, handlers: map[string]http.HandlerFunc{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() {
		s.CloseClientConnections() // a page may hold one open for ever
		s.Close()
	})
	return s
}

// handle sets how an address is served; before the first request.
func (s *site) handle(path string, h http.HandlerFunc) { s.handlers[path] = h }

// gate makes an address that answers with a text once it is opened. asked is closed at the first request.
func (s *site) gate(t testing.TB, path, contentType, text string) (asked <-chan struct{}, openIt func()) {
	was, opened := make(chan struct{}), make(chan struct{})
	var once, openOnce sync.Once
	openIt = func() { openOnce.Do(func() { close(opened) }) }
	t.Cleanup(openIt)
	s.handle(path, func(w http.ResponseWriter, r *http.Request) {
		once.Do(func() { close(was) })
		select {
		case <-opened:
		case <-r.Context().Done():
			return
		}
		w.Header().Set("Content-Type", contentType)
		fmt.Fprint(w, text)
	})
	return was, openIt
}

// ServeHTTP serves the pages. In them {HOST} is the server's port on the host name "HOST.localhost", which is another site for each name.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h := s.handlers[r.URL.Path]; h != nil {
		h(w, r)
		return
	}
	s.mu.Lock()
	html, ok := s.pages[r.URL.Path]
	s.mu.Unlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	for _, name := range []string{"a", "b", "c"} {
		html = strings.ReplaceAll(html, "{"+name+"}", s.at(name))
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, "<!doctype html><link rel=icon href=data:,>"+html)
}

// at is the same server as another site.
func (s *site) at(name string) string {
	return strings.Replace(s.URL, "127.0.0.1", name+".localhost", 1)
}

// receive waits for a value or for the channel's end.
func receive[T any](t testing.TB, ch <-chan T) T {
	t.Helper()
	select {
	case v := <-ch:
		return v
	case <-time.After(limit):
		t.Fatal("nothing came")
		panic("unreachable")
	}
}
