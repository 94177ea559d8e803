package rules_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/session/rules"
)

// TestJudgeDoesNotHoldTheSession: a session asks its rules while it is locked, so that rules which ask the session
// while they are locked themselves would wait for each other for ever.
func TestJudgeDoesNotHoldTheSession(t *testing.T) {
	t.Parallel()
	registry := catalog.Registry()
	set := rules.New(&policy.Owner{}, registry, func() policy.Vocabulary { return registry.ActionWords() })
	require.False(t, set.Any())
	in, err := registry.Parse([]string{"--confirm-actions", "click", "click", "#a"}, actions.ParseOptions{})
	require.NoError(t, err)
	_, err = set.Apply(in, func(string) string { return "" }, func(p string) string { return p })
	require.NoError(t, err)

	locked, asked := make(chan struct{}), make(chan struct{})
	go func() { // the session, which is locked and asks its rules
		defer close(asked)
		<-locked
		set.Save()
	}()
	verdict := make(chan policy.Verdict)
	go func() {
		verdict <- set.Judge(in, rules.Requester{Running: func() bool {
			close(locked)
			<-asked
			return true
		}})
	}()
	select {
	case v := <-verdict:
		require.Equal(t, policy.Ask, v.Effect)
	case <-time.After(time.Minute):
		t.Fatal("the rules and the session wait for each other")
	}
}
