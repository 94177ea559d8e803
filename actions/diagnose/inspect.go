package diagnose

import (
	"context"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/devtools"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

func inspectCommands() []actions.Command {
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "inspect",
				Group:   actions.GroupDiagnosis,
				Summary: "Connect DevTools to the session's pages",
				Help: "Opens a port on this machine that serves CDP for the session's pages, and prints its address. The " +
					"page at that address lists the session's pages, each with a devtools:// address to open in Chrome, Chromium or " +
					"Edge. If the session's browser has a window, DevTools opens there, too. The address contains a secret: do not " +
					"share it. The port stays the same until the session ends. Other programs find the WebSocket address in the data.",
				Examples: []actions.Example{{Line: "inspect"}},
			},
			Schedule: actions.Schedule{Effect: actions.Reads},
			Safety:   actions.Safety{Families: policy.Everything(), Around: actions.Always},
			Bindings: actions.Bindings{Data: []any{Inspected{}}},
			Run:      runInspect,
		},
		{
			Spec: actions.Spec{
				Name:    "get cdp-url",
				Group:   actions.GroupDiagnosis,
				Summary: "Print the browser's CDP address",
				Help: "Only a browser that the session is attached to (--cdp, connect) has one. A browser that skua started " +
					"is driven over a pipe, which no other program can use, and other sessions may share it. Use `inspect` to give " +
					"a program access to a page.",
			},
			Schedule: actions.Schedule{Effect: actions.Reads | actions.Control, Tabless: true},
			Safety:   actions.Safety{Action: "cdp_url", Families: policy.Everything(), Around: actions.Always},
			Showing:  actions.Showing{Traits: trait.ReadsElement},
			Bindings: actions.Bindings{Data: []any{CDPURL{}}},
			Run:      runCDPURL,
		},
	}
}

func runInspect(ctx context.Context, c *actions.Call) (actions.Result, error) {
	tab, err := c.Tabs.Tab(ctx)
	if err != nil {
		return actions.Result{}, err
	}
	at, err := c.Browser.Inspect(tab.Page)
	if err != nil {
		return actions.Result{}, err
	}
	window := c.Browser.Windowed() && devtools.OpenWindow(ctx, tab.Page) == nil
	return actions.Result{
		Data: Inspected{
			Opened:   true,
			URL:      at.Address,
			Frontend: at.Frontend,
			Socket:   at.Socket,
			Window:   window,
		},
		Text: "✓ Opened DevTools: " + at.Address + "\n  " + at.Frontend,
	}, nil
}

func runCDPURL(_ context.Context, c *actions.Call) (actions.Result, error) {
	if !c.Browser.Running() {
		return actions.Result{}, fault.New(fault.BrowserGone, "Browser not launched").WithHint("Use `open` first.")
	}
	url := c.Browser.Endpoint()
	if url == "" {
		return actions.Result{}, fault.New(fault.Usage,
			"This browser has no address: skua drives it over a pipe, and other sessions may share it.").
			WithHint("`inspect` gives the address of a page. Or start a browser with --remote-debugging-port and use --cdp.")
	}
	return actions.Result{Data: CDPURL{url}, Text: url}, nil
}
