package engine_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/testengine"
)

func TestNavigate(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{
		"/page":   "<title>Page</title>",
		"/moving": `<title>Moving</title><script>location.replace("/page")</script>`,
		"/empty":  "",
	})
	s.Handle("/redirect", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/page?x=1#there", http.StatusFound)
	})
	s.Handle("/error", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprint(w, "<title>Sorry</title>")
	})
	p := newPage(t)
	for _, tc := range []struct {
		name string
		url  string
		want engine.Navigation
	}{
		{"page", s.URL + "/page", engine.Navigation{URL: s.URL + "/page", Title: "Page", Status: 200}},
		{
			"fragment of the same document", s.URL + "/page#here",
			engine.Navigation{URL: s.URL + "/page#here", Title: "Page", Status: 200},
		},
		{"without a title", s.URL + "/empty", engine.Navigation{URL: s.URL + "/empty", Status: 200}},
		{"redirect", s.URL + "/redirect", engine.Navigation{URL: s.URL + "/page?x=1#there", Title: "Page", Status: 200}},
		{"moves on while it loads", s.URL + "/moving", engine.Navigation{URL: s.URL + "/page", Title: "Page", Status: 200}},
		{"error of the server", s.URL + "/error", engine.Navigation{URL: s.URL + "/error", Title: "Sorry", Status: 500}},
		{"another site", s.At("a") + "/page", engine.Navigation{URL: s.At("a") + "/page", Title: "Page", Status: 200}},
		{
			"data", "data:text/html,<title>Data</title>",
			engine.Navigation{URL: "data:text/html,<title>Data</title>", Title: "Data"},
		},
		{"blank", "about:blank", engine.Navigation{URL: "about:blank"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			nav := open(t, p, tc.url)
			require.Equal(t, tc.want.URL, nav.URL)
			require.Equal(t, tc.want.Title, nav.Title)
			if strings.HasPrefix(tc.url, "http") {
				require.Equal(t, tc.want.Status, nav.Status)
			}
			require.Equal(t, `"`+tc.want.URL+`"`, eval(t, p, "location.href"))
			require.Equal(t, tc.want.URL, p.URL())
			require.Equal(t, `"complete"`, eval(t, p, "document.readyState"))
		})
	}
}

func TestNavigateFails(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"/page": "<title>Page</title>"})
	s.Handle("/hangup", func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_ = conn.Close()
		}
	})
	p := newPage(t)
	open(t, p, s.URL+"/page")
	for _, tc := range []struct {
		name, url, netError, hint string
	}{
		{"host name", "http://nowhere.invalid/", "net::ERR_NAME_NOT_RESOLVED", "could not be resolved"},
		{"server hangs up", s.URL + "/hangup", "net::ERR_EMPTY_RESPONSE", ""},
		{"no TLS", strings.Replace(s.URL, "http", "https", 1), "net::ERR_SSL_PROTOCOL_ERROR", "try http://"},
		{"port that browsers refuse", "http://127.0.0.1:1/", "net::ERR_UNSAFE_PORT", "another protocol"},
		{"file", "file:///no/such/file.html", "net::ERR_FILE_NOT_FOUND", "no such file"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := p.Navigate(timed(t, limit), tc.url, engine.WaitLoad)
			require.Equal(t, fault.NavigationFailed, fault.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, "Navigation failed: "+tc.netError+" at "+tc.url+".")
			require.ErrorContains(t, err, tc.hint)
			require.Equal(t, "Page", open(t, p, s.URL+"/page").Title, "the tab goes on")
		})
	}
	_, err := p.Navigate(timed(t, limit), "http://", engine.WaitLoad)
	require.Equal(t, fault.NavigationFailed, fault.CodeOf(err))
	require.ErrorContains(t, err, "not an address that the browser can open")
}

// What is not a document leaves the page as it is.
func TestNavigateWithoutDocument(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"/page": "<title>Page</title>"})
	s.Handle("/nothing", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	s.Handle("/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=f.bin")
		fmt.Fprint(w, "bytes")
	})
	p := newPage(t)
	open(t, p, s.URL+"/page")
	doc, err := p.Main().Document(t.Context())
	require.NoError(t, err)

	nav, err := p.Navigate(timed(t, limit), s.URL+"/file", engine.WaitLoad)
	require.NoError(t, err)
	require.Equal(t, &engine.Navigation{URL: s.URL + "/page", Download: true}, nav)
	_, err = p.Navigate(timed(t, limit), s.URL+"/nothing", engine.WaitLoad)
	require.ErrorContains(t, err, "net::ERR_ABORTED")

	still, err := p.Loading().Settle(timed(t, limit), limit)
	require.NoError(t, err)
	require.True(t, still)
	require.Empty(t, p.Loading().To())
	require.Equal(t, s.URL+"/page", p.URL())
	again, err := p.Main().Document(t.Context())
	require.NoError(t, err)
	require.Equal(t, doc, again)
}

// A document that the browser stops loading, because the page requested something that is not a document, stays as far
// as it was loaded.
func TestNavigateToDocumentCutOff(t *testing.T) {
	t.Parallel()
	image := `<img src="/image">`
	for name, tc := range map[string]struct {
		page    string
		pending bool
	}{
		"download": {page: `<script>location = "/file"</script>`},
		"download by a link": {
			page: `<script>const a = document.createElement("a"); a.href = "/file"; a.click()</script>`,
		},
		"no content": {page: `<script>location = "/nothing"</script>`},
		"stop":       {page: `<script>stop()</script>`},
		"download while it loads on": {page: image +
			`<script>addEventListener("DOMContentLoaded", () => location = "/file")</script>`, pending: true},
		"in a frame":             {page: `<iframe src="/framed"></iframe>`},
		"a frame that downloads": {page: `<iframe src="/file"></iframe>`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t,
				map[string]string{"/": "<title>Cut</title>" + tc.page + "<p>End", "/framed": `<script>location = "/file"</script>`})
			s.Gate(t, "/image", "image/png", "")
			s.Handle("/nothing", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
			s.Handle("/file", func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Disposition", "attachment; filename=f.bin")
				fmt.Fprint(w, "bytes")
			})
			p := newPage(t)
			nav, err := p.Navigate(timed(t, limit), s.URL+"/", engine.WaitLoad)
			require.NoError(t, err)
			require.Equal(t, "Cut", nav.Title)
			require.Equal(t, tc.pending, len(nav.Pending) > 0, "%v", nav.Pending)
			still, err := p.Loading().Settle(timed(t, limit), limit)
			require.NoError(t, err)
			require.True(t, still)
			require.Empty(t, p.Loading().To())
			require.NoError(t, p.Loading().Await(timed(t, limit), engine.WaitDOM))
			nav, err = p.Navigate(timed(t, limit), s.URL+"/", engine.WaitLoad)
			require.NoError(t, err)
			require.Equal(t, "Cut", nav.Title, "and again")
		})
	}
}

func TestWaitUntil(t *testing.T) {
	t.Parallel()
	image := `<title>Image</title><img src="/image">`
	t.Run("none", func(t *testing.T) {
		t.Parallel()
		s := newSite(t, map[string]string{"/": image})
		s.Gate(t, "/image", "image/png", "")
		p := newPage(t)
		nav, err := p.Navigate(timed(t, limit), s.URL+"/", engine.WaitNone)
		require.NoError(t, err)
		require.Equal(t, s.URL+"/", nav.URL)
	})
	t.Run("domcontentloaded", func(t *testing.T) {
		t.Parallel()
		s := newSite(t, map[string]string{"/": image})
		s.Gate(t, "/image", "image/png", "")
		p := newPage(t)
		_, err := p.Navigate(timed(t, limit), s.URL+"/", engine.WaitDOM)
		require.NoError(t, err)
		require.Equal(t, `"interactive"`, eval(t, p, "document.readyState"))
	})
	t.Run("load that does not come", func(t *testing.T) {
		t.Parallel()
		s := newSite(t, map[string]string{"/": image})
		s.Gate(t, "/image", "image/png", "")
		p := newPage(t)
		nav, err := p.Navigate(timed(t, limit), s.URL+"/", engine.WaitLoad)
		require.NoError(t, err)
		require.Equal(t, []string{s.URL + "/image"}, nav.Pending)
		require.Equal(t, "Image", nav.Title)
	})
	for _, until := range []engine.WaitUntil{engine.WaitLoad, engine.WaitNetworkIdle} {
		t.Run(string(until)+" that comes late", func(t *testing.T) {
			t.Parallel()
			s := newSite(t, map[string]string{"/": image})
			asked, openIt := s.Gate(t, "/image", "image/png", "")
			p := newPage(t)
			var opened atomic.Bool
			done := make(chan error, 1)
			go func() { // ends with the navigation
				_, err := p.Navigate(timed(t, limit), s.URL+"/", until)
				if err == nil && !opened.Load() {
					err = fmt.Errorf("%s came before the image", until)
				}
				done <- err
			}()
			receive(t, asked)
			opened.Store(true)
			openIt()
			require.NoError(t, receive(t, done))
			require.Equal(t, `"complete"`, eval(t, p, "document.readyState"))
		})
	}
	t.Run("a server that does not answer", func(t *testing.T) {
		t.Parallel()
		s := newSite(t, nil)
		s.Gate(t, "/", "text/html", "")
		p := newPage(t)
		_, err := p.Navigate(timed(t, 300*time.Millisecond), s.URL+"/", engine.WaitLoad)
		require.Equal(t, fault.Timeout, fault.CodeOf(err))
		require.ErrorContains(t, err, "opening "+s.URL+"/: ")
		require.ErrorContains(t, err, "raise --timeout")
	})
	t.Run("a document that does not end", func(t *testing.T) {
		t.Parallel()
		s := newSite(t, nil)
		came, _ := s.Gate(t, "/came", "text/plain", "")
		s.Handle("/", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<title>Half</title><script>fetch('/came')</script><p>"+strings.Repeat("text ", 1000))
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		})
		p := newPage(t)
		ctx, expire := testengine.Expiring(t)
		done := make(chan error, 1)
		go func() { // ends with the navigation
			_, err := p.Navigate(ctx, s.URL+"/", engine.WaitLoad)
			done <- err
		}()
		receive(t, came)
		require.Equal(t, `"Half"`, eval(t, p, "document.title"))
		expire()
		err := receive(t, done)
		require.Equal(t, fault.Timeout, fault.CodeOf(err))
		require.Regexp(t,
			"^opening "+regexp.QuoteMeta(s.URL)+
				`/: the page arrived, but did not finish loading within \S+; the tab shows what has loaded\.`, err.Error())
		require.Equal(t, `"Half"`, eval(t, p, "document.title"))
	})
}

func TestHistory(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"/one": "<title>One</title>", "/two": "<title>Two</title>"})
	p := newPage(t)
	open(t, p, s.URL+"/one")
	open(t, p, s.URL+"/two")
	eval(t, p, `history.pushState(0, "", "/two?pushed")`)
	move := func(delta int) *engine.Navigation {
		t.Helper()
		nav, err := p.History(timed(t, limit), delta, engine.WaitLoad)
		require.NoError(t, err)
		require.Equal(t, `"`+nav.URL+`"`, eval(t, p, "location.href"))
		return nav
	}
	for _, tc := range []struct {
		delta int
		url   string
		title string
		edge  bool
	}{
		{+1, s.URL + "/two?pushed", "Two", true},
		{-1, s.URL + "/two", "Two", false},
		{-1, s.URL + "/one", "One", false},
		{-1, "about:blank", "", false},
		{-1, "about:blank", "", true},
		{+1, s.URL + "/one", "One", false},
		{+1, s.URL + "/two", "Two", false},
		{+1, s.URL + "/two?pushed", "Two", false},
		{+1, s.URL + "/two?pushed", "Two", true},
	} {
		nav := move(tc.delta)
		require.Equal(t, tc.url, nav.URL)
		require.Equal(t, tc.title, nav.Title)
		require.Equal(t, tc.edge, nav.Edge, "%+v", tc)
	}
}

// A page that is gone back to is loaded again: one from the back-forward cache would come with the world and the refs
// that it had.
func TestHistoryLoadsAgain(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{
		"/one": `<title>One</title><script>addEventListener("pageshow", e => document.title += e.persisted ? " cached" : " loaded")</script>`,
		"/two": "<title>Two</title>",
	})
	p := newPage(t)
	open(t, p, s.URL+"/one")
	first, err := p.Main().Document(t.Context())
	require.NoError(t, err)
	open(t, p, s.URL+"/two")
	_, err = p.History(timed(t, limit), -1, engine.WaitLoad)
	require.NoError(t, err)
	require.Equal(t, `"One loaded"`, eval(t, p, "document.title"))
	again, err := p.Main().Document(t.Context())
	require.NoError(t, err)
	require.NotEqual(t, first, again)
}

func TestReload(t *testing.T) {
	t.Parallel()
	var served atomic.Int32
	s := newSite(t, nil)
	s.Handle("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<link rel=icon href=data:,><title>Served %d</title>", served.Add(1))
	})
	p := newPage(t)
	require.Equal(t, "Served 1", open(t, p, s.URL+"/").Title)
	nav, err := p.Reload(timed(t, limit), engine.WaitLoad)
	require.NoError(t, err)
	require.Equal(t, "Served 2", nav.Title)
	require.Equal(t, s.URL+"/", nav.URL)
	require.Equal(t, `"complete"`, eval(t, p, "document.readyState"))
}
