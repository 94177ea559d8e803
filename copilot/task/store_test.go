package task

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return raw
}

func TestRecordsArePrivate(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	info, err := os.Stat(b.store.path(b.runner.Log.Task.ID))
	require.NoError(t, err)
	require.Zero(t, info.Mode().Perm()&0o077)
	info, err = os.Stat(b.store.Dir())
	require.NoError(t, err)
	require.Zero(t, info.Mode().Perm()&0o077)
}

// TestAHostThatWasKilled ends the records after each byte.
func TestAHostThatWasKilled(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string][]answer{"click @e1": {{page: account()}}}, always(plan(atAccount, click("@e3"), click("@e1"))))
	task := b.run(t)
	require.Equal(t, Succeeded, task.Status)
	require.NoError(t, b.runner.Log.Close())
	whole, err := os.ReadFile(b.store.path(task.ID))
	require.NoError(t, err)
	first := len(mustJSON(t, Record{}))
	steps := -1
	for n := len(whole); n > 0; n-- {
		if lacksEnd := n < len(whole) && whole[n] == '\n'; n%7 != 0 && !lacksEnd {
			continue
		}
		require.NoError(t, os.WriteFile(b.store.path(task.ID), whole[:n], 0o600))
		was, err := b.store.Load(task.ID)
		if err != nil {
			require.Less(t, n, 1200, "the first line is whole")
			require.ErrorContains(t, err, "there are none")
			continue
		}
		require.Greater(t, n, first)
		if steps >= 0 {
			require.LessOrEqual(t, len(was.History), steps)
		}
		steps = len(was.History)
		if was.Status == Succeeded {
			continue
		}
		require.Equal(t, Blocked, was.Status)
		require.Contains(t, was.Reason, "the host that worked on it is gone")
		if was.begun != nil {
			require.Contains(t, was.Reason, "it is not known whether step")
		}
		log, err := b.store.Resume(task.ID, b.millis)
		require.NoError(t, err)
		require.Equal(t, Blocked, log.Task.Status)
		require.NoError(t, log.Add(&Record{Type: Turned, Status: Cancelled}))
		require.NoError(t, log.Close())
		after, err := b.store.Load(task.ID)
		require.NoError(t, err)
		require.Equal(t, Cancelled, after.Status)
		require.Len(t, after.History, steps, "what was recorded stays")
	}
	require.Zero(t, steps)
}

func TestOneWorksOnATask(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	id := b.runner.Log.Task.ID
	_, err := b.store.Resume(id, b.millis)
	require.ErrorContains(t, err, "is running")
	task, err := b.store.Load(id)
	require.NoError(t, err)
	require.Equal(t, Created, task.Status)
	require.NoError(t, b.runner.Log.Close())
	task, err = b.store.Load(id)
	require.NoError(t, err)
	require.Equal(t, Blocked, task.Status)
}

func TestListAndUnknownTasks(t *testing.T) {
	t.Parallel()
	empty := &Store{dir: filepath.Join(t.TempDir(), "none")}
	tasks, broken, err := empty.List()
	require.NoError(t, err)
	require.Empty(t, tasks)
	require.Empty(t, broken)

	b := newBench(t, nil)
	b.clock = b.clock.Add(1e9)
	second, err := b.store.Create(&Task{Goal: "second"}, b.millis)
	require.NoError(t, err)
	require.NoError(t, second.Close())
	require.NoError(t, os.WriteFile(b.store.path("kbroken"), []byte("{}\n"), 0o600))
	tasks, broken, err = b.store.List()
	require.NoError(t, err)
	require.Len(t, tasks, 2)
	require.Equal(t, "second", tasks[0].Goal)
	require.Equal(t, []string{"kbroken"}, broken)
	for _, id := range []string{"", "k123456", "../../etc/passwd", "kbroken"} {
		_, err := b.store.Load(id)
		require.Error(t, err, id)
	}
}

func TestATransitionThatIsNotAllowedIsNotWritten(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	require.Error(t, b.runner.Log.Add(&Record{Type: Turned, Status: Succeeded}))
	require.Equal(t, Created, b.runner.Log.Task.Status)
	kept, err := b.store.read(b.runner.Log.Task.ID)
	require.NoError(t, err)
	require.Equal(t, Created, kept.Status)
}
