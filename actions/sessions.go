package actions

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/skua-browser/skua/engine/fault"
)

const sessionGroup = "Sessions"

func sessionCommands() []Command {
	return []Command{
		{
			Name: "connect", Tabless: true, Group: sessionGroup, Summary: "Work in a browser that already runs",
			Help: "The browser must have been started with --remote-debugging-port. What was not started by us is never closed by us.",
			Args: []Arg{{Name: "target", Value: "port|url", Help: "A port of this machine, or an http or ws address"}}, Effect: Mutates,
			Examples: []Example{{Line: "connect 9222"}}, Run: runConnect,
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

func runConnect(ctx context.Context, c *Call) (Result, error) {
	running := c.Session.Running()
	if err := c.Session.Connect(ctx, c.String("target")); fault.Is(err, fault.Usage) {
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
	app := c.Session.Apps().Of(c.Session.Name())
	if err := c.Session.Close(ctx); err != nil {
		return Result{}, err
	}
	c.noteApps(func(launch string) bool { return launch == app })
	return Result{
		Data: map[string]any{"closed": true, "restoreStatus": "not_configured", "saveStatus": "not_configured"},
		Text: "✓ Browser closed",
	}, nil
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
