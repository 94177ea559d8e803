package network

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/network"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/wording"
)

// Bounds of what is kept of requests, unless SKUA_NETWORK_ENTRIES and SKUA_NETWORK_BYTES say otherwise.
const (
	networkEntries = 5_000
	networkBytes   = 32 << 20
)

// networkLogCommands returns the commands that show what pages requested.
func networkLogCommands() []actions.Command {
	since := "Recording begins with the first `network requests`, `network request` or `network har start` of a " +
		"session, for all its tabs, frames, workers and popups, and continues until the browser ends. Earlier requests of " +
		"the open documents are listed with ids `earlier-N`, from the documents' performance timelines: without headers, " +
		"and mostly without failed requests. Start with `network requests --clear` to miss nothing."
	bounds := "The newest " + strconv.Itoa(networkEntries) + " requests are kept, at most " +
		strconv.Itoa(networkBytes>>20) + " MiB; SKUA_NETWORK_ENTRIES " +
		"and SKUA_NETWORK_BYTES change these limits. `dropped` in the data counts the requests that were discarded."
	return append([]actions.Command{
		{
			Spec: actions.Spec{
				Name:    "network requests",
				Group:   actions.GroupNetwork,
				Summary: "List the requests of pages",
				Help: "Prints one line for each request, oldest first: id, method, address, type, status, and more; with --tab " +
					"only those of one tab. " + since + "\n\n" +
					"The steps of a redirect are requests of their own. A data: address is shortened. The list leaves out " +
					"credentials in headers; `network " +
					"request <id>` shows them.\n\n" + bounds,
				Flags: []actions.Flag{
					{Name: "clear", Kind: actions.Bool, Help: "Discard the recorded requests; recording continues, or begins"},
					{Name: "filter", Value: "pattern", Help: "Only addresses that contain this, or match it when it has a *"},
					{
						Name:  "type",
						Kind:  actions.List,
						Value: "types",
						Help:  "Only these types: document, fetch, xhr, script, image, websocket …",
					},
					{Name: "method", Value: "method", Help: "Only requests with this method"},
					{Name: "status", Value: "code", Help: "Only responses with this status: 200, 2xx or 400-499"},
					{Name: "current-page", Kind: actions.Bool, Help: "The same as --current-origin"},
					{Name: "current-origin", Kind: actions.Bool, Help: "Only addresses of the current page's origin"},
					{Name: "current-url", Kind: actions.Bool, Help: "Only the address of the current page"},
				},
				Examples: []actions.Example{
					{Line: "network requests --clear", Note: "before the action that you want to see"},
					{Line: "network requests --type xhr,fetch --status 400-599"},
					{Line: "network requests --filter '*/api/*' --method POST"},
				},
				Upstream: []string{
					"network requests [options]",
					"network requests [--clear] [--filter <pattern>] [--status <code>]",
				},
			},
			Schedule: actions.Schedule{
				Effect: actions.Reads | actions.Control, Alters: func(in *actions.Input) bool { return in.Bool("clear") },
			},
			Safety:   actions.Safety{Action: "requests", Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{Requests{}, actions.Given("clear", Cleared{})}},
			Run:      runNetworkRequests,
		},
		{
			Spec: actions.Spec{
				Name:    "network request",
				Group:   actions.GroupNetwork,
				Summary: "Show the details of one request",
				Help: "Prints headers as sent, including cookies and credentials, bodies, timing, what initiated the request, " +
					"and the messages of a WebSocket or an event stream. Bodies stay in the browser until you ask for them: it " +
					"keeps the newest 64 MiB of a page, at most 16 MiB each. Bodies that came over the network survive a navigation.",
				Args: []actions.Arg{{Name: "id", Value: "requestId", Help: "As `network requests` prints it"}},
				Flags: []actions.Flag{
					{
						Name:    "max-body",
						Kind:    actions.Int,
						Value:   "bytes",
						Default: strconv.Itoa(bodyShown),
						Help:    "How much of each body to print",
					},
					{Name: "body-file", Kind: actions.Path, Value: "path", Help: "Save the whole body of the response to this file"},
					{
						Name:  "as",
						Value: "form",
						OneOf: codeForms,
						Help: "Print the request as a curl command, a fetch of JavaScript, a program in Go, or a HAR file. Values of " +
							"cookies and of credentials in headers are masked",
					},
					{Name: "secrets", Kind: actions.Bool, Help: "With --as, write the values of cookies and credentials, too"},
				},
				Examples: []actions.Example{
					{Line: "network request 1234.5"},
					{Line: "network request 1234.5 --body-file ./picture.png"},
					{Line: "network request 1234.5 --as curl", Note: "to send it from a shell"},
				},
			},
			Schedule: actions.Schedule{Effect: actions.Reads | actions.Control, Tabless: true},
			Safety: actions.Safety{
				Action: "request_detail", Families: policy.Does(), Further: actions.IfGiven(policy.WritesFiles, "body-file"),
			},
			Showing:  actions.Showing{Writes: &trait.Output{Kind: trait.File, Flag: "body-file", If: "body-file"}},
			Bindings: actions.Bindings{Data: []any{RequestDetail{}, actions.Given("as", RequestCode{})}},
			Run:      runNetworkRequest,
		},
		replayCommand(),
	}, harCommands()...)
}

// networkLog returns the session's log, which it begins on first use.
func networkLog(ctx context.Context, c *actions.Call) (log *network.Log, begun bool, err error) {
	limits, err := c.Limits("NETWORK", networkEntries, networkBytes)
	if err != nil {
		return nil, false, err
	}
	tab, err := c.Tabs.Tab(ctx)
	if err != nil {
		return nil, false, err
	}
	log, begun, err = network.Record(ctx, tab.Page.Context(), limits)
	if err == nil && !begun {
		log.Limit(limits)
	}
	return log, begun, err
}

func runNetworkRequests(ctx context.Context, c *actions.Call) (actions.Result, error) {
	filter, err := filterOf(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	log, begun, err := networkLog(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	if c.Bool("clear") {
		log.Clear()
		return actions.Result{Data: Cleared{true}, Text: "✓ Request log cleared"}, nil
	}
	all, dropped := log.All()
	if err := filter.knowsTypes(c, all); err != nil {
		return actions.Result{}, err
	}
	only := ""
	if c.Has("tab") {
		tab, err := c.Tabs.Tab(ctx)
		if err != nil {
			return actions.Result{}, err
		}
		only = tab.Page.ID()
	}
	tabs := tabIDs(c)
	rows, lines := []Request{}, []string{}
	earlier := false
	for i := range all {
		x := &all[i]
		earlier = earlier || x.Earlier
		if (only == "" || only == x.PageID) && filter.fits(x) {
			maskRequest(c, x)
			rows = append(rows, requestRow(x, tabs))
			lines = append(lines, requestLine(x))
		}
	}
	switch {
	case begun && earlier:
		c.Note(
			"recording began with this command; the requests [earlier-N] are earlier ones that the pages remember, " +
				"without headers")
	case begun:
		c.Note("recording began with this command: requests from now on will be listed")
	}
	if dropped > 0 {
		c.Note(fmt.Sprintf("%s were discarded for newer ones; SKUA_NETWORK_ENTRIES and SKUA_NETWORK_BYTES keep more",
			wording.Plural(dropped, "request")))
	}
	text := strings.Join(lines, "\n")
	switch {
	case len(lines) > 0:
	case len(all) > 0:
		text = "No requests captured"
		c.Note(fmt.Sprintf("none of the %s that are recorded matches", wording.Plural(len(all), "request")))
	default:
		text = "No requests captured"
	}
	return actions.Result{Data: Requests{Requests: rows, Dropped: dropped, RecordingBegan: begun}, Text: text}, nil
}

// tabIDs are the ids of the tabs by those of their targets.
func tabIDs(c *actions.Call) map[string]string {
	ids := map[string]string{}
	tabs, _ := c.Tabs.All()
	for _, t := range tabs {
		ids[t.Page.ID()] = t.ID
	}
	return ids
}

// requestLine is a request in the list, in agent-browser's form, with what else there is to know.
func requestLine(x *network.Exchange) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[%s] ", x.ID)
	if x.Method != "" {
		b.WriteString(x.Method + " ")
	}
	b.WriteString(shownURL(x))
	if x.Type != "" {
		fmt.Fprintf(&b, " (%s)", x.Type)
	}
	if x.Status != 0 {
		fmt.Fprintf(&b, " %d", x.Status)
	}
	if x.Source != "" {
		b.WriteString(" from " + strings.ReplaceAll(x.Source, "-", " "))
	}
	if x.RedirectTo != "" {
		b.WriteString(" → " + shortened(x.RedirectTo))
	}
	if why := whyFailed(x); why != "" {
		b.WriteString(" failed: " + why)
	}
	if x.Worker != "" {
		b.WriteString(" by a " + strings.ReplaceAll(x.Worker, "_", " "))
	}
	if n := len(x.Messages) + x.MessagesDropped; n > 0 {
		b.WriteString(", " + wording.Plural(n, "message"))
	}
	return b.String()
}

// shownURL is an address for text. What it lacks is said.
func shownURL(x *network.Exchange) string {
	if x.URLLength > 0 {
		return fmt.Sprintf("%s[%d characters]", x.URL, x.URLLength)
	}
	return shortened(x.URL)
}

// shortened cuts an address that would fill the screen.
func shortened(url string) string {
	const most = 500
	if r := []rune(url); len(r) > most {
		return fmt.Sprintf("%s…[%d characters]", string(r[:most]), len(r))
	}
	return url
}

// whyFailed says why a request failed.
func whyFailed(x *network.Exchange) string {
	why := x.Failure
	switch {
	case why == "":
		return ""
	case x.CORS != "":
		why += ", CORS: " + x.CORS
	case x.Blocked != "":
		why += ", blocked: " + x.Blocked
	case x.Canceled && !strings.Contains(why, "ABORTED"):
		why += ", canceled"
	}
	return why
}

// maskRequest takes out of a request what was typed into fields that do not show it.
func maskRequest(c *actions.Call, x *network.Exchange) {
	x.URL, x.PostData = withoutTyped(c, x.URL), withoutTyped(c, x.PostData)
}

// withoutTyped is a text without what was typed into fields that do not show it.
func withoutTyped(c *actions.Call, text string) string {
	if tab := c.Tabs.Active(); tab != nil {
		return network.WithoutSecrets(tab.Page.Context(), text, grammar.Hidden)
	}
	return text
}

// requestRow is a request for JSON.
func requestRow(x *network.Exchange, tabs map[string]string) Request {
	row := Request{
		RequestID:    x.ID,
		URL:          x.URL,
		URLLength:    x.URLLength,
		Fragment:     x.Fragment,
		Method:       x.Method,
		ResourceType: x.Type,
		MimeType:     x.MimeType,
		Timestamp:    x.Started.UnixMilli(),
		Status:       x.Status,
		Headers:      withoutSecrets(x.Headers),
		PostData:     x.PostData,
		Source:       x.Source,
		RedirectedTo: x.RedirectTo,
		RedirectedBy: x.RedirectedBy,
		Canceled:     x.Canceled,
		Pending:      !x.Ended,
		Size:         x.Decoded,
		Transferred:  x.Transferred,
		Worker:       x.Worker,
		TabID:        tabs[x.PageID],
		Duration:     thousandths(float64(x.Took.Microseconds()) / 1000),
	}
	if x.ResponseHeaders != nil {
		row.ResponseHeaders = withoutSecrets(x.ResponseHeaders)
	}
	if x.Failure != "" {
		row.Failure = whyFailed(x)
	}
	if x.Earlier || x.Partial {
		row.Recorded = new(bool)
	}
	return row
}
