package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/engine/endpoint"
)

// foreign starts a browser that listens at a port, as a user would for us, and returns it with its profile. It has a
// pipe as well, so that it ends with this process however that ends.
func foreign(t *testing.T) (owner *engine.Browser, profile string) {
	t.Helper()
	profile = t.TempDir()
	owner, err := engine.Launch(timed(t, limit),
		chrome.Options{Headless: true, UserDataDir: profile, Args: []string{"--remote-debugging-port=0"}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, owner.Close(context.Background())) })
	return owner, profile
}

// debuggingURL is where the browser with the profile listens.
func debuggingURL(t testing.TB, profile string) string {
	t.Helper()
	var port string
	require.Eventually(t, func() bool {
		file, _ := os.ReadFile(filepath.Join(profile, "DevToolsActivePort"))
		var ok bool
		port, _, ok = strings.Cut(string(file), "\n")
		return ok
	}, limit, 10*time.Millisecond)
	url, err := endpoint.Discover(timed(t, limit), port)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(url, "ws://127.0.0.1:"+port+"/devtools/browser/"), url)
	return url
}

// A browser that another program started is used with its tabs, and is left running.
func TestAttach(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"/": "<title>Theirs</title><h1>Theirs</h1>", "/mine": "<title>Mine</title>"})
	owner, profile := foreign(t)
	open(t, pageIn(t, owner.DefaultContext(engine.ContextOptions{})), s.URL+"/")
	url := debuggingURL(t, profile)

	attach := func() (*engine.Browser, []*engine.Page) {
		b, err := engine.Attach(timed(t, limit), url, nil, nil)
		require.NoError(t, err)
		require.False(t, b.Owned())
		require.Zero(t, b.PID())
		pages, err := b.DefaultContext(engine.ContextOptions{}).ListPages(timed(t, limit))
		require.NoError(t, err)
		for _, p := range pages {
			require.NoError(t, p.Attach(timed(t, limit)))
		}
		return b, pages
	}
	leave := func(b *engine.Browser) {
		require.NoError(t, b.DefaultContext(engine.ContextOptions{}).Close(timed(t, limit)))
		require.NoError(t, b.Close(timed(t, limit)))
	}
	b, pages := attach()
	version, err := b.Version(timed(t, limit))
	require.NoError(t, err)
	require.Contains(t, version, "Chrom")
	require.Len(t, pages, 1)
	require.NoError(t, pages[0].Loading().Await(timed(t, limit), engine.WaitLoad))
	require.Equal(t, s.URL+"/", pages[0].URL())
	require.Equal(t, "Theirs", textIn(t, pages[0].Main(), "h1"))
	eval(t, pages[0], `window.mark = "kept"`)
	for _, name := range []string{"one", "two", "three"} {
		open(t, pageIn(t, b.DefaultContext(engine.ContextOptions{})), s.URL+"/mine?"+name)
	}
	leave(b)

	for range 3 { // the one last used comes last, and that it was us does not change it
		b, pages = attach()
		var urls []string
		for _, p := range pages {
			urls = append(urls, strings.TrimPrefix(p.URL(), s.URL))
		}
		require.Equal(t, []string{"/", "/mine?one", "/mine?two", "/mine?three"}, urls)
		require.Equal(t, `"kept"`, eval(t, pages[0], "window.mark"))
		leave(b)
	}
	require.NoError(t, owner.Err())
	require.Equal(t, `"kept"`, eval(t, owner.DefaultContext(engine.ContextOptions{}).Pages()[0], "window.mark"))
}
