package engine_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
)

// A tab that a page opens is attached to and reported, whatever opener it claims.
func TestPopup(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, script string
		url          func(s *site) string
		opener       bool
	}{
		{"window.open", `window.w = open("/popup"); 0`, func(s *site) string { return s.URL + "/popup" }, true},
		{"another site", `open("{a}/popup"); 0`, func(s *site) string { return s.At("a") + "/popup" }, true},
		{"link", `document.querySelector("a").click()`, func(s *site) string { return s.URL + "/popup" }, false},
		{"with features", `open("/popup", "name", "width=300,height=200"); 0`, func(s *site) string {
			return s.URL + "/popup"
		}, true},
		{"noopener", `open("/popup", "_blank", "noopener"); 0`, func(s *site) string { return s.URL + "/popup" }, false},
		{"empty", `open(); 0`, func(*site) string { return "about:blank" }, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, map[string]string{
				"/":      `<a href="/popup" target=_blank>new</a><script>const run = () => {` + tc.script + `}</script>`,
				"/popup": "<title>Popup</title><h1>Popup</h1>",
			})
			c := newContext(t)
			told := make(chan *engine.Page, 2)
			c.Popups().Handle(func(p *engine.Page) { told <- p })
			p := pageIn(t, c)
			open(t, p, s.URL+"/")
			eval(t, p, "run()")
			popup := receive(t, told)
			c.Popups().Await(timed(t, limit))
			require.Equal(t, []*engine.Page{p, popup}, c.Pages())
			require.NoError(t, popup.Loading().AwaitURL(timed(t, limit), func(url string) bool { return url == tc.url(s) }))
			require.NoError(t, popup.Loading().Await(timed(t, limit), engine.WaitLoad))
			if tc.url(s) != "about:blank" {
				require.Equal(t, "Popup", textIn(t, popup.Main(), "h1"))
			}
			if tc.opener {
				require.Equal(t, p.ID(), popup.Opener())
			}
			require.Equal(t, `"visible"`, eval(t, popup, "document.visibilityState"))
			require.Empty(t, p.Opener())

			require.NoError(t, popup.Close(timed(t, limit)))
			require.Equal(t, []*engine.Page{p}, c.Pages())
			require.Equal(t, fault.PageGone, fault.CodeOf(popup.Err()))
			require.NoError(t, p.Err())
		})
	}
}

// Pages that others open do not show up as popups of a context, nor do those that we open ourselves.
func TestPopupsOfOthers(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"/": "<title>Main</title>"})
	mine, other := newContext(t), newContext(t)
	told := make(chan *engine.Page, 10)
	mine.Popups().Handle(func(p *engine.Page) { told <- p })
	p := pageIn(t, mine)
	q := pageIn(t, other)
	open(t, q, s.URL+"/")
	eval(t, q, `open("/"); 0`)
	other.Popups().Await(timed(t, limit))
	pageIn(t, mine)
	open(t, p, s.URL+"/")
	eval(t, p, `window.w = open("/?mine"); 0`)
	require.NoError(t, receive(t, told).Loading().AwaitURL(timed(t, limit), func(url string) bool {
		return url == s.URL+"/?mine"
	}))
	mine.Popups().Await(timed(t, limit))
	require.Empty(t, told)
	require.Len(t, mine.Pages(), 3)
}

// A page that closes itself, or is closed by its opener, is gone.
func TestPageClosesItself(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"/": "<title>Main</title>"})
	c := newContext(t)
	told := make(chan *engine.Page, 2)
	c.Popups().Handle(func(p *engine.Page) { told <- p })
	p := pageIn(t, c)
	open(t, p, s.URL+"/")
	for _, script := range []string{"w.close()", "w.eval('close()'); 0"} {
		eval(t, p, `window.w = open("/"); 0`)
		popup := receive(t, told)
		require.NoError(t, popup.Loading().Await(timed(t, limit), engine.WaitLoad))
		watched, stop := popup.Watch(timed(t, limit), false)
		defer stop()
		eval(t, p, script)
		<-watched.Done()
		require.Equal(t, fault.PageGone, fault.CodeOf(popup.Err()))
		require.False(t, popup.EndedByCaller())
		require.False(t, slices.Contains(c.Pages(), popup))
		_, err := popup.Evaluate(timed(t, limit), "1")
		require.Equal(t, fault.PageGone, fault.CodeOf(err))
	}
}

// A page that ends with its context was closed by a caller, so that a script that has not ended there has not
// succeeded.
func TestPageEndsWithItsContext(t *testing.T) {
	t.Parallel()
	c := newContext(t)
	p := pageIn(t, c)
	watched, stop := p.Watch(timed(t, limit), false)
	defer stop()
	require.NoError(t, c.Close(timed(t, limit)))
	<-watched.Done()
	require.Equal(t, fault.PageGone, fault.CodeOf(p.Err()))
	require.True(t, p.EndedByCaller())
}
