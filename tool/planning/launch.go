package planning

import (
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// RestoresTabs reports whether the browser of a line may come up with tabs of an earlier one.
func RestoresTabs(w *argv.Words) bool {
	return w.Has("profile") || w.Has("restore") || w.Has("session-name") || w.Has("state")
}

// TooLate is the refusal of launch-scoped flags for a session that runs already, and the way out.
func TooLate(w *argv.Words, flags []string) (message string, hint *contract.SessionRecoveryHint) {
	const reason = "The managed session is already running, and its browser can no longer take launch-scoped flags."
	example := w.Without("session")
	return "The launch-scoped flags " + strings.Join(flags, ", ") +
			" come too late: the managed session has a browser already, and they only count " +
			"when one is launched. Repeat the call with sessionMode \"fresh\" to get a new browser, or leave them out.",
		&contract.SessionRecoveryHint{
			Reason: reason, RecommendedSessionMode: contract.Fresh, ExampleArgs: example,
			ExampleParams: contract.NextParams{Args: example, SessionMode: contract.Fresh},
		}
}

// IdleConflict returns why a line's --idle-timeout is not possible in a managed session, empty when it can or is not
// there.
func IdleConflict(w *argv.Words, managed time.Duration) string {
	f := w.Flag("idle-timeout")
	if f == nil {
		return ""
	}
	ms, err := strconv.ParseInt(f.Value, 10, 64)
	wanted := time.Duration(ms) * time.Millisecond
	if err != nil {
		wanted, err = time.ParseDuration(f.Value)
	}
	if err == nil && wanted == managed {
		return ""
	}
	return "--idle-timeout " + f.Value + " conflicts with this tool's managed-session idle timeout of " +
		strconv.FormatInt(managed.Milliseconds(), 10) +
		" ms. Leave it out, or use a --session of your own; SKUA_TOOL_IMPLICIT_SESSION_IDLE_TIMEOUT_MS sets the managed one."
}
