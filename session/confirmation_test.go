package session

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/session/launch"
)

// What is not confirmed is denied after a minute, and noted.
func TestConfirmationsEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m, err := New(Options{Registry: catalog.Registry()})
		require.NoError(t, err)
		defer m.Close(t.Context())
		s, err := m.session("s", "")
		require.NoError(t, err)
		hold := func() string {
			in, err := m.registry.Parse([]string{"click", "#b"}, actions.ParseOptions{})
			require.NoError(t, err)
			r := runner{manager: m, session: s.call(launch.Options{}, noEnv)}
			res, err := r.holdForConfirmation(in, policy.Verdict{Effect: policy.Ask, Action: "click", Rule: "confirm click"})
			require.NoError(t, err)
			return res.Data.(actions.HeldResult).ConfirmationID
		}
		first := hold()
		time.Sleep(confirmTime / 2)
		second := hold()
		time.Sleep(confirmTime/2 + time.Second)
		require.Nil(t, s.pending.take(first))
		entries, _ := s.refused.Entries()
		require.Len(t, entries, 1)
		require.Equal(t, "not confirmed in time", entries[0].Rule)
		require.NotNil(t, s.pending.take(second))

		hold()
		require.NoError(t, s.close(t.Context()))
		time.Sleep(2 * confirmTime)
		entries, _ = s.refused.Entries()
		require.Empty(t, entries, "what waits ends with its session")
	})
}
