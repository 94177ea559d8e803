package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// killZygotes takes from the browsers of a host what starts their processes.
func killZygotes(t testing.TB, host int) {
	t.Helper()
	killed := 0
	for _, p := range tree(host) {
		if strings.Contains(p.command, "--type=zygote") {
			require.NoError(t, syscall.Kill(p.pid, syscall.SIGKILL))
			killed++
		}
	}
	require.NotZero(t, killed)
}

// A browser that cannot start processes any more is left for another one, by a session that comes, too.
func TestBrowserWithoutZygotes(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	page := u.page(t, "page.html", "<title>Page</title>")
	u.works(t, "open", page)
	killZygotes(t, u.host(t))
	got := u.call(t, "--session", "new", "--timeout", "12000", "open", page)
	require.Zero(t, got.Code, got)
	require.Equal(t, "Page", u.works(t, "--session", "new", "get", "title"))
}

// The session whose page loses its process in such a browser has it again in another one, whatever it asks for, and is
// told so. The page is not blamed.
func TestCrashWithoutZygotes(t *testing.T) {
	t.Parallel()
	killRenderers := func(t *testing.T, u *user, left []process) {
		for _, p := range left {
			require.NoError(t, syscall.Kill(p.pid, syscall.SIGKILL))
		}
		require.Eventually(t, func() bool {
			return strings.Contains(u.works(t, "tab", "list"), "the page crashed")
		}, leaveLimit, 10*time.Millisecond)
	}
	for i, tc := range []struct {
		name  string
		crash func(t *testing.T, u *user, renderers []process)
		then  []string
		out   string
	}{
		{"killed", killRenderers, []string{"get", "title"}, "Page"},
		{"crashed", func(t *testing.T, u *user, _ []process) {
			got := u.call(t, "open", "chrome://crash")
			require.Contains(t, got.Err, "crashed")
		}, []string{"get", "title"}, "Page"},
		{"opens", killRenderers, []string{"open", "PAGE"}, "✓ Page\n  PAGE"},
		{"another tab", killRenderers, []string{"tab", "new", "PAGE"}, "✓ Page\n  PAGE"},
		{"a tab by its name", killRenderers, []string{"--tab", "t1", "get", "title"}, "Page"},
		{"goes to the tab", killRenderers, []string{"tab", "t1"}, "✓ Page\n  PAGE"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && i%3 > 0 {
				t.Skip("deep tier: more ways to notice it")
			}
			u := newUser(t)
			page := u.page(t, "page.html", "<title>Page</title>")
			for i := range tc.then {
				tc.then[i] = strings.ReplaceAll(tc.then[i], "PAGE", page)
			}
			u.works(t, "open", page)
			left := renderers(u.host(t)) // they have no parent after the death of the zygote
			require.NotEmpty(t, left)
			killZygotes(t, u.host(t))
			tc.crash(t, u, left)
			got := u.call(t, tc.then...)
			require.Zero(t, got.Code, got)
			require.Equal(t, strings.ReplaceAll(tc.out, "PAGE", page), strings.TrimSpace(got.Out))
			require.Contains(t, got.Err, "the browser of session default stopped opening pages and was abandoned; ")
			require.NotContains(t, got.Err, "left out")
			require.Equal(t, "Page", u.works(t, "get", "title"))
		})
	}
}

// A page that takes its process with it by itself costs the browser nothing.
func TestCrashLeavesTheBrowser(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	page := u.page(t, "page.html", "<title>Page</title>")
	u.works(t, "open", page)
	before := browsers(u.host(t))
	for range 4 {
		require.Equal(t, 1, u.call(t, "open", "chrome://crash").Code)
		got := u.call(t, "get", "title")
		require.Equal(t, "Page\n", got.Out, got)
		require.Contains(t, got.Err, "had crashed and was loaded again")
	}
	require.Equal(t, before, browsers(u.host(t)))
}

// A page that crashes each time it is loaded is loaded again twice, and not for ever; `reload` and `open` try it once
// more.
func TestPageThatAlwaysCrashes(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	var crashes atomic.Bool
	var loads atomic.Int32
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/page":
			loads.Add(1)
			_, _ = w.Write(
				[]byte(
					`<title>Page</title><script>const x = new XMLHttpRequest(); x.open("GET", "/crash", false); x.send()</script>`))
		case "/crash":
			if crashes.Load() {
				for _, p := range renderers(u.host(t)) {
					_ = syscall.Kill(p.pid, syscall.SIGSEGV)
				}
			}
		}
	}))
	t.Cleanup(site.Close)
	u.works(t, "open", site.URL+"/page")
	before := browsers(u.host(t))
	crashes.Store(true)
	for i, args := range [][]string{{"reload"}, {"get", "title"}, {"get", "title"}, {"get", "title"}, {"get", "title"}} {
		got := u.call(t, args...)
		require.Equal(t, 1, got.Code, got)
		require.Regexp(t, "✗ the page crashed( \\(crashed, exit code 11\\))?\\. Use `reload`, or `open <url>`\\.", got.Err)
		require.EqualValues(t, min(i+2, 4), loads.Load())
	}
	crashes.Store(false)
	u.works(t, "reload")
	require.Equal(t, "Page", u.works(t, "get", "title"))
	require.Equal(t, before, browsers(u.host(t)))
}
