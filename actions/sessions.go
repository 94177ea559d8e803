package actions

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/provider"
)

const sessionGroup = "Sessions"

func sessionCommands() []Command {
	return []Command{
		{
			Name: "connect", Tabless: true, Choosing: true, Group: sessionGroup, Summary: "Work in a browser that already runs",
			Help: "The target is the port at which the browser was told to listen (--remote-debugging-port), or the http or ws address of a browser " +
				"elsewhere. `auto` looks for one on this machine: by the DevToolsActivePort file that Chrome, Chromium, Edge, Brave, Vivaldi and Opera " +
				"leave with their profiles, the newest first, then at the ports 9222 and 9229. The session works in the tab last used. When the " +
				"connection is lost, the next command makes it again. What was not started by us is never closed by us. " +
				"A browser that is to be started elsewhere comes with -p and any command; the providers are " + strings.Join(provider.Names(), ", ") + ".",
			Args:     []Arg{{Name: "target", Value: "port|url|auto", Help: "A port of this machine, an http or ws address, or auto"}},
			Effect:   Mutates,
			Examples: []Example{{Line: "connect 9222"}, {Line: "connect auto"}, {Line: "connect wss://host/path?token=... --cdp-headers '{\"X-Team\":\"a\"}'"}},
			Run:      runConnect,
		},
		{
			Name: "close", Aliases: []string{"quit", "exit"}, Group: sessionGroup, Summary: "Close the session's browser",
			Flags:  []Flag{{Name: "all", Kind: Bool, Help: "Close all sessions of this host"}},
			Effect: Closes | Control | NoBrowser, Run: runClose,
		},
		{
			Name: "session", Group: sessionGroup, Summary: "Print the session's name", Effect: Control | NoBrowser,
			Run: func(_ context.Context, c *Call) (Result, error) {
				return Result{Data: map[string]any{"session": c.Session.Name()}, Text: c.Session.Name()}, nil
			},
		},
		{
			Name: "session list", Group: sessionGroup, Summary: "List the sessions that have a browser", Effect: Control | NoBrowser,
			Run: runSessionList,
		},
	}
}

// anyBrowser is the target of `connect` that stands for whichever browser runs.
const anyBrowser = "auto"

func runConnect(ctx context.Context, c *Call) (Result, error) {
	running := c.Session.Running()
	target := c.String("target")
	header, err := c.CDPHeaders()
	switch {
	case err != nil:
	case target == anyBrowser:
		err = c.Session.ConnectAny(ctx)
	default:
		err = c.Session.Connect(ctx, target, header)
	}
	if fault.Is(err, fault.Usage) {
		return Result{}, c.Invalid(err.Error())
	} else if err != nil {
		return Result{}, err
	}
	return Result{Data: map[string]any{"launched": true, "relaunchedBrowser": running, "reused": false}, Text: "✓ Done"}, nil
}

func runClose(ctx context.Context, c *Call) (Result, error) {
	if c.Bool("all") {
		return c.closeAll(ctx)
	}
	app, leaves := c.Session.Apps().Of(c.Session.Name()), c.Session.Leaves()
	if err := c.Session.Close(ctx); err != nil {
		return Result{}, err
	}
	c.noteApps(func(launch string) bool { return launch == app })
	data, text := map[string]any{"closed": true, "restoreStatus": "not_configured", "saveStatus": "not_configured"}, "✓ Browser closed"
	if leaves {
		data["detached"], text = true, "✓ Detached; the browser goes on running"
	}
	return Result{Data: data, Text: text}, nil
}

func (c *Call) closeAll(ctx context.Context) (Result, error) {
	closed, failed := c.Session.CloseAll(ctx)
	lines := make([]string, len(closed))
	for i, name := range closed {
		lines[i] = "✓ Closed session: " + name
	}
	names := slices.AppendSeq([]string{}, maps.Keys(failed)) // [] in JSON, not null
	slices.Sort(names)
	if len(names) > 0 {
		return Result{}, fault.New(fault.BrowserGone, "closing %s: %w", strings.Join(names, ", "), failed[names[0]])
	}
	c.noteApps(func(string) bool { return true })
	if len(closed) == 0 {
		lines = []string{"No sessions are open"}
	}
	return Result{Data: map[string]any{"closed": len(closed), "failed": names, "sessions": closed}, Text: strings.Join(lines, "\n")}, nil
}

func runSessionList(_ context.Context, c *Call) (Result, error) {
	names := c.Session.All()
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
	return Result{Data: map[string]any{"sessions": names}, Text: strings.Join(lines, "\n")}, nil
}
