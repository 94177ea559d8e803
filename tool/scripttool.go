package tool

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/lease"
)

// forScript makes the tool that the calls of one script go through: the script's session is its managed one, and
// nothing of the caller's environment says another one.
func (t *Tool) forScript(session string) *Tool {
	o := t.options
	o.Env, o.SessionID, o.StateDir = scriptEnvironment(o.Env), "", ""
	own := &Tool{
		options:   o,
		backend:   t.backend,
		log:       t.log,
		limits:    t.limits,
		protected: t.protected,
		files:     t.files,
		spills:    t.spills,
		names:     conversation.NamesFrom(session),
		sessions:  map[backend.Backend]*conversation.Sessions{},
	}
	own.apps = own.newApps()
	return own
}

// scriptEnvironment is the environment without what configures sessions and proxies. Which browser there is stays, for
// it is not a choice of a session's.
func scriptEnvironment(env map[string]string) map[string]string {
	kept := make(map[string]string, len(env))
	for name, value := range env {
		switch upper := strings.ToUpper(name); {
		case upper == "HTTP_PROXY" || upper == "HTTPS_PROXY" || upper == "ALL_PROXY" || upper == "NO_PROXY":
			continue
		case slices.Contains(ruleVariables, upper): // the owner's rules hold for scripts, too
		case strings.HasSuffix(upper, "_EXECUTABLE_PATH") || strings.HasPrefix(upper, "SKUA_TOOL_") ||
			strings.HasPrefix(upper, "PI_AGENT_BROWSER_"):
		case strings.HasPrefix(upper, "AGENT_BROWSER_") || strings.HasPrefix(upper, "SKUA_"):
			continue
		}
		kept[name] = value
	}
	kept["SKUA_TOOL_MANAGED_SESSION_RESTORE"] = "0"
	return kept
}

var ruleVariables = actions.RuleVariables()

// leases is the folder of the leases of scripts; empty means that nothing outlives the process.
func (t *Tool) leases() string {
	if t.options.StateDir == "" {
		return ""
	}
	return filepath.Join(t.options.StateDir, "script-leases")
}

// closeAbandoned closes the sessions of scripts whose process was killed. Those that end with the process have gone
// with it.
func (t *Tool) closeAbandoned(ctx context.Context) {
	dir := t.leases()
	if dir == "" {
		return
	}
	for _, held := range lease.Abandoned(dir) {
		switch {
		case backend.EndsWithProcess(backend.Name(held.Backend)):
			held.Done()
		case held.Backend != string(t.backend.Name()) || ctx.Err() != nil:
			held.Leave()
		case t.on(t.backend).End(ctx, conversation.Key{Name: held.Session}):
			held.Done()
		default:
			held.Leave()
		}
	}
}
