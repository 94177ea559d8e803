package session_test

import (
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// site is the server of the page tests:
//
//	/pages/NAME      a file of testdata/pages
//	/written/N       a page that a test wrote
//	/gate/ID         answers when the test opens the gate, with the gate's page if it has one
//	/redirect?to=    302
//	/status/CODE     a page with that HTTP status
//	/answers/N/…     what a test answers with
//	/echo            a page that shows the request's query
//	/download        an attachment
//	/files/…         files that are downloaded or uploaded, see serveFile
var site *testSite

type testSite struct {
	server *httptest.Server
	ended  chan struct{}

	mu      sync.Mutex
	written []string
	gates   []*gate
	answers []http.HandlerFunc
	hits    map[string]int // requests by path with query
}

func startSite() *testSite {
	s := &testSite{ended: make(chan struct{}), hits: map[string]int{}}
	mux := http.NewServeMux()
	mux.Handle("/pages/", http.StripPrefix("/pages/", http.FileServer(http.Dir("../testdata/pages"))))
	mux.HandleFunc("/written/{n}", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		page := s.written[atoi(r.PathValue("n"))]
		s.mu.Unlock()
		writePage(w, page)
	})
	mux.HandleFunc("/gate/{n}", s.serveGate)
	mux.HandleFunc("/answers/{n}/{rest...}", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		answer := s.answers[atoi(r.PathValue("n"))]
		s.mu.Unlock()
		answer(w, r)
	})
	mux.HandleFunc("/redirect", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.FormValue("to"), http.StatusFound)
	})
	mux.HandleFunc("/status/{code}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(atoi(r.PathValue("code")))
		fmt.Fprintf(w, "<!doctype html><title>Status %s</title>", r.PathValue("code"))
	})
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		writePage(w, "<!doctype html><title>Echo</title><p id=query>"+html.EscapeString(r.URL.RawQuery))
	})
	mux.HandleFunc("/files/{kind}/{name...}", s.serveFile)
	mux.HandleFunc("/download", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=thing.bin")
		_, _ = io.WriteString(w, "bytes")
	})
	s.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.hits[r.RequestURI]++
		s.mu.Unlock()
		mux.ServeHTTP(w, r)
	}))
	return s
}

func (s *testSite) close() {
	close(s.ended)
	s.server.CloseClientConnections()
	s.server.Close()
}

func writePage(w http.ResponseWriter, page string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, page)
}

func atoi(s string) (n int) {
	_, _ = fmt.Sscan(s, &n)
	return n
}

// url is the address of a path.
func (s *testSite) url(path string) string { return s.server.URL + path }

// elsewhere is the address of the same path on another site, whose frames live in another process.
func (s *testSite) elsewhere(path string) string { return "http://" + s.localhost() + path }

func (s *testSite) localhost() string { return "localhost:" + s.port() }

func (s *testSite) port() string {
	u, err := url.Parse(s.server.URL)
	if err != nil {
		panic(err)
	}
	return u.Port()
}

// write keeps a page and returns its path.
func (s *testSite) write(page string) string {
	if !strings.HasPrefix(page, "<!doctype") {
		page = "<!doctype html><script>log = []</script>" + page
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.written = append(s.written, page)
	return fmt.Sprintf("/written/%d", len(s.written)-1)
}

// answering makes a folder of the site in which a handler answers, which finds the path below the folder in the path value rest.
func (s *testSite) answering(handler http.HandlerFunc) (folder string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers = append(s.answers, handler)
	return fmt.Sprintf("/answers/%d/", len(s.answers)-1)
}

// requests returns how often a path was asked for.
func (s *testSite) requests(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hits[path]
}

// gate is an address that answers when the test says so.
type gate struct {
	path  string
	page  string        // what it answers with; empty: a plain text
	asked chan struct{} // closed when the first request is there
	ask   sync.Once
	free  chan struct{}
	once  sync.Once
}

// gate makes an address that answers when the gate is opened, at the latest at the test's end.
func (s *testSite) gate(t testing.TB, page string) *gate {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	g := &gate{path: fmt.Sprintf("/gate/%d", len(s.gates)), page: page, asked: make(chan struct{}), free: make(chan struct{})}
	s.gates = append(s.gates, g)
	t.Cleanup(g.open)
	return g
}

// block is a script whose page does not respond until the gate is opened. Unlike one that never ends it leaves the processor to other tests.
func (g *gate) block() string {
	return `(() => { const x = new XMLHttpRequest(); x.open("GET", "` + g.path + `", false); x.send() })()`
}

func (g *gate) open() { g.once.Do(func() { close(g.free) }) }

func (s *testSite) serveGate(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	g := s.gates[atoi(r.PathValue("n"))]
	s.mu.Unlock()
	g.ask.Do(func() { close(g.asked) })
	select {
	case <-g.free:
	case <-r.Context().Done():
		return
	case <-s.ended:
		return
	}
	if g.page != "" {
		writePage(w, g.page)
		return
	}
	w.Header().Set("Content-Type", "text/plain")
	_, _ = io.WriteString(w, "open")
}

// waitAsked waits until a request is at the gate.
func (g *gate) waitAsked(t testing.TB) {
	t.Helper()
	select {
	case <-g.asked:
	case <-time.After(commandLimit):
		require.Fail(t, "no request for "+g.path)
	}
}
