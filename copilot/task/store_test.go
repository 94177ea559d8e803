package task

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// begin begins a task in a store of its own.
func begin(t *testing.T) (*Store, *Log) {
	t.Helper()
	store := NewStore(filepath.Join(t.TempDir(), "tasks"))
	log, err := store.Create(&Task{Goal: "g", Limits: DefaultLimits(), Order: Order{Planner: "script"}}, at(0))
	require.NoError(t, err)
	t.Cleanup(func() { _ = log.Close() })
	return store, log
}

// at is a clock that always shows the same time, a number of seconds behind the beginning.
func at(seconds int64) func() int64 { return func() int64 { return 1795338000000 + 1000*seconds } }

func TestRecordsArePrivate(t *testing.T) {
	t.Parallel()
	store, log := begin(t)
	info, err := os.Stat(store.path(log.Task.ID))
	require.NoError(t, err)
	require.Zero(t, info.Mode().Perm()&0o077)
	info, err = os.Stat(store.Dir())
	require.NoError(t, err)
	require.Zero(t, info.Mode().Perm()&0o077)
}

func TestOneWorksOnATask(t *testing.T) {
	t.Parallel()
	store, log := begin(t)
	id := log.Task.ID
	_, err := store.Resume(id, at(0))
	require.ErrorContains(t, err, "is running")
	done, err := store.Load(id)
	require.NoError(t, err)
	require.Equal(t, Created, done.Status)
	require.NoError(t, log.Close())
	done, err = store.Load(id)
	require.NoError(t, err)
	require.Equal(t, Blocked, done.Status)
}

func TestListAndUnknownTasks(t *testing.T) {
	t.Parallel()
	empty := NewStore(filepath.Join(t.TempDir(), "none"))
	tasks, broken, err := empty.List()
	require.NoError(t, err)
	require.Empty(t, tasks)
	require.Empty(t, broken)

	store, _ := begin(t)
	second, err := store.Create(&Task{Goal: "second"}, at(1))
	require.NoError(t, err)
	require.NoError(t, second.Close())
	require.NoError(t, os.WriteFile(store.path("kbroken"), []byte("{}\n"), 0o600))
	tasks, broken, err = store.List()
	require.NoError(t, err)
	require.Len(t, tasks, 2)
	require.Equal(t, "second", tasks[0].Goal)
	require.Equal(t, []string{"kbroken"}, broken)
	for _, id := range []string{"", "k123456", "../../etc/passwd", "kbroken"} {
		_, err := store.Load(id)
		require.Error(t, err, id)
	}
}

func TestATransitionThatIsNotAllowedIsNotWritten(t *testing.T) {
	t.Parallel()
	store, log := begin(t)
	require.Error(t, log.Add(&Record{Type: Turned, Status: Succeeded}))
	require.Equal(t, Created, log.Task.Status)
	kept, err := store.Load(log.Task.ID)
	require.NoError(t, err)
	require.Equal(t, Created, kept.Status)
}
