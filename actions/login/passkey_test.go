package login_test

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/login"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/testpasskey"
)

// passkeyed is a caller whose session has a passkey of the site, which a page has registered.
func passkeyed(t *testing.T) (*testpasskey.Site, *sessiontest.Client) {
	t.Helper()
	s, c := testpasskey.New(t), host.NewClient(t)
	c.Env["SKUA_KEYRING"] = "off"
	c.Do("auth", "passkey", "on")
	c.Do("open", s.Base+"/register")
	c.Do("find", "role", "button", "click", "--name", "Create a passkey")
	c.Do("wait", "--text", "Passkey created for ann")
	require.Equal(t, []string{"registered ann"}, s.Log())
	return s, c
}

// keyOf is the private key in a state file, as the file has it.
func keyOf(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var saved struct {
		Skua struct {
			Passkeys []struct{ PrivateKey string }
		}
	}
	require.NoError(t, json.Unmarshal(text, &saved))
	require.Len(t, saved.Skua.Passkeys, 1)
	return saved.Skua.Passkeys[0].PrivateKey
}

// keyless requires that nothing that was said has the private key in any of its forms.
func keyless(t *testing.T, key, said string) {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(key)
	require.NoError(t, err)
	for _, form := range []string{key, base64.RawURLEncoding.EncodeToString(raw)} {
		require.NotContains(t, said, form[len(form)/2:])
	}
}

func TestPasskeyIsRegisteredAndUsed(t *testing.T) {
	t.Parallel()
	s, c := passkeyed(t)
	list := c.Do("auth", "passkey", "list")
	data := sessiontest.Decode[login.Passkeys](t, list.Result.Data)
	require.True(t, data.On)
	require.Len(t, data.Passkeys, 1)
	one := data.Passkeys[0]
	require.Equal(t, []any{"localhost", "ann", true, int64(1)}, []any{one.RP, one.User, one.Discoverable, one.SignCount})
	require.Contains(t, list.Result.Text, one.ID+"  localhost  ann  1 signature")

	c.Do("tab", "new", s.Base+"/login") // a tab that comes later has it, too
	clicked := c.Do("find", "role", "button", "click", "--name", "Sign in with a passkey")
	notes := append(clicked.Result.Notes, c.Do("wait", "--url", s.Base+"/home").Result.Notes...)
	require.Contains(t, strings.Join(notes, "\n"), "a page used the passkey of localhost (ann)")
	require.Equal(t, []string{"registered ann", "logged in ann"}, s.Log())

	c.Do("auth", "passkey", "off")
	require.False(t, sessiontest.Decode[login.Passkeys](t, c.Do("auth", "passkey", "list").Result.Data).On)
	c.Do("open", s.Base+"/login")
	c.Do("find", "role", "button", "click", "--name", "Sign in with a passkey")
	c.Do("wait", "--text", "Failed: NotSupportedError")
	c.Do("auth", "passkey", "on")
	c.Fails(fault.CredentialNotFound, "auth", "passkey", "remove", "none-such")
	removed := c.Do("auth", "passkey", "remove", "--", one.ID[:8]) // it may begin with a dash
	require.Equal(t, "✓ Removed the passkey of localhost (ann), after 2 signatures", removed.Result.Text)
	require.Empty(t, sessiontest.Decode[login.Passkeys](t, c.Do("auth", "passkey", "list").Result.Data).Passkeys)
}

func TestLoginWithPasskey(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, path string }{
		{"a button", "/login"},
		{"a button beside a form for a password", "/button"},
		{"after the user name", "/named"},
		{"the page asks by itself", "/autofill"},
		{"a window that the page opens", "/popup"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s, c := passkeyed(t)
			saved := c.Do("auth", "passkey", "save", "app", "--url", s.Base+test.path)
			require.True(t, sessiontest.Decode[login.PasskeysSaved](t, saved.Result.Data).Created)
			other := host.NewClient(t)
			other.Env = c.Env
			for range 2 { // the site refuses a count of signatures that falls
				r := other.Do("auth", "login", "app")
				data := sessiontest.Decode[login.LoggedIn](t, r.Result.Data)
				require.True(t, data.LoggedIn)
				require.Contains(t, data.Steps, "passkey")
				require.Contains(t, r.Result.Text, "a passkey signed the page's challenge")
				require.Equal(t, s.Base+"/home", data.URL)
				other.Do("cookies", "clear")
			}
			require.Equal(t, []string{"registered ann", "logged in ann", "logged in ann"}, s.Log())

			// The session has not got it: the login is over.
			require.Empty(t, sessiontest.Decode[login.Passkeys](t, other.Do("auth", "passkey", "list").Result.Data).Passkeys)
			other.Do("open", s.Base+"/login")
			other.Do("find", "role", "button", "click", "--name", "Sign in with a passkey")
			other.Do("wait", "--text", "Failed: NotSupportedError")
			shown := other.Do("auth", "show", "app").Result.Text
			require.Contains(t, shown, "localhost  ann  3 signatures")
			require.Contains(t, shown, "Last login: ")
		})
	}
}

// A window that a page opens has the authenticator before its first script runs, whatever process it is in.
func TestPasskeyInAPopup(t *testing.T) {
	t.Parallel()
	s, c := passkeyed(t)
	for i, button := range []string{"Sign in with a passkey", "Sign in apart"} {
		c.Do("open", s.Base+"/popup")
		c.Do("find", "role", "button", "click", "--name", button)
		c.Do("tab", "t1")
		c.Do("wait", "--url", s.Base+"/home")
		require.Len(t, s.Log(), i+2)
	}
	require.Equal(t, []string{"registered ann", "logged in ann", "logged in ann"}, s.Log())
}

func TestLoginWithPasskeyFails(t *testing.T) {
	t.Parallel()
	s, c := passkeyed(t)
	c.Do("auth", "passkey", "save", "app", "--url", s.Base+"/login")
	elsewhere := testpasskey.New(t) // it knows no passkeys, and has another port
	other := host.NewClient(t)
	other.Env = c.Env
	bound := "belongs to " + s.Base

	// A page of the same domain that the login is not bound to.
	other.Do("open", elsewhere.Base+"/login")
	err := other.Fails(fault.PolicyBlocked, "auth", "login", "app", "--no-navigate")
	require.Contains(t, err.Error(), bound)
	other.Fails(fault.PolicyBlocked, "auth", "login", "app", "--url", elsewhere.Base+"/login")

	// A page of the login that leads there.
	s.Leave = elsewhere.Base + "/autofill"
	err = other.Fails(fault.PolicyBlocked, "auth", "login", "app", "--url", s.Base+"/away")
	require.Contains(t, err.Error(), bound)
	require.Empty(t, elsewhere.Log())

	// A page of the login that opens a window there.
	err = other.Fails(fault.PolicyBlocked, "auth", "login", "app", "--url", s.Base+"/popup-away", "--timeout", "3000")
	require.Contains(t, err.Error(), bound)
	other.Do("tab", "t2")
	// NotAllowedError if the window asked before the login was over, and NotSupportedError if it was slow: then it has no
	// authenticator any more.
	other.Do("wait", "--text", "Failed: Not")
	require.Empty(t, elsewhere.Log())

	// A server that does not know the passkey.
	c.Do("open", elsewhere.Base+"/register")
	c.Do("auth", "passkey", "save", "other", "--url", elsewhere.Base+"/login")
	// in the window that a page of another origin has opened
	err = other.Fails(fault.PolicyBlocked, "auth", "login", "other")
	require.Contains(t, err.Error(), "has hold of this tab's window")
	require.Contains(t, err.Error(), "tab new")
	other.Do("tab", "new")
	err = other.Fails(fault.LoginFailed, "auth", "login", "other")
	require.Contains(t, err.Error(), "unknown passkey")
	require.Equal(t, []string{"refused: unknown passkey"}, elsewhere.Log())

	// A page that asks for none.
	c.Do("auth", "passkey", "save", "none", "--url", s.Base+"/register")
	require.Contains(t, other.Fails(fault.LoginFailed, "auth", "login", "none", "--timeout", "3000").Error(),
		"did not ask for a passkey")
	require.Equal(t, []string{"registered ann"}, s.Log())
}

func TestPasskeyIsOfItsDomain(t *testing.T) {
	t.Parallel()
	s, c := passkeyed(t)
	err := c.Fails(fault.PolicyBlocked, "auth", "passkey", "save", "app", "--url", "https://example.com/login")
	require.Contains(t, err.Error(), "belongs to https://example.com, and the passkey to localhost")
	c.Fails(fault.CredentialNotFound, "auth", "show", "app")
	c.DoWith("hunter2\n", "auth", "save", "mine", "--url", "https://example.com/login", "--username", "ann",
		"--password-stdin")
	c.Fails(fault.PolicyBlocked, "auth", "passkey", "save", "mine")

	// The browser gives it to no other page.
	for address, says := range map[string]string{
		strings.Replace(s.Base, "localhost", "other.localhost", 1): "Failed: NotAllowedError",
		s.URL: "Failed: NotAllowedError",
	} {
		c.Do("open", address+"/steal")
		c.Do("find", "role", "button", "click", "--name", "As this site")
		if strings.Contains(address, "127.0.0.1") {
			says = "Failed: SecurityError" // an address of numbers has no passkeys
		}
		c.Do("wait", "--text", says)
	}
	c.Do("find", "role", "button", "click", "--name", "As the other site")
	c.Do("wait", "--text", "Failed: ")
	require.Equal(t, []string{"registered ann"}, s.Log())
}

func TestPasskeyInState(t *testing.T) {
	t.Parallel()
	s, c := passkeyed(t)
	file := filepath.Join(c.Dir, "state.json")
	saved := c.Do("state", "save", file)
	require.Contains(t, strings.Join(saved.Result.Notes, " "), "not encrypted")
	key := keyOf(t, file)
	said := sessiontest.Everything(saved) + sessiontest.Everything(c.Do("state", "show", file)) +
		sessiontest.Everything(c.Do("state", "show", file, "--values")) +
		sessiontest.Everything(c.Do("auth", "passkey", "list")) +
		sessiontest.Everything(c.Do("auth", "passkey", "save", "app")) + sessiontest.Everything(c.Do("auth", "show", "app")) +
		sessiontest.Everything(c.Do("auth", "list"))
	require.Contains(t, said, "passkey of localhost (ann)")

	// Another session logs in with it, by the state alone.
	other := host.NewClient(t)
	loaded := other.Do("state", "load", file)
	require.Contains(t, loaded.Result.Text, "1 passkey")
	other.Do("open", s.Base+"/login")
	other.Do("find", "role", "button", "click", "--name", "Sign in with a passkey")
	other.Do("wait", "--url", s.Base+"/home")
	started := host.NewClient(t)
	require.Contains(t, sessiontest.Everything(started.Do("--state", file, "open", s.Base+"/login")), "1 passkey")
	require.True(t, sessiontest.Decode[login.Passkeys](t, started.Do("auth", "passkey", "list").Result.Data).On)

	left := host.NewClient(t)
	left.Do("state", "load", file, "--only", "cookies")
	require.Empty(t, sessiontest.Decode[login.Passkeys](t, left.Do("auth", "passkey", "list").Result.Data).Passkeys)
	left.Do("state", "load", file, "--origin", "https://example.com")
	require.Empty(t, sessiontest.Decode[login.Passkeys](t, left.Do("auth", "passkey", "list").Result.Data).Passkeys)

	// A state without it does not replace one with it.
	without := host.NewClient(t)
	without.Do("open", s.Base+"/login")
	require.Contains(t, without.Fails(fault.StatePoorer, "state", "save", file).Error(), "a passkey of localhost")

	// Encrypted, the file has nothing of it, and neither has the vault.
	c.Env["SKUA_ENCRYPTION_KEY"] = strings.Repeat("ab", 32)
	sealed := c.Do("state", "save", "login")
	require.NotContains(t, strings.Join(sealed.Result.Notes, " "), "not encrypted")
	require.NoError(t, filepath.WalkDir(filepath.Join(c.Dir, ".skua"), func(path string, d os.DirEntry, err error) error {
		require.NoError(t, err)
		if !d.IsDir() {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			keyless(t, key, string(text))
			require.NotContains(t, string(text), "userHandle")
		}
		return nil
	}))

	// No reply and no journal has the private key.
	journal, err := json.Marshal(c.Journaled())
	require.NoError(t, err)
	keyless(t, key,
		said+string(journal)+sessiontest.Everything(c.Do("console"))+sessiontest.Everything(c.Do("network", "requests")))
}

func TestPasskeyOutlivesItsBrowser(t *testing.T) {
	t.Parallel()
	s := testpasskey.New(t)
	c := host.NewClient(t)
	c.Do("--isolate", "process", "auth", "passkey", "on") // a browser of its own, which is ended
	c.Do("open", s.Base+"/register")
	c.Do("find", "role", "button", "click", "--name", "Create a passkey")
	c.Do("wait", "--text", "Passkey created for ann")
	process, err := os.FindProcess(sessiontest.Caller{T: t, Manager: c.Manager, Dir: c.Dir}.PID(c.Session))
	require.NoError(t, err)
	require.NoError(t, process.Kill())
	c.AwaitLoss()
	again := c.Do("open", s.Base+"/login")
	require.Contains(t, sessiontest.Everything(again), "passkeys")
	c.Do("find", "role", "button", "click", "--name", "Sign in with a passkey")
	c.Do("wait", "--url", s.Base+"/home")
	require.Equal(t, []string{"registered ann", "logged in ann"}, s.Log())
}
