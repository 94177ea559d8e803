package actions

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/internal/pause"
	"github.com/skua-browser/skua/policy"
)

func waitCommand() Command {
	return Command{
		Name:     "wait",
		Upstream: []string{"wait <sel|ms>", "wait <selector|ms|option>", "wait <selector>", "wait <ms>", "wait --download [path]"},
		Group:    GroupReading, Summary: "Wait for an element, a text, an address, a load state, a script or a time",
		Help: "Give one thing to wait for. Waits run in the page and end in the moment when it happens. A whole number is a time in " +
			"milliseconds, every other word a selector. Selectors, --text and --stable look in the frame that `frame` chose, the latter two in " +
			"the frames in it as well; --fn runs in the top frame. A wait that cannot come true, such as one for an unknown ref, fails at once.",
		Args: []Arg{{Name: "selector", Value: "selector|ms", Kind: Selector, Optional: true, Help: "An element, or a time in milliseconds"}},
		Flags: []Flag{
			{
				Name: "state", As: "wait-state", Value: "state", OneOf: []string{"visible", "hidden", "attached", "detached", "enabled"},
				Help: "What to wait for of the element; visible when not given",
			},
			{Name: "text", Value: "text", Help: "Wait until the page shows this text"},
			{Name: "url", Value: "pattern", Help: "Wait for an address: a part of it, or a pattern with *"},
			{Name: "url-change", Value: "from", OptionalValue: true, Help: "Wait until the address is another one than this, or than now when none is given"},
			{Name: "response", Value: "pattern", Help: "Wait for a response from an address that fits, as with --url; one that came since the last action counts, too"},
			{Name: "exact", Kind: Bool, Help: "With --url or --response: the pattern is the whole address"},
			{Name: "regex", Kind: Bool, Help: "With --url or --response: the pattern is a regular expression, which may fit a part of the address"},
			{Name: "stable", Kind: Bool, Help: "Wait until the page is at rest: nothing changes or moves, and no request is under way"},
			{Name: "idle", Kind: Bool, Help: "Wait until the page has loaded and no request is under way, whatever changes in it meanwhile"},
			{Name: "for", Kind: Duration, Default: defaultQuiet, Help: "With --stable or --idle: how long it has to be so"},
			{Name: "load", Value: "state", OneOf: []string{"load", "domcontentloaded", "networkidle"}, Help: "Wait for a state of loading"},
			{Name: "fn", Value: "expression", Help: "Wait until this script's value is true"},
			{Name: "download", Kind: Bool, Help: "Wait for a download, and save it to the path that is given, or in the current folder"},
		},
		Effect: Reads, Traits: trait.Waits | trait.SavesFile, Refs: trait.Refs{Unchecked: true}, Writes: &trait.Output{Kind: trait.Download, Arg: "selector", Flag: "download", If: "download", Saved: "Download saved and verified"}, Steps: true,
		Playwright: []string{
			"await {selector}.waitFor();", "await {selector}.waitFor({ state: {state} });", "await page.getByText({text}).first().waitFor();",
			"await page.waitForLoadState({load});", "await page.waitForFunction({fn});",
		},
		Examples: []Example{
			{Line: "wait @e3 --state hidden"},
			{Line: `wait --text "Saved"`},
			{Line: "wait --url */done"},
			{Line: `wait --url "/order/\\d+$" --regex`},
			{Line: "wait --response /api/save"},
			{Line: "wait --stable"},
			{Line: "wait --idle --for 500"},
			{Line: "wait --url-change"},
			{Line: "wait 500"},
		},
		AtLeast: waitTime,
		Run:     runWait,
		Policy:  Policy{Action: "wait waitforurl waitforloadstate waitforfunction waitfordownload", Families: policy.Does(), Further: waitsWith, Acts: waitAction, Also: waitDoes},
	}
}

// waitAction is agent-browser's word for what is waited for.
func waitAction(in *Input) string {
	for _, form := range []struct{ flag, action string }{
		{"download", "waitfordownload"}, {"url", "waitforurl"}, {"url-change", "waitforurl"}, {"load", "waitforloadstate"}, {"idle", "waitforloadstate"}, {"fn", "waitforfunction"},
	} {
		if in.Has(form.flag) {
			return form.action
		}
	}
	return "wait"
}

// waitDoes tells of a wait that runs a script.
func waitDoes(in *Input) []string {
	if in.Has("fn") {
		return []string{"eval"}
	}
	return nil
}

// waitTime is what `wait <ms>` needs, with some time for the answer.
func waitTime(in *Input) time.Duration {
	ms, err := strconv.ParseUint(in.String("selector"), 10, 31)
	if err != nil {
		return 0
	}
	return time.Duration(ms)*time.Millisecond + time.Second
}

func runWait(ctx context.Context, c *Call) (Result, error) {
	if c.Bool("download") {
		return c.waitDownload(ctx)
	}
	form, err := c.waitForm()
	if err != nil {
		return Result{}, err
	}
	if form == "ms" {
		ms, _ := strconv.Atoi(c.String("selector"))
		if err := pause.For(ctx, time.Duration(ms)*time.Millisecond); err != nil {
			return Result{}, err
		}
		return Result{Data: map[string]any{"ms": ms, "waited": "timeout"}, Text: "✓ Done"}, nil
	}
	tab, err := c.Session.Tab(ctx)
	if err != nil {
		return Result{}, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	res, err := c.waitFor(watched, tab, form)
	if fault.Is(err, fault.Timeout) && !strings.HasPrefix(err.Error(), waitTimedOut) {
		// The page was too busy to say what it shows.
		err = c.timedOut(strings.TrimSuffix(err.Error(), "."), nil)
	}
	return res, err
}

func (c *Call) waitFor(ctx context.Context, tab *Tab, form string) (Result, error) {
	switch form {
	case "text":
		return c.waitText(ctx, tab)
	case "url":
		return c.waitURL(ctx, tab)
	case "load":
		return c.waitLoad(ctx, tab)
	case "fn":
		return c.waitFunction(ctx, tab)
	case "response":
		return c.waitResponse(ctx, tab)
	case "stable":
		return c.waitStable(ctx, tab)
	case "url-change":
		return c.waitURLChange(ctx, tab)
	case "idle":
		return c.waitIdle(ctx, tab)
	}
	return c.waitElement(ctx, tab)
}

// waitForm returns which of the forms was asked for.
func (c *Call) waitForm() (string, error) {
	var forms []string
	for _, name := range []string{"selector", "text", "url", "load", "fn", "response", "stable", "url-change", "idle"} {
		if c.Has(name) {
			forms = append(forms, name)
		}
	}
	switch len(forms) {
	case 0:
		return "", c.Missing("selector")
	case 1:
	default:
		return "", c.Invalid("wait takes one thing to wait for, and got " + strings.Join(forms, " and ") + ".")
	}
	form := forms[0]
	if form == "selector" {
		if _, err := strconv.ParseUint(c.String("selector"), 10, 31); err == nil {
			form = "ms"
		} else if _, err := strconv.ParseFloat(c.String("selector"), 64); err == nil {
			return "", c.Invalid("wait takes whole milliseconds, got '" + c.String("selector") + "'.")
		}
	}
	if c.Has("wait-state") && form != "selector" {
		return "", c.Invalid("--state can only be used with a selector wait")
	}
	for _, name := range []string{"exact", "regex"} {
		if c.Has(name) && form != "url" && form != "response" {
			return "", c.Invalid("--" + name + " says how the pattern of --url or --response is meant")
		}
	}
	if c.Has("for") && form != "stable" && form != "idle" {
		return "", c.Invalid("--for says how long the page has to be at rest, with --stable or --idle")
	}
	return form, nil
}

// Left is the time that a wait may still take.
func (c *Call) Left() time.Duration { return max(0, time.Until(c.Deadline)) }

// limited is ctx until the time that a wait may take is over. The command's own context lasts a little longer, so that a page which was asked to
// wait can tell what it shows.
func (c *Call) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithDeadline(ctx, c.Deadline)
}

// waitTimedOut begins the error of every wait whose time is over, as agent-browser's does.
const waitTimedOut = "Wait timed out"

// timedOut is the error of a wait whose time is over.
func (c *Call) timedOut(what string, facts map[string]any) error {
	e := fault.New(fault.Timeout, waitTimedOut+" after %dms: %s.", c.waited().Milliseconds(), what)
	e.Facts = facts
	return e
}

func (c *Call) waitElement(ctx context.Context, tab *Tab) (Result, error) {
	if _, err := tab.Page.Settle(ctx, c.Left()); err != nil {
		return Result{}, err
	}
	t, err := c.Resolve(ctx, tab, c.String("selector"))
	if err != nil {
		return Result{}, err
	}
	state := c.String("wait-state")
	if state == "" {
		state = "visible"
	}
	away := state == "hidden" || state == "detached"
	for {
		arg, err := json.Marshal(map[string]any{"target": t.want, "state": state, "patience": c.Left().Milliseconds()})
		if err != nil {
			return Result{}, err
		}
		value, doc, err := t.Frame.CallRaw(ctx, "wait", arg)
		frameGone := fault.Is(err, fault.FrameGone)
		if away && (frameGone || t.ref != nil && engine.IsNavigated(err)) {
			break // with its frame, or with its document
		}
		if frameGone || c.Left() > 0 {
			if moved, lost := c.carriedOn(ctx, t, err, c.Left()); lost != nil {
				return Result{}, lost
			} else if moved {
				continue
			}
		}
		if err != nil {
			return Result{}, err
		}
		if f := failureOf(value).in(t.Frame, doc); f != nil {
			if f.Code == fault.RefStale && away {
				break
			}
			if f.Code == fault.Timeout {
				c.giveRefs(f)
				return Result{}, c.timedOut(t.Label+" did not become "+state+seenInstead(f), f.Facts)
			}
			return Result{}, c.failure(ctx, t, f)
		}
		var met Located
		if err := json.Unmarshal(value, &met); err != nil {
			return Result{}, fault.New(fault.Internal, "reading the result of wait: %w", err)
		}
		if t.ref != nil {
			c.noteElement(t, &met)
		}
		break
	}
	return Result{Data: map[string]any{"selector": t.Label, "waited": "selector"}, Text: "✓ Done"}, nil
}

func seenInstead(f *opFailure) string {
	if seen, _ := f.Facts["seen"].(string); seen != "" {
		return "; last seen: " + seen
	}
	return ""
}

func (c *Call) waitLoad(ctx context.Context, tab *Tab) (Result, error) {
	state := c.String("load")
	if state == string(engine.WaitNetworkIdle) {
		heard := tab.hear()
		defer tab.keepHearing(heard)
	}
	limited, cancel := c.limited(ctx)
	defer cancel()
	err := tab.Page.AwaitLoad(limited, engine.WaitUntil(state))
	if fault.Is(err, fault.Timeout) {
		return Result{}, c.timedOut("the page did not reach the state "+state, nil)
	}
	return Result{Data: map[string]any{"state": state}, Text: "✓ Done"}, err
}

func (c *Call) waitFunction(ctx context.Context, tab *Tab) (Result, error) {
	if _, err := tab.Page.Settle(ctx, c.Left()); err != nil {
		return Result{}, err
	}
	value, err := tab.Page.AwaitScript(ctx, c.String("fn"), c.Left())
	if fault.Is(err, fault.Timeout) {
		return Result{}, c.timedOut(err.Error(), nil)
	}
	if err != nil {
		return Result{}, err
	}
	return Result{Data: map[string]any{"result": value.JSON}, Text: valueText(value)}, nil
}

// waitsWith is what a wait does by what it waits for.
func waitsWith(in *Input) []policy.Family {
	return slices.Concat(IfGiven(policy.RunsScript, "fn")(in), IfGiven(policy.WritesFiles, "download")(in))
}
