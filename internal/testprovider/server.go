package testprovider

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
)

// Request is one that came to a test server.
type Request struct {
	Method, Path, Body string
	Query              url.Values
	Header             http.Header
}

// Server is a service that runs in the test.
type Server struct {
	Service
	server  *httptest.Server
	browser *url.URL

	mu        sync.Mutex
	requests  []Request
	made      int
	ended     []string
	intercept func(http.ResponseWriter, *http.Request) bool
}

// Start starts a server whose browsers are all the one with this websocket address. Close it.
func Start(s Service, browser *url.URL) *Server {
	in := &Server{Service: s, browser: browser}
	in.server = httptest.NewUnstartedServer(in) // who has the port already must find all of it
	in.server.Start()
	return in
}

// Close ends the server and the connections through it.
func (s *Server) Close() {
	s.server.CloseClientConnections()
	s.server.Close()
}

// Environ is the environment of a caller.
func (s *Server) Environ() map[string]string {
	env := map[string]string{}
	for name, value := range s.Env {
		value = strings.Replace(value, "USERBASE", strings.Replace(s.server.URL, "http://", "http://me:"+s.Secret+"@", 1), 1)
		env[name] = strings.Replace(value, "BASE", s.server.URL, 1)
	}
	return env
}

// URL is the address of the server.
func (s *Server) URL() string { return s.server.URL }

// Intercept has fn look at each request first. When it returns true, it has answered.
func (s *Server) Intercept(fn func(http.ResponseWriter, *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.intercept = fn
}

// Started returns how many browsers were made.
func (s *Server) Started() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.made
}

// Ended returns the ids of the browsers that were ended, once for each request that did it.
func (s *Server) Ended() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.ended...)
}

// Requests returns what came to the API, in order.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request{}, s.requests...)
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	intercept := s.intercept
	s.mu.Unlock()
	if intercept != nil && intercept(w, r) {
		return
	}
	switch {
	case strings.HasSuffix(r.URL.Path, "/json/version"):
		fmt.Fprintf(w, `{"Browser":"Chrome/156","webSocketDebuggerUrl":"ws://browser.internal%s/socket"}`,
			strings.TrimSuffix(r.URL.Path, "/json/version"))
	case r.Header.Get("Upgrade") != "":
		s.connect(w, r)
	case strings.HasSuffix(r.URL.Path, "/json/list"):
		http.NotFound(w, r) // services speak CDP over the websocket alone
	default:
		s.api(w, r)
	}
}

// connect hands the websocket through to the browser.
func (s *Server) connect(w http.ResponseWriter, r *http.Request) {
	if s.Provider == "agentcore" && !s.allows(r) {
		http.Error(w, "not signed", http.StatusForbidden)
		return
	}
	proxy := httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) {
		p.SetURL(&url.URL{Scheme: "http", Host: s.browser.Host})
		p.Out.URL.Path, p.Out.URL.RawQuery, p.Out.Host = s.browser.Path, "", s.browser.Host
	}}
	proxy.ServeHTTP(w, r)
}

func (s *Server) api(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, Request{
		Method: r.Method,
		Path:   r.URL.Path,
		Query:  r.URL.Query(),
		Header: r.Header.Clone(),
		Body:   string(body),
	})
	if !s.allows(r) {
		http.Error(w, `{"message":"bad key"}`, http.StatusUnauthorized)
		return
	}
	asked := r.Method + " " + strings.TrimPrefix(r.URL.Path, s.base)
	if asked == s.Service.made {
		s.made++
		fmt.Fprint(w, s.fill(fmt.Sprintf("browser-%d", s.made)))
		return
	}
	for n := range s.made {
		id := fmt.Sprintf("browser-%d", n+1)
		ended := asked == strings.Replace(s.Service.ended, "ID", id, 1) && strings.Contains(string(body), s.word)
		if q := r.URL.Query().Get("sessionId"); ended && (q == "" || q == id) {
			s.ended = append(s.ended, id)
			fmt.Fprint(w, `{"value":null}`)
			return
		}
	}
	http.NotFound(w, r)
}

// fill is the answer that reports a browser.
func (s *Server) fill(id string) string {
	path := "/session/" + id + "/se/cdp"
	return strings.NewReplacer(
		"ID", id, "WS", strings.Replace(s.server.URL, "http", "ws", 1)+path, "HTTP", s.server.URL+"/cdp/"+id, "PATH", path,
		"BASE", s.server.URL,
	).Replace(s.answer)
}
