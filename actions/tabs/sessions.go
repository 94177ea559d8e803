package tabs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/browsers/provider"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/identity"
)

func sessionCommands() []actions.Command {
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "connect",
				Group:   actions.GroupSessions,
				Summary: "Attach to a running browser",
				Help: "The target is the browser's debugging port (--remote-debugging-port), or the http or ws address of a " +
					"browser elsewhere. `auto` looks " +
					"for one on this machine: first by the DevToolsActivePort file in the profiles of Chrome, Chromium, Edge, " +
					"Brave, Vivaldi and Opera, the " +
					"newest first, then at the ports 9222 and 9229. The session works in the tab that was used last. If the " +
					"connection is lost, the next " +
					"command restores it. skua never closes a browser that it did not start. To start a browser at a provider, use " +
					"-p with any command; the " +
					"providers are " + strings.Join(provider.Names(), ", ") + ".",
				Args: []actions.Arg{{
					Name:  "target",
					Value: "port|url|auto",
					Help:  "A port of this machine, an http or ws address, or auto",
				}},
				Examples: []actions.Example{{Line: "connect 9222"}, {Line: "connect auto"}, {
					Line: "connect wss://host/path?token=... --cdp-headers '{\"X-Team\":\"a\"}'",
				}},
				Upstream: []string{"connect <port|url>", "connect <port>", "connect <url>"},
			},
			Schedule: actions.Schedule{Effect: actions.Mutates, Choosing: true, Tabless: true},
			Safety: actions.Safety{
				Action: "launch", Families: policy.Does(),
				Remote: func(in *actions.Input) policy.Remote {
					return policy.RemoteAt(policy.Connect, in.String("target"))
				},
				Blind: true,
			},
			Showing: actions.Showing{
				Traits: trait.AboutSession | trait.Summarized | trait.MayLosePage | trait.NotInScripts,
				Refs:   trait.Refs{Kept: true},
				Next:   afterConnect,
			},
			Bindings: actions.Bindings{Data: []any{ConnectedResult{}}},
			Run:      runConnect,
		},
		{
			Spec: actions.Spec{
				Name:    "close",
				Aliases: []string{"quit", "exit"},
				Group:   actions.GroupSessions,
				Summary: "Close the session's browser",
				Help: "--all closes all sessions of the host, including those of other callers, which the reply names. " +
					"Sessions that others have locked stay open. Each --namespace has a host of its own.",
				Flags:    []actions.Flag{{Name: "all", Kind: actions.Bool, Help: "Close all sessions of this host"}},
				Examples: []actions.Example{{Line: "close", Note: "end the session", Start: 4}, {Line: "close --all"}},
				Upstream: []string{"close [--all]", "close [options]"},
			},
			Schedule: actions.Schedule{Effect: actions.Closes | actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Reach: policy.WhenNamed, Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.AboutSession},
			Bindings: actions.Bindings{Data: []any{ClosedResult{}, actions.Given("all", ClosedAllResult{})}},
			Run:      runClose,
		},
		{
			Spec: actions.Spec{
				Name:    "session",
				Group:   actions.GroupSessions,
				Summary: "Print the session's name",
				Help: "A command works in the session that --session names, else in that of SKUA_SESSION or " +
					"AGENT_BROWSER_SESSION, else in that of the git worktree that contains the caller's folder; outside of git " +
					"in `default`.",
				Upstream: []string{"session", "session [operation]"},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Reach: policy.WhenNamed, Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.AboutSession | trait.NotInScripts},
			Bindings: actions.Bindings{Data: []any{SessionResult{}}},
			Run: func(_ context.Context, c *actions.Call) (actions.Result, error) {
				return actions.Result{Data: SessionResult{c.Session.Name()}, Text: c.Session.Name()}, nil
			},
		},
		{
			Spec: actions.Spec{
				Name:    "session list",
				Group:   actions.GroupSessions,
				Summary: "List the sessions that have a browser",
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser, Sessionless: trait.OnMachine},
			Safety:   actions.Safety{Reach: policy.WhenNamed, Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.AboutSession | trait.NotInScripts},
			Bindings: actions.Bindings{Data: []any{SessionsResult{}}},
			Run:      runSessionList,
		},
		{
			Spec: actions.Spec{
				Name:    "session id",
				Group:   actions.GroupSessions,
				Summary: "Print a session name that is always the same for this folder",
				Flags: []actions.Flag{
					{
						Name:    "scope",
						Value:   "scope",
						Default: string(identity.ScopeWorktree),
						Help:    "What the name is derived from: worktree, cwd or git-root",
					},
					{Name: "prefix", Value: "text", DashValue: true, Help: "The beginning of the name"},
				},
				Examples: []actions.Example{{Line: "session id --scope worktree --prefix review"}},
				Upstream: []string{"session id", "session id [--scope worktree|cwd|git-root] [--prefix <text>]"},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser, Sessionless: trait.OnMachine},
			Safety:   actions.Safety{Reach: policy.WhenNamed, Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.AboutSession | trait.NotInScripts},
			Bindings: actions.Bindings{Data: []any{SessionIDResult{}}},
			Run:      runSessionID,
		},
		{
			Spec: actions.Spec{
				Name: "session info", Group: actions.GroupSessions,
				Summary: "Show facts about the session, its browser and its host",
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser, Sessionless: trait.OnMachine},
			Safety:   actions.Safety{Reach: policy.WhenNamed, Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.AboutSession | trait.NotInScripts},
			Bindings: actions.Bindings{Data: []any{actions.SessionInfo{}}},
			Run:      runSessionInfo,
		},
	}
}

// anyBrowser is the target of `connect` that stands for whichever browser runs.
const anyBrowser = "auto"

func afterConnect(any) []actions.FollowUp {
	return []actions.FollowUp{
		{
			ID:     "verify-connected-session-url",
			Reason: "See which page the connected browser shows.",
			Line:   []string{"get", "url"},
		},
		{
			ID:     "list-connected-session-tabs",
			Reason: "See the tabs of the connected browser, and choose one.",
			Line:   []string{"tab", "list"},
		},
	}
}

func runConnect(ctx context.Context, c *actions.Call) (actions.Result, error) {
	running := c.Browser.Running()
	target := c.String("target")
	header, err := CDPHeaders(c.Input)
	switch {
	case err != nil:
	case target == anyBrowser:
		err = c.Browser.ConnectAny(ctx)
	default:
		err = c.Browser.Connect(ctx, target, header)
	}
	if fault.Is(err, fault.Usage) {
		return actions.Result{}, c.Invalid(err.Error())
	} else if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: ConnectedResult{Launched: true, RelaunchedBrowser: running}, Text: "✓ Done"}, nil
}

func runClose(ctx context.Context, c *actions.Call) (actions.Result, error) {
	if c.Bool("all") {
		return closeAll(ctx, c)
	}
	app, leaves := c.Host.AppOf(c.Session.Name()), c.Browser.Leaves()
	err := c.Browser.Close(ctx)
	if err == nil || fault.Has(err, actions.FactClosed) {
		c.NoteApps(func(launch string) bool { return launch == app })
	}
	if err != nil {
		return actions.Result{}, err
	}
	kept := c.Browser.Restoring()
	if kept.SaveNote != "" {
		c.Note(kept.SaveNote)
	}
	data, text := ClosedResult{
		Closed:        true,
		RestoreStatus: kept.Restore,
		SaveStatus:    "not_configured",
		StatePath:     kept.Saved,
	}, "✓ Browser closed"
	if kept.Key != "" {
		data.SaveStatus = kept.Save
	}
	if leaves {
		data.Detached, text = true, "✓ Detached; the browser keeps running"
	}
	return actions.Result{Data: data, Text: text}, nil
}

func closeAll(ctx context.Context, c *actions.Call) (actions.Result, error) {
	open := c.Host.Sessions()
	closed, failed := c.Host.CloseAll(ctx, c.String("lock"))
	noteOthers(c, open, closed, failed)
	lines := make([]string, len(closed))
	for i, name := range closed {
		lines[i] = "✓ Closed session: " + name
	}
	names := slices.AppendSeq([]string{}, maps.Keys(failed)) // [] in JSON, not null
	slices.Sort(names)
	if len(names) > 0 {
		return actions.Result{}, notAllClosed(names, failed, closed)
	}
	c.NoteApps(func(string) bool { return true })
	if len(closed) == 0 {
		lines = []string{"No sessions are open"}
	}
	return actions.Result{Data: ClosedAllResult{len(closed), names, closed}, Text: strings.Join(lines, "\n")}, nil
}

// notAllClosed is the error of `close --all` with what failed in each session and which ones are closed.
func notAllClosed(names []string, failed map[string]error, closed []string) error {
	why := make([]string, len(names))
	for i, name := range names {
		why[i] = name + ": " + strings.TrimSuffix(fault.WithoutHint(failed[name]).Error(), ".")
	}
	e := fault.New(fault.CodeOf(failed[names[0]]), "Not all sessions were closed as asked. %s.", strings.Join(why, "; ")).
		About(names[0])
	if len(closed) > 0 {
		e.WithHint("Closed: %s.", strings.Join(closed, ", "))
	}
	return e.With("failed", names).With("sessions", closed).With(actions.FactClosed,
		!slices.ContainsFunc(names, func(n string) bool { return !fault.Has(failed[n], actions.FactClosed) }))
}

func runSessionList(_ context.Context, c *actions.Call) (actions.Result, error) {
	names, details := c.Host.All(), c.Host.Sessions()
	lines := []string{"Active sessions:"}
	for _, name := range names {
		mark := "  "
		if name == c.Session.Name() {
			mark = "→ "
		}
		lines = append(lines, mark+name)
	}
	if len(names) == 0 {
		lines = []string{"No active sessions"}
	}
	return actions.Result{
		Data: SessionsResult{details, append([]string{}, names...)},
		Text: strings.Join(lines, "\n"),
	}, nil
}

// noteOthers says which of the sessions that were closed other callers worked in. Those that were left since they are
// locked failed to close.
func noteOthers(c *actions.Call, open []actions.SessionEntry, closed []string, failed map[string]error) {
	for _, s := range open {
		of := ""
		if s.Identity.From == actions.FromWorktree {
			of = " of the worktree " + s.Identity.Path
		}
		switch {
		case slices.Contains(closed, s.Name) && of != "" && s.Identity != c.Session.Owner():
			c.Note("closed session " + s.Name + of + ", too")
		case !slices.Contains(closed, s.Name) && s.LockedBy != nil && failed[s.Name] == nil:
			failed[s.Name] = fault.New(fault.SessionLocked, "it%s is locked by %s and stays open", of, s.LockedBy.Name)
		}
	}
}

func runSessionID(_ context.Context, c *actions.Call) (actions.Result, error) {
	scope := identity.Scope(c.String("scope"))
	path, err := scope.Path(c.Cwd)
	switch {
	case errors.Is(err, identity.ErrUnknownScope):
		return actions.Result{}, fault.New(fault.SessionInvalid,
			"Unknown session id scope '%s'. Use worktree, cwd, or git-root.", scope).About(string(scope))
	case err != nil:
		return actions.Result{}, fault.New(fault.SessionInvalid, "%w", err).About(c.Cwd).
			WithHint("Outside of git, --scope cwd and worktree are for the folder itself.")
	}
	id := identity.ID(c.String("prefix"), path)
	data := SessionIDResult{identity.Hash(path), path, scope, id}
	return actions.Result{Data: data, Text: id}, nil
}

func runSessionInfo(_ context.Context, c *actions.Call) (actions.Result, error) {
	info := c.Session.Info()
	lines := []string{
		"Session: " + info.Session,
		"Socket dir: " + cmp.Or(info.SocketDir, "none, the sessions are those of one process"),
	}
	if r := info.Runtime; r != nil {
		lines = append(lines, fmt.Sprintf("Daemon: running (pid %d)", r.BackgroundPID), "Version: "+info.HostVersion,
			"Restore status: "+r.RestoreStatus,
			"Save status: "+r.SaveStatus, "Engine: "+r.Engine, fmt.Sprintf("Browser launched: %t", r.BrowserLaunched),
			"Browser: "+r.Browser, fmt.Sprintf("Pages: %d", r.PageCount))
	} else {
		lines = append(lines,
			fmt.Sprintf("Daemon: not running · the session has no browser; the host, process %d, answers", info.HostPID))
	}
	of := "named by " + info.Identity.From
	switch info.Identity.From {
	case actions.FromWorktree:
		of = "worktree " + info.Identity.Path
	case actions.FromDefault:
		of = "the default: no name was given, outside of a git worktree"
	}
	lines = append(lines, "Identity: "+of)
	if l := info.Lock; l != nil {
		lines = append(lines,
			fmt.Sprintf("Locked by: %s, for another %s", l.Name,
				(time.Duration(l.RemainingMS)*time.Millisecond).Round(time.Second)))
	}
	return actions.Result{Data: info, Text: strings.Join(lines, "\n")}, nil
}
