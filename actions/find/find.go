package find

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/forms"
	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/actions/pointer"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/snapshot"
)

// findAction is what a find command can do with the element that it found.
type findAction struct {
	name      string
	needsText bool
	looks     bool // and changes nothing
	data      any  // an empty one of what its result has
	run       func(context.Context, *actions.Call, *actions.Tab, *element.Target) (actions.Result, error)
}

// findActions are all of them. The first one is done when nothing else is said.
var findActions = []findAction{
	{
		"click", false, false,
		pointer.ClickedResult{},
		func(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target) (actions.Result, error) {
			return pointer.ClickTarget(ctx, c, tab, t, input.ClickOptions{})
		},
	},
	{
		"dblclick", false, false,
		pointer.ClickedResult{},
		func(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target) (actions.Result, error) {
			return pointer.ClickTarget(ctx, c, tab, t, input.ClickOptions{Count: 2})
		},
	},
	{
		"fill", true, false,
		forms.FilledResult{},
		func(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target) (actions.Result, error) {
			return forms.Fill(ctx, c, tab, t, c.String("text"))
		},
	},
	{
		"type", true, false,
		forms.TypedResult{},
		func(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target) (actions.Result, error) {
			return forms.TypeInto(ctx, c, tab, t, c.String("text"), 0)
		},
	},
	{
		"select", true, false,
		forms.SelectedResult{},
		func(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target) (actions.Result, error) {
			return forms.Choose(ctx, c, tab, t, []string{c.String("text")})
		},
	},
	{
		"check", false, false,
		forms.CheckedResult{},
		func(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target) (actions.Result, error) {
			return forms.SetChecked(ctx, c, tab, t, true)
		},
	},
	{
		"uncheck", false, false,
		forms.CheckedResult{},
		func(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target) (actions.Result, error) {
			return forms.SetChecked(ctx, c, tab, t, false)
		},
	},
	{"hover", false, false, pointer.HoveredResult{}, pointer.Hover},
	{"focus", false, false, forms.FocusedResult{}, forms.Focused},
	{"scrollintoview", false, false, pointer.ScrolledIntoViewResult{}, pointer.RunScrollIntoView},
	{"text", false, true, TextResult{}, findText},
	{"count", false, true, look.CountResult{}, findCount},
}

// chosenAction is what the command line does with the element.
func chosenAction(in *actions.Input) *findAction {
	return &findActions[slices.IndexFunc(findActions, func(a findAction) bool { return a.name == in.String("action") })]
}

// findData are the types of the results of all actions, each once.
func findData() (types []any) {
	for _, a := range findActions {
		if !slices.ContainsFunc(types, func(data any) bool { return reflect.TypeOf(data) == reflect.TypeOf(a.data) }) {
			types = append(types, a.data)
		}
	}
	return types
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

func findCommands() []actions.Command {
	action := []actions.Arg{
		{
			Name:     "action",
			Optional: true,
			Default:  findActions[0].name,
			OneOf:    findActionNames(false),
			Help:     "What to do with the element",
		},
		{
			Name:     "text",
			Kind:     actions.Text,
			Optional: true,
			Kept:     true,
			Typed:    true,
			Help:     "The text for " + andList(findActionNames(true)),
		},
	}
	upstream := map[string][]string{
		"role": {"find role <role>", "find role <role> --name <n>", "find <locator> <value> [action] [text]"},
		"text": {"find text <text>"}, "label": {"find label <label>"},
		"placeholder": {"find placeholder <text>"}, "alt": {"find alt <text>"}, "title": {"find title <text>"},
		"testid": {"find testid <id>"},
	}
	heading := map[string]string{"role": "Find Elements:  agent-browser find <locator> <value> <action> [text]"}
	upstreamHelp := map[string]string{
		"nth":  "The index is 0-based.",
		"role": "Actions (default: " + findActions[0].name + "): " + strings.Join(findActionNames(false), ", ") + ".",
	}
	find := func(by, summary string, args ...actions.Arg) actions.Command {
		return actions.Command{
			Spec: actions.Spec{
				Name:         "find " + by,
				Group:        actions.GroupLocators,
				Summary:      summary,
				Args:         append(args, action...),
				Upstream:     upstream[by],
				UpstreamHelp: upstreamHelp[by],
				Heading:      heading[by],
				Flags:        []actions.Flag{withinFlag()},
			},
			Schedule: actions.Schedule{
				Effect: actions.InTab | actions.Reads | actions.Mutates | actions.Navigates,
				Alters: func(in *actions.Input) bool { return !chosenAction(in).looks },
			},
			Safety:  actions.Safety{Action: foundBy(by), Reach: policy.WhenNamed, Families: policy.Does(), Also: findDoes},
			Showing: actions.Showing{Traits: trait.Finds, Refs: trait.Refs{Unchecked: true}},
			Bindings: actions.Bindings{Data: findData(), Finds: func(in *actions.Input) (string, []string) {
				return foundLocator(in, by), foundLine(in)
			}},
			Run: func(ctx context.Context, c *actions.Call) (actions.Result, error) { return runFind(ctx, c, by) },
		}
	}
	byValue := func(by, summary, help string, flags ...actions.Flag) actions.Command {
		cmd := find(by, summary, actions.Arg{Name: "value", Kept: true, Help: help})
		cmd.Flags = slices.Concat(flags, cmd.Flags, []actions.Flag{actions.StrictFlag()})
		return cmd
	}
	name := actions.Flag{
		Name:  "name",
		Kind:  actions.String,
		Value: "name",
		Kept:  true,
		Help:  "The accessible name, or a part of it",
	}
	exact := actions.Flag{Name: "exact", Kind: actions.Bool, Help: "Match the whole text, case-sensitively"}
	role := byValue("role", "Act on an element by its role", "The role: button, link, textbox …", name, exact)
	role.Examples = []actions.Example{{Line: `find role button click --name "Save"`}, {
		Line: "find role textbox fill hello --name Email",
	}, {Line: `find role button click --name Delete --within "Order 7"`}}
	css := actions.Arg{
		Name: "selector",
		Kind: actions.Selector,
		Many: true,
		Help: "CSS, or any other selector except a ref",
	}
	return []actions.Command{
		role,
		byValue("text", "Act on the element that shows a text", "The text, or a part of it", exact),
		byValue("label", "Act on the field with a label", "The label's text, or a part of it", exact),
		byValue("placeholder", "Act on the field with a placeholder", "The placeholder, or a part of it", exact),
		byValue("alt", "Act on the image with an alternative text", "The alternative text", exact),
		byValue("title", "Act on the element with a title attribute", "The title", exact),
		byValue("testid", "Act on the element with a data-testid attribute", "The test id"),
		find("first", "Act on the first element that a selector matches", css),
		find("last", "Act on the last element that a selector matches", css),
		find("nth", "Act on one of the elements that a selector matches", actions.Arg{
			Name: "index",
			Kind: actions.Int,
			Help: "From 0; negative ones count from the end",
		}, css),
	}
}

func withinFlag() actions.Flag {
	return actions.Flag{
		Name:  "within",
		Kind:  actions.String,
		Value: "text",
		Kept:  true,
		Help:  "Only in the row, card or panel that shows this text, or has it as its label",
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
func findDoes(in *actions.Input) []string {
	action := in.String("action")
	switch action {
	case "text", "count":
		return []string{"get " + action}
	}
	return []string{action}
}

// findTarget is the target that a find command names.
func findTarget(ctx context.Context, c *actions.Call, tab *actions.Tab, by string) (*element.Target, error) {
	switch by {
	case "first":
		return nthTarget(ctx, c, tab, 0)
	case "last":
		return nthTarget(ctx, c, tab, -1)
	case "nth":
		return nthTarget(ctx, c, tab, c.Int("index"))
	}
	find := &element.WantedFind{
		By:         by,
		Value:      c.String("value"),
		WantedName: element.WantedName{Name: c.String("name"), Exact: c.Bool("exact")},
	}
	label := by + "=" + find.Value
	if find.Name != "" {
		label += "[name=" + wording.Quote(find.Name) + "]"
	}
	return element.LookFor(ctx, c, tab, within(c, label), element.Wanted{Find: find, Beside: c.String("within")}, nil)
}

// nthTarget is one of the elements that a selector matches.
func nthTarget(ctx context.Context, c *actions.Call, tab *actions.Tab, index int) (*element.Target, error) {
	selector := c.String("selector")
	if snapshot.IsRef(selector) {
		return nil, fault.New(fault.SelectorInvalid, "%s is one element, so there is no other to find.", selector).
			About(selector).
			WithHint("Use the ref with the action itself: `%s %s`.", c.String("action"), selector)
	}
	want, path, err := element.ParseSelector(selector)
	if err != nil {
		return nil, err
	}
	if want.Index != nil {
		return nil, fault.New(fault.SelectorInvalid, "%s already selects one of its matches.", selector).About(selector).
			WithHint("Leave out nth.")
	}
	want.Index, want.Beside = &index, c.String("within")
	return element.LookFor(ctx, c, tab, within(c, selector), want, path)
}

// within adds to a label the group that is looked in.
func within(c *actions.Call, label string) string {
	if text := c.String("within"); text != "" {
		label += " within " + wording.Quote(text)
	}
	return label
}

func runFind(ctx context.Context, c *actions.Call, by string) (actions.Result, error) {
	action := chosenAction(c.Input)
	if !c.Has("text") && action.needsText {
		return actions.Result{}, c.Invalid("Missing 'value' for " + action.name + " subaction")
	}
	if c.Has("text") && !action.needsText {
		return actions.Result{}, c.Invalid("Unexpected argument: " + c.String("text") + " (only " +
			andList(findActionNames(true)) + " take a text)")
	}
	tab, err := run.Tab(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	t, err := findTarget(ctx, c, tab, by)
	if err != nil {
		return actions.Result{}, err
	}
	return action.run(ctx, c, tab, t)
}

func findText(ctx context.Context, c *actions.Call, _ *actions.Tab, t *element.Target) (actions.Result, error) {
	text, err := look.TextOf(ctx, c, t)
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: TextResult{text}, Text: text}, nil
}

// findCount counts what the locator matches, which may be nothing.
func findCount(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target) (actions.Result, error) {
	if note := element.AwaitArrival(ctx, c, tab); note != "" {
		c.Note(note)
	}
	t.Want.Index, t.Want.Strict = nil, false
	return look.Count(ctx, c, t)
}
