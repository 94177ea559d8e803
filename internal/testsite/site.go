package testsite

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
)

// Site serves pages. Its methods may be called from several goroutines.
type Site struct {
	server *httptest.Server
	last   atomic.Int64
	pages  sync.Map // by path
}

// New starts a site without pages.
func New() *Site {
	s := &Site{}
	s.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, ok := s.pages.Load(r.URL.Path)
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(page.(string)))
	}))
	return s
}

// Show puts a page on the site and returns its address, and no other page has an address that contains it.
func (s *Site) Show(html string) string {
	path := fmt.Sprintf("/page-%06d", s.last.Add(1))
	s.pages.Store(path, html)
	return s.server.URL + path
}

// URL is the site's address, without a slash at its end. Other pages than those of the test are not found.
func (s *Site) URL() string { return s.server.URL }

// Close ends the site.
func (s *Site) Close() { s.server.Close() }
