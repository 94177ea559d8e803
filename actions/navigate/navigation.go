package navigate

import (
	"context"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/actions/header"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/interception"
	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

func navigationCommands() []actions.Command {
	until := UntilFlag()
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "open",
				Aliases: []string{"goto", "navigate"},
				Synonyms: []string{
					"visit", "browse", "go", "go-to",
					"navigate-to",
				},
				Group:   actions.GroupNavigation,
				Summary: "Open an address, or start the browser",
				Help: "Waits for the load event. If the DOM is ready and the load event does not come within 3 seconds, the page " +
					"is reported as open, with a " +
					"list of what is still loading.\n\n" +
					"An address without a scheme gets https://, or http:// on local hosts.",
				Args: []actions.Arg{{
					Name:     "url",
					Kind:     actions.URL,
					Optional: true,
					Help:     "The address to open; without it the browser starts and keeps its page",
				}},
				Flags: []actions.Flag{
					until,
					{
						Name: "reload",
						Kind: actions.Bool,
						Help: "Load the document again where only the fragment of the address differs (#part)",
					},
					{
						Name:   "headers",
						Value:  "json",
						Secret: true,
						Help:   "Headers for this and all later requests to the address's origin; {} removes them",
					},
				},
				Examples: []actions.Example{
					{Line: "open example.com", Note: "a page, in a session that stays open", Start: 1},
					{Line: "open localhost:3000 --wait-until domcontentloaded", Note: "do not wait for images"},
				},
				Upstream: []string{"open <url>", "open [url]", "open --enable react-devtools"},
				UpstreamHelp: "Without an address it starts the browser, so that routes, cookies and init scripts can be set " +
					"before the first page: `react suspense` and `vitals` then see it from its beginning. `goto` and `navigate` " +
					"need an address. Tools of the page (WebMCP) are in `agent-browser webmcp list <tool> --frame <frame-id> --json`.",
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Navigates | actions.Mutates, Renews: actions.With("url")},
			Safety:   actions.Safety{Action: "navigate", Families: policy.Does(), Opens: true},
			Showing:  actions.Showing{Traits: trait.Summarized},
			Bindings: actions.Bindings{
				Data: []any{LaunchResult{}, actions.Given("url", OpenResult{})},
				Tools: []actions.AgentTool{{
					Name:  "browser_open",
					Title: "Open a page",
					About: "Go to an address. Then look with browser_snapshot.",
					Params: []actions.Param{
						{Name: "url", Required: true},
						{
							Name: "wait", Of: "wait-until", About: "until when; load without it",
							OneOf: []string{string(engine.WaitLoad), string(engine.WaitDOM), string(engine.WaitNetworkIdle)},
						},
					},
					Lines: openLines,
				}},
				Playwright: []string{"await page.goto({url});"},
			},
			Run: runOpen,
		},
		{
			Spec: actions.Spec{
				Name: "back",
				Synonyms: []string{
					"go-back",
				},
				Group:   actions.GroupNavigation,
				Summary: "Go back in the tab's history",
				Flags:   []actions.Flag{until},
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Navigates | actions.Mutates},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing: actions.Showing{
				Traits: trait.Traverses | trait.LookAgain | trait.MayLosePage,
				Did:    "Went back",
			},
			Bindings: actions.Bindings{
				Data:       []any{AddressResult{}},
				Tools:      []actions.AgentTool{{Name: "browser_back", Title: "Go back", About: "Go back in the history."}},
				Playwright: []string{"await page.goBack();"},
			},
			Run: func(ctx context.Context, c *actions.Call) (actions.Result, error) { return runHistory(ctx, c, -1) },
		},
		{
			Spec: actions.Spec{
				Name: "forward",
				Synonyms: []string{
					"go-forward",
				},
				Group:   actions.GroupNavigation,
				Summary: "Go forward in the tab's history",
				Flags:   []actions.Flag{until},
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Navigates | actions.Mutates},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing: actions.Showing{
				Traits: trait.Traverses | trait.LookAgain | trait.MayLosePage,
				Did:    "Went forward",
			},
			Bindings: actions.Bindings{
				Data: []any{AddressResult{}},
				Tools: []actions.AgentTool{{
					Name:  "browser_forward",
					Title: "Go forward",
					About: "Go forward in the history.",
				}},
				Playwright: []string{"await page.goForward();"},
			},
			Run: func(ctx context.Context, c *actions.Call) (actions.Result, error) { return runHistory(ctx, c, +1) },
		},
		{
			Spec: actions.Spec{
				Name:     "reload",
				Synonyms: []string{"refresh"},
				Group:    actions.GroupNavigation,
				Summary:  "Load the page again",
				Flags:    []actions.Flag{until},
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Navigates | actions.Mutates, Renews: actions.Always},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing: actions.Showing{
				Traits: trait.LookAgain | trait.MayLosePage, Did: "Reloaded",
			},
			Bindings: actions.Bindings{
				Data:       []any{AddressResult{}},
				Tools:      []actions.AgentTool{{Name: "browser_reload", Title: "Reload", About: "Load the page again."}},
				Playwright: []string{"await page.reload();"},
			},
			Run: runReload,
		},
	}
}

// UntilFlag says how much of a page has to be there.
func UntilFlag() actions.Flag {
	return actions.Flag{
		Name:    "wait-until",
		Value:   "moment",
		Default: string(engine.WaitLoad),
		OneOf: []string{
			string(engine.WaitLoad), string(engine.WaitDOM), string(engine.WaitNetworkIdle),
			string(engine.WaitNone),
		},
		Help: "When the page counts as loaded",
	}
}

// openLines waits for what is asked for. The agent-browser program has no word for that, and waits for load in any
// case.
func openLines(c actions.ToolCall) ([][]string, error) {
	url, wait := c.String("url"), c.String("wait")
	switch {
	case wait == "":
		return [][]string{actions.ToolLine([]string{"open"}, url)}, nil
	case c.Upstream:
		return [][]string{{"open", url}, {"wait", "--load", wait}}, nil
	}
	return [][]string{actions.ToolLine([]string{"open", "--wait-until", wait}, url)}, nil
}

func runOpen(ctx context.Context, c *actions.Call) (actions.Result, error) {
	if !c.Has("url") {
		if c.Has("headers") {
			return actions.Result{}, c.Invalid("--headers need an address: its origin gets them.")
		}
		if c.Name() != "open" { // `goto` and `navigate` alone mean nothing
			return actions.Result{}, c.Missing("url")
		}
		reused := c.Browser.Running()
		if _, err := c.Tabs.Tab(ctx); err != nil {
			return actions.Result{}, err
		}
		return actions.Result{
			Data: LaunchResult{Launched: true, Reused: reused},
			Text: "✓ Done",
		}, nil
	}
	address, err := Address(c, c.String("url"))
	if err != nil {
		return actions.Result{}, err
	}
	headers, err := originHeaders(c, address)
	if err != nil {
		return actions.Result{}, err
	}
	tab, err := c.Tabs.Tab(ctx)
	if err != nil {
		return actions.Result{}, err
	}
	if c.Has("headers") {
		if err := tab.Page.Context().Requests(tab.Page).SetOriginHeaders(ctx, address, headers); err != nil {
			return actions.Result{}, err
		}
	}
	return Open(ctx, c, tab, address)
}

// originHeaders reads --headers.
func originHeaders(c *actions.Call, address string) ([]interception.HeaderField, error) {
	if !c.Has("headers") {
		return nil, nil
	}
	headers, err := header.ParseJSON(c.String("headers"))
	if err != nil {
		return nil, c.Invalid("--headers: " + err.Error())
	}
	if origin := urls.Origin(address); !strings.HasPrefix(origin, "http://") && !strings.HasPrefix(origin, "https://") {
		return nil, c.Invalid("--headers are for http and https addresses; " + address + " is not one.")
	}
	return headers, nil
}

// Open loads an address in a tab and makes the result of `open`.
func Open(ctx context.Context, c *actions.Call, tab *actions.Tab, address string) (actions.Result, error) {
	nav, err := GoTo(ctx, c, tab, address)
	if err != nil {
		return actions.Result{}, err
	}
	if nav.Download {
		return actions.Result{}, fault.New(fault.NavigationFailed,
			"Navigation failed: net::ERR_ABORTED at %s: it is a download, so the tab stays on %s.",
			address, nav.URL).About(address).WithHint("Save it with `wait --download [path]`.")
	}
	NoteLoad(c, nav)
	if nav.SameDocument {
		c.Note("only the fragment of the address differs: the document was not loaded again; `open --reload` loads it")
	}
	res := actions.Result{
		Data: OpenResult{tab.Page.ID(), nav.Title, nav.URL},
		Text: PageText(nav.Title, nav.URL),
	}
	if nav.Suspect {
		run.ReportWall(ctx, c, tab, run.LastTraffic(tab), &res)
	}
	return res, nil
}

// GoTo opens an address in a tab.
func GoTo(ctx context.Context, c *actions.Call, tab *actions.Tab, address string) (*engine.Navigation, error) {
	until := engine.WaitLoad
	if u := c.String("wait-until"); u != "" {
		until = engine.WaitUntil(u)
	}
	return Navigate(ctx, c, tab, func(ctx context.Context) (*engine.Navigation, error) {
		nav, err := tab.Page.Navigate(ctx, address, until)
		if err == nil && nav.SameDocument && c.Bool("reload") {
			return tab.Page.Reload(ctx, until)
		}
		return nav, err
	})
}

// Navigate runs a navigation. A dialog that is open before it keeps the page where it is; one that the new page opens
// while it loads keeps it from loading on, which is said.
func Navigate(
	ctx context.Context, c *actions.Call, tab *actions.Tab, navigate func(context.Context) (*engine.Navigation, error),
) (*engine.Navigation, error) {
	if d := tab.Page.Dialogs().Open(); d != nil {
		return nil, d.Err()
	}
	run.AnswerDialogs(c, tab)
	if tab.Page.Err() == nil { // a crashed page can be left, and has nothing to watch
		watched, stop := tab.Page.Watch(ctx, true)
		defer stop()
		ctx = watched
		traffic := tab.Page.Traffic().Record() // all that the page asks for is to be known to a wait that follows
		defer func() { run.KeepTraffic(tab, traffic) }()
	}
	from := tab.Page.URL()
	waiting, stop := c.WithDeadline(ctx)
	nav, err := navigate(waiting)
	stop()
	if d := tab.Page.Dialogs().Open(); d != nil && d.Type == "beforeunload" {
		return nil, d.Err() // the page is not left yet
	}
	element.LeftFrame(c, tab)
	if err == nil && !nav.Edge && !nav.Download && !c.Command().Effect.Has(actions.Control) {
		run.Start(c, tab)
		run.Of(c).Asked = true
		if run.Of(c).Tab == tab {
			run.Of(c).Effect.Navigation = &fact.Navigated{From: from, To: nav.URL, Status: nav.Status}
		}
	}
	if err == nil || tab.Page.Loading().To() != "" {
		return nav, err
	}
	switch d := tab.Page.Dialogs().Open(); {
	case fault.Is(err, fault.DialogOpen) && d != nil: // of the new page
		run.NoteOpenDialog(c, tab, tab, *d)
	case fault.Is(err, fault.PageGone) && fault.Is(tab.Page.Err(), fault.PageGone):
		c.Tabs.All() // the session says itself which tab takes its place
	default:
		return nil, err
	}
	return &engine.Navigation{URL: tab.Page.URL(), Title: tab.Page.Title()}, nil
}

// PageText is the text of a reply that shows which page there is now.
func PageText(title, url string) string { return "✓ " + title + "\n  " + url }

// NoteLoad adds notes about what the address and title do not show.
func NoteLoad(c *actions.Call, nav *engine.Navigation) {
	if nav.GaveUp != "" {
		c.Note("the navigation to " + nav.GaveUp + ", which had not come, was given up")
	}
	if nav.Freed {
		c.Note(
			"the page that was shown did not answer, since a script kept it busy: the script was ended so that the page " +
				"could be left")
	}
	switch {
	case nav.Status == 401 || nav.Status == 407:
		c.Note(credentialsWanted(c, nav))
	case nav.Status >= 400:
		c.Note("the server answered with HTTP " + strconv.Itoa(nav.Status))
	}
	if len(nav.Pending) > 0 {
		const most = 5
		shown := nav.Pending
		if len(shown) > most {
			shown = append(shown[:most:most], wording.Plural(len(nav.Pending)-most, "more resource"))
		}
		c.Note("the page is usable and has not fired its load event; still loading: " + strings.Join(shown, ", "))
	}
}

// credentialsWanted says of a server or a proxy that wants a user name and a password how to give them, or that it
// refused those that it got.
func credentialsWanted(c *actions.Call, nav *engine.Navigation) string {
	if nav.Status == 407 {
		return "the proxy answered with HTTP 407: it requires a user name and a password, or refused those that it got: " +
			"give them by --proxy http://user:password@host:port with a new session, or after `close`"
	}
	_, tab := c.Tabs.All()
	const said, give = "the server answered with HTTP 401: it ",
		"`set credentials <user> <password>`, and open the page again"
	if tab != nil && tab.Page.Context().Requests(tab.Page).Authenticates(nav.URL) {
		return said + "refused the user name and the password of `set credentials`; give others with " + give
	}
	return said + "requires a user name and a password: give them with " + give
}

// Address turns what a person types into a URL.
func Address(c *actions.Call, s string) (string, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return "", grammar.UsageErrorf("The address is empty.").
			WithHint("Give one such as example.com or http://localhost:3000/.")
	}
	lower := strings.ToLower(s)
	for _, scheme := range []string{
		"http://", "https://", "about:", "data:", "file://", "chrome://", "blob:",
		"view-source:", "chrome-extension://",
	} {
		if strings.HasPrefix(lower, scheme) {
			return s, nil
		}
	}
	if strings.HasPrefix(s, "/") || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") {
		return (&url.URL{Scheme: "file", Path: filepath.ToSlash(c.Path(s))}).String(), nil
	}
	if scheme, _, ok := strings.Cut(s, "://"); ok && !strings.ContainsAny(scheme, "./:") {
		if shownScheme(c, scheme) {
			return s, nil
		}
		return "", grammar.UsageErrorf("%s:// addresses cannot be opened: %s", scheme, s).
			WithHint("Use http, https, file, data or about.")
	}
	if strings.HasPrefix(lower, "javascript:") || strings.HasPrefix(lower, "mailto:") {
		return "", grammar.UsageErrorf("%q is not a page's address.", s).WithHint("Scripts run with `eval`.")
	}
	if strings.ContainsAny(s, " \t\n") {
		return "", grammar.UsageErrorf("%q is not an address: it contains a space.", s).
			WithHint("Write a space in an address as %%20.")
	}
	host, _, _ := strings.Cut(s, "/")
	if IsLocal(host) {
		return "http://" + s, nil
	}
	return "https://" + s, nil
}

// shownScheme reports whether a tab of the session shows an address of a scheme, as those of a desktop app do that has
// one of its own.
func shownScheme(c *actions.Call, scheme string) bool {
	tabs, _ := c.Tabs.All()
	return slices.ContainsFunc(tabs, func(t *actions.Tab) bool {
		shown, _, ok := strings.Cut(t.Page.URL(), "://")
		return ok && strings.EqualFold(shown, scheme)
	})
}

// IsLocal reports whether a host (with or without port) is this machine, where TLS is the exception.
func IsLocal(hostport string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && (ip.IsLoopback() || ip.IsUnspecified())
}

func runHistory(ctx context.Context, c *actions.Call, delta int) (actions.Result, error) {
	tab, err := run.LeftTab(ctx, c) // the page that is left does not have to answer
	if err != nil {
		return actions.Result{}, err
	}
	nav, err := Navigate(ctx, c, tab, func(ctx context.Context) (*engine.Navigation, error) {
		return tab.Page.History(ctx, delta, engine.WaitUntil(c.String("wait-until")))
	})
	if err != nil {
		return actions.Result{}, err
	}
	if nav.Edge {
		c.Note("the tab's history has no page to go " + c.Name() + " to; the page is unchanged")
	}
	NoteLoad(c, nav)
	return actions.Result{Data: AddressResult{nav.URL}, Text: nav.URL}, nil
}

// pageOrCrashed is page for what works in a page that has crashed, too: that one is not asked for anything.
func pageOrCrashed(ctx context.Context, c *actions.Call) (*actions.Tab, error) {
	tab, err := c.Tabs.Tab(ctx)
	if err != nil {
		return nil, err
	}
	if fault.Is(tab.Page.Err(), fault.PageCrashed) {
		return tab, nil
	}
	return run.LeftTab(ctx, c)
}

func runReload(ctx context.Context, c *actions.Call) (actions.Result, error) {
	tab, err := pageOrCrashed(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	nav, err := Navigate(ctx, c, tab, func(ctx context.Context) (*engine.Navigation, error) {
		return tab.Page.Reload(ctx, engine.WaitUntil(c.String("wait-until")))
	})
	if err != nil {
		return actions.Result{}, err
	}
	NoteLoad(c, nav)
	return actions.Result{Data: AddressResult{nav.URL}, Text: nav.URL}, nil
}

// Abandon closes a tab whose address could not be opened, so that a failed command leaves the session as it was.
func Abandon(ctx context.Context, c *actions.Call, tab *actions.Tab, cause error) error {
	if tabs, _ := c.Tabs.All(); len(tabs) < 2 {
		return cause
	}
	if _, active, err := c.Tabs.CloseTab(ctx, tab.ID); err == nil {
		return fault.New(fault.CodeOf(cause), "%w The tab was closed again; %s is the active one.", cause, active.ID)
	}
	return cause
}
