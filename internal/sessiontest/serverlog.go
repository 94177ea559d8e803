package sessiontest

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// ServerLog is a folder of the site that answers everything and remembers what it was asked.
type ServerLog struct {
	Folder string

	mu   sync.Mutex
	seen []SeenRequest
}

// SeenRequest is a request as a [ServerLog] saw it.
type SeenRequest struct {
	Method, Path string
	Header       http.Header
	Body         string
}

// Listening makes such a folder. Pages ending in .html are HTML, .js scripts, the rest text; all may be read by all
// origins.
func (site *Site) Listening(pages map[string]string) *ServerLog {
	s := &ServerLog{}
	s.Folder = site.Answering(func(w http.ResponseWriter, r *http.Request) {
		rest := r.PathValue("rest")
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.seen = append(s.seen, SeenRequest{r.Method, rest, r.Header.Clone(), string(body)})
		s.mu.Unlock()
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Allow-Headers", "*")
		switch {
		case strings.HasPrefix(rest, "to/"):
			http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
			return
		case strings.HasSuffix(rest, ".html"):
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
		case strings.HasSuffix(rest, ".js"):
			w.Header().Set("Content-Type", "text/javascript")
		default:
			w.Header().Set("Content-Type", "text/plain")
			w.Header().Set("X-Server", "yes")
		}
		text, ok := pages[rest]
		if !ok {
			text = "from the server"
		}
		_, _ = io.WriteString(w, text)
	})
	return s
}

// Asked returns the requests for a path.
func (s *ServerLog) Asked(path string) (all []SeenRequest) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.seen {
		if r.Path == path {
			all = append(all, r)
		}
	}
	return all
}

// Header is a header of the last request for a path.
func (s *ServerLog) Header(t testing.TB, path, name string) string {
	t.Helper()
	all := s.Asked(path)
	require.NotEmpty(t, all, path)
	return all[len(all)-1].Header.Get(name)
}

// Sent is the Cookie header with which the page asks for a path of the folder.
func (s *ServerLog) Sent(c *Client, path string) string {
	c.T.Helper()
	c.Page(fmt.Sprintf("fetch(%q, {credentials: 'include'}).then(r => r.text(), e => e.name)", path))
	return s.Header(c.T, path[strings.LastIndex(path, "/")+1:], "Cookie")
}
