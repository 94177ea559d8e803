package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// proxied is a proxy that is the whole net: every name leads to its page, which tells who asked.
type proxied struct {
	*httptest.Server

	mu    sync.Mutex
	pages int
}

func newProxied(t *testing.T) *proxied {
	p := &proxied{}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/page" {
			p.mu.Lock()
			p.pages++
			p.mu.Unlock()
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>Of the proxy</title><p>%s</p>", r.UserAgent())
	}))
	t.Cleanup(p.Close)
	return p
}

func (p *proxied) seen() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pages
}

// killHost has the user's host and its browsers end as if memory had run out.
func (u *user) killHost(t *testing.T) {
	t.Helper()
	host := u.host(t)
	all := tree(host)
	require.NoError(t, syscall.Kill(host, syscall.SIGKILL))
	requireGone(t, all)
}

// A session whose host was killed is launched with the same options again by a command that does not give them.
func TestLaunchOptionsOutliveTheHost(t *testing.T) {
	t.Parallel()
	u, p := newUser(t), newProxied(t)
	u.works(t, "open", "http://site.test/page", "--proxy", p.URL, "--user-agent", "agent/7", "--args", "--lang=de")
	require.Equal(t, 1, p.seen())
	u.killHost(t)

	got := u.call(t, "get", "text", "p")
	require.Zero(t, got.Code, got)
	require.Equal(t, "agent/7\n", got.Out)
	require.Contains(t, got.Err, "restored: t1 (http://site.test/page)")
	require.Equal(t, 2, p.seen(), "loaded through the proxy")
	main := browsers(u.host(t))
	require.Len(t, main, 1)
	require.Contains(t, main[0].command, "--lang=de")

	u.killHost(t)
	got = u.call(t, "--user-agent", "another/1", "get", "text", "p")
	require.NotZero(t, got.Code, got)
	require.Contains(t, got.Err, `runs without --user-agent "another/1"; nothing was done`)
	require.Equal(t, "agent/7\n", u.call(t, "get", "text", "p").Out)

	u.killHost(t)
	got = u.call(t, "--user-agent", "another/1", "open", u.page(t, "page.html", "<title>Page</title>"))
	require.Zero(t, got.Code, got)
	require.Contains(t, got.Err, `the browser was restarted for --user-agent "another/1"`)
	require.Contains(t, got.Err, "lost: http://site.test/page")
	require.Equal(t, 3, p.seen(), "not loaded in the other browser")
}

// What is secret is not kept, and without it nothing is loaded.
func TestSecretLaunchOptionsHaveToBeRepeated(t *testing.T) {
	t.Parallel()
	u, p := newUser(t), newProxied(t)
	const secret = "--site-token=pass-of-ann"
	u.works(t, "open", "http://site.test/page", "--args", secret, "--proxy", p.URL, "--user-agent", "agent/7")
	require.Equal(t, 1, p.seen())
	u.killHost(t)

	kept, err := os.ReadFile(filepath.Join(u.run, "sessions.json"))
	require.NoError(t, err)
	require.Contains(t, string(kept), "agent/7")
	require.NotContains(t, string(kept), "pass-of-ann")
	for _, command := range [][]string{
		{"get", "text", "p"},
		{"open", "http://site.test/other"},
		{"tab", "list"},
		{"--no-restore-tabs", "get", "url"},
	} {
		got := u.call(t, command...)
		require.Equal(t, 1, got.Code, "%q: %v", command, got)
		require.Contains(t, got.Err, "its browser ran with --args, whose value was not saved: nothing was loaded")
		require.Contains(t, got.Err, "Repeat --args with the command, or `close` the session")
		require.NotContains(t, got.Err, "pass-of-ann")
	}
	require.Equal(t, 1, p.seen())

	got := u.call(t, "get", "text", "p", "--args", secret)
	require.Equal(t, "agent/7\n", got.Out, "%v", got)
	require.Equal(t, 2, p.seen())

	u.killHost(t)
	require.Equal(t, 1, u.call(t, "get", "url").Code)
	u.works(t, "close")
	require.Equal(t, "about:blank", u.works(t, "get", "url"))
}
