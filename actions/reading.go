package actions

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/policy"
	"github.com/skua-browser/skua/snapshot"
)

func readingCommands() []Command {
	get := func(name, action, summary string, run func(ctx context.Context, c *Call) (Result, error), args ...Arg) Command {
		return Command{
			Name: "get " + name, Group: GroupReading, Summary: summary, Args: args, Effect: Reads, Traits: trait.ReadsElement, View: trait.ViewValue,
			Run: run, Policy: Policy{Action: action, Families: policy.Does()},
		}
	}
	is := func(what, summary string) Command {
		return Command{
			Name: "is " + what, OwnWords: true, Group: GroupReading, Summary: summary, Args: []Arg{SelectorArg()}, Effect: Reads, Traits: trait.ReadsElement, View: trait.ViewQuestion,
			Help:   "Prints true or false. The exit code is 0 for both; a missing element is an error.",
			Run:    func(ctx context.Context, c *Call) (Result, error) { return c.is(ctx, what) },
			Policy: Policy{Action: "is" + what, Families: policy.Does()},
		}
	}
	list := []Command{
		get("text", "gettext", "Print the visible text of an element", runGetText, SelectorArg()),
		get("html", "innerhtml", "Print the inner HTML of an element", runGetHTML, SelectorArg()),
		get("value", "inputvalue", "Print the value of a field", runGetValue, SelectorArg()),
		get("attr", "getattribute", "Print an attribute of an element", runGetAttr, SelectorArg(), Arg{Name: "name", Help: "The attribute"}),
		get("title", "title", "Print the page's title", runGetTitle),
		get("url", "url", "Print the page's address", runGetURL),
		get("count", "count", "Count the elements that match", runGetCount, allOf(SelectorArg())),
		get("box", "boundingbox", "Print an element's place in the viewport", runGetBox, SelectorArg()),
		get("styles", "styles", "Print an element's computed styles", runGetStyles, SelectorArg()),
		is("visible", "Tell whether an element can be seen"),
		is("enabled", "Tell whether a control is enabled"),
		is("checked", "Tell whether a control is checked"),
	}
	for i := range list {
		switch c := &list[i]; c.Name {
		case "get text":
			c.Traits |= trait.ReadsText
			c.Heading, c.Upstream = "Get Info:  agent-browser get <what> [selector]", []string{"get text <selector>", "get <subcommand> [args]"}
		case "get title":
			c.Place, c.Traits = trait.PlaceAddress, c.Traits|trait.ReadsTitle
		case "get url":
			c.Place, c.Traits = trait.PlaceAddress, c.Traits|trait.ReadsAddress
		case "is visible":
			c.Heading, c.Upstream = "Check State:  agent-browser is <what> <selector>", []string{"is visible <selector>", "is <subcommand> <selector>"}
		}
	}
	return list
}

// readResult is the result of the in-page op read.
type readResult struct {
	Located
	Value  any  `json:"value"`
	Secret bool `json:"secret"` // it is not handed out: the field does not show it either
	Length int  `json:"length"` // of such a value
}

// read looks at one fact of an element. It gives the target the time that acting commands give it.
func (c *Call) read(ctx context.Context, what string, more map[string]any) (*Tab, *readResult, error) {
	tab, err := c.Tab(ctx)
	if err != nil {
		return nil, nil, err
	}
	t, err := c.Resolve(ctx, tab, c.String("selector"))
	if err != nil {
		return nil, nil, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	args := map[string]any{"what": what}
	maps.Copy(args, more)
	var res readResult
	if err := c.RunOp(watched, t, "read", args, &res); err != nil {
		return nil, nil, err
	}
	return tab, &res, nil
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

func runGetText(ctx context.Context, c *Call) (Result, error) {
	tab, res, err := c.read(ctx, "text", nil)
	if err != nil {
		return Result{}, err
	}
	return Result{Data: map[string]any{"origin": tab.Page.URL(), "text": text(res.Value)}, Text: text(res.Value)}, nil
}

func runGetHTML(ctx context.Context, c *Call) (Result, error) {
	_, res, err := c.read(ctx, "html", nil)
	if err != nil {
		return Result{}, err
	}
	return Result{Data: map[string]any{"html": text(res.Value)}, Text: text(res.Value)}, nil
}

func runGetValue(ctx context.Context, c *Call) (Result, error) {
	_, res, err := c.read(ctx, "value", nil)
	if err != nil {
		return Result{}, err
	}
	if res.Secret {
		return c.secretValue(res), nil
	}
	if res.Value == nil {
		c.Note(c.String("selector") + " is a " + elementName(&res.Located) + ", which has no value")
	}
	return Result{Data: map[string]any{"value": text(res.Value)}, Text: text(res.Value)}, nil
}

// secretValue is the reply about a field that does not show what it holds.
func (c *Call) secretValue(res *readResult) Result {
	c.Note(c.String("selector") + " is a field that does not show what it holds: its value of " + wording.Plural(res.Length, "character") + " is not printed")
	return Result{Data: map[string]any{"value": Hidden, "hidden": true, "length": res.Length}, Text: Hidden}
}

func runGetAttr(ctx context.Context, c *Call) (Result, error) {
	tab, res, err := c.read(ctx, "attr", map[string]any{"name": c.String("name")})
	if err != nil {
		return Result{}, err
	}
	if res.Secret {
		return c.secretValue(res), nil
	}
	if res.Value == nil {
		c.Note(c.String("selector") + " has no attribute " + wording.Quote(c.String("name")))
	}
	return Result{Data: map[string]any{"origin": tab.Page.URL(), "value": res.Value}, Text: text(res.Value)}, nil
}

func runGetTitle(ctx context.Context, c *Call) (Result, error) {
	tab, err := c.Tab(ctx)
	if err != nil {
		return Result{}, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	info, err := tab.Page.Info(watched)
	if err == nil && info.ReadyState == "loading" { // a page that had not begun to leave when it was asked, and has been left since
		if _, err = c.settle(ctx, tab); err == nil {
			info, err = tab.Page.Info(watched)
		}
	}
	return Result{Data: map[string]any{"title": info.Title}, Text: info.Title}, err
}

func runGetURL(ctx context.Context, c *Call) (Result, error) {
	// The browser knows the address without asking the page, which may be busy or blocked by a dialog.
	tab, err := c.ArrivedTab(ctx)
	if err != nil {
		return Result{}, err
	}
	if err := tab.Page.Err(); err != nil {
		return Result{}, err
	}
	url := tab.Page.URL()
	return Result{Data: map[string]any{"url": url}, Text: url}, nil
}

func runGetCount(ctx context.Context, c *Call) (Result, error) {
	tab, err := c.Tab(ctx)
	if err != nil {
		return Result{}, err
	}
	selector := c.String("selector")
	if snapshot.IsRef(selector) {
		count, err := c.countRef(ctx, tab, selector)
		if err != nil {
			return Result{}, err
		}
		return countResult(count, selector), nil
	}
	t, err := c.Resolve(ctx, tab, selector)
	if err != nil {
		return Result{}, err
	}
	return c.count(ctx, t)
}

func countResult(count int, selector string) Result {
	return Result{Data: map[string]any{"count": count, "selector": selector}, Text: strconv.Itoa(count)}
}

// count counts what a target matches.
func (c *Call) count(ctx context.Context, t *Target) (Result, error) {
	raw, err := json.Marshal(t.want)
	if err != nil {
		return Result{}, err
	}
	start, patience := time.Now(), c.patience()
	for {
		value, doc, err := t.Frame.CallRaw(ctx, "count", raw)
		if moved, lost := c.carriedOn(ctx, t, err, patience-time.Since(start)); lost != nil {
			return Result{}, lost
		} else if moved {
			continue
		}
		if err != nil {
			return Result{}, err
		}
		if f := failureOf(value).in(t.Frame, doc); f != nil {
			return Result{}, c.failure(ctx, t, f)
		}
		var res struct {
			Count int `json:"count"`
		}
		if err := json.Unmarshal(value, &res); err != nil {
			return Result{}, err
		}
		return countResult(res.Count, t.Label), nil
	}
}

// countRef is 1 for a ref whose element is on the page and 0 for one whose element is gone.
func (c *Call) countRef(ctx context.Context, tab *Tab, selector string) (int, error) {
	t, err := c.Resolve(ctx, tab, selector)
	if fault.Is(err, fault.RefStale) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	var res readResult
	err = c.RunOp(ctx, t, "read", map[string]any{"what": "visible"}, &res)
	if fault.Is(err, fault.RefStale) {
		return 0, nil
	}
	return 1, err
}

func runGetBox(ctx context.Context, c *Call) (Result, error) {
	_, res, err := c.read(ctx, "box", nil)
	if err != nil {
		return Result{}, err
	}
	box, ok := res.Value.(map[string]any)
	if !ok {
		return Result{}, fault.New(fault.TargetHidden, "Element '%s' has no box: it is not rendered.", c.String("selector")).About(c.String("selector"))
	}
	line := func(name string) string {
		n, _ := box[name].(float64)
		return fmt.Sprintf("%-8s%s", name+":", strconv.FormatFloat(n, 'f', -1, 64))
	}
	return Result{Data: box, Text: strings.Join([]string{line("x"), line("y"), line("width"), line("height")}, "\n")}, nil
}

func runGetStyles(ctx context.Context, c *Call) (Result, error) {
	_, res, err := c.read(ctx, "styles", nil)
	if err != nil {
		return Result{}, err
	}
	styles, _ := res.Value.(map[string]any)
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(styles)) {
		fmt.Fprintf(&b, "%s: %v\n", name, styles[name])
	}
	return Result{Data: map[string]any{"styles": styles}, Text: strings.TrimSuffix(b.String(), "\n")}, nil
}

func (c *Call) is(ctx context.Context, what string) (Result, error) {
	tab, res, err := c.read(ctx, what, nil)
	if err != nil {
		return Result{}, err
	}
	state := res.Value == true || res.Value == "true"
	return Result{Data: map[string]any{what: state, "origin": tab.Page.URL()}, Text: wordOf(state)}, nil
}
