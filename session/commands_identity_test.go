package session_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/session/identity"
)

// caller is a caller that works in a folder, by default without naming a session.
type caller struct {
	t    *testing.T
	host *session.Manager
	dir  string
	env  map[string]string
}

func (c caller) try(args ...string) session.Reply {
	ctx, cancel := context.WithTimeout(context.Background(), commandLimit)
	defer cancel()
	return c.host.Do(ctx, session.Request{Args: args, Cwd: c.dir, ByFolder: true, Getenv: func(name string) string { return c.env[name] }})
}

func (c caller) do(args ...string) session.Reply {
	c.t.Helper()
	r := c.try(args...)
	require.NoError(c.t, r.Err, "%q", args)
	return r
}

func (c caller) eval(script string) string {
	c.t.Helper()
	return c.do("eval", script).Result.Text
}

// data is what --json prints of a reply.
func (c caller) data(args ...string) map[string]any {
	c.t.Helper()
	raw, err := json.Marshal(c.do(args...).Result.Data)
	require.NoError(c.t, err)
	var data map[string]any
	require.NoError(c.t, json.Unmarshal(raw, &data))
	return data
}

func hostOfOwn(t *testing.T, o session.Options) *session.Manager {
	t.Helper()
	o.Registry = catalog.Registry()
	m, err := session.New(o)
	require.NoError(t, err)
	t.Cleanup(func() { m.Close(context.Background()) })
	return m
}

// worktrees makes a repository with a second, linked worktree.
func worktrees(t *testing.T) (first, second string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	base := identity.RealPath(t.TempDir())
	first, second = filepath.Join(base, "first"), filepath.Join(base, "second")
	require.NoError(t, os.Mkdir(first, 0o755))
	for _, args := range [][]string{
		{"init", "-q"},
		{"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "first"},
		{"worktree", "add", "-q", second},
	} {
		cmd := exec.Command("git", args...)
		cmd.Dir = first
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	return first, second
}

func TestWorktreesHaveSessionsOfTheirOwn(t *testing.T) {
	t.Parallel()
	first, second := worktrees(t)
	require.NoError(t, os.Mkdir(filepath.Join(first, "sub"), 0o755))
	m := hostOfOwn(t, session.Options{})
	a, b := caller{t, m, first, nil}, caller{t, m, second, nil}
	page := site.write("<title>here</title>")
	a.do("open", site.url(page))
	said := b.do("open", site.url(page)).Result.Notes
	require.Len(t, said, 1)
	require.Contains(t, said[0], identity.Name(second)+" (of the worktree "+second+"); "+identity.Name(first)+" has open pages")
	require.Empty(t, b.do("open", site.url(page)).Result.Notes, "it is said once")

	var both sync.WaitGroup // two agents at a time
	for _, c := range []caller{a, b} {
		both.Go(func() {
			for range 5 {
				c.try("eval", "document.cookie = 'who="+filepath.Base(c.dir)+"'; localStorage.who = document.cookie")
			}
		})
	}
	both.Wait()
	require.Equal(t, `"who=first who=first"`, a.eval("document.cookie + ' ' + localStorage.who"))
	require.Equal(t, `"who=second who=second"`, b.eval("document.cookie + ' ' + localStorage.who"))
	below := caller{t, m, filepath.Join(first, "sub"), nil}
	require.Equal(t, `"who=first"`, below.eval("document.cookie"), "a folder below is of the same worktree")

	// Who names a session shares it.
	shared := caller{t, m, second, map[string]string{"SKUA_SESSION": identity.Name(first)}}
	require.Equal(t, `"who=first"`, shared.eval("document.cookie"))
	require.Equal(t, `"who=first"`, b.do("--session", identity.Name(first), "eval", "document.cookie").Result.Text)

	outside := caller{t, m, t.TempDir(), nil}
	require.Equal(t, "default", outside.do("session").Result.Text)
	said = outside.do("open", site.url(page)).Result.Notes
	require.Len(t, said, 1)
	require.Contains(t, said[0], "this is session default (outside of a git worktree)")
	require.Equal(t, `""`, outside.eval("document.cookie"))

	details, _ := outside.data("session", "list")["details"].([]any)
	require.Len(t, details, 3)
	entry, _ := details[1].(map[string]any)
	require.Equal(t, map[string]any{"from": "worktree", "path": first}, entry["identity"])
	require.NotZero(t, entry["browserPid"])
	pages, _ := entry["pages"].([]any)
	require.Len(t, pages, 1)

	notes := strings.Join(a.do("close", "--all").Result.Notes, "\n")
	require.Contains(t, notes, "closed session "+identity.Name(second)+" of the worktree "+second)
	require.NotContains(t, notes, "closed session "+identity.Name(first))
}

func TestInfoStartsNoBrowser(t *testing.T) {
	t.Parallel()
	m := hostOfOwn(t, session.Options{SocketDir: "/where/it/is", Namespace: "mine"})
	c := caller{t, m, t.TempDir(), nil}
	info := c.data("session", "info")
	require.Equal(t, false, info["active"])
	require.Nil(t, info["runtime"])
	require.Nil(t, info["pid"])
	require.Equal(t, "/where/it/is", info["socketDir"])
	require.Equal(t, "mine", info["namespace"])
	require.Empty(t, c.data("session", "list")["sessions"])
	c.do("open", site.url(site.write("<title>one</title>")))
	c.do("tab", "new")
	info = c.data("session", "info")
	require.Equal(t, true, info["active"])
	require.EqualValues(t, os.Getpid(), info["pid"])
	runtime, _ := info["runtime"].(map[string]any)
	require.EqualValues(t, 2, runtime["pageCount"])
	require.Equal(t, true, runtime["browserLaunched"])
}

func TestLock(t *testing.T) {
	t.Parallel()
	m := hostOfOwn(t, session.Options{})
	dir := t.TempDir()
	holder, other := caller{t, m, dir, map[string]string{}}, caller{t, m, dir, nil}
	page := site.url(site.write("<title>shared</title><button onclick=\"document.title='clicked'\">Go</button>"))
	holder.do("open", page)
	token, _ := holder.data("session", "lock", "--for", "1h", "--as", "ann")["token"].(string)
	require.NotEmpty(t, token)
	holder.env["SKUA_LOCK"] = token

	for _, line := range [][]string{{"click", "button"}, {"get", "title"}, {"open", page}, {"tab"}, {"batch", "get title"}, {"close"}, {"session", "lock"}, {"session", "unlock"}} {
		r := other.try(line...)
		require.Equal(t, fault.SessionLocked, fault.CodeOf(r.Err), "%q: %v", line, r.Err)
		require.ErrorContains(t, r.Err, "ann")
		require.NotContains(t, r.Err.Error(), token)
	}
	require.Equal(t, "shared", holder.do("get", "title").Result.Text, "nothing of the others was done")
	require.Contains(t, other.do("session", "info").Result.Text, "Locked by: ann")
	require.NotContains(t, other.do("session", "info").Result.Text, token)
	r := other.try("close", "--all")
	require.Equal(t, fault.SessionLocked, fault.CodeOf(r.Err), "%q", r.Result.Text)
	require.ErrorContains(t, r.Err, "locked by ann and stays open")
	holder.do("click", "button")
	require.Equal(t, "clicked", holder.do("get", "title").Result.Text)
	require.Equal(t, "clicked", holder.do("batch", "get title").Result.Text[:len("clicked")])

	// Who waits goes on when it is unlocked.
	reply := make(chan session.Reply, 1)
	go func() { reply <- other.try("--wait-lock", "1m", "get", "title") }()
	holder.do("session", "lock", "--for", "30m") // a renewal does not let others in
	holder.do("session", "unlock")
	r = <-reply
	require.NoError(t, r.Err)
	require.Equal(t, "clicked", r.Result.Text)

	// It ends with its time, by force, and with the session.
	holder.do("session", "lock", "--for", "100ms")
	other.do("--wait-lock", "1m", "get", "title")
	holder.do("session", "lock", "--for", "1h")
	require.Error(t, other.try("get", "title").Err)
	other.do("session", "unlock", "--force")
	other.do("get", "title")
	holder.do("session", "lock", "--for", "1h")
	holder.do("close")
	other.do("get", "url")

	require.Equal(t, fault.Usage, fault.CodeOf(other.try("session", "lock", "--for", "48h").Err))
	short := time.Now()
	holder.do("session", "lock", "--for", "1h")
	require.Equal(t, fault.SessionLocked, fault.CodeOf(other.try("--wait-lock", "50ms", "get", "title").Err))
	require.GreaterOrEqual(t, time.Since(short), 50*time.Millisecond)
}
