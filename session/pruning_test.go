package session

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
)

// Sessions that hold nothing are forgotten in the end, and those that hold something are not.
func TestPruning(t *testing.T) {
	t.Parallel()
	m, err := New(Options{})
	require.NoError(t, err)
	defer m.Close(t.Context())
	get := func(name string) *Session {
		s, err := m.session(name, "--session")
		require.NoError(t, err)
		s.used = time.Now().Add(-2 * idleAge)
		return s
	}
	get("told").tell("something")
	get("policy").policy = &engine.DialogPolicy{}
	get("lost").loss = &loss{}
	leave, err := get("busy").queue.enter(t.Context(), "wait")
	require.NoError(t, err)
	defer leave()
	get("recent").used = time.Now()
	for i := range 3 * maxIdle {
		get(fmt.Sprint(i))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	require.LessOrEqual(t, len(m.sessions), maxIdle)
	for _, name := range []string{"told", "policy", "lost", "busy", "recent"} {
		require.Contains(t, m.sessions, name)
	}
}
