package engine_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/downloads"
)

// backgroundPage opens an address in a background page.
func backgroundPage(t *testing.T, c *engine.Context, address string) (*engine.Page, *engine.Navigation) {
	t.Helper()
	p, err := c.NewBackgroundPage(timed(t, limit))
	require.NoError(t, err)
	nav, err := p.Load(timed(t, limit), address, engine.WaitLoad)
	require.NoError(t, err)
	return p, nav
}

// requireTargets waits until the browser has these pages in a context.
func requireTargets(t *testing.T, c *engine.Context, want ...string) {
	t.Helper()
	var got []string
	require.Eventually(t, func() bool {
		var err error
		got, err = engine.TargetsOf(timed(t, limit), c)
		return err == nil && slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want)))
	}, limit, 20*time.Millisecond, "it has %v", &got)
}

// Dialogs are dismissed, and the page continues.
func TestBackgroundPageDismissesDialogs(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"/": `<script>
		alert("hello"); answers = [confirm("sure?"), prompt("name?", "me")]; for (let i = 0; i < 350; i++) alert(i)
		addEventListener("beforeunload", e => e.preventDefault())</script><title>Done</title>`})
	c := newContext(t)
	p, _ := backgroundPage(t, c, s.URL+"/")
	require.Equal(t, "[false,null]", eval(t, p, "answers"))
	require.Nil(t, p.Dialogs().Open())
	require.NoError(t, p.Close(timed(t, limit)))

	q, _ := backgroundPage(t, c, s.URL+"/?again")
	q.Dialogs().Take()
	q.Adopt()
	require.Equal(t, "0", eval(t, q, `alert("mine"); 0`))
	taken, _ := q.Dialogs().Take()
	require.True(t, taken[0].Accepted, "an adopted page is treated as any other")
}

// Downloads are canceled and not reported.
func TestBackgroundPageSavesNothing(t *testing.T) {
	t.Parallel()
	s := downloadSite(t)
	s.Handle("/slow", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=slow.bin")
		for r.Context().Err() == nil {
			_, _ = w.Write(make([]byte, 1<<16))
			w.(http.Flusher).Flush()
		}
	})
	c := newContext(t)
	p, nav := backgroundPage(t, c, s.URL+"/file")
	require.True(t, nav.Download)
	_, nav = backgroundPage(t, c, s.URL+"/slow")
	require.True(t, nav.Download)
	_, err := p.Load(timed(t, limit), s.URL+"/", engine.WaitLoad)
	require.NoError(t, err)
	eval(t, p, clickLink)

	shown := pageIn(t, c)
	open(t, shown, s.URL+"/")
	eval(t, shown, clickLink)
	d, err := c.Downloads().Await(timed(t, limit), func(d *downloads.Item) bool { return d.State == downloads.Complete })
	require.NoError(t, err)
	require.Equal(t, shown.ID(), d.Page)
	require.Len(t, c.Downloads().After(0), 1)
	var dir string
	require.NoError(t, c.Downloads().Save(d.Seq, func(from string) (string, error) {
		dir = filepath.Dir(from)
		return from, os.Remove(from)
	}))
	require.Eventually(t, func() bool {
		left, err := os.ReadDir(dir)
		return err == nil && len(left) == 0
	}, limit, 20*time.Millisecond)
}

// What it opens is closed.
func TestBackgroundPageOpensNothing(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"/": "<title>Opener</title>", "/popup": "<title>Popup</title>"})
	c := newContext(t)
	c.Popups().Handle(func(p *engine.Page) { t.Errorf("a popup was reported: %s", p.URL()) })
	p, _ := backgroundPage(t, c, s.URL+"/")
	eval(t, p, `for (const how of ["", "noopener"]) window.open("/popup", "_blank", how); 0`)
	requireTargets(t, c, s.URL+"/")
	require.Equal(t, []*engine.Page{p}, c.Pages())
}

// While new pages of the browser have to wait to be told something, their openers stand still.
func TestBackgroundPageOpensNothingWhilePagesWait(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{
		"/":      `<title>Opener</title><script>for (const how of ["", "noopener", "popup"]) window.open("/popup", "_blank", how)</script>`,
		"/popup": "<title>Popup</title>",
	})
	c := newContext(t)
	require.NoError(t, c.Overrides().Set(timed(t, limit), nil, "a test", &engine.Override{Frames: true}))
	var opener *engine.Page
	for range 5 {
		opener, _ = backgroundPage(t, c, s.URL+"/")
		require.Equal(t, `"Opener"`, eval(t, opener, "new Promise(done => setTimeout(() => done(document.title)))"))
		requireTargets(t, c, s.URL+"/")
		require.NoError(t, opener.Close(timed(t, limit)))
	}
	requireTargets(t, c)
}

// One that hangs is closed all the same.
func TestBackgroundPageThatHangsIsClosed(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"/": `<script>addEventListener("unload", () => { for (;;); }); for (;;);</script>`})
	c := newContext(t)
	p, err := c.NewBackgroundPage(timed(t, limit))
	require.NoError(t, err)
	short, cancel := context.WithTimeoutCause(t.Context(), 2*time.Second, errors.New("enough"))
	defer cancel()
	_, err = p.Load(short, s.URL+"/", engine.WaitLoad)
	require.Error(t, err)
	require.NoError(t, p.Close(timed(t, limit)))
	requireTargets(t, c)
}

// A caller that gives up while a page is created leaves no page behind.
func TestBackgroundPageThatIsGivenUp(t *testing.T) {
	t.Parallel()
	b := ownBrowser(t)
	c := contextIn(t, b)
	c.Popups().Handle(func(p *engine.Page) { t.Errorf("it was taken for a popup: %s", p.URL()) })
	for d := time.Duration(0); d < 60*time.Millisecond; d += 2 * time.Millisecond {
		ctx, cancel := context.WithTimeout(t.Context(), d)
		if p, err := c.NewBackgroundPage(ctx); err == nil {
			require.NoError(t, p.Close(timed(t, limit)))
		}
		cancel()
	}
	requireTargets(t, c)
}
