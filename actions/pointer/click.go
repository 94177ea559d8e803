package pointer

import (
	"context"
	"strconv"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

func clickCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "click",
			Group:   actions.GroupActions,
			Summary: "Click an element",
			Help: "Waits until the element exists and is visible, enabled, stable and not covered, scrolls it into view, " +
				"clicks, and checks that the element " +
				"received the click. An element that never stops moving is followed. An item that contains other controls is " +
				"clicked beside them. If the page " +
				"moves at that moment and the click would land on something else, the page does not get it, and skua tries " +
				"again. An option of a native select is chosen, as by `select`.\n\n" +
				"With --at x,y --shot s3 it clicks what is at that point of the screenshot s3, in pixels of the picture. It " +
				"fails, and says what has changed, " +
				"when the page has scrolled, has another size or shows something else there. Points of pictures of the whole " +
				"page or of an element are " +
				"scrolled to. Without --shot, --at is a point of the viewport as it is now, in CSS pixels.",
			Args: []actions.Arg{element.SelectorOrPoint()},
			Flags: append(clickFlags(),
				actions.Flag{
					Name:    "count",
					Kind:    actions.Int,
					Value:   "n",
					Default: "1",
					Help:    "Click this many times in a row: 2 is a double click, 3 selects a paragraph",
				},
				actions.Flag{
					Name: "new-tab",
					Kind: actions.Bool,
					Help: "Open the link's address in a new tab instead, and make that the active one",
				}),
			Examples: []actions.Example{
				{Line: "click @e2", Note: "act on a ref, and read what that changed", Start: 3},
				{Line: "click @e5 --new-tab"},
				{Line: "click @e3 --button right", Note: "Opens the context menu"},
				{Line: "click @e3 --modifiers Control,Shift"},
				{Line: "click canvas --position 40,12"},
				{Line: "click --at 640,300 --shot s3", Note: "A point of the screenshot s3"},
			},
			Upstream: []string{"click <sel>", "click <selector> [--new-tab] [--human]"},
		},
		Schedule: actions.Schedule{Effect: actions.InTab | actions.Mutates | actions.Navigates},
		Safety: actions.Safety{
			Families: policy.Does(policy.ActsByPointer),
			Also: func(in *actions.Input) []string {
				if in.Bool("new-tab") {
					return []string{policy.NewTab}
				}
				return nil
			},
		},
		Showing: actions.Showing{
			Traits: trait.Clicks | trait.Presses | trait.LookAgain,
			Refs:   trait.Refs{Settles: []string{"checkbox", "radio"}},
		},
		Bindings: actions.Bindings{
			Data: []any{ClickedResult{}, actions.Given("new-tab", NewTabResult{})},
			Tools: []actions.AgentTool{{
				Name:  "browser_click",
				Title: "Click",
				About: "Click an element.",
				Params: []actions.Param{{Name: "selector"}, {Name: "button"}, {
					Name:  "count",
					Least: 1,
					Most:  3,
				}},
				Lines: clickLines,
			}},
			Playwright: []string{
				"await {selector}.click();", "await {selector}.click({ button: {button} });",
				"await {selector}.click({ clickCount: {count} });",
			},
		},
		Run: element.OnTarget(runClick),
	}
}

// clickLines clicks twice by the command for that: the agent-browser program has no --count.
func clickLines(c actions.ToolCall) ([][]string, error) {
	target, err := c.Element()
	if err != nil {
		return nil, err
	}
	words := []string{"click"}
	switch count := c.Int("count"); count {
	case 0, 1:
	case 2:
		words = []string{"dblclick"}
	default:
		words = append(words, "--count", strconv.Itoa(count))
	}
	if button := c.String("button"); button != "" && button != "left" {
		words = append(words, "--button", button)
	}
	return [][]string{actions.ToolLine(words, target)}, nil
}

func doubleClickCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:     "dblclick",
			Group:    actions.GroupActions,
			Summary:  "Double-click an element",
			Args:     []actions.Arg{element.SelectorOrPoint()},
			Flags:    clickFlags(),
			Upstream: []string{"dblclick <sel>", "dblclick <selector>"},
		},
		Schedule: actions.Schedule{Effect: actions.InTab | actions.Mutates | actions.Navigates},
		Safety:   actions.Safety{Families: policy.Does(policy.ActsByPointer), Like: []string{policy.Click}},
		Showing:  actions.Showing{Traits: trait.Clicks | trait.Presses | trait.LookAgain},
		Bindings: actions.Bindings{Data: []any{ClickedResult{}}, Playwright: []string{"await {selector}.dblclick();"}},
		Run:      element.OnTarget(doubleClick),
	}
}

func clickFlags() []actions.Flag {
	return []actions.Flag{
		{
			Name:    "button",
			Kind:    actions.String,
			Value:   "button",
			Default: "left",
			OneOf:   []string{"left", "right", "middle"},
			Help:    "The mouse button",
		},
		{
			Name:  "modifiers",
			Kind:  actions.List,
			Kept:  true,
			Value: "keys",
			Help:  "Modifier keys to hold: Control, Shift, Alt, Meta",
		},
		element.PositionFlag(), element.AtFlag(), element.ShotFlag(), element.ForceFlag(), element.HumanFlag(),
	}
}

// clickOptions reads the flags that say how to click.
func clickOptions(c *actions.Call) (o input.ClickOptions, err error) {
	o = input.ClickOptions{Button: c.String("button"), Count: 1}
	if c.Has("count") {
		o.Count = c.Int("count")
	}
	if o.Count < 1 || o.Count > mostClicks {
		return o, c.Invalid("--count takes 1 to " + strconv.Itoa(mostClicks) + ", got " + c.String("count"))
	}
	o.Modifiers, err = input.ParseModifiers(c.Strings("modifiers"))
	return o, err
}

// mostClicks is how often an element is clicked in a row at most: the page reports so many events.
const mostClicks = 10

func runClick(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target) (actions.Result, error) {
	if c.Bool("new-tab") {
		for _, name := range []string{"button", "count", "modifiers", "position", "force", "human"} {
			if c.Has(name) {
				return actions.Result{}, c.Invalid("--new-tab opens the address of a link without a click: leave out --" + name)
			}
		}
		return openInNewTab(ctx, c, t)
	}
	o, err := clickOptions(c)
	if err != nil {
		return actions.Result{}, err
	}
	return ClickTarget(ctx, c, tab, t, o)
}

func doubleClick(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target) (actions.Result, error) {
	o, err := clickOptions(c)
	if err != nil {
		return actions.Result{}, err
	}
	o.Count = 2
	return ClickTarget(ctx, c, tab, t, o)
}

// ClickTarget clicks an element and says what the page did with the click.
func ClickTarget(
	ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target, o input.ClickOptions,
) (actions.Result, error) {
	aim, err := aimToClick(ctx, c, t, o, choosesOption(c, o))
	if err != nil {
		return actions.Result{}, err
	}
	if aim.Menu != nil {
		return chooseOption(ctx, c, tab, t, aim)
	}
	seen, err := element.ClickAt(ctx, c, tab, t, aim, o)
	if err != nil {
		return actions.Result{}, err
	}
	data := ClickedResult{Clicked: t.Label, Element: element.AtPoint(c, t, aim)}
	if run.Blocked(c, tab) {
		data.DialogOpened = true
	}
	if aim.Disabled {
		c.Note(t.Label + " is marked as disabled (aria-disabled), but takes clicks")
	}
	if aim.Via != nil {
		c.Note("the click went to " + element.ElementName(aim.Via) + ", which " + t.Label + " is a part of")
	}
	if aim.Inner != nil {
		c.Note("the click went to " + element.ElementName(aim.Inner) + ": nothing of " + t.Label +
			" shows beside what is in it")
	}
	if seen != nil && seen.PressOnly() != "" {
		data.Received = seen.PressOnly()
		c.Note(pressedOnly(c, t, seen))
	}
	return actions.Result{Data: data, Text: element.DoneAt("clicked", data.Element)}, nil
}

// pressedOnly describes the result of a click on whose press the page acted.
func pressedOnly(c *actions.Call, t *element.Target, seen *element.Landing) string {
	message := t.Label + " got " + seen.PressOnly() + ", and the page acted on that: "
	if seen.Event == element.FirstClick {
		return message + "it is not there for a second one"
	}
	if seen.Replaced {
		return message + "it put an equal element in its place, which got no click"
	}
	if seen.On == "" {
		return message + "there was no click"
	}
	on := seen.Blamed(c, t.Frame, seen.Doc)
	if seen.Clicked {
		return message + "the click went to " + on
	}
	return message + "the release came to " + on + ", and there was no click"
}

// Click aims at the target, clicks and makes sure that the click arrived. It reports whether a dialog that the page
// opened keeps the page from going on.
func Click(
	ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target, o input.ClickOptions,
) (dialog bool, err error) {
	aim, err := AimToClick(ctx, c, t, o)
	if err != nil {
		return false, err
	}
	_, err = element.ClickAt(ctx, c, tab, t, aim, o)
	return run.Blocked(c, tab), err
}

// AimToClick finds the point to click, and has the page watch for what the clicks end with: the right button's is the
// context menu, since what that shows gets the release.
func AimToClick(ctx context.Context, c *actions.Call, t *element.Target, o input.ClickOptions) (*element.Aim, error) {
	return aimToClick(ctx, c, t, o, false)
}

// aimToClick is AimToClick. With choose, it may find an option to choose.
func aimToClick(
	ctx context.Context, c *actions.Call, t *element.Target, o input.ClickOptions, choose bool,
) (*element.Aim, error) {
	position, err := element.ClickPosition(c)
	if err != nil {
		return nil, err
	}
	how := element.AimOptions{
		Checks:   "pointer",
		Events:   []string{"mousedown", "click"},
		Times:    o.Count,
		Presses:  o.Count,
		Guard:    true,
		Position: position,
		Choose:   choose,
	}
	switch {
	case o.Button == "right":
		how.Events[1] = "contextmenu"
	case o.Button == "middle":
		how.Events[1] = "auxclick"
	case o.Count == 2:
		how.Events, how.Times = []string{"mousedown", "click", "dblclick"}, 1
	}
	return element.AimAt(ctx, c, t, how)
}

func openInNewTab(ctx context.Context, c *actions.Call, t *element.Target) (actions.Result, error) {
	res, err := element.ReadText(ctx, c, t, "href")
	if err != nil {
		return actions.Result{}, err
	}
	href := ""
	if res.Value != nil {
		href = *res.Value
	}
	if href == "" {
		return actions.Result{}, fault.New(fault.TargetUnsuitable, "Element '%s' does not have an href attribute.", t.Label).
			About(t.Label).
			WithHint("--new-tab only works on links.")
	}
	if _, err := navigate.Address(c, href); err != nil {
		return actions.Result{}, fault.New(fault.TargetUnsuitable,
			"The link '%s' leads to %s, which cannot be opened in a tab.", t.Label, wording.Quote(href)).
			About(t.Label).With("href", href).WithHint("Click it without --new-tab.")
	}
	opened, err := c.Tabs.NewTab(ctx, "", false)
	if err != nil {
		return actions.Result{}, err
	}
	nav, err := navigate.GoTo(ctx, c, opened, href)
	if err != nil {
		return actions.Result{}, navigate.Abandon(ctx, c, opened, err)
	}
	navigate.NoteLoad(c, nav)
	return actions.Result{
		Data: NewTabResult{t.Label, true, opened.ID, nav.URL},
		Text: nav.URL,
	}, nil
}
