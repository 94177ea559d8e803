package testengine

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

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/chrome"
)

// browser is launched by Main. Tests share it; each has a context of its own.
var browser *engine.Browser

// Main runs the tests of a package with the browser.
func Main(m *testing.M) int {
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
	return m.Run()
}

// Limit bounds what a test waits for, so that a hang names its place.
const Limit = time.Minute

// Timed is the test's context with a limit.
func Timed(t testing.TB, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// expiring is a context whose time is over when the test says so.
type expiring struct {
	context.Context
	over chan struct{}
}

func (c *expiring) Done() <-chan struct{} { return c.over }

func (c *expiring) Err() error {
	select {
	case <-c.over:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// Expiring is a context whose deadline comes when expire is called: after what the test waits for, on a machine of any
// speed.
func Expiring(t testing.TB) (ctx context.Context, expire func()) {
	over := make(chan struct{})
	expire = sync.OnceFunc(func() { close(over) })
	t.Cleanup(expire)
	return &expiring{context.WithoutCancel(t.Context()), over}, expire
}

// OwnBrowser launches a browser for a test that harms it.
func OwnBrowser(t testing.TB) *engine.Browser {
	t.Helper()
	b, err := engine.Launch(Timed(t, Limit), chrome.Options{Headless: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return b
}

// Browser is the one that the tests share.
func Browser() *engine.Browser { return browser }

// NewContext makes a context in the shared browser.
func NewContext(t testing.TB) *engine.Context { return ContextIn(t, browser) }

// ContextIn makes a context in a browser, which is closed with the test.
func ContextIn(t testing.TB, b *engine.Browser) *engine.Context {
	t.Helper()
	c, err := b.NewContext(Timed(t, Limit), engine.ContextOptions{Width: 1000, Height: 700})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if b.Err() == nil {
			_ = c.Close(context.Background()) // some tests have closed it themselves
		}
	})
	return c
}

// NewPage opens an empty tab in a context of its own.
func NewPage(t testing.TB) *engine.Page {
	t.Helper()
	return PageIn(t, NewContext(t))
}

// PageIn opens an empty tab in a context.
func PageIn(t testing.TB, c *engine.Context) *engine.Page {
	t.Helper()
	p, err := c.NewPage(Timed(t, Limit))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Open opens an address in a page, which must be loaded then.
func Open(t testing.TB, p *engine.Page, url string) *engine.Navigation {
	t.Helper()
	nav, err := p.Navigate(Timed(t, Limit), url, engine.WaitLoad)
	if err != nil {
		t.Fatal(err)
	}
	if len(nav.Pending) > 0 { // on a busy machine it takes longer than an agent would wait
		Eval(t, p, `document.readyState === "complete" ? 0 : new Promise(done => addEventListener("load", () => done(0)))`)
	}
	return nav
}

// OpenHTML opens a page with the HTML.
func OpenHTML(t testing.TB, html string) (*engine.Page, *Site) {
	t.Helper()
	s := NewSite(t, map[string]string{"/": html})
	p := NewPage(t)
	Open(t, p, s.URL+"/")
	return p, s
}

// Eval runs a script in a page's own world and returns the JSON of its value.
func Eval(t testing.TB, p *engine.Page, script string) string {
	t.Helper()
	v, err := p.Evaluate(Timed(t, Limit), script)
	if err != nil {
		t.Fatal(script, err)
	}
	return string(v.JSON)
}

// Site is a server of HTML pages, and of addresses that wait for the test.
type Site struct {
	*httptest.Server
	handlers map[string]http.HandlerFunc

	mu    sync.Mutex
	Pages map[string]string // HTML by path; changed while nothing is asked for
}

// NewSite begins a site with pages by their paths, which ends with the test.
func NewSite(t testing.TB, pages map[string]string) *Site {
	s := &Site{Pages: pages, handlers: map[string]http.HandlerFunc{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() {
		s.CloseClientConnections() // a page may hold one open for ever
		s.Close()
	})
	return s
}

// Handle sets how an address is served; before the first request.
func (s *Site) Handle(path string, h http.HandlerFunc) { s.handlers[path] = h }

// Gate makes an address that answers with a text once it is opened. asked is closed at the first request.
func (s *Site) Gate(t testing.TB, path, contentType, text string) (asked <-chan struct{}, openIt func()) {
	was, opened := make(chan struct{}), make(chan struct{})
	var once, openOnce sync.Once
	openIt = func() { openOnce.Do(func() { close(opened) }) }
	t.Cleanup(openIt)
	s.Handle(path, func(w http.ResponseWriter, r *http.Request) {
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

// ServeHTTP serves the pages. In them {HOST} is the server's port on the host name "HOST.localhost", which is another
// site for each name.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h := s.handlers[r.URL.Path]; h != nil {
		h(w, r)
		return
	}
	s.mu.Lock()
	html, ok := s.Pages[r.URL.Path]
	s.mu.Unlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	for _, name := range []string{"a", "b", "c"} {
		html = strings.ReplaceAll(html, "{"+name+"}", s.At(name))
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, "<!doctype html><link rel=icon href=data:,>"+html)
}

// At is the same server as another site.
func (s *Site) At(name string) string {
	return strings.Replace(s.URL, "127.0.0.1", name+".localhost", 1)
}

// Receive waits for a value or for the channel's end.
func Receive[T any](t testing.TB, ch <-chan T) T {
	t.Helper()
	select {
	case v := <-ch:
		return v
	case <-time.After(Limit):
		t.Fatal("nothing came")
		panic("unreachable")
	}
}
