package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A task whose host is killed in the middle of a step is there afterwards, and says that it is not known whether the
// step was done.
func TestTaskOfAKilledHost(t *testing.T) {
	t.Parallel()
	came, once, asked := make(chan struct{}), sync.Once{}, atomic.Int64{}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/billing" {
			asked.Add(1)
			once.Do(func() { close(came) })
			<-r.Context().Done() // until the browser is gone
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<title>Settings</title><main><a href=/billing>Billing</a></main>`))
	}))
	t.Cleanup(site.Close)
	u := newUser(t)
	u.works(t, "open", site.URL)
	run := u.start(t, "task", "run", `open "Billing"`)
	select {
	case <-came:
	case <-run.done:
		t.Fatalf("the task ended before it followed the link: %v", run.result())
	case <-time.After(callLimit):
		t.Fatal("the task did not follow the link")
	}
	u.killHost(t)
	require.Equal(t, 1, run.result().Code)

	var list struct {
		Data struct {
			Tasks []struct{ ID, Status, Reason string }
		}
	}
	got := u.call(t, "--json", "task", "list")
	require.Zero(t, got.Code, got)
	require.NoError(t, json.Unmarshal([]byte(got.Out), &list), got.Out)
	require.Len(t, list.Data.Tasks, 1)
	task := list.Data.Tasks[0]
	require.Equal(t, "blocked", task.Status)
	require.Contains(t, task.Reason, "not known whether")

	// The page is there again. The step is not repeated, and that is why the task fails.
	require.Equal(t, 1, u.call(t, "task", "resume", task.ID).Code)
	shown := u.call(t, "task", "show", task.ID).Out
	require.Contains(t, shown, "failed")
	require.Contains(t, shown, `it is not known whether step 1 was done (Click "Billing"), and it is not repeated`)
	require.Equal(t, int64(1), asked.Load(), "the link was followed once")
}
