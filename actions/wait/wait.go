package wait

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/download"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/lazyregexp"
	"github.com/skua-browser/skua/internal/pause"
)

func waitCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:     "wait",
			Synonyms: []string{"wait-for", "waitfor", "sleep"},
			Group:    actions.GroupReading,
			Summary:  "Wait for an element, a text, an address, a load state, a script or a time",
			Help: "Give one thing to wait for. Waits run in the page and end as soon as the condition is true. A whole " +
				"number is a time in milliseconds, 5s and 500ms are times; any other word is a selector. Selectors, --text and " +
				"--stable look in the frame that `frame` chose, --text and --stable in its child frames, too; --fn runs in the " +
				"top frame. A wait that can never succeed, such as one for an unknown ref, fails at once. Where the condition " +
				"held before the wait began, the reply says `it was so already`: the wait has shown no change. Behind an action " +
				"it says of a text or an address whether it came with that; --new takes a text only if it did, or was " +
				"written again.",
			Args: []actions.Arg{{
				Name:     "selector",
				Value:    "selector|ms",
				Kind:     actions.Selector,
				Optional: true,
				Help:     "An element, or a time in milliseconds",
			}},
			Flags: []actions.Flag{
				{
					Name:  "state",
					As:    "wait-state",
					Value: "state",
					OneOf: []string{
						"visible", "hidden", "attached", "detached",
						"enabled",
					},
					Help: "The state of the element to wait for; visible when not given",
				},
				{
					Name:  "text",
					Value: "text",
					Help:  "Wait until the page shows this text; with --state hidden, until it no longer does",
				},
				{Name: "new", Kind: actions.Bool, Help: "With --text: the text must have come since the last action began"},
				{Name: "url", Value: "pattern", Help: "Wait for an address: a part of it, or a pattern with *"},
				{
					Name:          "url-change",
					Value:         "from",
					OptionalValue: true,
					Help:          "Wait until the address differs from this one, or from the current one when none is given",
				},
				{
					Name:  "response",
					Value: "pattern",
					Help:  "Wait for a response from an address that matches, as with --url; one since the last action counts, too",
				},
				{Name: "exact", Kind: actions.Bool, Help: "With --url or --response: the pattern is the whole address"},
				{
					Name: "regex",
					Kind: actions.Bool,
					Help: "With --url or --response: the pattern is a regular expression, which may match a part of the address",
				},
				{
					Name: "stable",
					Kind: actions.Bool,
					Help: "Wait until the page has settled: nothing changes or moves, and no request is pending",
				},
				{
					Name: "idle",
					Kind: actions.Bool,
					Help: "Wait until the page has loaded and no request is pending, even if the page still changes",
				},
				{
					Name:    "for",
					Kind:    actions.Duration,
					Default: defaultQuiet,
					Help:    "With --stable or --idle: how long that must last",
				},
				{
					Name:  "load",
					Value: "state",
					OneOf: []string{"load", "domcontentloaded", "networkidle"},
					Help:  "Wait for a load state",
				},
				{Name: "fn", Value: "expression", Help: "Wait until this script's value is true"},
				{
					Name: "download",
					Kind: actions.Bool,
					Help: "Wait for a download, and save it to the given path, or into the current folder",
				},
			},
			Examples: []actions.Example{
				{Line: "wait @e3 --state hidden"},
				{Line: `wait --text "Saved"`},
				{Line: `wait --text "Saved" --new`, Note: "not the one that was there before the click"},
				{Line: `wait --text "Loading" --state hidden`},
				{Line: "wait --url */done"},
				{Line: `wait --url "/order/\\d+$" --regex`},
				{Line: "wait --response /api/save"},
				{Line: "wait --stable"},
				{Line: "wait --idle --for 500"},
				{Line: "wait --url-change"},
				{Line: "wait 500"},
			},
			Upstream: []string{
				"wait <sel|ms>", "wait <selector|ms|option>", "wait <selector>", "wait <ms>",
				"wait --download [path]",
			},
		},
		Schedule: actions.Schedule{Effect: actions.InTab | actions.Reads, Steps: true, AtLeast: waitTime},
		Safety: actions.Safety{
			Action:   "wait waitforurl waitforloadstate waitforfunction waitfordownload",
			Acts:     waitAction,
			Families: policy.Does(),
			Further:  waitsWith,
			Also:     waitDoes,
		},
		Showing: actions.Showing{
			Traits: trait.Retitles, Refs: trait.Refs{Unchecked: true},
			Writes: &trait.Output{
				Kind:  trait.Download,
				Arg:   "selector",
				Flag:  "download",
				If:    "download",
				Saved: "Download saved and verified",
			},
		},
		Bindings: actions.Bindings{
			Data: []any{
				ElementResult{},
				TimeResult{},
				actions.Given("text", TextResult{}), actions.Given("url", URLResult{}),
				actions.Given("url-change", URLChangeResult{}),
				actions.Given("response", ResponseResult{}), actions.Given("stable", RestResult{}),
				actions.Given("idle", RestResult{}),
				actions.Given("load", LoadResult{}), actions.Given("fn", FunctionResult{}),
				actions.Given("download", download.DownloadResult{}),
			},
			Tools: []actions.AgentTool{{
				Name:     "browser_wait",
				Title:    "Wait",
				ReadOnly: true,
				About:    "Wait until an element or a text is there or the address is so. timeout alone is a pause.",
				Params: []actions.Param{
					{
						Name: "selector",
					}, {Name: "text"}, {Name: "url"}, {Name: "timeout", Kind: actions.Int, Least: 1, About: "milliseconds"},
				},
				Lines: waitLines,
			}},
			Playwright: []string{
				"await {selector}.waitFor();", "await {selector}.waitFor({ state: {state} });",
				"await page.getByText({text}).first().waitFor();",
				"await page.waitForLoadState({load});", "await page.waitForFunction({fn});",
			},
		},
		Run: runWait,
	}
}

// waitLines waits for one thing after the other, each for the whole time.
func waitLines(c actions.ToolCall) ([][]string, error) {
	var rows [][]string
	if url := c.String("url"); url != "" {
		rows = append(rows, []string{"wait", "--url", url})
	}
	if selector := c.String("selector"); selector != "" {
		rows = append(rows, []string{"wait", selector})
	}
	if text := c.String("text"); text != "" {
		rows = append(rows, []string{"wait", "--text", text})
	}
	timeout := strconv.Itoa(c.Int("timeout"))
	switch {
	case !c.Has("timeout") && len(rows) == 0:
		return nil, errors.New("give what to wait for: selector, text, url, or timeout for a pause")
	case !c.Has("timeout"):
		return rows, nil
	case len(rows) == 0:
		return [][]string{{"wait", timeout}}, nil
	}
	for i := range rows {
		rows[i] = append(rows[i], "--timeout", timeout)
	}
	return rows, nil
}

// waitAction is agent-browser's word for what is waited for.
func waitAction(in *actions.Input) string {
	for _, form := range []struct{ flag, action string }{
		{"download", "waitfordownload"},
		{"url", "waitforurl"},
		{"url-change", "waitforurl"},
		{"load", "waitforloadstate"},
		{"idle", "waitforloadstate"},
		{"fn", "waitforfunction"},
	} {
		if in.Has(form.flag) {
			return form.action
		}
	}
	return "wait"
}

// waitDoes returns what a wait does if it runs a script.
func waitDoes(in *actions.Input) []string {
	if in.Has("fn") {
		return []string{"eval"}
	}
	return nil
}

// waitTime is what `wait <ms>` needs, with some time for the answer.
func waitTime(in *actions.Input) time.Duration {
	if d, isTime := waitedTime(in); isTime {
		return d + time.Second
	}
	return 0
}

// timeForm is a time with its unit: 5s, 500ms, 1.5s.
var timeForm = lazyregexp.New(`^\d+(\.\d+)?(s|ms)$`)

// waitedTime is the time that a wait is for: whole milliseconds, or a number with its unit.
func waitedTime(in *actions.Input) (d time.Duration, isTime bool) {
	word := in.String("selector")
	if ms, err := strconv.ParseUint(word, 10, 31); err == nil {
		return time.Duration(ms) * time.Millisecond, true
	}
	if !timeForm.MatchString(word) {
		return 0, false
	}
	d, err := time.ParseDuration(word)
	return d, err == nil && d.Milliseconds() <= math.MaxInt32
}

func runWait(ctx context.Context, c *actions.Call) (actions.Result, error) {
	if c.Bool("download") {
		return waitDownload(ctx, c)
	}
	form, err := waitForm(c)
	if err != nil {
		return actions.Result{}, err
	}
	if form == "ms" {
		d, _ := waitedTime(c.Input)
		if err := pause.For(ctx, d); err != nil {
			return actions.Result{}, err
		}
		return actions.Result{Data: TimeResult{int(d.Milliseconds()), "timeout"}, Text: "✓ Done"}, nil
	}
	tab, err := c.Tabs.Tab(ctx)
	if err != nil {
		return actions.Result{}, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	refused := refusedPage(watched, c, tab, form)
	res, err := waitFor(watched, c, tab, form)
	if fault.Is(err, fault.Timeout) && !strings.HasPrefix(err.Error(), actions.WaitTimedOut) {
		// The page was too busy to say what it shows.
		err = c.TimedOut(strings.TrimSuffix(err.Error(), "."))
	}
	return res, refused.explain(err)
}

func waitFor(ctx context.Context, c *actions.Call, tab *actions.Tab, form string) (actions.Result, error) {
	switch form {
	case "text":
		return waitText(ctx, c, tab)
	case "url":
		return waitURL(ctx, c, tab)
	case "load":
		return waitLoad(ctx, c, tab)
	case "fn":
		return waitFunction(ctx, c, tab)
	case "response":
		return waitResponse(ctx, c, tab)
	case "stable":
		return waitStable(ctx, c, tab)
	case "url-change":
		return waitURLChange(ctx, c, tab)
	case "idle":
		return waitIdle(ctx, c, tab)
	}
	return waitElement(ctx, c, tab)
}

// waitForm returns which of the forms was asked for.
func waitForm(c *actions.Call) (string, error) {
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
		return "", c.Invalid("wait takes one thing to wait for, but got " + strings.Join(forms, " and ") + ".")
	}
	form := forms[0]
	if form == "selector" {
		if _, isTime := waitedTime(c.Input); isTime {
			form = "ms"
		} else if _, err := strconv.ParseFloat(c.String("selector"), 64); err == nil {
			return "", c.Invalid("wait takes whole milliseconds, got '" + c.String("selector") + "'.")
		}
	}
	if state := c.String("wait-state"); state != "" && form != "selector" &&
		(form != "text" || state != "hidden" && state != "visible") {
		return "", c.Invalid("--state can only be used with a selector wait")
	}
	if c.Has("new") && (form != "text" || c.String("wait-state") == "hidden") {
		return "", c.Invalid("--new says that the text of --text must have come since the last action: give --text")
	}
	for _, name := range []string{"exact", "regex"} {
		if c.Has(name) && form != "url" && form != "response" {
			return "", c.Invalid("--" + name + " says how the pattern of --url or --response matches: give one of them")
		}
	}
	if c.Has("for") && form != "stable" && form != "idle" {
		return "", c.Invalid("--for says how long the page must stay settled, with --stable or --idle")
	}
	return form, nil
}

func waitElement(ctx context.Context, c *actions.Call, tab *actions.Tab) (actions.Result, error) {
	began, already, id := startOf(ctx, c, tab), false, newID()
	if _, err := tab.Page.Loading().Settle(ctx, c.TimeLeft()); err != nil {
		return actions.Result{}, err
	}
	state := c.String("wait-state")
	if state == "" {
		state = "visible"
	}
	away := state == "hidden" || state == "detached"
	t, err := element.Resolve(ctx, c, tab, c.String("selector"))
	if away && fault.Is(err, fault.FrameGone) {
		// Whether the frame went before the wait or during it makes no difference to what is waited for.
		c.Note(
			"the frame in which selectors look is no longer on the page, so nothing of it is; `frame main` looks in the " +
				"page itself")
		return actions.Result{Data: ElementResult{c.String("selector"), "selector", false}, Text: done(false)}, nil
	}
	if err != nil {
		return actions.Result{}, err
	}
	for {
		value, doc, err := opWait.Raw(ctx, t.Frame, waitArg{
			Target:   &t.Want,
			State:    state,
			Patience: c.TimeLeft().Milliseconds(),
			ID:       id,
		})
		frameGone := fault.Is(err, fault.FrameGone)
		if away && (frameGone || t.Ref != nil && engine.IsNavigated(err)) {
			break // with its frame, or with its document
		}
		if frameGone || c.TimeLeft() > 0 {
			if moved, lost := element.CarriedOn(ctx, c, t, err, c.TimeLeft()); lost != nil {
				return actions.Result{}, lost
			} else if moved {
				began.settled = false
				continue
			}
		}
		if err != nil {
			return actions.Result{}, err
		}
		if f := element.FailureOf(value).In(t.Frame, doc); f != nil {
			if f.Code == fault.RefStale && away {
				break
			}
			if f.Code == fault.Timeout {
				return actions.Result{}, f.Tell(c, c.TimedOut(t.Label+" did not become "+state+seenInstead(f)))
			}
			return actions.Result{}, element.Failure(ctx, c, t, f)
		}
		var met waited
		if err := opWait.Read(value, &met); err != nil {
			return actions.Result{}, err
		}
		if t.Ref != nil {
			element.NoteElement(c, t, &met.Located)
		}
		already = met.Already && began.holds()
		break
	}
	return actions.Result{Data: ElementResult{t.Label, "selector", already}, Text: done(already)}, nil
}

// seenFacts is what a wait saw in place of what it waited for.
type seenFacts struct {
	Seen string `json:"seen"`
}

func seenInstead(f *element.OpFailure) string {
	if seen := element.FactsOf[seenFacts](f).Seen; seen != "" {
		return "; last seen: " + seen
	}
	return ""
}

func waitLoad(ctx context.Context, c *actions.Call, tab *actions.Tab) (actions.Result, error) {
	state := c.String("load")
	if state == string(engine.WaitNetworkIdle) {
		capture := run.CaptureRequests(tab)
		defer run.KeepCapture(tab, capture)
	}
	limited, cancel := c.WithDeadline(ctx)
	defer cancel()
	until := engine.WaitUntil(state)
	already := until != engine.WaitNetworkIdle && looksOnce(limited, c, func(ctx context.Context) error {
		return tab.Page.Loading().Await(ctx, until)
	})
	err := tab.Page.Loading().Await(limited, until)
	if fault.Is(err, fault.Timeout) {
		return actions.Result{}, c.TimedOut("the page did not reach the state " + state)
	}
	return actions.Result{Data: LoadResult{state, already}, Text: done(already)}, err
}

func waitFunction(ctx context.Context, c *actions.Call, tab *actions.Tab) (actions.Result, error) {
	if _, err := tab.Page.Loading().Settle(ctx, c.TimeLeft()); err != nil {
		return actions.Result{}, err
	}
	value, err := awaitScript(ctx, tab.Page, c.String("fn"), c.TimeLeft())
	if fault.Is(err, fault.Timeout) {
		return actions.Result{}, c.TimedOut(err.Error())
	}
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: FunctionResult{json.RawMessage(value.JSON)}, Text: value.Text()}, nil
}

// waitsWith is what a wait does by what it waits for.
func waitsWith(in *actions.Input) []policy.Family {
	return slices.Concat(actions.IfGiven(policy.RunsScript, "fn")(in), actions.IfGiven(policy.WritesFiles, "download")(in))
}
