package planning_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/planning"
)

func TestTooLate(t *testing.T) {
	t.Parallel()
	t.Run("3.9 the hint repeats the call without its session", func(t *testing.T) {
		t.Parallel()
		w := argv.Read(strings.Fields("--session piab-x --profile Default open x"))
		message, hint := planning.TooLate(&w, w.LaunchScoped())
		require.Contains(t, message, "launch-scoped flags --profile")
		require.NotContains(t, message, "piab-")
		args := []string{"--profile", "Default", "open", "x"}
		require.NotEmpty(t, hint.Reason)
		require.Equal(t, contract.Fresh, hint.RecommendedSessionMode)
		require.Equal(t, args, hint.ExampleArgs)
		require.Equal(t, contract.NextParams{Args: args, SessionMode: contract.Fresh}, hint.ExampleParams)
	})
}

func TestIdleConflict(t *testing.T) {
	t.Parallel()
	for line, conflict := range map[string]bool{
		"open x": false, "--idle-timeout 900000 open x": false, "--idle-timeout 15m open x": false,
		"--idle-timeout=900000 open x": false,
		"--idle-timeout 60000 open x":  true, "--idle-timeout 0 open x": true, "--idle-timeout soon open x": true,
	} {
		t.Run("3.11 "+line, func(t *testing.T) {
			t.Parallel()
			w := argv.Read(strings.Fields(line))
			message := planning.IdleConflict(&w, 15*time.Minute)
			require.Equal(t, conflict, message != "")
			if conflict {
				require.Contains(t, message, "conflicts with this tool's managed-session idle timeout of 900000 ms")
			}
		})
	}
}
