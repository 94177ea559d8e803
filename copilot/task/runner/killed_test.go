package runner

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/skua-browser/skua/copilot/task"
	"github.com/stretchr/testify/require"
)

// TestAHostThatWasKilled ends the records after each byte.
func TestAHostThatWasKilled(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string][]answer{"click @e1": {{page: account()}}},
		always(plan(atAccount, click("@e3"), click("@e1"))))
	done := b.run(t)
	require.Equal(t, task.Succeeded, done.Status)
	require.NoError(t, b.runner.View.Log.Close())
	whole, err := os.ReadFile(recordsOf(b.store, done.ID))
	require.NoError(t, err)
	first := len(mustJSON(t, task.Record{}))
	steps := -1
	for n := len(whole); n > 0; n-- {
		if lacksEnd := n < len(whole) && whole[n] == '\n'; n%7 != 0 && !lacksEnd {
			continue
		}
		require.NoError(t, os.WriteFile(recordsOf(b.store, done.ID), whole[:n], 0o600))
		was, err := b.store.Load(done.ID)
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
		if was.Status == task.Succeeded {
			continue
		}
		require.Equal(t, task.Blocked, was.Status)
		require.Contains(t, was.Reason, "the host that worked on it is gone")
		if midStep(whole[:n]) {
			require.Contains(t, was.Reason, "it is not known whether step")
		}
		log, err := b.store.Resume(done.ID, b.millis)
		require.NoError(t, err)
		require.Equal(t, task.Blocked, log.Task.Status)
		require.NoError(t, log.Add(&task.Record{Type: task.Turned, Status: task.Cancelled}))
		require.NoError(t, log.Close())
		after, err := b.store.Load(done.ID)
		require.NoError(t, err)
		require.Equal(t, task.Cancelled, after.Status)
		require.Len(t, after.History, steps, "what was recorded stays")
	}
	require.Zero(t, steps)
}

// midStep reports whether records end with the beginning of a step. A part of a line counts for nothing.
func midStep(records []byte) bool {
	begun := false
	for line := range bytes.Lines(records) {
		var rec task.Record
		if json.Unmarshal(line, &rec) == nil {
			begun = rec.Type == task.Begun || begun && rec.Type != task.Stepped
		}
	}
	return begun
}
