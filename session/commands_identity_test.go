package session_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/session/identity"
)

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
	m := host.StartManager(t, session.Options{})
	a, b := sessiontest.Caller{T: t, Manager: m, Dir: first}, sessiontest.Caller{T: t, Manager: m, Dir: second}
	page := site.Write("<title>here</title>")
	a.Do("open", site.URL(page))
	said := b.Do("open", site.URL(page)).Result.Notes
	require.Len(t, said, 1)
	require.Contains(t, said[0],
		identity.Name(second)+" (of the worktree "+second+"); "+identity.Name(first)+" has open pages")
	require.Empty(t, b.Do("open", site.URL(page)).Result.Notes, "it is said once")

	var both sync.WaitGroup // two agents at a time
	for _, c := range []sessiontest.Caller{a, b} {
		both.Go(func() {
			for range 5 {
				c.Try("eval", "document.cookie = 'who="+filepath.Base(c.Dir)+"'; localStorage.who = document.cookie")
			}
		})
	}
	both.Wait()
	require.Equal(t, `"who=first who=first"`, a.Eval("document.cookie + ' ' + localStorage.who"))
	require.Equal(t, `"who=second who=second"`, b.Eval("document.cookie + ' ' + localStorage.who"))
	below := sessiontest.Caller{T: t, Manager: m, Dir: filepath.Join(first, "sub")}
	require.Equal(t, `"who=first"`, below.Eval("document.cookie"), "a folder below is of the same worktree")

	// Who names a session shares it.
	shared := sessiontest.Caller{
		T: t, Manager: m, Dir: second,
		Env: map[string]string{"SKUA_SESSION": identity.Name(first)},
	}
	require.Equal(t, `"who=first"`, shared.Eval("document.cookie"))
	require.Equal(t, `"who=first"`, b.Do("--session", identity.Name(first), "eval", "document.cookie").Result.Text)

	outside := sessiontest.Caller{T: t, Manager: m, Dir: t.TempDir()}
	require.Equal(t, "default", outside.Do("session").Result.Text)
	said = outside.Do("open", site.URL(page)).Result.Notes
	require.Len(t, said, 1)
	require.Contains(t, said[0], "this is session default (outside of a git worktree)")
	require.Equal(t, `""`, outside.Eval("document.cookie"))

	details, _ := outside.Data("session", "list")["details"].([]any)
	require.Len(t, details, 3)
	entry, _ := details[1].(map[string]any)
	require.Equal(t, map[string]any{"from": "worktree", "path": first}, entry["identity"])
	require.NotZero(t, entry["browserPid"])
	pages, _ := entry["pages"].([]any)
	require.Len(t, pages, 1)

	notes := strings.Join(a.Do("close", "--all").Result.Notes, "\n")
	require.Contains(t, notes, "closed session "+identity.Name(second)+" of the worktree "+second)
	require.NotContains(t, notes, "closed session "+identity.Name(first))
}

func TestInfoStartsNoBrowser(t *testing.T) {
	t.Parallel()
	m := host.StartManager(t, session.Options{SocketDir: "/where/it/is", Namespace: "mine"})
	c := sessiontest.Caller{T: t, Manager: m, Dir: t.TempDir()}
	info := c.Data("session", "info")
	require.Equal(t, false, info["active"])
	require.Nil(t, info["runtime"])
	require.Nil(t, info["pid"])
	require.Equal(t, "/where/it/is", info["socketDir"])
	require.Equal(t, "mine", info["namespace"])
	require.Empty(t, c.Data("session", "list")["sessions"])
	c.Do("open", site.URL(site.Write("<title>one</title>")))
	c.Do("tab", "new")
	info = c.Data("session", "info")
	require.Equal(t, true, info["active"])
	require.EqualValues(t, os.Getpid(), info["pid"])
	runtime, _ := info["runtime"].(map[string]any)
	require.EqualValues(t, 2, runtime["pageCount"])
	require.Equal(t, true, runtime["browserLaunched"])
}

func TestLock(t *testing.T) {
	t.Parallel()
	m := host.StartManager(t, session.Options{})
	dir := t.TempDir()
	holder, other := sessiontest.Caller{T: t, Manager: m, Dir: dir, Env: map[string]string{}}, sessiontest.Caller{
		T:       t,
		Manager: m, Dir: dir,
	}
	page := site.URL(site.Write("<title>shared</title><button onclick=\"document.title='clicked'\">Go</button>"))
	holder.Do("open", page)
	token, _ := holder.Data("session", "lock", "--for", "1h", "--as", "ann")["token"].(string)
	require.NotEmpty(t, token)
	holder.Env["SKUA_LOCK"] = token

	for _, line := range [][]string{
		{"click", "button"},
		{"get", "title"},
		{"open", page},
		{"tab"},
		{"batch", "get title"},
		{"close"},
		{"session", "lock"},
		{"session", "unlock"},
	} {
		r := other.Try(line...)
		require.Equal(t, fault.SessionLocked, fault.CodeOf(r.Err), "%q: %v", line, r.Err)
		require.ErrorContains(t, r.Err, "ann")
		require.NotContains(t, r.Err.Error(), token)
	}
	require.Equal(t, "shared", holder.Do("get", "title").Result.Text, "nothing of the others was done")
	require.Contains(t, other.Do("session", "info").Result.Text, "Locked by: ann")
	require.NotContains(t, other.Do("session", "info").Result.Text, token)
	r := other.Try("close", "--all")
	require.Equal(t, fault.SessionLocked, fault.CodeOf(r.Err), "%q", r.Result.Text)
	require.ErrorContains(t, r.Err, "locked by ann and stays open")
	holder.Do("click", "button")
	require.Equal(t, "clicked", holder.Do("get", "title").Result.Text)
	require.Equal(t, "clicked", holder.Do("batch", "get title").Result.Text[:len("clicked")])

	// Who waits goes on when it is unlocked.
	reply := make(chan session.Reply, 1)
	go func() { reply <- other.Try("--wait-lock", "1m", "get", "title") }()
	holder.Do("session", "lock", "--for", "30m") // a renewal does not let others in
	holder.Do("session", "unlock")
	r = <-reply
	require.NoError(t, r.Err)
	require.Equal(t, "clicked", r.Result.Text)

	// It ends with its time, by force, and with the session.
	holder.Do("session", "lock", "--for", "100ms")
	other.Do("--wait-lock", "1m", "get", "title")
	holder.Do("session", "lock", "--for", "1h")
	require.Error(t, other.Try("get", "title").Err)
	other.Do("session", "unlock", "--force")
	other.Do("get", "title")
	holder.Do("session", "lock", "--for", "1h")
	holder.Do("close")
	other.Do("get", "url")

	require.Equal(t, fault.Usage, fault.CodeOf(other.Try("session", "lock", "--for", "48h").Err))
	short := time.Now()
	holder.Do("session", "lock", "--for", "1h")
	require.Equal(t, fault.SessionLocked, fault.CodeOf(other.Try("--wait-lock", "50ms", "get", "title").Err))
	require.GreaterOrEqual(t, time.Since(short), 50*time.Millisecond)
}
