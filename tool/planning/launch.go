package planning

import (
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// launchScoped reports whether a global flag is a launch option, which has no effect on a running browser. The registry does not mark them, and
// several exist only in the agent-browser program. --pin-tab does not count: it can be changed at any time.
func launchScoped(name string) bool {
	switch name {
	case "auto-connect", "allowed-domains", "namespace", "cdp", "enable", "executable-path", "webgpu", "init-script", "idle-timeout", "args",
		"user-agent", "headed", "device", "profile", "provider", "session-name", "restore", "restore-save", "restore-check-url",
		"restore-check-text", "restore-check-fn", "state":
		return true
	}
	return false
}

// LaunchScoped returns the flags of a line that only a browser that is yet to be launched can take, as they were typed. An optional boolean
// whose last occurrence is followed by `false` is off and does not count.
func LaunchScoped(w *argv.Words) []string {
	var tokens []string
	for i := range w.Flags {
		f := &w.Flags[i]
		if !f.Global || !launchScoped(f.Name) || w.Flag(f.Name) != f || f.Off() {
			continue
		}
		tokens = append(tokens, f.Token)
	}
	return tokens
}

// RestoresTabs reports whether the browser of a line may come up with tabs of an earlier one.
func RestoresTabs(w *argv.Words) bool {
	return w.Has("profile") || w.Has("restore") || w.Has("session-name") || w.Has("state")
}

// Attaches reports whether the line works in a browser that the tool did not start.
func Attaches(w *argv.Words) bool {
	return w.Does(trait.Connects) || w.Has("cdp") || w.Has("auto-connect") || w.Has("provider")
}

// TooLate is the refusal of launch-scoped flags for a session that runs already, and the way out.
func TooLate(w *argv.Words, flags []string) (message string, hint *contract.SessionRecoveryHint) {
	const reason = "The managed session is already running, and its browser can no longer take launch-scoped flags."
	example := w.Without("session")
	return "The launch-scoped flags " + strings.Join(flags, ", ") + " come too late: the managed session has a browser already, and they only count " +
			"when one is launched. Repeat the call with sessionMode \"fresh\" to get a new browser, or leave them out.",
		&contract.SessionRecoveryHint{
			Reason: reason, RecommendedSessionMode: contract.Fresh, ExampleArgs: example,
			ExampleParams: map[string]any{"args": example, "sessionMode": contract.Fresh},
		}
}

// IdleConflict returns why a line's --idle-timeout is not possible in a managed session, empty when it can or is not there.
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
	return "--idle-timeout " + f.Value + " conflicts with this tool's managed-session idle timeout of " + strconv.FormatInt(managed.Milliseconds(), 10) +
		" ms. Leave it out, or use a --session of your own; SKUA_TOOL_IMPLICIT_SESSION_IDLE_TIMEOUT_MS sets the managed one."
}
