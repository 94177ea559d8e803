package webauthn_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/webauthn"
	"github.com/skua-browser/skua/internal/testengine"
	"github.com/skua-browser/skua/internal/testpasskey"
)

// tried waits until a page of the site has tried to use a passkey.
func tried(s *testpasskey.Site) bool {
	for end := time.Now().Add(testengine.Limit / 2); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if slices.ContainsFunc(s.Log(), func(line string) bool { return strings.HasPrefix(line, "tried: ") }) {
			return true
		}
	}
	return false
}

// slow holds back all news of the browser from a document of the other site on, until its page has tried: it is as fast
// as any page can be.
func slow(p *engine.Page, other *testpasskey.Site) {
	p.Context().Observe(engine.Observer{Event: func(_ *engine.Page, _ *cdp.Session, ev cdp.Event) {
		if ev.Method != "Page.frameNavigated" {
			return
		}
		var e struct {
			Frame struct {
				URL string `json:"url"`
			} `json:"frame"`
		}
		if cdp.Unmarshal(ev.Params, &e) == nil &&
			(strings.HasPrefix(e.Frame.URL, other.Base) || e.Frame.URL == "about:blank") {
			tried(other)
		}
	}})
}

// ahead has the browser do something with the page of the other site before the page goes there.
func ahead(what string) string {
	return `const rules = document.createElement('script');
		rules.type = 'speculationrules';
		rules.textContent = JSON.stringify({` + what +
		`: [{source: 'list', urls: [other + '/thief'], eagerness: 'immediate'}]});
		document.head.append(rules);
		setTimeout(() => { location.href = other + '/thief' }, 1000)`
}

// A page of an origin that is not allowed finds no passkey, also if it asks before anybody could hear that it is there.
func TestLoanIsOverBeforeAnotherOriginShows(t *testing.T) {
	t.Parallel()
	_, owner := registered(t)
	keys := webauthn.List(owner.Context())
	tests := []struct {
		name  string
		first func(t *testing.T, p *engine.Page, other *testpasskey.Site) // what the tab does before
		leave string                                                      // a script of the page of the loan
		path  string                                                      // where its server leads
	}{
		{name: "a link", leave: `location.href = other + '/thief'`},
		{
			name: "a link of the whole window",
			leave: `document.body.innerHTML = '<iframe srcdoc="<a target=_top href=' + other + '/thief>x</a>">';
			document.querySelector('iframe').onload = (e) => e.target.contentDocument.querySelector('a').click()`,
		},
		{name: "a redirect", leave: `location.href = '/leave'`, path: "/thief"},
		{name: "two redirects", leave: `location.href = '/leave'`, path: "/leave"},
		{
			name:  "a refresh",
			leave: `document.head.innerHTML = '<meta http-equiv=refresh content="0;url=' + other + '/thief">'`,
		},
		{name: "a page that is there before it is asked for", leave: ahead("prerender")},
		{name: "a page that is fetched before it is asked for", leave: ahead("prefetch")},
		{
			name:  "a form",
			leave: `document.body.innerHTML = '<form method=post action="' + other + '/thief"></form>'; document.forms[0].submit()`,
		},
		{name: "a window", leave: `void open(other + '/thief')`},
		{name: "a window that is redirected", leave: `void open('/leave')`, path: "/thief"},
		{name: "a window apart", leave: `void open(other + '/thief', '_blank', 'noopener')`},
		{
			name:  "a window that is sent there later",
			leave: `const w = open('/login'); setTimeout(() => { w.location = other + '/thief' }, 100)`,
		},
		{name: "a window of a window", leave: `const w = open('/login'); w.onload = () => w.open(other + '/thief')`},
		{name: "a window that sends the page to nowhere", leave: `void open(other + '/thief?opener')`},
		{
			name:  "a frame that may",
			leave: `document.body.innerHTML = '<iframe allow="publickey-credentials-get *" src="' + other + '/thief">'`,
		},
		{
			name:  "a frame that is redirected",
			leave: `document.body.innerHTML = '<iframe allow="publickey-credentials-get *" src="/leave">'`, path: "/thief",
		},
		{
			name: "what a service worker answers", leave: `location.href = other + '/thief'`,
			first: func(t *testing.T, p *engine.Page, other *testpasskey.Site) {
				testengine.Open(t, p, other.Base+"/thief?worker=1")
				require.Eventually(t, func() bool {
					return testengine.Eval(t, p, `document.title`) == `"Ready"`
				}, testengine.Limit, 10*time.Millisecond)
			},
		},
		{
			name: "back", leave: `history.back()`,
			first: func(t *testing.T, p *engine.Page, other *testpasskey.Site) {
				testengine.Open(t, p, other.Base+"/thief?later")
				testengine.Eval(t, p, `history.replaceState({}, '', '/thief')`)
			},
		},
	}
	browser := testengine.OwnBrowser(t) // whose news may be held back
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			other, s := testpasskey.New(t), testpasskey.New(t)
			s.Leave, other.Leave = other.Base+test.path, other.Base+"/thief"
			p := testengine.PageIn(t, testengine.ContextIn(t, browser))
			if test.first != nil {
				test.first(t, p, other)
			}
			testengine.Open(t, p, s.Base+"/login")
			slow(p, other)
			ctx := testengine.Timed(t, testengine.Limit)
			loan, err := webauthn.Lend(ctx, p, keys, func(origin string) bool { return origin == s.Base })
			require.NoError(t, err)
			require.Empty(t, loan.Elsewhere())
			testengine.Eval(t, p, `{ const other = '`+other.Base+`'; `+test.leave+`; }`)
			require.True(t, tried(other))
			require.Regexp(t, "^tried: Failed: Not(Allowed|Supported)Error", other.Log()[0]) // or it has no authenticator
			require.Empty(t, slices.DeleteFunc(other.Log(), func(line string) bool {
				return strings.HasPrefix(line, "tried: Failed: Not")
			}))
			require.Equal(t, other.Base, loan.Elsewhere())
			_, err = loan.Return(ctx)
			require.NoError(t, err)
		})
	}
}

// A stranger that has hold of the page's window could send it to about:blank, which needs no request and has the origin
// of who sent it there.
func TestNoLoanBesideAStranger(t *testing.T) {
	t.Parallel()
	_, owner := registered(t)
	other, s := testpasskey.New(t), testpasskey.New(t)
	opener := testengine.PageIn(t, testengine.ContextIn(t, testengine.OwnBrowser(t)))
	testengine.Open(t, opener, other.Base+"/thief?later")
	testengine.Eval(t, opener, `opened('`+s.Base+`/login')`)
	c := opener.Context()
	require.Eventually(t, func() bool {
		return len(c.Pages()) == 2 && c.Pages()[1].URL() == s.Base+"/login"
	}, testengine.Limit, 10*time.Millisecond)
	slow(opener, other)
	ctx := testengine.Timed(t, testengine.Limit)
	loan, err := webauthn.Lend(ctx, c.Pages()[1], webauthn.List(owner.Context()), func(origin string) bool {
		return origin == s.Base
	})
	require.NoError(t, err)
	require.True(t, loan.Revoked())
	require.Equal(t, other.Base, loan.Elsewhere())
	testengine.Eval(t, opener, `blank()`)
	require.True(t, tried(other))
	require.Len(t, other.Log(), 1)
	require.Contains(t, other.Log()[0], "tried: Failed: NotAllowedError")
	_, err = loan.Return(ctx)
	require.NoError(t, err)
}

// What does not lead to another origin in the end, or may not use a passkey there, leaves the page its passkeys.
func TestLoanStays(t *testing.T) {
	t.Parallel()
	_, owner := registered(t)
	keys := webauthn.List(owner.Context())
	tests := []struct{ name, script string }{
		{"a redirect there and back", `location.href = '/leave'`},
		{
			"a frame that may not",
			`document.body.innerHTML += '<iframe src="' + other + '/steal">'; document.querySelector('iframe').onload = () => login()`,
		},
		{"another address of the same document", `history.pushState({}, '', '/pushed'); login()`},
		{
			"a frame without a request",
			`document.body.innerHTML += '<iframe srcdoc="x">'; document.querySelector('iframe').onload = () => login()`,
		},
	}
	browser := testengine.OwnBrowser(t) // whose news may be held back
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			other, s := testpasskey.New(t), testpasskey.New(t)
			s.Leave, other.Leave = other.Base+"/leave", s.Base+"/at-once"
			p := testengine.PageIn(t, testengine.ContextIn(t, browser))
			ctx := testengine.Timed(t, testengine.Limit)
			loan, err := webauthn.Lend(ctx, p, keys, func(origin string) bool { return origin == s.Base })
			require.NoError(t, err)
			testengine.Open(t, p, s.Base+"/login")
			testengine.Eval(t, p, `{ const other = '`+other.Base+`'; `+test.script+`; }`)
			select {
			case <-loan.Used():
			case <-ctx.Done():
				t.Fatal("not used", s.Log(), testengine.Eval(t, p, `location.href + document.body.innerText`))
			}
			require.False(t, loan.Revoked())
			require.Empty(t, loan.Elsewhere())
			_, err = loan.Return(ctx)
			require.NoError(t, err)
			testengine.Open(t, p, other.Base+"/home") // nothing waits any more
		})
	}
}
