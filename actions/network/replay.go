package network

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/header"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/interception"
	"github.com/skua-browser/skua/engine/network"
	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

func replayCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "network replay",
			Group:   actions.GroupNetwork,
			Summary: "Send a request again, as it was or changed",
			Help: "A document of the tab that sent the request sends it again, with `fetch`: with the cookies that it has " +
				"now, through the session's routes and rules, and read under CORS. The address stays the same. Prints what " +
				"`network request` prints about the new request, and whether status and body are as before.\n\n" +
				"The browser itself sets headers such as Cookie, Origin, Referer, User-Agent and Sec-*; all others are sent as " +
				"they were. Caches are not used. A body with files or bytes cannot be sent again without --body.",
			Args: []actions.Arg{{Name: "id", Value: "requestId", Help: "As `network requests` prints it"}},
			Flags: []actions.Flag{
				{
					Name:   "header",
					Value:  "'name: value'",
					Kind:   actions.List,
					Split:  unsplit,
					Secret: true,
					Help:   "Send this header, too, or in place of that name's; `Name:` leaves it out. Repeat for several",
				},
				{
					Name:      "body",
					Value:     "text",
					DashValue: true,
					Secret:    true,
					Help:      "Send this body",
				},
				{Name: "method", Value: "method", Help: "Send it with this method"},
				{
					Name:    "max-body",
					Kind:    actions.Int,
					Value:   "bytes",
					Default: strconv.Itoa(bodyShown),
					Help:    "How much of each body to print",
				},
			},
			Examples: []actions.Example{
				{Line: "network replay 1234.5"},
				{Line: `network replay 1234.5 --body '{"count":2}' --header 'X-Trace: 1'`},
			},
		},
		Schedule: actions.Schedule{Effect: actions.Reads, Tabless: true},
		Safety:   actions.Safety{Families: policy.Does(policy.Sends), Blind: true},
		Showing:  actions.Showing{Traits: trait.Once},
		Bindings: actions.Bindings{Data: []any{Replay{}}},
		Run:      runReplay,
	}
}

// replayScript sends a request and reads the response to its end. The browser records the result; the script only
// says why there is none.
const replayScript = `async ({url, method, headers, body, patience}) => {
	const signal = AbortSignal.timeout(patience);
	try {
		const response = await fetch(url, {method, headers, body, credentials: 'include', cache: 'no-store', signal});
		await response.arrayBuffer();
		return '';
	} catch (error) {
		return signal.aborted ? 'slow' : String(error?.message ?? error);
	}
}`

// replayArg is what the script gets.
type replayArg struct {
	URL      string      `json:"url"`
	Method   string      `json:"method"`
	Headers  [][2]string `json:"headers"`
	Body     *string     `json:"body,omitempty"`
	Patience int64       `json:"patience"` // in milliseconds
}

// browserHeaders are request headers that the browser sets by itself, whatever a page says, or according to how the
// request is made.
var browserHeaders = []string{
	"accept-charset", "access-control-request-headers", "access-control-request-method",
	"access-control-request-private-network",
	"cookie", "date", "dnt", "expect", "origin", "permissions-policy", "referer", "te", "trailer", "transfer-encoding",
	"upgrade", "via", "keep-alive", "user-agent", "upgrade-insecure-requests", "priority", "cache-control", "pragma",
	"if-none-match", "if-modified-since",
}

// setByBrowser reports whether a page cannot choose the value of a header.
func setByBrowser(name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "sec-") || strings.HasPrefix(name, "proxy-") || strings.HasPrefix(name, ":") ||
		slices.Contains(browserHeaders, name) || slices.Contains(connectionHeaders, name)
}

func runReplay(ctx context.Context, c *actions.Call) (actions.Result, error) {
	most := c.Int("max-body")
	if most < 0 {
		return actions.Result{}, c.Invalid("--max-body must be 0 or more")
	}
	fields, err := replayFields(c)
	if err != nil {
		return actions.Result{}, err
	}
	log, x, err := findRequest(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	if err := sendable(&x, true, "sent again"); err != nil {
		return actions.Result{}, err
	}
	before, err := bodiesOf(ctx, c, log, x.ID)
	if err != nil {
		return actions.Result{}, err
	}
	arg, changed, err := replayOf(c, &x, &before, fields)
	if err != nil {
		return actions.Result{}, err
	}
	frame, err := replayFrame(ctx, c, &x)
	if err != nil {
		return actions.Result{}, err
	}
	again, err := send(ctx, c, frame, log, arg)
	if err != nil {
		return actions.Result{}, err
	}
	d, err := detail(ctx, c, log, &again, detailOptions{most: most})
	if err != nil {
		return actions.Result{}, err
	}
	data := Replay{RequestDetail: d.data, Replayed: x.ID, Changed: changed, StatusBefore: x.Status}
	head := fmt.Sprintf("[%s] is [%s] again", again.ID, x.ID)
	if len(changed) > 0 {
		head += ", with another " + strings.Join(changed, ", ")
	}
	if x.Status != 0 && x.Status != again.Status && again.Status != 0 {
		head += fmt.Sprintf("; the status was %d", x.Status)
	}
	if after, err := log.Body(ctx, again.ID); err == nil && before.err == nil {
		same := bytes.Equal(after.Content, before.response.Content)
		data.SameBody = &same
		head += map[bool]string{true: "; the body is the same as before", false: "; the body is another than before"}[same]
	}
	return actions.Result{Data: data, Text: head + "\n" + strings.Join(d.lines, "\n")}, nil
}

// replayFields reads --header. What the browser would ignore is an error.
func replayFields(c *actions.Call) ([]interception.HeaderField, error) {
	fields, err := header.Flags(c, "header")
	if err != nil {
		return nil, err
	}
	for _, f := range fields {
		if setByBrowser(f.Name) {
			hint := "Leave it out"
			if strings.EqualFold(f.Name, "cookie") {
				hint = "`cookies set` changes the cookies that it sends"
			}
			return nil, c.Invalid(fmt.Sprintf("--header %s: the browser itself sets this header. %s.", f.Name, hint))
		}
	}
	return fields, nil
}

// replayOf is what is sent, and what of it differs from the request that was.
func replayOf(
	c *actions.Call, x *network.Exchange, before *bodies, fields []interception.HeaderField,
) (arg replayArg, changed []string, err error) {
	arg = replayArg{URL: x.URL, Method: x.Method}
	if c.Has("method") {
		arg.Method = strings.ToUpper(c.String("method"))
		if !header.IsToken(arg.Method) {
			return arg, nil, c.Invalid("--method: this is not an HTTP method")
		}
		if arg.Method != x.Method {
			changed = append(changed, "method")
		}
	}
	bodiless := arg.Method == "GET" || arg.Method == "HEAD"
	switch {
	case c.Has("body"):
		if bodiless {
			return arg, nil, c.Invalid("--body: a " + arg.Method + " request has no body; give --method, too")
		}
		arg.Body, changed = new(c.String("body")), append(changed, "body")
	case bodiless:
	case before.post != "":
		arg.Body = &before.post
	case x.HasPostData:
		return arg, nil, fault.New(fault.TargetUnsuitable, "%s cannot be sent again: the browser does not have its body",
			x.ID).About(x.ID).WithHint("Give the body with --body.")
	}
	for _, f := range harFields(x.Headers, false) {
		replaced := slices.ContainsFunc(fields, func(o interception.HeaderField) bool {
			return strings.EqualFold(o.Name, f.Name)
		})
		if !replaced && !setByBrowser(f.Name) {
			arg.Headers = append(arg.Headers, [2]string{f.Name, f.Value})
		}
	}
	for _, f := range fields {
		if !slices.Contains(changed, f.Name) {
			changed = append(changed, f.Name)
		}
		if f.Value != "" {
			arg.Headers = append(arg.Headers, [2]string{f.Name, f.Value})
		}
	}
	return arg, changed, nil
}

// replayFrame is the document that sends: that of the frame which sent the request, or another one of its origin in its
// tab. A page of another origin would send other cookies and could not read the response.
func replayFrame(ctx context.Context, c *actions.Call, x *network.Exchange) (*engine.Frame, error) {
	origin := urls.Origin(x.DocumentURL)
	if x.Type == "Document" {
		origin = urls.Origin(x.URL)
	}
	tabs, _ := c.Tabs.All()
	var found *engine.Frame
	for _, tab := range tabs {
		if tab.Page.ID() != x.PageID {
			continue
		}
		if err := tab.Page.Answers(ctx); err != nil {
			return nil, err
		}
		for _, f := range tab.Page.Frames().All(ctx) {
			if urls.Origin(f.URL()) == origin && (found == nil || f.ID() == x.FrameID) {
				found = f
			}
		}
	}
	if found == nil {
		return nil, fault.New(fault.TargetUnsuitable, "%s cannot be sent again: its tab shows no page of %s", x.ID, origin).
			About(x.ID).WithHint("Open a page of that site in the tab, or take `network request %s --as curl`.", x.ID)
	}
	return found, nil
}

// replayReserve is the part of a command's time that is left to report the result.
const replayReserve = time.Second

// send lets a document send a request, and returns what the browser recorded of it. A name for the script finds that
// request among those which the page sends meanwhile.
func send(
	ctx context.Context, c *actions.Call, frame *engine.Frame, log *network.Log, arg replayArg,
) (network.Exchange, error) {
	name := "skua-replay-" + strings.ToLower(rand.Text()[:8])
	arg.Patience = max(1, (c.TimeLeft() - replayReserve).Milliseconds())
	watched, stop := frame.Page().Watch(ctx, true)
	defer stop()
	var failed string
	err := frame.RunScript(watched, replayScript+"\n//# sourceURL="+name, arg, &failed)
	if err != nil {
		return network.Exchange{}, err
	}
	patient, cancel := context.WithTimeout(ctx, min(replayReserve, c.TimeLeft()/2))
	defer cancel()
	x, ok := log.Finished(patient, func(x *network.Exchange) bool {
		return x.Initiator.URL == name && x.Type != "Preflight"
	})
	switch {
	case !ok:
		return x, fault.New(fault.NavigationFailed, "%s %s was not sent: %s", arg.Method, arg.URL, failed).About(arg.URL)
	case failed == "slow":
		return x, fault.New(fault.Timeout, "[%s] was sent again and has not ended in time", x.ID).About(x.ID).
			WithHint("`network request %s` shows what has come. --timeout waits longer.", x.ID)
	}
	return x, nil
}
