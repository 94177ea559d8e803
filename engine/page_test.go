package engine_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/testengine"
)

// calls are what can be asked of a page, each of which must fail at once when it cannot answer.
func calls(t *testing.T, p *engine.Page) map[string]error {
	t.Helper()
	errs := map[string]error{}
	ctx := timed(t, limit)
	_, errs["Evaluate"] = p.Evaluate(ctx, "1")
	errs["Call"] = p.Main().Call(ctx, "info", nil, nil)
	_, errs["Document"] = p.Main().Document(ctx)
	_, errs["Info"] = p.Info(ctx)
	errs["Click"] = input.Click(ctx, p, engine.Point{X: 5, Y: 5}, input.ClickOptions{})
	errs["Keys"] = input.PressKeys(ctx, p, []input.Stroke{input.CharStroke('a')})
	errs["InsertText"] = input.InsertText(ctx, p, "text")
	errs["Session"] = p.Session().Call(ctx, "Page.captureScreenshot", nil, nil)
	errs["AwaitURL"] = p.Loading().AwaitURL(ctx, func(string) bool { return false })
	_, errs["History"] = p.History(ctx, -1, engine.WaitLoad)
	watched, stop := p.Watch(ctx, false)
	defer stop()
	errs["Watch"] = context.Cause(watched)
	return errs
}

func requireAll(t *testing.T, code fault.Code, errs map[string]error) {
	t.Helper()
	for name, err := range errs {
		require.Equal(t, code, fault.CodeOf(err), "%s: %v", name, err)
	}
}

// crash ends the renderer of a page.
func crash(t *testing.T, p *engine.Page) {
	t.Helper()
	watched, stop := p.Watch(timed(t, limit), false)
	defer stop()
	go func() { // never answered; ends with the crash
		_ = p.Session().Call(watched, "Page.crash", nil, nil)
	}()
	<-watched.Done()
	require.Equal(t, fault.PageCrashed, fault.CodeOf(context.Cause(watched)))
}

func TestPageCrash(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		recover func(p *engine.Page, s *site) (*engine.Navigation, error)
	}{
		{"opened again", func(p *engine.Page, s *site) (*engine.Navigation, error) {
			return p.Navigate(timed(t, limit), s.URL+"/", engine.WaitLoad)
		}},
		{"another site opened", func(p *engine.Page, s *site) (*engine.Navigation, error) {
			return p.Navigate(timed(t, limit), s.At("a")+"/", engine.WaitLoad)
		}},
		{"reloaded", func(p *engine.Page, _ *site) (*engine.Navigation, error) {
			return p.Reload(timed(t, limit), engine.WaitLoad)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p, s := openHTML(t, "<title>Main</title><h1>Main</h1>")
			require.Equal(t, "Main", textIn(t, p.Main(), "h1"))
			waiting := make(chan error, 1)
			go func() { // ends with the crash
				_, err := p.Evaluate(timed(t, limit), "new Promise(() => {})")
				waiting <- err
			}()
			eval(t, p, "0") // behind it
			crash(t, p)
			require.Equal(t, fault.PageCrashed, fault.CodeOf(receive(t, waiting)))
			require.Equal(t, fault.PageCrashed, fault.CodeOf(p.Err()))
			require.ErrorContains(t, p.Err(), "Use `reload`, or `open <url>`.")
			requireAll(t, fault.PageCrashed, calls(t, p))

			nav, err := tc.recover(p, s)
			require.NoError(t, err)
			require.Equal(t, "Main", nav.Title)
			require.NoError(t, p.Err())
			require.Equal(t, "Main", textIn(t, p.Main(), "h1"))
			require.NoError(t, input.PressKeys(timed(t, limit), p, []input.Stroke{input.CharStroke('a')}))
			crash(t, p)
		})
	}
}

// Chromium sometimes drops the second navigation after a crash, when the first was to about:blank. That is not a
// success.
func TestNavigationThatIsDropped(t *testing.T) {
	t.Parallel()
	for range 6 {
		p, s := openHTML(t, "<title>Main</title>")
		crash(t, p)
		open(t, p, "about:blank")
		nav, err := p.Navigate(timed(t, limit), s.URL+"/", engine.WaitLoad)
		if err == nil {
			require.Equal(t, s.URL+"/", nav.URL)
			continue
		}
		require.Equal(t, fault.NavigationFailed, fault.CodeOf(err))
		require.Equal(t, "about:blank", p.URL())
	}
}

func TestPageClose(t *testing.T) {
	t.Parallel()
	c := newContext(t)
	p, q := pageIn(t, c), pageIn(t, c)
	s := newSite(t, map[string]string{"/": "<title>Main</title>"})
	open(t, p, s.URL+"/")
	waiting := make(chan error, 1)
	go func() { // ends with the page
		_, err := p.Evaluate(timed(t, limit), "new Promise(() => {})")
		waiting <- err
	}()
	eval(t, p, "0")
	require.NoError(t, p.Close(timed(t, limit)))
	require.Equal(t, fault.PageGone, fault.CodeOf(receive(t, waiting)))
	requireAll(t, fault.PageGone, calls(t, p))
	require.Equal(t, fault.PageGone, fault.CodeOf(p.Err()))
	require.Equal(t, []*engine.Page{q}, c.Pages())
	require.NoError(t, p.Close(timed(t, limit)), "it is closed, as was asked")
	require.Equal(t, "1", eval(t, q, "1"))
}

// Calls that wait when the browser dies fail at once.
func TestBrowserEnds(t *testing.T) {
	t.Parallel()
	b := ownBrowser(t)
	p := pageIn(t, contextIn(t, b))
	require.True(t, b.Owned())
	require.NotZero(t, b.PID())
	waiting := make(chan error, 1)
	go func() { // ends with the browser
		_, err := p.Evaluate(timed(t, limit), "new Promise(() => {})")
		waiting <- err
	}()
	eval(t, p, "0")
	require.NoError(t, b.Close(timed(t, limit)))
	<-b.Done()
	require.Error(t, receive(t, waiting))
	require.Equal(t, fault.BrowserGone, fault.CodeOf(b.Err()))
	require.Error(t, p.Err())
	for name, err := range calls(t, p) {
		require.Error(t, err, name)
	}
	_, err := b.NewContext(timed(t, limit), engine.ContextOptions{})
	require.Equal(t, fault.BrowserGone, fault.CodeOf(err))
}

func TestContextIsolation(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"/": "<title>Main</title>"})
	c, d := newContext(t), newContext(t)
	p, same, other := pageIn(t, c), pageIn(t, c), pageIn(t, d)
	for _, page := range []*engine.Page{p, same, other} {
		open(t, page, s.URL+"/")
	}
	eval(t, p, `document.cookie = "who=p"; localStorage.who = "p"; sessionStorage.who = "p"; 0`)
	const look = `[document.cookie, localStorage.who ?? "", sessionStorage.who ?? ""].join()`
	require.Equal(t, `"who=p,p,p"`, eval(t, p, look))
	require.Equal(t, `"who=p,p,"`, eval(t, same, look))
	require.Equal(t, `",,"`, eval(t, other, look))

	require.NoError(t, c.Close(timed(t, limit)))
	for _, page := range []*engine.Page{p, same} {
		require.Equal(t, fault.PageGone, fault.CodeOf(page.Err()))
	}
	require.Equal(t, `",,"`, eval(t, other, look))
	require.Empty(t, c.Pages())
}

func TestContextOptions(t *testing.T) {
	t.Parallel()
	c, err := testengine.Browser().NewContext(timed(t, limit),
		engine.ContextOptions{UserAgent: "Custom/1", Width: 640, Height: 480})
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	s := newSite(t, map[string]string{"/": "<title>Main</title>"})
	p := pageIn(t, c)
	open(t, p, s.URL+"/")
	require.Equal(t, `"Custom/1"`, eval(t, p, "navigator.userAgent"))
	require.Equal(t, `"640x480"`, eval(t, p, "innerWidth + 'x' + innerHeight"))
	require.Equal(t, "true", eval(t, p, "document.hasFocus()"))
	require.Same(t, testengine.Browser(), c.Browser())
	require.Same(t, c, p.Context())
}

// A title that was seen in a document that the page has left since is not the title of what it shows.
func TestTitleOfADocumentThatWasLeft(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"/one": "<title>One</title>", "/two": "<title>Two</title>"})
	p := newPage(t)
	open(t, p, s.URL+"/one")
	left := p.Main().Loader()
	require.True(t, p.SawTitle(left, "One, changed"))
	require.Equal(t, "One, changed", p.Title())
	open(t, p, s.URL+"/two")
	require.False(t, p.SawTitle(left, "One, changed"))
	require.Equal(t, "Two", p.Title())
}
