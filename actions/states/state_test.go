package states_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

// keeper is a user with their own home directory, whose sessions log in on a site.
type keeper struct {
	sessiontest.Caller
	site *tokenSite
}

func newKeeper(t *testing.T) keeper {
	t.Helper()
	home := t.TempDir()
	return keeper{sessiontest.Caller{
		T: t, Manager: host.StartManager(t, session.Options{}), Dir: t.TempDir(),
		Env: map[string]string{"HOME": home},
	}, startTokenSite(t)}
}

// elsewhere is the same one in another host.
func (k keeper) elsewhere() keeper {
	k.T.Helper()
	k.Manager = host.StartManager(k.T, session.Options{})
	return k
}

// given is the same one with more in the environment.
func (k keeper) given(name, value string) keeper {
	env := map[string]string{name: value}
	for n, v := range k.Env {
		if n != name {
			env[n] = v
		}
	}
	k.Env = env
	return k
}

// in runs a command in a session.
func (k keeper) in(name string, args ...string) session.Reply {
	k.T.Helper()
	return k.Do(append([]string{"--session", name}, args...)...)
}

func (k keeper) fails(code fault.Code, args ...string) string {
	k.T.Helper()
	r := k.Try(args...)
	require.Error(k.T, r.Err, "%q said %q", args, r.Result.Text)
	require.Equal(k.T, code, fault.CodeOf(r.Err), "%q: %v", args, r.Err)
	return r.Err.Error()
}

// title opens a page and waits until it knows whether its user is logged in.
func (k keeper) title(name, path string, globals ...string) string {
	k.T.Helper()
	k.in(name, append(globals, "open", k.site.URL+path)...)
	k.in(name, "wait", "--fn", "document.title != 'Loading'")
	return k.in(name, "get", "title").Result.Text
}

// logIn logs in at both pages.
func (k keeper) logIn(name string, globals ...string) {
	k.T.Helper()
	for _, path := range []string{"/app", "/door"} {
		require.Equal(k.T, "Out", k.title(name, path, globals...))
		k.in(name, "find", "role", "button", "click", "--name", "Sign in")
		k.in(name, "wait", "--fn", "document.title == 'In'")
	}
	require.Contains(k.T, k.site.taken(), "cookie let in")
}

// requireIn says that the session is logged in, as its pages and the server say.
func (k keeper) requireIn(name string, globals ...string) {
	k.T.Helper()
	k.site.taken()
	require.Equal(k.T, "In", k.title(name, "/app", globals...))
	require.Equal(k.T, "In", k.title(name, "/door", globals...))
	require.Equal(k.T, []string{"token let in", "cookie let in"}, k.site.taken())
}

// requireOut says that it is not.
func (k keeper) requireOut(name string, globals ...string) {
	k.T.Helper()
	k.site.taken()
	require.Equal(k.T, "Out", k.title(name, "/app", globals...))
	require.Equal(k.T, "Out", k.title(name, "/door", globals...))
	require.NotContains(k.T, strings.Join(k.site.taken(), ", "), "let in")
}

func (k keeper) kept(file string) string {
	return filepath.Join(k.Env["HOME"], ".skua", "states", file)
}

// change edits a state file.
func (k keeper) change(path string, edit func(state map[string]any)) {
	k.T.Helper()
	text, err := os.ReadFile(path)
	require.NoError(k.T, err)
	var state map[string]any
	require.NoError(k.T, json.Unmarshal(text, &state))
	edit(state)
	text, err = json.Marshal(state)
	require.NoError(k.T, err)
	require.NoError(k.T, os.WriteFile(path, text, 0o600))
}

// as runs a command as a caller does that calls the program by another name.
func (k keeper) as(program string, args ...string) session.Reply {
	k.T.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), sessiontest.CommandLimit)
	defer cancel()
	r := k.Manager.Do(ctx,
		session.Request{Program: program, Args: args, Cwd: k.Dir, ByFolder: true, Getenv: func(name string) string {
			return k.Env[name]
		}})
	require.NoError(k.T, r.Err, "%q", args)
	return r
}

// newest is the file of a folder that was written last.
func newest(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	last := slices.MaxFunc(entries, func(a, b os.DirEntry) int {
		x, err := a.Info()
		require.NoError(t, err)
		y, err := b.Info()
		require.NoError(t, err)
		return x.ModTime().Compare(y.ModTime())
	})
	return filepath.Join(dir, last.Name())
}

// Programs that wrap agent-browser look for what --restore keeps where that keeps it.
func TestRestoreByTheNameOfAgentBrowser(t *testing.T) {
	t.Parallel()
	k := newKeeper(t)
	folder := filepath.Join(k.Env["HOME"], ".agent-browser", "sessions")
	file := filepath.Join(folder, "shop-one.json")
	k.as("agent-browser", "--session", "one", "--restore", "shop", "open", "about:blank")
	k.logIn("one")
	k.as("agent-browser", "--session", "one", "close")
	require.Equal(t, file, newest(t, folder))
	require.NoDirExists(t, filepath.Join(k.Env["HOME"], ".skua", "states"))
	require.Contains(t, k.as("agent-browser", "state", "list").Result.Text,
		"Saved states in "+folder+"\n  shop-one.json (")

	again := k.elsewhere()
	again.as("agent-browser", "--session", "one", "--restore", "shop", "open", "about:blank")
	again.requireIn("one")
	again.as("agent-browser", "--session", "one", "close")
	require.Equal(t, file, newest(t, folder))
	other := k.elsewhere()
	other.requireIn("one", "--restore", "shop")
	other.in("one", "close")
	require.FileExists(t, k.kept("shop-one.json"), "skua keeps its own from then on")
}

func TestALoginMovesToOtherSessionsAndHosts(t *testing.T) {
	t.Parallel()
	k := newKeeper(t)
	k.logIn("one")
	r := k.in("one", "state", "save", "login")
	require.Empty(t, r.Result.Notes)
	k.in("one", "close")
	k.requireOut("none")
	if runtime.GOOS != "windows" {
		for path, mode := range map[string]os.FileMode{"login.json": 0o600, ".": 0o700} {
			info, err := os.Stat(k.kept(path))
			require.NoError(t, err)
			require.Equal(t, mode, info.Mode().Perm(), path)
		}
	}
	shown := k.Do("state", "show", "login").Result.Text
	require.Contains(t, shown, "database app: 1 store, 1 entry")
	for _, token := range k.site.tokens() {
		require.NotContains(t, shown, token)
	}

	k.in("two", "state", "load", "login")
	k.requireIn("two")
	other := k.elsewhere()
	other.in("three", "state", "load", "login")
	other.requireIn("three")
	other.requireIn("four", "--state", "login")
	// The same by path, from another folder.
	file := filepath.Join(t.TempDir(), "moved.json")
	require.NoError(t, os.Rename(k.kept("login.json"), file))
	other.requireIn("five", "--state", file)
	other.in("six", "state", "load", file, "--only", "cookies")
	require.Equal(t, "Out", other.title("six", "/app"))
	require.Equal(t, "In", other.title("six", "/door"))
	other.in("seven", "state", "load", file, "--origin", "https://example.org")
	other.requireOut("seven")
}

func TestALoginThatHasEndedIsNotPutBack(t *testing.T) {
	t.Parallel()
	k := newKeeper(t)
	k.site.setBehind(2 * tokenLife) // what it issues has ended by every other clock
	k.logIn("one")
	k.in("one", "state", "save", "ended")
	k.in("one", "close")
	k.site.setBehind(0)
	said := k.fails(fault.StateExpired, "--session", "two", "state", "load", "ended")
	require.Contains(t, said, "have all expired")
	k.requireOut("two")
	k.fails(fault.StateExpired, "--session", "three", "--state", "ended", "open", k.site.URL+"/app")

	k.logIn("four")
	k.in("four", "state", "save", "good")
	k.in("four", "close")
	k.change(k.kept("good.json"), func(state map[string]any) {
		state["skua"].(map[string]any)["savedAt"] = time.Now().Add(-31 * 24 * time.Hour).Unix()
	})
	said = k.fails(fault.StateExpired, "--session", "five", "state", "load", "good")
	require.Contains(t, said, "31 days ago")
	k.requireOut("five")
	k.given("SKUA_STATE_EXPIRE_DAYS", "40").in("six", "state", "load", "good")
	k.requireIn("six")

	// A cookie whose time is over stays out alone.
	k.change(k.kept("good.json"), func(state map[string]any) {
		state["skua"].(map[string]any)["savedAt"] = time.Now().Unix()
		for _, c := range state["cookies"].([]any) {
			c.(map[string]any)["expires"] = time.Now().Add(-time.Hour).Unix()
		}
	})
	notes := k.in("seven", "state", "load", "good").Result.Notes
	require.Len(t, notes, 1)
	require.Contains(t, notes[0], "cookie sid of 127.0.0.1")
	require.Equal(t, "In", k.title("seven", "/app"))
	require.Equal(t, "Out", k.title("seven", "/door"))
}

func TestRestoreOverHosts(t *testing.T) {
	t.Parallel()
	k := newKeeper(t)
	k.in("shop", "--restore", "k", "open", k.site.URL+"/app")
	k.logIn("shop", "--restore", "k")
	k.Manager.Close(t.Context()) // no command closed the session
	k = k.elsewhere()
	k.requireIn("shop", "--restore", "k")
	k.requireOut("other", "--restore", "other")
	info := k.Data("--session", "shop", "session", "info")
	runtime := info["runtime"].(map[string]any)
	require.Equal(t, "loaded", runtime["restoreStatus"])
	require.Equal(t, k.kept("k-shop.json"), runtime["restoreLoadedPath"])

	// A logout is not kept in place of a login, and is when it is asked for.
	k.in("shop", "open", k.site.URL+"/leave")
	k.in("shop", "wait", "--fn", "document.title == 'Out'")
	k.in("shop", "close")
	k = k.elsewhere()
	k.requireIn("shop", "--restore", "k")
	k.in("shop", "open", k.site.URL+"/leave")
	k.in("shop", "wait", "--fn", "document.title == 'Out'")
	said := k.fails(fault.StatePoorer, "--session", "shop", "state", "save", "k-shop")
	require.Contains(t, said, "lose the login at 127.0.0.1")
	k.in("shop", "state", "save", "k-shop", "--force")
	k.in("shop", "close")
	k = k.elsewhere()
	k.requireOut("shop", "--restore", "k")
}

// A restore key is for all sessions, as in agent-browser: the state that any of them saved last is loaded. Over MCP a
// session has a new name in each connection.
func TestRestoreInASessionOfAnotherName(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"--restore", "--session-name"} {
		t.Run(flag, func(t *testing.T) {
			t.Parallel()
			k := newKeeper(t)
			k.logIn("one", flag, "k")
			k.in("one", "close")
			k.requireIn("two", flag, "k")
			require.Equal(t, k.kept("k-one.json"),
				k.Data("--session", "two", "session", "info")["runtime"].(map[string]any)["restoreLoadedPath"])
			k.in("two", "eval", "localStorage.by = 'two'")
			k.in("two", "close")
			require.FileExists(t, k.kept("k-two.json"))

			k.in("one", flag, "k", "open", k.site.URL+"/app")
			require.Equal(t, `"two"`, k.in("one", "eval", "localStorage.by").Result.Text,
				"what was saved last counts, not what the session saved itself")
			k.in("one", "close")

			// A logout does not replace the login in a session of another name either.
			k.requireIn("three", flag, "k")
			k.in("three", "open", k.site.URL+"/leave")
			k.in("three", "wait", "--fn", "document.title == 'Out'")
			r := k.in("three", "close")
			require.Len(t, r.Result.Notes, 1, "the reply says that the logout is not saved")
			require.Contains(t, r.Result.Notes[0],
				"the state saved under k was not replaced: "+k.kept("k-one.json")+" holds more")
			k.requireIn("four", flag, "k")
			k.in("four", "close")
		})
	}
}

// The names of two keys may begin alike: what one saved is not for the other.
func TestRestoreTakesNoOtherKey(t *testing.T) {
	t.Parallel()
	k := newKeeper(t)
	k.logIn("one", "--restore", "k-x")
	k.in("one", "state", "save", "k-named")
	k.in("one", "close")
	k.requireOut("two", "--restore", "k")
	k.in("two", "close")
	k.requireIn("three", "--restore", "k-x")
	k.in("three", "close")
	removed := k.Data("state", "clear", "k")["names"]
	require.Equal(t, []any{"k-two"}, removed)
	require.FileExists(t, k.kept("k-x-one.json"))
	require.FileExists(t, k.kept("k-named.json"))
	k.requireIn("four", "--restore", "k-x")
}

func TestAutosaveBehindCommands(t *testing.T) {
	t.Parallel()
	k := newKeeper(t).given("SKUA_AUTOSAVE_INTERVAL_MS", "1")
	k.logIn("shop", "--restore", "k")
	require.Eventually(t, func() bool {
		k.in("shop", "get", "title") // a save comes behind a command
		text, _ := os.ReadFile(k.kept("k-shop.json"))
		return strings.Contains(string(text), `"sid"`) && strings.Contains(string(text), "accessToken")
	}, sessiontest.CommandLimit, 20*time.Millisecond)
	k.elsewhere().requireIn("shop", "--restore", "k")
}

// TestRestoreAfterACrash kills a browser: what was kept of its pages comes back with their tabs.
func TestRestoreAfterACrash(t *testing.T) {
	t.Parallel()
	k := newKeeper(t).given("SKUA_AUTOSAVE_INTERVAL_MS", "1")
	k.logIn("shop", "--restore", "k")
	require.Equal(t, "In", k.title("shop", "/app"))
	require.Eventually(t, func() bool {
		k.in("shop", "get", "title")
		text, _ := os.ReadFile(k.kept("k-shop.json"))
		return strings.Contains(string(text), `"sid"`) && strings.Contains(string(text), "accessToken")
	}, sessiontest.CommandLimit, 20*time.Millisecond)
	process, err := os.FindProcess(k.PID("shop"))
	require.NoError(t, err)
	k.site.taken()
	require.NoError(t, process.Kill())
	require.Eventually(t, func() bool {
		names, _ := k.Data("session", "list")["sessions"].([]any)
		return len(names) == 0
	}, sessiontest.CommandLimit, 10*time.Millisecond)
	k.in("shop", "wait", "--fn", "document.title != 'Loading'")
	require.Equal(t, `"In /app"`, k.in("shop", "eval", "document.title + ' ' + location.pathname").Result.Text)
	require.Equal(t, []string{"token let in"}, k.site.taken())
	require.Equal(t, "In", k.title("shop", "/door"))
}

func TestRestoreIsChecked(t *testing.T) {
	t.Parallel()
	k := newKeeper(t)
	k.logIn("shop", "--restore", "k")
	k.in("shop", "close")
	check := []string{"--restore", "k", "--restore-check-fn", "document.title == 'In'"}
	k.requireIn("shop", check...)
	k.in("shop", "close")
	before, err := os.ReadFile(k.kept("k-shop.json"))
	require.NoError(t, err)
	k.site.forget()
	k.in("shop", append(check, "open", k.site.URL+"/door")...)
	runtime := k.Data("--session", "shop", "session", "info")["runtime"].(map[string]any)
	require.Equal(t, "loaded_but_invalid", runtime["restoreStatus"])
	k.in("shop", "eval", "localStorage.bad = 1")
	k.in("shop", "close")
	after, err := os.ReadFile(k.kept("k-shop.json"))
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))
}

func TestEncryptedStates(t *testing.T) {
	t.Parallel()
	k := newKeeper(t)
	key := strings.Repeat("0123456789abcdef", 4)
	sealed := k.given("SKUA_ENCRYPTION_KEY", key)
	sealed.logIn("one")
	sealed.in("one", "state", "save", "login")
	sealed.in("one", "close")
	text, err := os.ReadFile(k.kept("login.json.enc"))
	require.NoError(t, err)
	require.NoFileExists(t, k.kept("login.json"))
	require.NotContains(t, string(text), "sid")
	for _, token := range k.site.tokens() {
		require.NotContains(t, string(text), token[:20])
	}
	k.fails(fault.StateLocked, "--session", "two", "state", "load", "login")
	wrong := k.given("SKUA_ENCRYPTION_KEY", strings.Repeat("f", 64))
	said := wrong.fails(fault.StateLocked, "--session", "two", "state", "load", "login")
	require.NotContains(t, said, strings.Repeat("f", 64))
	k.requireOut("two")
	given := k.given("AGENT_BROWSER_ENCRYPTION_KEY", key).elsewhere()
	given.in("two", "state", "load", "login")
	given.requireIn("two")
	given.requireIn("three", "--state", "login")
}

// unreadableKey stores what cannot leave a browser.
const unreadableKey = `(async () => {
			const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 128 }, false, ['encrypt'])
			await new Promise((done, failed) => {
				const open = indexedDB.open('keys')
				open.onupgradeneeded = () => open.result.createObjectStore('s')
				open.onsuccess = () => {
					const put = open.result.transaction('s', 'readwrite').objectStore('s').put(key, 'k')
					put.onsuccess = done, put.onerror = failed
				}
			})
			localStorage.setItem('user', 'me')
		})()`

// TestStateIncomplete saves and loads states of which a part cannot be read or put back: that is an error, and the rest
// is done.
func TestStateIncomplete(t *testing.T) {
	t.Parallel()
	write := func(c *sessiontest.Client, state string) { c.WriteFile("s.json", state) }
	t.Run("a key that must not leave the browser", func(t *testing.T) {
		t.Parallel()
		c := host.Showing(t, "<p>page")
		c.Page(unreadableKey)
		e := c.Fails(fault.StateIncomplete, "state", "save", "s.json")
		require.Contains(t, e.Error(), "saved to s.json, but not all of it. Missing: ")
		require.Contains(t, e.Error(), "CryptoKey")
		require.Contains(t, c.OnDisk()["s.json"], `"user"`)
		c.Do("state", "save", "--only", "cookies,local", "less.json")
	})
	t.Run("a cookie that the browser refuses", func(t *testing.T) {
		t.Parallel()
		c := host.Opened(t, "/pages/acting-files-downloads.html")
		write(c, `{"cookies":[{"name":"__Host-a","value":"1","domain":".example.com","path":"/","expires":-1},
			{"name":"b","value":"2","domain":"example.com","path":"/","expires":-1}],"origins":[]}`)
		reply := c.Try("state", "load", "s.json")
		require.Equal(t, fault.StateIncomplete, fault.CodeOf(reply.Err), "%q, %v", reply.Result.Text, reply.Err)
		require.Equal(t, actions.OutcomeDone, reply.Result.Outcome)
		require.Contains(t, reply.Err.Error(), "cookie __Host-a of .example.com")
		require.Equal(t, "b=2", c.Do("cookies", "get", "--url", "https://example.com/").Result.Text)
	})
	t.Run("an origin that no page can have", func(t *testing.T) {
		t.Parallel()
		c := host.Opened(t, "/pages/acting-files-downloads.html")
		write(c, `{"cookies":[],"origins":[{"origin":"file://","localStorage":[{"name":"a","value":"1"}]},
			{"origin":"https://example.com","localStorage":[{"name":"b","value":"2"}]}]}`)
		e := c.Fails(fault.StateIncomplete, "state", "load", "s.json")
		require.Contains(t, e.Error(), "only origins of http and https")
	})
	t.Run("a third party", func(t *testing.T) {
		t.Parallel()
		third := strings.Replace(site.URL(site.Write(`<script>localStorage.setItem("in", "frame")</script>`)), "127.0.0.1",
			"localhost", 1)
		c := host.Showing(t, `<iframe src="`+third+`"></iframe>`)
		require.Contains(t, sessiontest.Notes(c.Do("state", "save", "s.json")), "no part of the state: ")
	})
}

// TestStatesOfOtherBrowsers saves in a browser of a folder and one that was not started, and loads in them.
func TestStatesOfOtherBrowsers(t *testing.T) {
	t.Parallel()
	k := newKeeper(t)
	first, second := sessiontest.StartTheirs(t, t.TempDir()), sessiontest.StartTheirs(t, t.TempDir())
	first.Show(t, "about:blank")
	second.Show(t, "about:blank")
	for name, globals := range map[string][2][]string{
		"profile": {{"--profile", t.TempDir() + "/a"}, {"--profile", t.TempDir() + "/b"}},
		"cdp":     {{"--cdp", first.Port}, {"--cdp", second.Port}},
	} {
		k.logIn(name, globals[0]...)
		k.in(name, "state", "save", name)
		k.in(name, "close")
		k.in(name+"-context", "state", "load", name)
		k.requireIn(name + "-context")
		k.in(name+"-again", append(globals[1], "state", "load", name)...)
		k.requireIn(name+"-again", globals[1]...)
	}
}

// What is saved by itself under a key says what is missing, too: once meanwhile, and at the end as an error.
func TestStateOfARestoreKeyIsIncomplete(t *testing.T) {
	t.Parallel()
	k := newKeeper(t)
	k.logIn("shop", "--restore", "k")
	k.in("shop", "eval", unreadableKey)
	r := k.Try("--session", "shop", "close")
	require.Equal(t, fault.StateIncomplete, fault.CodeOf(r.Err), "%q, %v", r.Result.Text, r.Err)
	require.Contains(t, r.Err.Error(),
		"the browser was closed, but the state was saved under k, but not all of it. Missing: ")
	require.Contains(t, r.Err.Error(), "CryptoKey")
	require.True(t, fault.Has(r.Err, actions.FactClosed))
	require.Empty(t, k.Data("session", "list")["sessions"])
	k.requireIn("shop", "--restore", "k") // the rest is there
}

// TestCloseWithoutItsState has a session whose state cannot be saved when it closes: it fails, and no other command
// ends the browser.
func TestCloseWithoutItsState(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		spoil func(t *testing.T, k keeper)
		code  fault.Code
		says  string
	}{
		{"the folder is a file", func(t *testing.T, k keeper) {
			dir := filepath.Dir(k.kept("x"))
			require.NoError(t, os.RemoveAll(dir))
			require.NoError(t, os.MkdirAll(filepath.Dir(dir), 0o700))
			require.NoError(t, os.WriteFile(dir, nil, 0o600))
		}, fault.File, "the state could not be saved under k: Failed to write state to "},
		{"the browser is gone", func(t *testing.T, k keeper) {
			process, err := os.FindProcess(k.PID("shop"))
			require.NoError(t, err)
			require.NoError(t, process.Kill())
			require.Eventually(t, func() bool {
				names, _ := k.Data("session", "list")["sessions"].([]any)
				return len(names) == 0
			}, sessiontest.CommandLimit, 10*time.Millisecond)
		}, fault.BrowserGone, "the state could not be saved under k: "},
		{"a logout, which always saves", func(t *testing.T, k keeper) {
			k.in("shop", "open", k.site.URL+"/leave")
			k.in("shop", "wait", "--fn", "document.title == 'Out'")
		}, fault.StatePoorer, "holds more than what would replace it"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			k := newKeeper(t).given("SKUA_AUTOSAVE_INTERVAL_MS", "0")
			k.logIn("shop", "--restore", "k")
			k.in("shop", "close")
			k.requireIn("shop", "--restore", "k", "--restore-save", "always")
			tt.spoil(t, k)
			r := k.Try("--session", "shop", "close")
			require.Equal(t, tt.code, fault.CodeOf(r.Err), "%v", r.Err)
			require.Contains(t, r.Err.Error(), "the browser was closed, but ")
			require.Contains(t, r.Err.Error(), tt.says)
			require.Empty(t, k.Data("session", "list")["sessions"])
			require.Equal(t, "✓ Browser closed", k.in("shop", "close").Result.Text, "the next one has nothing left to save")
		})
	}
	t.Run("another browser does not take its place", func(t *testing.T) {
		t.Parallel()
		k := newKeeper(t)
		k.logIn("shop", "--restore", "k")
		tests[0].spoil(t, k)
		pid := k.PID("shop")
		said := k.fails(fault.File, "--session", "shop", "--restore", "k", "--args", "--mute-audio", "open",
			k.site.URL+"/app")
		require.Contains(t, said, "the session keeps its browser")
		require.Equal(t, pid, k.PID("shop"))
		require.Contains(t, k.Try("close", "--all").Err.Error(),
			"shop: the browser was closed, but the state could not be saved under k")
		require.Empty(t, k.Data("session", "list")["sessions"])
	})
}
