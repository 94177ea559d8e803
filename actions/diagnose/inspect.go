package diagnose

import (
	"context"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/devtools"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/guard/policy"
)

func inspectCommands() []actions.Command {
	return []actions.Command{
		{
			Name: "inspect", Group: actions.GroupDiagnosis, Summary: "Let DevTools work on the page",
			Help: "Opens a port of this machine that carries the browser's protocol to the session's pages, and prints its address, where the pages are " +
				"listed with the devtools:// address to open in a Chrome, Chromium or Edge. In a browser with a window DevTools are opened there, too. " +
				"The address is secret, the port stays the same, and all ends with the session. Other programs find the WebSocket in the data.",
			Effect: actions.Reads, Run: runInspect, Examples: []actions.Example{{Line: "inspect"}},
			Policy: actions.Policy{Families: policy.Everything(), Around: actions.Always},
		},
		{
			Name: "get cdp-url", Group: actions.GroupDiagnosis, Summary: "Print the address of the browser's protocol",
			Help: "There is one for a browser that the session is attached to (--cdp, connect). One that skua started is driven over a pipe, which no other program " +
				"else can join, and may be shared with other sessions: `inspect` gives programs one page of it.",
			Tabless: true, Effect: actions.Reads | actions.Control, Traits: trait.ReadsElement, View: trait.ViewValue, Run: runCDPURL,
			Policy: actions.Policy{Action: "cdp_url", Families: policy.Everything(), Around: actions.Always},
		},
	}
}

func runInspect(ctx context.Context, c *actions.Call) (actions.Result, error) {
	tab, err := c.Session.Tab(ctx)
	if err != nil {
		return actions.Result{}, err
	}
	at, err := c.Session.Inspect(tab.Page)
	if err != nil {
		return actions.Result{}, err
	}
	window := c.Session.Windowed() && devtools.OpenWindow(ctx, tab.Page) == nil
	return actions.Result{
		Data: Inspected{Opened: true, URL: at.Address, Frontend: at.Frontend, Socket: at.Socket, Window: window},
		Text: "✓ Opened DevTools: " + at.Address + "\n  " + at.Frontend,
	}, nil
}

func runCDPURL(_ context.Context, c *actions.Call) (actions.Result, error) {
	if !c.Session.Running() {
		return actions.Result{}, fault.New(fault.BrowserGone, "Browser not launched").WithHint("Use `open` first.")
	}
	url := c.Session.Endpoint()
	if url == "" {
		return actions.Result{}, fault.New(fault.Usage, "This browser has no address: skua drives it over a pipe, and other sessions may share it.").
			WithHint("`inspect` gives the address of a page. Or start a browser with --remote-debugging-port and use --cdp.")
	}
	return actions.Result{Data: CDPURL{url}, Text: url}, nil
}
