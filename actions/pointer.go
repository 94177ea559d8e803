package actions

import (
	"context"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
)

const actionGroup = "Actions"

// selectorArg is the element that most commands take first.
func selectorArg() Arg {
	return Arg{Name: "selector", Kind: Selector, Help: "A ref such as @e2, CSS, xpath=…, text=…, role=…, label=…, placeholder=… or testid=…"}
}

func pointerCommands() []Command {
	return []Command{
		{
			Name: "click", Group: actionGroup, Summary: "Click an element",
			Help: "Waits until the element is there, visible, enabled, at rest and not covered, scrolls it into view, clicks, and checks " +
				"that the element received the click.",
			Args:     []Arg{selectorArg()},
			Flags:    []Flag{{Name: "new-tab", Kind: Bool, Help: "Open the link's address in a new tab instead"}},
			Effect:   Mutates | Navigates,
			Examples: []Example{{Line: "click @e2"}, {Line: "click @e5 --new-tab"}},
			Run:      onTarget((*Call).runClick),
		},
		{
			Name: "dblclick", Group: actionGroup, Summary: "Double-click an element", Args: []Arg{selectorArg()},
			Effect: Mutates | Navigates,
			Run:    onTarget((*Call).doubleClick),
		},
		{
			Name: "hover", Group: actionGroup, Summary: "Move the pointer over an element", Args: []Arg{selectorArg()},
			Effect: Mutates,
			Run:    onTarget((*Call).hover),
		},
	}
}

// aimed is the result of the in-page op aim.
type aimed struct {
	located
	X       float64     `json:"x"`
	Y       float64     `json:"y"`
	Rect    engine.Rect `json:"rect"`
	Href    string      `json:"href"`
	Checked *string     `json:"checked"`
	Moved   bool        `json:"moved"`
}

// landed is the result of the in-page op landed: what became of the input.
type landed struct {
	Hit     bool    `json:"hit"`
	On      string  `json:"on"`
	Armed   *bool   `json:"armed"` // false when the page was not watched any more, so that nothing is known
	Removed bool    `json:"removed"`
	Checked *string `json:"checked"`
}

// landedPatience is how long after the browser handled the input the page may take to dispatch the event. The event is dispatched
// before the browser's reply, but for the clicks that a page's own handling swallows.
const landedPatience = 250 * time.Millisecond

func (c *Call) runClick(ctx context.Context, tab *Tab, t *target) (Result, error) {
	if c.Bool("new-tab") {
		return c.openInNewTab(ctx, t)
	}
	return c.clickTarget(ctx, tab, t, engine.ClickOptions{})
}

func (c *Call) clickTarget(ctx context.Context, tab *Tab, t *target, o engine.ClickOptions) (Result, error) {
	dialog, err := c.click(ctx, tab, t, o)
	if err != nil {
		return Result{}, err
	}
	data := map[string]any{"clicked": t.label}
	if dialog {
		data["dialogOpened"] = true
	}
	return Result{Data: data, Text: "✓ Done"}, nil
}

// click aims at the target, clicks and makes sure that the click arrived. It reports whether a dialog that the page opened keeps
// the page from going on.
func (c *Call) click(ctx context.Context, tab *Tab, t *target, o engine.ClickOptions) (dialog bool, err error) {
	last := "click"
	if o.Count == 2 {
		last = "dblclick"
	}
	aim, err := c.aim(ctx, t, last)
	if err != nil {
		return false, err
	}
	_, err = c.clickAt(ctx, tab, t, aim, o)
	return tab.Page.Dialog() != nil, err
}

// aim finds the point to click, and has the page watch for the events up to the last one.
func (c *Call) aim(ctx context.Context, t *target, last string) (*aimed, error) {
	return c.aimFor(ctx, t, "pointer", "mousedown", last)
}

func (c *Call) aimFor(ctx context.Context, t *target, checks string, events ...string) (*aimed, error) {
	if t.frame.Remote() {
		events = append([]string{"mousemove"}, events...) // for point
	}
	var aim aimed
	err := c.run(ctx, t, "aim", map[string]any{"checks": checks, "arm": events}, &aim)
	return &aim, err
}

// clickAt clicks on an element that was aimed at and waits for the effects. The result is nil when nothing can be known of the element
// afterwards, since its page is gone or blocked by a dialog.
func (c *Call) clickAt(ctx context.Context, tab *Tab, t *target, aim *aimed, o engine.ClickOptions) (*landed, error) {
	at, err := c.place(ctx, t, aim)
	if err != nil {
		return nil, err
	}
	before := c.before(tab)
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	if err := c.point(watched, tab, t, aim, at); err != nil {
		return nil, c.interrupted(tab, err)
	}
	if err := tab.Page.Click(watched, at.X, at.Y, o); err != nil {
		return nil, c.interrupted(tab, err)
	}
	seen := new(landed)
	arg := map[string]any{"token": aim.Token, "wait": landedPatience.Milliseconds()}
	err = t.frame.Call(watched, "landed", arg, seen)
	switch {
	case engine.IsNavigated(err), fault.Is(err, fault.FrameGone):
		seen = nil // the page left the document while it handled the input
	case err != nil:
		return nil, c.interrupted(tab, err)
	case seen.Armed != nil && !*seen.Armed:
		c.Note("the click was sent; the page did not tell in time whether " + t.label + " received it")
		seen = nil
	case !seen.Hit:
		return nil, missed(t, seen.On)
	}
	return seen, c.after(ctx, tab, before)
}

// place finds the point of the main frame's viewport to send input to, and checks that no ancestor frame covers it.
func (c *Call) place(ctx context.Context, t *target, aim *aimed) (engine.Point, error) {
	at, err := t.frame.ToPage(ctx, engine.Point{X: aim.X, Y: aim.Y})
	if err != nil {
		return engine.Point{}, err
	}
	if by := at.Covered; by != nil {
		return engine.Point{}, c.failure(ctx, t, (&opFailure{Code: fault.TargetCovered, Facts: by.Facts}).in(by.Frame, by.Doc))
	}
	return at.Point, nil
}

// How often the pointer is moved to a place in a frame of another process, and how long its page may take to notice. A try that fails
// because the browser has not painted the frame where it is now is right in the next frame or the one after that.
const (
	pointTries    = 20
	pointPatience = 50 * time.Millisecond
)

// point moves the pointer to a place in a frame of another process until it is seen to be there. Chromium sends input to the process
// whose frame it painted last at that place, so that after scrolling a click could go to what was there before. Moving the pointer to
// the wrong one does little harm. In frames of the page's own process the place is looked up in the document itself.
func (c *Call) point(ctx context.Context, tab *Tab, t *target, aim *aimed, at engine.Point) error {
	if !t.frame.Remote() {
		return nil
	}
	for range pointTries {
		if err := tab.Page.Hover(ctx, at.X, at.Y); err != nil {
			return err
		}
		var seen struct {
			Pointed bool  `json:"pointed"`
			Armed   *bool `json:"armed"`
		}
		err := t.frame.Call(ctx, "pointed", map[string]any{"token": aim.Token, "wait": pointPatience.Milliseconds()}, &seen)
		if engine.IsNavigated(err) || seen.Armed != nil { // the document is another one by now
			break
		}
		if err != nil || seen.Pointed {
			return err
		}
	}
	return fault.New(fault.TargetMissed, "The pointer was moved to '%s', and the element did not get it.", t.label).About(t.label).
		WithHint("Nothing was clicked. The page changes where it is; wait until it is at rest, then try again.")
}

func missed(t *target, on string) error {
	e := fault.New(fault.TargetMissed, "The input was sent to '%s', and the element did not receive it.", t.label).About(t.label)
	if on != "" {
		e = fault.New(fault.TargetMissed, "The input was sent to '%s', and <%s> received it instead.", t.label, on).About(t.label).With("on", on)
	}
	return e.WithHint("The page changed in that moment; take a new snapshot and try again.")
}

// interrupted sorts out why waiting for input ended: a dialog and the end of the tab are effects of it, everything else is an error.
func (c *Call) interrupted(tab *Tab, err error) error {
	if fault.Is(err, fault.PageGone) && fault.Is(tab.Page.Err(), fault.PageGone) {
		c.Session.Tabs() // the session says itself which tab takes its place
		return nil
	}
	d := tab.Page.Dialog()
	if d == nil || !fault.Is(err, fault.DialogOpen) {
		return err
	}
	c.Note("A JavaScript " + d.Type + " dialog is blocking the page: " + quote(d.Message) +
		" — use `dialog accept [text]` or `dialog dismiss`")
	return nil
}

func (c *Call) hover(ctx context.Context, tab *Tab, t *target) (Result, error) {
	aim, err := c.aimFor(ctx, t, "hover")
	if err != nil {
		return Result{}, err
	}
	at, err := c.place(ctx, t, aim)
	if err != nil {
		return Result{}, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	before := c.before(tab)
	if t.frame.Remote() {
		err = c.point(watched, tab, t, aim, at)
	} else {
		err = tab.Page.Hover(watched, at.X, at.Y)
	}
	if err != nil {
		if err := c.interrupted(tab, err); err != nil {
			return Result{}, err
		}
	}
	if err := c.after(ctx, tab, before); err != nil {
		return Result{}, err
	}
	return Result{Data: map[string]any{"hovered": t.label}, Text: "✓ Done"}, nil
}

func (c *Call) openInNewTab(ctx context.Context, t *target) (Result, error) {
	var res readResult
	if err := c.run(ctx, t, "read", map[string]any{"what": "href"}, &res); err != nil {
		return Result{}, err
	}
	href, _ := res.Value.(string)
	if href == "" {
		return Result{}, fault.New(fault.TargetUnsuitable, "Element '%s' does not have an href attribute.", t.label).About(t.label).
			WithHint("--new-tab only works on links.")
	}
	opened, err := c.Session.NewTab(ctx, "")
	if err != nil {
		return Result{}, err
	}
	nav, err := c.goTo(ctx, opened, href)
	if err != nil {
		return Result{}, err
	}
	c.loadNotes(nav)
	return Result{
		Data: map[string]any{"clicked": t.label, "tabId": opened.ID, "url": nav.URL},
		Text: nav.URL,
	}, nil
}

func (c *Call) doubleClick(ctx context.Context, tab *Tab, t *target) (Result, error) {
	return c.clickTarget(ctx, tab, t, engine.ClickOptions{Count: 2})
}
