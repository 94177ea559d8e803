//go:build unix

package states_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"
)

// upstream is the real agent-browser with a home of its own.
type upstream struct {
	t    *testing.T
	path string
	env  []string
	dir  string
}

// newUpstream finds it where SKUA_UPSTREAM says. Its sessions end with the test.
func newUpstream(t *testing.T, key string) upstream {
	t.Helper()
	path := os.Getenv("SKUA_UPSTREAM")
	if path == "" {
		t.Skip("SKUA_UPSTREAM does not say where the real agent-browser is")
	}
	sockets, err := os.MkdirTemp("", "su-") // short enough for sockets
	require.NoError(t, err)
	u := upstream{t: t, path: path, dir: t.TempDir()}
	u.env = []string{
		"HOME=" + u.dir, "PATH=" + os.Getenv("PATH"), "AGENT_BROWSER_SOCKET_DIR=" + sockets,
		"AGENT_BROWSER_ARGS=--no-sandbox",
	}
	if key != "" {
		u.env = append(u.env, "AGENT_BROWSER_ENCRYPTION_KEY="+key)
	}
	t.Cleanup(func() {
		u.run("close", "--all")
		require.NoError(t, os.RemoveAll(sockets))
	})
	return u
}

func (u upstream) run(args ...string) string {
	u.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), sessiontest.CommandLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, u.path, args...)
	cmd.Env, cmd.Dir, cmd.WaitDelay = u.env, u.dir, time.Second
	out, err := cmd.Output() // its daemon keeps stderr
	require.NoError(u.t, err, "%q: %s", args, out)
	return strings.TrimSpace(string(out))
}

// TestStatesMoveToAndFromAgentBrowser has cookies and local storage, which is what both know, saved by one and loaded
// by the other.
func TestStatesMoveToAndFromAgentBrowser(t *testing.T) {
	t.Parallel()
	for name, key := range map[string]string{"plain": "", "encrypted": strings.Repeat("0123456789abcdef", 4)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && name == "encrypted" {
				t.Skip("deep tier: the ordinary one has it where both share a home")
			}
			theirs := newUpstream(t, key)
			k := newKeeper(t)
			if key != "" {
				k = k.given("AGENT_BROWSER_ENCRYPTION_KEY", key)
			}
			door := k.site.URL + "/door"
			const look = `localStorage.getItem("name ü") + " " + document.title`

			k.logIn("one")
			k.in("one", "eval", `localStorage.setItem("name ü", "ours")`)
			k.in("one", "state", "save", filepath.Join(k.Dir, "ours.json"))
			k.in("one", "close")
			k.site.taken()
			theirs.run("--session", "a", "--state", stateFile(t, filepath.Join(k.Dir, "ours.json"), key != ""), "open", door)
			require.Equal(t, `"ours In"`, theirs.run("--session", "a", "eval", look))
			require.Equal(t, []string{"cookie let in"}, k.site.taken())

			theirs.run("--session", "b", "open", door)
			require.Equal(t, `"null Out"`, theirs.run("--session", "b", "eval", look))
			theirs.run("--session", "b", "click", "button")
			theirs.run("--session", "b", "wait", "--fn", "document.title == 'In'")
			theirs.run("--session", "b", "eval", `localStorage.setItem("name ü", "theirs")`)
			theirs.run("--session", "b", "state", "save", filepath.Join(theirs.dir, "theirs.json"))
			k.site.taken()
			k.in("two", "state", "load", stateFile(t, filepath.Join(theirs.dir, "theirs.json"), key != ""))
			require.Equal(t, "In", k.title("two", "/door"))
			require.Equal(t, `"theirs In"`, k.in("two", "eval", look).Result.Text)
			require.Equal(t, []string{"cookie let in"}, k.site.taken())
		})
	}
}

// TestRestoreInPlaceOfAgentBrowser has the one go on with what the other has kept, in a home that they share.
func TestRestoreInPlaceOfAgentBrowser(t *testing.T) {
	t.Parallel()
	for name, key := range map[string]string{"plain": "", "encrypted": strings.Repeat("0123456789abcdef", 4)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && name == "plain" {
				t.Skip("deep tier: the ordinary one has it where states move")
			}
			theirs := newUpstream(t, key)
			k := newKeeper(t).given("HOME", theirs.dir)
			file := filepath.Join(theirs.dir, ".agent-browser", "sessions", "shop-a.json")
			if key != "" {
				k, file = k.given("AGENT_BROWSER_ENCRYPTION_KEY", key), file+".enc"
			}
			door := k.site.URL + "/door"
			const look = `localStorage.getItem("name ü") + " " + document.title`

			k.as("agent-browser", "--session", "a", "--restore", "shop", "open", "about:blank")
			k.logIn("a")
			k.in("a", "eval", `localStorage.setItem("name ü", "ours")`)
			k.as("agent-browser", "--session", "a", "close")
			require.Equal(t, file, newest(t, filepath.Dir(file)))
			k.site.taken()
			theirs.run("--session", "a", "--restore", "shop", "open", door)
			require.Equal(t, `"ours In"`, theirs.run("--session", "a", "eval", look))
			require.Equal(t, []string{"cookie let in"}, k.site.taken())

			theirs.run("--session", "a", "eval", `localStorage.setItem("name ü", "theirs")`)
			theirs.run("--session", "a", "close")
			k.as("agent-browser", "--session", "a", "--restore", "shop", "open", door)
			k.in("a", "wait", "--fn", "document.title != 'Loading'")
			require.Equal(t, `"theirs In"`, k.in("a", "eval", look).Result.Text)
			require.Equal(t, []string{"cookie let in"}, k.site.taken())
		})
	}
}

// stateFile returns the file for a path that was saved to: with a key, it has another extension and is encrypted.
func stateFile(t *testing.T, path string, sealed bool) string {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		path += ".enc"
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, sealed, !strings.Contains(string(text), `"cookies"`))
	return path
}
