package session_test

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/login"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/testpasskey"
)

// passkeyed is a caller whose session has a passkey of the site, which a page has registered.
func passkeyed(t *testing.T) (*testpasskey.Site, *client) {
	t.Helper()
	s, c := testpasskey.New(t), newClient(t)
	c.env["SKUA_KEYRING"] = "off"
	c.do("auth", "passkey", "on")
	c.do("open", s.Base+"/register")
	c.do("find", "role", "button", "click", "--name", "Create a passkey")
	c.do("wait", "--text", "Passkey created for ann")
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
	list := c.do("auth", "passkey", "list")
	data := decode[login.Passkeys](t, list.Result.Data)
	require.True(t, data.On)
	require.Len(t, data.Passkeys, 1)
	one := data.Passkeys[0]
	require.Equal(t, []any{"localhost", "ann", true, int64(1)}, []any{one.RP, one.User, one.Discoverable, one.SignCount})
	require.Contains(t, list.Result.Text, one.ID+"  localhost  ann  1 signature")

	c.do("tab", "new", s.Base+"/login") // a tab that comes later has it, too
	clicked := c.do("find", "role", "button", "click", "--name", "Sign in with a passkey")
	notes := append(clicked.Result.Notes, c.do("wait", "--url", s.Base+"/home").Result.Notes...)
	require.Contains(t, strings.Join(notes, "\n"), "a page used the passkey of localhost (ann)")
	require.Equal(t, []string{"registered ann", "logged in ann"}, s.Log())

	c.do("auth", "passkey", "off")
	require.False(t, decode[login.Passkeys](t, c.do("auth", "passkey", "list").Result.Data).On)
	c.do("open", s.Base+"/login")
	c.do("find", "role", "button", "click", "--name", "Sign in with a passkey")
	c.do("wait", "--text", "Failed: NotSupportedError")
	c.do("auth", "passkey", "on")
	c.fails(fault.CredentialNotFound, "auth", "passkey", "remove", "none-such")
	removed := c.do("auth", "passkey", "remove", "--", one.ID[:8]) // it may begin with a dash
	require.Equal(t, "✓ Removed the passkey of localhost (ann), after 2 signatures", removed.Result.Text)
	require.Empty(t, decode[login.Passkeys](t, c.do("auth", "passkey", "list").Result.Data).Passkeys)
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
			saved := c.do("auth", "passkey", "save", "app", "--url", s.Base+test.path)
			require.True(t, decode[login.PasskeysSaved](t, saved.Result.Data).Created)
			other := newClient(t)
			other.env = c.env
			for range 2 { // the site refuses a count of signatures that falls
				r := other.do("auth", "login", "app")
				data := decode[login.LoggedIn](t, r.Result.Data)
				require.True(t, data.LoggedIn)
				require.Contains(t, data.Steps, "passkey")
				require.Contains(t, r.Result.Text, "a passkey signed the page's challenge")
				require.Equal(t, s.Base+"/home", data.URL)
				other.do("cookies", "clear")
			}
			require.Equal(t, []string{"registered ann", "logged in ann", "logged in ann"}, s.Log())

			// The session has not got it: the login is over.
			require.Empty(t, decode[login.Passkeys](t, other.do("auth", "passkey", "list").Result.Data).Passkeys)
			other.do("open", s.Base+"/login")
			other.do("find", "role", "button", "click", "--name", "Sign in with a passkey")
			other.do("wait", "--text", "Failed: NotSupportedError")
			shown := other.do("auth", "show", "app").Result.Text
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
		c.do("open", s.Base+"/popup")
		c.do("find", "role", "button", "click", "--name", button)
		c.do("tab", "t1")
		c.do("wait", "--url", s.Base+"/home")
		require.Len(t, s.Log(), i+2)
	}
	require.Equal(t, []string{"registered ann", "logged in ann", "logged in ann"}, s.Log())
}

func TestLoginWithPasskeyFails(t *testing.T) {
	t.Parallel()
	s, c := passkeyed(t)
	c.do("auth", "passkey", "save", "app", "--url", s.Base+"/login")
	elsewhere := testpasskey.New(t) // it knows no passkeys, and has another port
	other := newClient(t)
	other.env = c.env
	bound := "belongs to " + s.Base

	// A page of the same domain that the login is not bound to.
	other.do("open", elsewhere.Base+"/login")
	err := other.fails(fault.PolicyBlocked, "auth", "login", "app", "--no-navigate")
	require.Contains(t, err.Error(), bound)
	other.fails(fault.PolicyBlocked, "auth", "login", "app", "--url", elsewhere.Base+"/login")

	// A page of the login that leads there.
	s.Leave = elsewhere.Base + "/autofill"
	err = other.fails(fault.PolicyBlocked, "auth", "login", "app", "--url", s.Base+"/away")
	require.Contains(t, err.Error(), bound)
	require.Empty(t, elsewhere.Log())

	// A page of the login that opens a window there.
	err = other.fails(fault.LoginFailed, "auth", "login", "app", "--url", s.Base+"/popup-away", "--timeout", "3000")
	require.Contains(t, err.Error(), "although its control for that was pressed")
	other.do("tab", "t2")
	other.do("wait", "--text", "Failed: NotAllowedError")
	require.Empty(t, elsewhere.Log())

	// A server that does not know the passkey.
	c.do("open", elsewhere.Base+"/register")
	c.do("auth", "passkey", "save", "other", "--url", elsewhere.Base+"/login")
	err = other.fails(fault.LoginFailed, "auth", "login", "other")
	require.Contains(t, err.Error(), "unknown passkey")
	require.Equal(t, []string{"refused: unknown passkey"}, elsewhere.Log())

	// A page that asks for none.
	c.do("auth", "passkey", "save", "none", "--url", s.Base+"/register")
	require.Contains(t, other.fails(fault.LoginFailed, "auth", "login", "none", "--timeout", "3000").Error(), "did not ask for a passkey")
	require.Equal(t, []string{"registered ann"}, s.Log())
}

func TestPasskeyIsOfItsDomain(t *testing.T) {
	t.Parallel()
	s, c := passkeyed(t)
	err := c.fails(fault.PolicyBlocked, "auth", "passkey", "save", "app", "--url", "https://example.com/login")
	require.Contains(t, err.Error(), "belongs to https://example.com, and the passkey to localhost")
	c.fails(fault.CredentialNotFound, "auth", "show", "app")
	c.doWith("hunter2\n", "auth", "save", "mine", "--url", "https://example.com/login", "--username", "ann", "--password-stdin")
	c.fails(fault.PolicyBlocked, "auth", "passkey", "save", "mine")

	// The browser gives it to no other page.
	for address, says := range map[string]string{
		strings.Replace(s.Base, "localhost", "other.localhost", 1): "Failed: NotAllowedError",
		s.URL: "Failed: NotAllowedError",
	} {
		c.do("open", address+"/steal")
		c.do("find", "role", "button", "click", "--name", "As this site")
		if strings.Contains(address, "127.0.0.1") {
			says = "Failed: SecurityError" // an address of numbers has no passkeys
		}
		c.do("wait", "--text", says)
	}
	c.do("find", "role", "button", "click", "--name", "As the other site")
	c.do("wait", "--text", "Failed: ")
	require.Equal(t, []string{"registered ann"}, s.Log())
}

func TestPasskeyInState(t *testing.T) {
	t.Parallel()
	s, c := passkeyed(t)
	file := filepath.Join(c.dir, "state.json")
	saved := c.do("state", "save", file)
	require.Contains(t, strings.Join(saved.Result.Notes, " "), "not encrypted")
	key := keyOf(t, file)
	said := everything(saved) + everything(c.do("state", "show", file)) + everything(c.do("state", "show", file, "--values")) +
		everything(c.do("auth", "passkey", "list")) + everything(c.do("auth", "passkey", "save", "app")) + everything(c.do("auth", "show", "app")) + everything(c.do("auth", "list"))
	require.Contains(t, said, "passkey of localhost (ann)")

	// Another session logs in with it, by the state alone.
	other := newClient(t)
	loaded := other.do("state", "load", file)
	require.Contains(t, loaded.Result.Text, "1 passkey")
	other.do("open", s.Base+"/login")
	other.do("find", "role", "button", "click", "--name", "Sign in with a passkey")
	other.do("wait", "--url", s.Base+"/home")
	started := newClient(t)
	require.Contains(t, everything(started.do("--state", file, "open", s.Base+"/login")), "1 passkey")
	require.True(t, decode[login.Passkeys](t, started.do("auth", "passkey", "list").Result.Data).On)

	left := newClient(t)
	left.do("state", "load", file, "--only", "cookies")
	require.Empty(t, decode[login.Passkeys](t, left.do("auth", "passkey", "list").Result.Data).Passkeys)
	left.do("state", "load", file, "--origin", "https://example.com")
	require.Empty(t, decode[login.Passkeys](t, left.do("auth", "passkey", "list").Result.Data).Passkeys)

	// A state without it does not replace one with it.
	without := newClient(t)
	without.do("open", s.Base+"/login")
	require.Contains(t, without.fails(fault.StatePoorer, "state", "save", file).Error(), "a passkey of localhost")

	// Encrypted, the file has nothing of it, and neither has the vault.
	c.env["SKUA_ENCRYPTION_KEY"] = strings.Repeat("ab", 32)
	sealed := c.do("state", "save", "login")
	require.NotContains(t, strings.Join(sealed.Result.Notes, " "), "not encrypted")
	require.NoError(t, filepath.WalkDir(filepath.Join(c.dir, ".skua"), func(path string, d os.DirEntry, err error) error {
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
	journal, err := json.Marshal(c.journaled())
	require.NoError(t, err)
	keyless(t, key, said+string(journal)+everything(c.do("console"))+everything(c.do("network", "requests")))
}

func TestPasskeyOutlivesItsBrowser(t *testing.T) {
	t.Parallel()
	s := testpasskey.New(t)
	c := newClient(t)
	c.do("--isolate", "process", "auth", "passkey", "on") // a browser of its own, which is ended
	c.do("open", s.Base+"/register")
	c.do("find", "role", "button", "click", "--name", "Create a passkey")
	c.do("wait", "--text", "Passkey created for ann")
	process, err := os.FindProcess(caller{t, c.host, c.dir, nil}.pid(c.session))
	require.NoError(t, err)
	require.NoError(t, process.Kill())
	c.awaitLoss()
	again := c.do("open", s.Base+"/login")
	require.Contains(t, everything(again), "passkeys")
	c.do("find", "role", "button", "click", "--name", "Sign in with a passkey")
	c.do("wait", "--url", s.Base+"/home")
	require.Equal(t, []string{"registered ann", "logged in ann"}, s.Log())
}
