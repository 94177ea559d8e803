package webauthn_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/webauthn"
	"github.com/skua-browser/skua/internal/testengine"
	"github.com/skua-browser/skua/internal/testpasskey"
)

// said is what the page tells after a script.
func said(t *testing.T, p *engine.Page, script string) string {
	t.Helper()
	return testengine.Eval(t, p, script+`.then(() => document.querySelector('#said').textContent)`)
}

func loggedIn(t *testing.T, p *engine.Page, s *testpasskey.Site) {
	t.Helper()
	if err := p.Loading().AwaitURL(testengine.Timed(t, testengine.Limit/4), func(url string) bool {
		return url == s.Base+"/home"
	}); err != nil {
		t.Fatal(err, s.Log(), testengine.Eval(t, p, `location + document.querySelector('#said').textContent`))
	}
}

// registered is a page with an authenticator that has a passkey.
func registered(t *testing.T) (*testpasskey.Site, *engine.Page) {
	t.Helper()
	s, p := testpasskey.New(t), testengine.NewPage(t)
	require.NoError(t, webauthn.On(testengine.Timed(t, testengine.Limit), p.Context(), p))
	testengine.Open(t, p, s.Base+"/register")
	require.Equal(t, `"Passkey created for ann"`, said(t, p, `register('ann')`))
	return s, p
}

func TestTabsShareOnePasskey(t *testing.T) {
	t.Parallel()
	s, first := registered(t)
	later := testengine.PageIn(t, first.Context())
	for _, p := range []*engine.Page{later, first, later} { // the site refuses a counter that falls
		testengine.Open(t, p, s.Base+"/login")
		testengine.Eval(t, p, `login()`)
		loggedIn(t, p, s)
	}
	require.Equal(t, []string{"registered ann", "logged in ann", "logged in ann", "logged in ann"}, s.Log())
	keys := webauthn.List(first.Context())
	require.Len(t, keys, 1)
	require.NoError(t, keys[0].Check())
	require.Equal(t, []any{"localhost", "ann", "ann"}, []any{keys[0].RPID, keys[0].UserName, keys[0].DisplayName})
	require.Greater(t, keys[0].SignCount, int64(2))
	require.NotNil(t, keys[0].UsedAt)
	require.Equal(t, webauthn.Use{RPID: "localhost", User: "ann", Created: true}, webauthn.Uses(first.Context())[0])
	require.Empty(t, webauthn.Uses(first.Context()))
}

func TestAnotherContextTakesPasskeysOver(t *testing.T) {
	t.Parallel()
	s, p := registered(t)
	other := testengine.NewPage(t)
	ctx := testengine.Timed(t, testengine.Limit)
	require.NoError(t, webauthn.Add(ctx, other.Context(), webauthn.List(p.Context())))
	require.NoError(t, webauthn.On(ctx, other.Context(), other))
	testengine.Open(t, other, s.Base+"/login")
	testengine.Eval(t, other, `login()`)
	loggedIn(t, other, s)

	ok, err := webauthn.Remove(ctx, other.Context(), webauthn.List(other.Context())[0].ID)
	require.NoError(t, err)
	require.True(t, ok)
	testengine.Open(t, other, s.Base+"/login")
	require.Contains(t, said(t, other, `login({timeout: 1500})`), "NotAllowedError")
}

func TestOffAndOn(t *testing.T) {
	t.Parallel()
	s, p := registered(t)
	ctx := testengine.Timed(t, testengine.Limit)
	require.NoError(t, webauthn.Off(ctx, p.Context()))
	testengine.Open(t, p, s.Base+"/login")
	require.Contains(t, said(t, p, `login({timeout: 1500})`), "NotSupportedError")
	require.NoError(t, webauthn.On(ctx, p.Context(), p))
	testengine.Eval(t, p, `login()`)
	loggedIn(t, p, s)
}

func TestAutofill(t *testing.T) {
	t.Parallel()
	s, p := registered(t)
	_, err := p.Navigate(testengine.Timed(t, testengine.Limit), s.Base+"/autofill", engine.WaitDOM)
	require.NoError(t, err)
	loggedIn(t, p, s)
}

func TestLoan(t *testing.T) {
	t.Parallel()
	s, owner := registered(t)
	keys := webauthn.List(owner.Context())
	s.Leave = s.URL + "/steal"
	allowed := func(origin string) bool { return origin == s.Base }
	tests := []struct {
		name  string
		on    bool   // the context has an authenticator already
		alone string // what the page is told without the loan
	}{{"a page without an authenticator", false, "NotSupportedError"}, {"a page with one", true, "NotAllowedError"}}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := testengine.NewPage(t)
			ctx := testengine.Timed(t, testengine.Limit)
			if test.on {
				require.NoError(t, webauthn.On(ctx, p.Context(), p))
			}
			testengine.Open(t, p, s.Base+"/login")
			loan, err := webauthn.Lend(ctx, p, keys, allowed)
			require.NoError(t, err)
			testengine.Eval(t, p, `login()`)
			loggedIn(t, p, s)
			<-loan.Used()
			back, err := loan.Return(ctx)
			require.NoError(t, err)
			require.Greater(t, back[0].SignCount, keys[0].SignCount)
			keys = back
			require.Empty(t, webauthn.List(p.Context()))
			testengine.Open(t, p, s.Base+"/login")
			require.Contains(t, said(t, p, `login({timeout: 1500})`), test.alone)

			// Another origin ends the loan, also for the time after it.
			loan, err = webauthn.Lend(ctx, p, keys, allowed)
			require.NoError(t, err)
			testengine.Open(t, p, s.Base+"/leave")
			require.True(t, loan.Revoked())
			testengine.Open(t, p, s.Base+"/login")
			require.Contains(t, said(t, p, `login({timeout: 1500})`), "NotAllowedError") // the authenticator is still there
			_, err = loan.Return(ctx)
			require.NoError(t, err)
		})
	}
}

func TestOtherOriginsGetNothing(t *testing.T) {
	t.Parallel()
	s, p := registered(t)
	other := "http://other.localhost" + s.URL[len("http://127.0.0.1"):]
	testengine.Open(t, p, other+"/steal")
	require.Contains(t, said(t, p, `login({timeout: 1500})`), "NotAllowedError") // it has no passkey of its own
	testengine.Open(t, p, s.URL+"/steal")
	require.Contains(t, said(t, p, `login({timeout: 1500, rp: 'localhost'})`), "SecurityError")
	require.Equal(t, []string{"registered ann"}, s.Log())
}

func TestSurvivesTheEndOfAnotherSession(t *testing.T) {
	t.Parallel()
	s, p := registered(t)
	_, detach, err := p.Sessions().Open(testengine.Timed(t, testengine.Limit))
	require.NoError(t, err)
	detach()
	testengine.Open(t, p, s.Base+"/login")
	testengine.Eval(t, p, `login()`)
	loggedIn(t, p, s)
}

// The secrets of the PRF extension stay in the browser: a passkey that is kept would be without them, and what a page
// has encrypted lost. So pages learn when they register that there is none.
func TestNoPRF(t *testing.T) {
	t.Parallel()
	s, p := registered(t)
	testengine.Open(t, p, s.Base+"/register")
	require.Equal(t, `false`, testengine.Eval(t, p, `navigator.credentials.create({publicKey: {
		challenge: new Uint8Array(16), rp: {id: 'localhost', name: 'x'}, user: {id: new Uint8Array(8), name: 'a', displayName: 'a'},
		pubKeyCredParams: [{type: 'public-key', alg: -7}], extensions: {prf: {eval: {first: new Uint8Array(32)}}},
	}}).then((c) => c.getClientExtensionResults().prf.enabled)`))
}
