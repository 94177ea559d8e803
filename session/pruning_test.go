package session

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/engine/dialogs"
	"github.com/skua-browser/skua/session/ledger"
)

// Sessions that hold nothing are forgotten in the end, and those that hold something are not.
func TestPruning(t *testing.T) {
	t.Parallel()
	m, err := New(Options{Registry: catalog.Registry()})
	require.NoError(t, err)
	defer m.Close(t.Context())
	get := func(name string) *Session {
		s, err := m.session(name, "--session")
		require.NoError(t, err)
		s.callers.Add(-1)
		s.lastUsed = time.Now().Add(-2 * idleAge)
		return s
	}
	get("told").addNotice("something")
	get("policy").browser.SetDialogPolicy(&dialogs.Policy{})
	get("lost").recover(&ledger.Session{Tabs: []ledger.Tab{{ID: "t1", URL: "http://shop"}}})
	leave, err := get("busy").queue.Enter(t.Context(), "wait", "")
	require.NoError(t, err)
	defer leave()
	get("recent").lastUsed = time.Now()
	get("asking").callers.Add(1)
	get("waiting").pending.list = []*pendingCommand{{timer: time.NewTimer(time.Hour)}}
	for i := range 3 * maxIdle {
		get(fmt.Sprint(i))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	require.LessOrEqual(t, len(m.sessions), maxIdle)
	for _, name := range []string{"told", "policy", "lost", "busy", "recent", "asking", "waiting"} {
		require.Contains(t, m.sessions, name)
	}
}

// A command that has just asked for its session has it also when others, who ask at the same time, have some forgotten.
func TestPruningBesideCallers(t *testing.T) {
	t.Parallel()
	m, err := New(Options{Registry: catalog.Registry()})
	require.NoError(t, err)
	defer m.Close(t.Context())
	for i := range maxIdle {
		s, err := m.session(fmt.Sprint("old-", i), "--session")
		require.NoError(t, err)
		s.callers.Add(-1)
	}
	var callers sync.WaitGroup
	for caller := range 8 {
		callers.Go(func() {
			for i := range 200 {
				name := fmt.Sprintf("%d-%d", caller, i)
				s, leave, err := m.acquireSession(name, actions.Owner{From: actions.FromDefault})
				if !assert.NoError(t, err) {
					return
				}
				m.mu.Lock()
				current := m.sessions[name]
				m.mu.Unlock()
				if !assert.Same(t, s, current, "what the caller has is the session") {
					return
				}
				leave()
			}
		})
	}
	callers.Wait()
}
