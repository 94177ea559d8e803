package sessiontest

import (
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
)

// Site is the server of the pages of tests:
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
type Site struct {
	server *httptest.Server
	ended  chan struct{}

	mu      sync.Mutex
	written []string
	gates   []*Gate
	answers []http.HandlerFunc
	hits    map[string]int // requests by path with query
}

func newSite() *Site {
	s := &Site{ended: make(chan struct{}), hits: map[string]int{}}
	mux := http.NewServeMux()
	mux.Handle("/pages/",
		http.StripPrefix("/pages/", http.FileServer(http.Dir(filepath.Join(moduleFolder(), "testdata", "pages")))))
	mux.HandleFunc("/written/{n}", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		page := s.written[Number(r.PathValue("n"))]
		s.mu.Unlock()
		WritePage(w, page)
	})
	mux.HandleFunc("/gate/{n}", s.serveGate)
	mux.HandleFunc("/answers/{n}/{rest...}", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		answer := s.answers[Number(r.PathValue("n"))]
		s.mu.Unlock()
		answer(w, r)
	})
	mux.HandleFunc("/redirect", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.FormValue("to"), http.StatusFound)
	})
	mux.HandleFunc("/status/{code}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(Number(r.PathValue("code")))
		fmt.Fprintf(w, "<!doctype html><title>Status %s</title>", r.PathValue("code"))
	})
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		WritePage(w, "<!doctype html><title>Echo</title><p id=query>"+html.EscapeString(r.URL.RawQuery))
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

func (s *Site) close() {
	close(s.ended)
	s.server.CloseClientConnections()
	s.server.Close()
}

// WritePage answers a request with a page.
func WritePage(w http.ResponseWriter, page string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, page)
}

// ShowPage answers a request with a page in standards mode.
func ShowPage(w http.ResponseWriter, html string) { WritePage(w, "<!doctype html>"+html) }

// Number reads the decimal number at the beginning of a text.
func Number(s string) (n int) {
	_, _ = fmt.Sscan(s, &n)
	return n
}

// Ended is closed when the site ends.
func (s *Site) Ended() <-chan struct{} { return s.ended }

// URL is the address of a path.
func (s *Site) URL(path string) string { return s.server.URL + path }

// Elsewhere is the address of the same path on another site, whose frames live in another process.
func (s *Site) Elsewhere(path string) string { return "http://" + s.Localhost() + path }

// Localhost is the host of [Site.Elsewhere], with the port.
func (s *Site) Localhost() string { return "localhost:" + s.Port() }

// Port is the port of the site.
func (s *Site) Port() string {
	u, err := url.Parse(s.server.URL)
	if err != nil {
		panic(err)
	}
	return u.Port()
}

// Write keeps a page and returns its path.
func (s *Site) Write(page string) string {
	if !strings.HasPrefix(page, "<!doctype") {
		page = "<!doctype html><script>log = []</script>" + page
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.written = append(s.written, page)
	return fmt.Sprintf("/written/%d", len(s.written)-1)
}

// Titled keeps a page with a title and returns its path.
func (s *Site) Titled(title string) string { return s.Write("<title>" + title + "</title>") }

// Answering makes a folder of the site in which a handler answers, which finds the path below the folder in the path
// value rest.
func (s *Site) Answering(handler http.HandlerFunc) (folder string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers = append(s.answers, handler)
	return fmt.Sprintf("/answers/%d/", len(s.answers)-1)
}

// Requests returns how often a path was asked for.
func (s *Site) Requests(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hits[path]
}
