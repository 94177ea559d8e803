package actions

import (
	"context"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/policy"
)

func clickCommand() Command {
	return Command{
		Name:     "click",
		Upstream: []string{"click <sel>", "click <selector> [--new-tab] [--human]"},
		Group:    GroupActions, Summary: "Click an element",
		Help: "Waits until the element is there, visible, enabled, at rest and not covered, scrolls it into view, clicks, and checks " +
			"that the element received the click. What never comes to rest is followed; an item with other controls in it is clicked beside these. " +
			"A press that would land on something else, since the page moves just then, is kept from the " +
			"page, and tried again.",
		Args: []Arg{SelectorArg()},
		Flags: append(clickFlags(),
			Flag{Name: "count", Kind: Int, Value: "n", Default: "1", Help: "Click so many times in a row: 2 is a double click, 3 selects a paragraph"},
			Flag{Name: "new-tab", Kind: Bool, Help: "Open the link's address in a new tab, which becomes the active one, instead"}),
		Effect: Mutates | Navigates, Traits: trait.FollowsLinks | trait.Clicks | trait.Presses | trait.MayOpenDialog | trait.LookAgain, Refs: trait.Refs{Settles: []string{"checkbox", "radio"}}, View: trait.ViewClicked,
		Playwright: []string{"await {selector}.click();", "await {selector}.click({ button: {button} });", "await {selector}.click({ clickCount: {count} });"},
		Examples: []Example{
			{Line: "click @e2"},
			{Line: "click @e5 --new-tab"},
			{Line: "click @e3 --button right", Note: "Opens the context menu"},
			{Line: "click @e3 --modifiers Control,Shift"},
			{Line: "click canvas --position 40,12"},
		},
		Run: onTarget((*Call).runClick),
		Policy: Policy{Families: policy.Does(policy.ActsByPointer), Also: func(in *Input) []string {
			if in.Bool("new-tab") {
				return []string{policy.NewTab}
			}
			return nil
		}},
	}
}

func doubleClickCommand() Command {
	return Command{
		Name:     "dblclick",
		Upstream: []string{"dblclick <sel>", "dblclick <selector>"},
		Group:    GroupActions, Summary: "Double-click an element", Args: []Arg{SelectorArg()},
		Flags: clickFlags(), Effect: Mutates | Navigates, Traits: trait.FollowsLinks | trait.Presses | trait.LookAgain, View: trait.ViewClicked, Playwright: []string{"await {selector}.dblclick();"},
		Run:    onTarget((*Call).doubleClick),
		Policy: Policy{Families: policy.Does(policy.ActsByPointer), Like: []string{policy.Click}},
	}
}

func clickFlags() []Flag {
	return []Flag{
		{Name: "button", Kind: String, Value: "button", Default: "left", OneOf: []string{"left", "right", "middle"}, Help: "The mouse button"},
		{Name: "modifiers", Kind: List, Kept: true, Value: "keys", Help: "Keys that are held meanwhile: Control, Shift, Alt, Meta"},
		positionFlag(), forceFlag(), humanFlag(),
	}
}

// forceFlag is the flag of the commands that can act without the checks: aimAt looks at it.
func forceFlag() Flag {
	return Flag{Name: "force", Kind: Bool, Help: "Act without waiting or checking first; what receives the input is still told"}
}

func positionFlag() Flag {
	return Flag{Name: "position", Kind: String, Kept: true, Value: "x,y", DashValue: true, Help: "Where in the element's box, in pixels from its top left corner"}
}

// position reads --position; nil when it was not given.
func (c *Call) position() (*engine.Point, error) {
	if !c.Has("position") {
		return nil, nil
	}
	across, down, ok := strings.Cut(c.String("position"), ",")
	x, errX := strconv.ParseFloat(strings.TrimSpace(across), 64)
	y, errY := strconv.ParseFloat(strings.TrimSpace(down), 64)
	if !ok || errX != nil || errY != nil || x < 0 || y < 0 {
		return nil, c.Invalid("--position takes two numbers such as 10,5, got " + wording.Quote(c.String("position")))
	}
	return &engine.Point{X: x, Y: y}, nil
}

// clickOptions reads the flags that say how to click.
func (c *Call) clickOptions() (o engine.ClickOptions, err error) {
	o = engine.ClickOptions{Button: c.String("button"), Count: 1}
	if c.Has("count") {
		o.Count = c.Int("count")
	}
	if o.Count < 1 || o.Count > mostClicks {
		return o, c.Invalid("--count takes 1 to " + strconv.Itoa(mostClicks) + ", got " + c.String("count"))
	}
	o.Modifiers, err = engine.ParseModifiers(c.Strings("modifiers"))
	return o, err
}

// mostClicks is how often an element is clicked in a row at most: the page reports so many events.
const mostClicks = 10

func (c *Call) runClick(ctx context.Context, tab *Tab, t *Target) (Result, error) {
	if c.Bool("new-tab") {
		for _, name := range []string{"button", "count", "modifiers", "position", "force", "human"} {
			if c.Has(name) {
				return Result{}, c.Invalid("--new-tab opens the address of a link and clicks nothing, so that --" + name + " says nothing")
			}
		}
		return c.openInNewTab(ctx, t)
	}
	o, err := c.clickOptions()
	if err != nil {
		return Result{}, err
	}
	return c.ClickTarget(ctx, tab, t, o)
}

func (c *Call) doubleClick(ctx context.Context, tab *Tab, t *Target) (Result, error) {
	o, err := c.clickOptions()
	if err != nil {
		return Result{}, err
	}
	o.Count = 2
	return c.ClickTarget(ctx, tab, t, o)
}

func (c *Call) ClickTarget(ctx context.Context, tab *Tab, t *Target, o engine.ClickOptions) (Result, error) {
	aim, err := c.aimToClick(ctx, t, o)
	if err != nil {
		return Result{}, err
	}
	seen, err := c.clickAt(ctx, tab, t, aim, o)
	if err != nil {
		return Result{}, err
	}
	data := map[string]any{"clicked": t.Label}
	if c.stopped(tab) {
		data["dialogOpened"] = true
	}
	if aim.Disabled {
		c.Note(t.Label + " is marked as disabled (aria-disabled), and takes clicks all the same")
	}
	if aim.Via != nil {
		c.Note("the click went to " + elementName(aim.Via) + ", which " + t.Label + " is a part of")
	}
	if aim.Inner != nil {
		c.Note("the click went to " + elementName(aim.Inner) + ": nothing of " + t.Label + " shows beside what is in it")
	}
	if seen != nil && seen.pressOnly() != "" {
		data["received"] = seen.pressOnly()
		c.Note(c.pressedOnly(t, seen))
	}
	return Result{Data: data, Text: "✓ Done"}, nil
}

// pressedOnly says what became of a click whose press the page acted on.
func (c *Call) pressedOnly(t *Target, seen *landed) string {
	said := t.Label + " got " + seen.pressOnly() + ", and the page acted on that: "
	if seen.Event == firstClick {
		return said + "it is not there for a second one"
	}
	if seen.facts["replaced"] == true {
		return said + "it put an equal element in its place, which got no click"
	}
	if _, ok := seen.facts["on"]; !ok {
		return said + "there was no click"
	}
	f := (&opFailure{Facts: seen.facts}).in(t.Frame, seen.doc)
	c.giveRefs(f)
	if seen.facts["clicked"] == true {
		return said + "the click went to " + blamed(f.Facts, "on")
	}
	return said + "the release came to " + blamed(f.Facts, "on") + ", and there was no click"
}

// click aims at the target, clicks and makes sure that the click arrived. It reports whether a dialog that the page opened keeps
// the page from going on.
func (c *Call) click(ctx context.Context, tab *Tab, t *Target, o engine.ClickOptions) (dialog bool, err error) {
	aim, err := c.aimToClick(ctx, t, o)
	if err != nil {
		return false, err
	}
	_, err = c.clickAt(ctx, tab, t, aim, o)
	return c.stopped(tab), err
}

// aimToClick finds the point to click, and has the page watch for what the clicks end with: the right button's is the context menu,
// since what that shows gets the release.
func (c *Call) aimToClick(ctx context.Context, t *Target, o engine.ClickOptions) (*aimed, error) {
	position, err := c.position()
	if err != nil {
		return nil, err
	}
	how := aiming{checks: "pointer", events: []string{"mousedown", "click"}, times: o.Count, presses: o.Count, guard: true, position: position}
	switch {
	case o.Button == "right":
		how.events[1] = "contextmenu"
	case o.Button == "middle":
		how.events[1] = "auxclick"
	case o.Count == 2:
		how.events, how.times = []string{"mousedown", "click", "dblclick"}, 1
	}
	return c.aimAt(ctx, t, how)
}

func (c *Call) openInNewTab(ctx context.Context, t *Target) (Result, error) {
	var res readResult
	if err := c.RunOp(ctx, t, "read", map[string]any{"what": "href"}, &res); err != nil {
		return Result{}, err
	}
	href, _ := res.Value.(string)
	if href == "" {
		return Result{}, fault.New(fault.TargetUnsuitable, "Element '%s' does not have an href attribute.", t.Label).About(t.Label).
			WithHint("--new-tab only works on links.")
	}
	if _, err := c.Address(href); err != nil {
		return Result{}, fault.New(fault.TargetUnsuitable, "The link '%s' leads to %s, which cannot be opened in a tab.", t.Label, wording.Quote(href)).
			About(t.Label).With("href", href).WithHint("Click it without --new-tab.")
	}
	opened, err := c.Session.NewTab(ctx, "", false)
	if err != nil {
		return Result{}, err
	}
	nav, err := c.GoTo(ctx, opened, href)
	if err != nil {
		return Result{}, c.abandon(ctx, opened, err)
	}
	c.NoteLoad(nav)
	return Result{
		Data: map[string]any{"clicked": t.Label, "newTab": true, "tabId": opened.ID, "url": nav.URL},
		Text: nav.URL,
	}, nil
}
