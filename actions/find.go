package actions

import (
	"context"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/policy"
	"github.com/skua-browser/skua/snapshot"
)

// findAction is what a find command can do with the element that it found.
type findAction struct {
	name      string
	needsText bool
	run       func(*Call, context.Context, *Tab, *Target) (Result, error)
}

// findActions are all of them. The first one is done when nothing else is said.
var findActions = []findAction{
	{"click", false, func(c *Call, ctx context.Context, tab *Tab, t *Target) (Result, error) {
		return c.ClickTarget(ctx, tab, t, engine.ClickOptions{})
	}},
	{"dblclick", false, func(c *Call, ctx context.Context, tab *Tab, t *Target) (Result, error) {
		return c.ClickTarget(ctx, tab, t, engine.ClickOptions{Count: 2})
	}},
	{"fill", true, func(c *Call, ctx context.Context, tab *Tab, t *Target) (Result, error) {
		return c.fill(ctx, tab, t, c.String("text"))
	}},
	{"type", true, func(c *Call, ctx context.Context, tab *Tab, t *Target) (Result, error) {
		return c.typeInto(ctx, tab, t, c.String("text"), 0)
	}},
	{"select", true, func(c *Call, ctx context.Context, tab *Tab, t *Target) (Result, error) {
		return c.choose(ctx, tab, t, []string{c.String("text")})
	}},
	{"check", false, func(c *Call, ctx context.Context, tab *Tab, t *Target) (Result, error) {
		return c.setChecked(ctx, tab, t, true)
	}},
	{"uncheck", false, func(c *Call, ctx context.Context, tab *Tab, t *Target) (Result, error) {
		return c.setChecked(ctx, tab, t, false)
	}},
	{"hover", false, (*Call).hover},
	{"focus", false, (*Call).focused},
	{"scrollintoview", false, (*Call).runScrollIntoView},
	{"text", false, (*Call).findText},
	{"count", false, (*Call).findCount},
}

// findActionNames are the words for the actions, or for those that take a text.
func findActionNames(withText bool) []string {
	var names []string
	for _, a := range findActions {
		if a.needsText || !withText {
			names = append(names, a.name)
		}
	}
	return names
}

// andList writes a, b and c.
func andList(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

func findCommands() []Command {
	action := []Arg{
		{Name: "action", Optional: true, Default: findActions[0].name, OneOf: findActionNames(false), Help: "What to do with the element"},
		{Name: "text", Kind: Text, Optional: true, Kept: true, Typed: true, Help: "The text for " + andList(findActionNames(true))},
	}
	upstream := map[string][]string{
		"role": {"find role <role>", "find role <role> --name <n>", "find <locator> <value> [action] [text]"}, "text": {"find text <text>"}, "label": {"find label <label>"},
		"placeholder": {"find placeholder <text>"}, "alt": {"find alt <text>"}, "title": {"find title <text>"}, "testid": {"find testid <id>"},
	}
	heading := map[string]string{"role": "Find Elements:  agent-browser find <locator> <value> <action> [text]"}
	find := func(by, summary string, args ...Arg) Command {
		return Command{
			Name: "find " + by, Group: GroupLocators, Summary: summary,
			Upstream: upstream[by], Heading: heading[by],
			Args: append(args, action...), Effect: Reads | Mutates | Navigates, Traits: trait.Finds | trait.MayOpenDialog, Refs: trait.Refs{Unchecked: true},
			Run:    func(ctx context.Context, c *Call) (Result, error) { return runFind(ctx, c, by) },
			Policy: Policy{Action: foundBy(by), Families: policy.Does(), Also: findDoes, Reach: policy.WhenNamed},
		}
	}
	byValue := func(by, summary, help string, flags ...Flag) Command {
		cmd := find(by, summary, Arg{Name: "value", Kept: true, Help: help})
		cmd.Flags = append(flags, strictFlag())
		return cmd
	}
	name := Flag{Name: "name", Kind: String, Value: "name", Kept: true, Help: "The accessible name, or a part of it"}
	exact := Flag{Name: "exact", Kind: Bool, Help: "Match the whole text, and upper and lower case"}
	role := byValue("role", "Act on an element by its role", "The role: button, link, textbox …", name, exact)
	role.Traits |= trait.FindsRole
	role.Examples = []Example{{Line: `find role button click --name "Save"`}, {Line: "find role textbox fill hello --name Email"}}
	css := Arg{Name: "selector", Kind: Selector, Many: true, Help: "CSS, or any other selector but a ref"}
	return []Command{
		role,
		byValue("text", "Act on the element that shows a text", "The text, or a part of it", exact),
		byValue("label", "Act on the field with a label", "The label's text, or a part of it", exact),
		byValue("placeholder", "Act on the field with a placeholder", "The placeholder, or a part of it", exact),
		byValue("alt", "Act on the image with an alternative text", "The alternative text", exact),
		byValue("title", "Act on the element with a title attribute", "The title", exact),
		byValue("testid", "Act on the element with a data-testid attribute", "The test id"),
		find("first", "Act on the first element that a selector matches", css),
		find("last", "Act on the last element that a selector matches", css),
		find("nth", "Act on one of the elements that a selector matches", Arg{Name: "index", Kind: Int, Help: "From 0; negative ones count from the end"}, css),
	}
}

// foundBy is agent-browser's word for a way to look.
func foundBy(by string) string {
	switch by {
	case "alt":
		return "getbyalttext"
	case "first", "last", "nth":
		return "nth"
	}
	return "getby" + by
}

// findDoes is the command that acts on what is found as a find command does.
func findDoes(in *Input) []string {
	action := in.String("action")
	switch action {
	case "text", "count":
		return []string{"get " + action}
	}
	return []string{action}
}

// findTarget is the target that a find command names.
func (c *Call) findTarget(ctx context.Context, tab *Tab, by string) (*Target, error) {
	switch by {
	case "first":
		return c.nthTarget(ctx, tab, 0)
	case "last":
		return c.nthTarget(ctx, tab, -1)
	case "nth":
		return c.nthTarget(ctx, tab, c.Int("index"))
	}
	find := &wantedFind{By: by, Value: c.String("value"), wantedName: wantedName{Name: c.String("name"), Exact: c.Bool("exact")}}
	label := by + "=" + find.Value
	if find.Name != "" {
		label += "[name=" + wording.Quote(find.Name) + "]"
	}
	return c.lookFor(ctx, tab, label, wanted{Find: find}, nil)
}

// nthTarget is one of the elements that a selector matches.
func (c *Call) nthTarget(ctx context.Context, tab *Tab, index int) (*Target, error) {
	selector := c.String("selector")
	if snapshot.IsRef(selector) {
		return nil, fault.New(fault.SelectorInvalid, "%s is one element, so that there is no other to find.", selector).About(selector).
			WithHint("Use the ref with the action itself: `%s %s`.", c.String("action"), selector)
	}
	want, path, err := parseSelector(selector)
	if err != nil {
		return nil, err
	}
	if want.Index != nil {
		return nil, fault.New(fault.SelectorInvalid, "%s says itself which of its matches is meant.", selector).About(selector).
			WithHint("Leave out nth.")
	}
	want.Index = &index
	return c.lookFor(ctx, tab, selector, want, path)
}

func runFind(ctx context.Context, c *Call, by string) (Result, error) {
	i := slices.IndexFunc(findActions, func(a findAction) bool { return a.name == c.String("action") })
	action := findActions[i]
	if !c.Has("text") && action.needsText {
		return Result{}, c.Invalid("Missing 'value' for " + action.name + " subaction")
	}
	if c.Has("text") && !action.needsText {
		return Result{}, c.Invalid("Unexpected argument: " + c.String("text") + " (only " + andList(findActionNames(true)) + " take a text)")
	}
	tab, err := c.Tab(ctx)
	if err != nil {
		return Result{}, err
	}
	t, err := c.findTarget(ctx, tab, by)
	if err != nil {
		return Result{}, err
	}
	return action.run(c, ctx, tab, t)
}

func (c *Call) findText(ctx context.Context, _ *Tab, t *Target) (Result, error) {
	var res readResult
	if err := c.RunOp(ctx, t, "read", map[string]any{"what": "text"}, &res); err != nil {
		return Result{}, err
	}
	return Result{Data: map[string]any{"text": text(res.Value)}, Text: text(res.Value)}, nil
}

// findCount counts what the locator matches, which may be nothing.
func (c *Call) findCount(ctx context.Context, tab *Tab, t *Target) (Result, error) {
	if note := c.arrival(ctx, tab); note != "" {
		c.Note(note)
	}
	t.want.Index, t.want.Strict = nil, false
	return c.count(ctx, t)
}
