package fetch

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// page is what the site of a test answers with at a path.
type page struct {
	media  string
	body   string
	status int    // 0: 200
	md     string // what it answers with instead to those who ask for Markdown
	to     string // where it redirects to
}

// serve starts a site and returns its address and what was asked of it so far.
func serve(t *testing.T, pages map[string]page) (address string, asked func() []string) {
	t.Helper()
	var mu sync.Mutex
	var paths []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		paths = append(paths, r.URL.RequestURI())
		mu.Unlock()
		p, ok := pages[r.URL.Path]
		switch {
		case !ok:
			http.NotFound(w, r)
		case p.to != "":
			http.Redirect(w, r, p.to, http.StatusFound)
		case p.md != "" && strings.HasPrefix(r.Header.Get("Accept"), "text/markdown"):
			w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
			_, _ = w.Write([]byte(p.md))
		default:
			w.Header().Set("Content-Type", p.media)
			if p.status != 0 {
				w.WriteHeader(p.status)
			}
			_, _ = w.Write([]byte(p.body))
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string(nil), paths...)
	}
}

func client(t *testing.T, o Options) *Client {
	t.Helper()
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	c := New(o)
	t.Cleanup(c.Close)
	return c
}

const html = "<title>T</title><p>page"

func TestRead(t *testing.T) {
	t.Parallel()
	address, _ := serve(t, map[string]page{
		"/negotiated":       {media: "text/html", body: html, md: "# Negotiated"},
		"/beside":           {media: "text/html", body: html},
		"/beside.md":        {media: "text/markdown", body: "# Beside"},
		"/plain":            {media: "text/html", body: html},
		"/plain.md":         {media: "text/plain", body: "# Plain"},
		"/soft":             {media: "text/html", body: html},
		"/soft.md":          {media: "text/plain", body: "<!doctype html>Not found"},
		"/docs/linked.html": {media: "text/html", body: html},
		"/docs/llms.txt": {
			media: "text/plain",
			body: "# Docs\n- [Other](other.md)\n- [Linked](/md/docs/../../docs/linked.txt)\n- " +
				"[Away](https://example.org/docs/linked)",
		},
		"/docs/linked.txt":   {media: "text/markdown", body: "# Linked"},
		"/html":              {media: "text/html; charset=utf-8", body: html},
		"/text":              {media: "text/plain", body: "a text"},
		"/json":              {media: "application/json", body: `{"a":1}`},
		"/vendor":            {media: "application/vnd.api+json", body: `{"a":1}`},
		"/moved":             {to: "/text?moved"},
		"/picture":           {media: "image/png", body: "\x89PNG"},
		"/mislabelled":       {media: "text/plain", body: "a\x00b"},
		"/missing":           {media: "text/html", body: html, status: 404},
		"/broken":            {media: "text/html", body: html, status: 500},
		"/folder/":           {media: "text/html", body: html},
		"/folder.md":         {media: "text/markdown", body: "# Folder"},
		"/already.md":        {media: "text/html", body: html},
		"/deep/a/b/page":     {media: "text/html", body: html},
		"/deep/llms.txt":     {media: "text/html", body: html},
		"/deep/a/b/llms.txt": {media: "text/plain", body: "- [Page](page/index.md)"},
		"/deep/a/b/page/index.md": {
			media: "text/markdown", body: "# Deep",
		},
	})
	tests := []struct {
		path   string
		wish   ReadOptions
		source string
		body   string
		code   fault.Code
		says   string
	}{
		{path: "/negotiated", source: "accept-markdown", body: "# Negotiated"},
		{path: "/negotiated", wish: ReadOptions{RequireMarkdown: true}, source: "accept-markdown", body: "# Negotiated"},
		{path: "/beside", source: "markdown-url", body: "# Beside"},
		{path: "/beside", wish: ReadOptions{RequireMarkdown: true}, source: "markdown-url", body: "# Beside"},
		{path: "/beside", wish: ReadOptions{Raw: true}, source: "raw", body: html},
		{path: "/plain", source: "markdown-url", body: "# Plain"},
		{
			path: "/plain", wish: ReadOptions{RequireMarkdown: true}, code: fault.TargetUnsuitable,
			says: "Expected text/markdown, got text/html",
		},
		{path: "/soft", source: "html-fallback", body: html},
		{path: "/docs/linked.html", source: "llms-link", body: "# Linked"},
		{path: "/html", source: "html-fallback", body: html},
		{path: "/html#part", source: "html-fallback", body: html},
		{
			path: "/html", wish: ReadOptions{RequireMarkdown: true}, code: fault.TargetUnsuitable,
			says: "Expected text/markdown, got text/html",
		},
		{path: "/text", source: "http-text", body: "a text"},
		{path: "/json", source: "http-text", body: `{"a":1}`},
		{
			path: "/json", wish: ReadOptions{RequireMarkdown: true}, code: fault.TargetUnsuitable,
			says: "Expected text/markdown, got application/json",
		},
		{path: "/vendor", source: "http-text", body: `{"a":1}`},
		{path: "/moved", source: "http-text", body: "a text"},
		{path: "/picture", code: fault.TargetUnsuitable, says: "/picture is image/png, which cannot be read as text"},
		{path: "/picture", wish: ReadOptions{Raw: true}, code: fault.TargetUnsuitable, says: "image/png"},
		{path: "/mislabelled", code: fault.TargetUnsuitable, says: "cannot be read as text"},
		{path: "/missing", code: fault.NavigationFailed, says: "Read failed with HTTP 404"},
		{path: "/broken", code: fault.NavigationFailed, says: "Read failed with HTTP 500"},
		{path: "/folder/", source: "markdown-url", body: "# Folder"},
		{path: "/already.md", source: "html-fallback", body: html},
		{path: "/deep/a/b/page", source: "llms-link", body: "# Deep"},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			t.Parallel()
			d, err := client(t, Options{}).Read(t.Context(), address+tt.path, tt.wish)
			if tt.code != "" {
				require.Equal(t, tt.code, fault.CodeOf(err), "%v", err)
				require.Contains(t, err.Error(), tt.says)
				return
			}
			require.NoError(t, err)
			require.Equal(t, []any{tt.source, tt.body, address + tt.path, 200}, []any{d.Source, string(d.Body), d.URL, d.Status})
			if tt.path == "/moved" {
				require.Equal(t, address+"/text?moved", d.FinalURL)
			}
		})
	}
}

func TestReadAsksNoMoreThanNeeded(t *testing.T) {
	t.Parallel()
	address, asked := serve(t,
		map[string]page{"/a/b": {media: "text/html", body: html}, "/text": {media: "text/plain", body: "x"}})
	_, err := client(t, Options{}).Read(t.Context(), address+"/a/b?q=1", ReadOptions{Raw: true})
	require.NoError(t, err)
	_, err = client(t, Options{}).Read(t.Context(), address+"/text", ReadOptions{})
	require.NoError(t, err)
	require.Equal(t, []string{"/a/b?q=1", "/text"}, asked())
	_, err = client(t, Options{}).Read(t.Context(), address+"/a/b?q=1", ReadOptions{})
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"/a/b?q=1", "/a/b.md?q=1", "/a/llms.txt", "/llms.txt"}, asked()[2:])
}

func TestLLMs(t *testing.T) {
	t.Parallel()
	address, _ := serve(t, map[string]page{
		"/llms.txt": {media: "text/plain", body: "# Top"}, "/v2/llms.txt": {media: "text/markdown", body: "# V2"},
		"/llms-full.txt": {media: "text/plain", body: "all"},
		"/app/llms.txt":  {media: "text/html", body: html},
	})
	for path, want := range map[string]string{
		"/": "# Top", "": "# Top", "/x/y/z": "# Top", "/v2/": "# V2", "/v2/guide/start?x": "# V2", "/v2": "# Top",
		"/app/x":                 "# Top",
		strings.Repeat("/d", 30): "# Top",
	} {
		d, err := client(t, Options{}).LLMs(t.Context(), address+path, "index")
		require.NoError(t, err, path)
		require.Equal(t, want, string(d.Body), path)
		require.Equal(t, "llms-index", d.Source)
	}
	d, err := client(t, Options{}).LLMs(t.Context(), address+"/v2/guide", "full")
	require.NoError(t, err)
	require.Equal(t, []string{"all", "llms-full", address + "/llms-full.txt"},
		[]string{string(d.Body), d.Source, d.FinalURL})

	bare, _ := serve(t, nil)
	_, err = client(t, Options{}).LLMs(t.Context(), bare+"/a/b", "index")
	require.Equal(t, fault.NavigationFailed, fault.CodeOf(err))
	require.Contains(t, err.Error(), "llms.txt failed with HTTP 404")
	_, err = client(t, Options{}).LLMs(t.Context(), bare, "full")
	require.Contains(t, err.Error(), "llms-full.txt failed with HTTP 404")
}

func TestRequestsThatFail(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	gone := server.URL
	server.Close()
	_, err := client(t, Options{}).Read(t.Context(), gone, ReadOptions{})
	require.Equal(t, fault.NavigationFailed, fault.CodeOf(err))
	require.Contains(t, err.Error(), "Read request failed: error sending request for url ("+gone+"): ")

	held := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-held }))
	defer silent.Close()
	defer close(held)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = client(t, Options{}).Read(ctx, silent.URL, ReadOptions{})
	require.Equal(t, fault.Timeout, fault.CodeOf(err))
	require.Contains(t, err.Error(), "Read request failed: no answer from "+silent.URL)

	loop, _ := serve(t, map[string]page{"/a": {to: "/b"}, "/b": {to: "/a"}})
	_, err = client(t, Options{}).Read(t.Context(), loop+"/a", ReadOptions{})
	require.Contains(t, err.Error(), "redirects")

	for _, address := range []string{
		"", "file:///etc/hostname", "ftp://x/y", "about:blank", "http://", "http://[::1",
		"data:text/html,x",
	} {
		_, err = client(t, Options{}).Read(t.Context(), address, ReadOptions{})
		require.Equal(t, fault.Usage, fault.CodeOf(err), address)
	}
}

// A better form that does not come is not waited for longer than it is worth; the page itself is there.
func TestReadBesideSilence(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/page" {
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(html))
	}))
	defer server.Close()
	start := time.Now()
	d, err := client(t, Options{}).Read(t.Context(), server.URL+"/page", ReadOptions{})
	require.NoError(t, err)
	require.Equal(t, "html-fallback", d.Source)
	require.Less(t, time.Since(start), 3*patience)
}

func TestProxies(t *testing.T) {
	t.Parallel()
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		_, _ = w.Write([]byte("by proxy: " + r.URL.String() + " " + r.UserAgent()))
	}))
	defer proxy.Close()
	address, _ := serve(t, map[string]page{"/": {media: "text/plain", body: "direct"}})
	env := func(name string) string {
		return map[string]string{"HTTP_PROXY": proxy.URL, "no_proxy": "near.example"}[name]
	}
	tests := []struct {
		name, url string
		o         Options
		want      string
	}{
		{"flag", "http://far.example/x", Options{Proxy: proxy.URL, UserAgent: "me"}, "by proxy: http://far.example/x me"},
		{"environment", "http://far.example/x", Options{Getenv: env, UserAgent: "me"}, "by proxy: http://far.example/x me"},
		{"this machine", address + "/", Options{Getenv: env}, "direct"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := client(t, tt.o).Read(t.Context(), tt.url, ReadOptions{})
			require.NoError(t, err)
			require.Equal(t, tt.want, string(d.Body))
		})
	}
}
