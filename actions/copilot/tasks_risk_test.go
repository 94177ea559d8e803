package copilot_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/session"
)

// door is a site with a login. It remembers what was sent to it.
type door struct {
	*httptest.Server
	mu   sync.Mutex
	sent []string
	slow chan struct{} // closed when the answer of /slow may come
	came chan struct{} // closed when it was asked for
	once sync.Once
}

func newDoor(t *testing.T) *door {
	d := &door{slow: make(chan struct{}), came: make(chan struct{})}
	d.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/in":
			d.mu.Lock()
			d.sent = append(d.sent, r.PostFormValue("user")+"/"+r.PostFormValue("password"))
			d.mu.Unlock()
			_, _ = w.Write([]byte(`<title>Inside</title><nav><a href=/out>Log out</a></nav><main><h1>Hello Ann</h1></main>`))
		case "/slow":
			d.once.Do(func() { close(d.came) })
			select {
			case <-d.slow:
			case <-r.Context().Done():
			}
			_, _ = w.Write([]byte(`<title>Late</title>`))
		case "/settings":
			_, _ = w.Write([]byte(`<title>Settings</title><main><a href=/slow>Billing</a></main>`))
		default:
			_, _ = w.Write(
				[]byte(
					`<title>Log in</title><main><form action=/in method=post><label>User name <input name=user autocomplete=username></label>
<label>Password <input type=password name=password autocomplete=current-password></label><button>Log in</button></form></main>`))
		}
	}))
	t.Cleanup(d.Close)
	t.Cleanup(func() { close(d.slow) })
	return d
}

func (d *door) entries() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]string(nil), d.sent...)
}

const doorSecret = `s3cr"et pass`

func TestTaskTypesASecretOnlyWhenItIsConfirmed(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	c := host.NewClient(t)
	c.Env["DOOR"] = doorSecret
	c.Do("open", d.URL)
	got := runTask(c, "log in", "--param", "username=ann", "--grant", "password=env:DOOR")
	for range 3 {
		if got.Status != task.AwaitingUser {
			break
		}
		require.Empty(t, d.entries(), "nothing was sent before it was confirmed")
		reply := c.Try("task", "confirm", got.ID, got.Awaiting.ID)
		got = taskOf(t, reply)
	}
	require.Equal(t, task.Succeeded, got.Status, got.Reason)
	require.Equal(t, []string{"ann/" + doorSecret}, d.entries())

	require.NoError(t,
		filepath.WalkDir(filepath.Join(c.Dir, ".skua"), func(path string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			raw, err := os.ReadFile(path)
			require.NoError(t, err)
			require.NotContains(t, string(raw), "s3cr", path)
			return nil
		}))
	for _, line := range [][]string{{"journal"}, {"task", "show", got.ID}} {
		reply := c.Do(line...)
		require.NotContains(t, reply.Result.Text, "s3cr", line)
	}
}

func TestTaskConfirmationIsVoidOnAnotherPage(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	c := host.NewClient(t)
	c.Env["DOOR"] = doorSecret
	c.Do("open", d.URL)
	got := runTask(c, "log in", "--param", "username=ann", "--grant", "password=env:DOOR")
	require.Equal(t, task.AwaitingUser, got.Status, got.Reason)
	c.Do("eval",
		"document.querySelector('form').action = 'http://127.0.0.1:9/steal'; document.querySelector('button').textContent "+
			"= 'Send it'")
	got = taskOf(t, c.Try("task", "confirm", got.ID, got.Awaiting.ID))
	require.Equal(t, task.Blocked, got.Status)
	require.Contains(t, got.Reason, "void")
	require.Empty(t, d.entries())
	require.Equal(t, `""`, strings.TrimSpace(c.Do("eval", "document.querySelector('[type=password]').value").Result.Text))
}

// TestTaskCancelWhileItRuns ends a task whose step waits for a server that does not answer.
func TestTaskCancelWhileItRuns(t *testing.T) {
	t.Parallel()
	d := newDoor(t)
	c := host.NewClient(t)
	c.Do("open", d.URL+"/settings")
	ended := make(chan session.Reply, 1)
	go func() { ended <- c.Try("task", "run", `open "Billing"`) }()
	select {
	case <-d.came:
	case <-time.After(sessiontest.CommandLimit):
		t.Fatal("the task did not follow the link")
	}
	store, err := task.Open(func(name string) string { return c.Env[name] }, "")
	require.NoError(t, err)
	tasks, _, err := store.List()
	require.NoError(t, err)
	require.Len(t, tasks, 1)
	require.True(t, tasks[0].Status.Active(), tasks[0].Status)
	got := taskOf(t, c.Try("task", "cancel", tasks[0].ID))
	require.Equal(t, task.Cancelled, got.Status)
	require.Equal(t, task.Cancelled, taskOf(t, <-ended).Status)
}
