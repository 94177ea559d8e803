package actions

import (
	"context"
	"encoding/json"
	"time"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/policy"
)

// SelectorArg is the element that most commands take first.
func SelectorArg() Arg {
	return Arg{Name: "selector", Kind: Selector, Help: "A ref such as @e2, CSS, xpath=…, text=…, role=…, label=…, placeholder=…, alt=…, title=…, testid=… or JSON"}
}

// allOf is an argument for a command that means everything that its selector matches.
func allOf(a Arg) Arg {
	a.Many = true
	return a
}

func pointerCommands() []Command {
	return []Command{
		clickCommand(), doubleClickCommand(),
		{
			Name:     "hover",
			Upstream: []string{"hover <sel>", "hover <selector>"},
			Group:    GroupActions, Summary: "Move the pointer over an element", Args: []Arg{SelectorArg()},
			Flags:  []Flag{positionFlag(), forceFlag()},
			Effect: Mutates, Traits: trait.LookAgain,
			Playwright: []string{"await {selector}.hover();"},
			Run:        onTarget((*Call).hover),
			Policy:     Policy{Families: policy.Does(policy.ActsByPointer)},
		},
	}
}

// aimed is the result of the in-page op aim.
type aimed struct {
	Located
	X float64 `json:"x"`
	Y float64 `json:"y"`

	Points []engine.Point `json:"points"` // all that would do, in a frame

	Rect    engine.Rect `json:"rect"`
	Href    string      `json:"href"`
	Checked *string     `json:"checked"`
	Moved   bool        `json:"moved"`
	Moving  bool        `json:"moving"` // it does not come to rest, and is aimed at where it will be

	Disabled bool     `json:"disabled"` // natively or by aria-disabled
	Via      *Located `json:"via"`      // the control that the element is a part of, when it gets the input at a point beside it or as its host
	Inner    *Located `json:"inner"`    // a control in the element, which gets the input, since nothing of the element itself can be hit

	// Of the op check.
	Already bool   `json:"already"` // it is as wanted, and nothing was aimed at
	Control int64  `json:"control"` // token of what has the state
	Kind    string `json:"kind"`    // its role

	how aiming
}

// landed is the result of the in-page op landed: what became of the input.
type landed struct {
	Hit      bool     `json:"hit"`
	Event    string   `json:"event"`   // by which it is known
	Armed    *bool    `json:"armed"`   // false when the page was not watched any more, so that nothing is known
	Blocked  bool     `json:"blocked"` // the press would have reached something else, and was kept from it
	Lost     bool     `json:"lost"`    // the document got no press at all: what a page drags takes all input
	Removed  bool     `json:"removed"`
	Received string   `json:"received"` // what the target got of what it missed
	Checked  *string  `json:"checked"`
	Now      *Located `json:"now"` // the equal element that took the target's place before the press, and got it

	Effects *seenEffects `json:"effects"`

	facts map[string]any // all of it
	doc   string         // the document that tokens in facts are of
}

// movedAway reports whether the element got the press, and nothing more since it was elsewhere when the button came up.
func (l *landed) movedAway() bool { return l.Received == "mousedown" && !l.Removed }

// firstClick is the event that a double click is told by when there was no second click.
const firstClick = "first click"

// pressOnly returns what the element got when the page acted on that alone, before there was a click, else "".
func (l *landed) pressOnly() string {
	switch l.Event {
	case "mousedown", "pointerdown":
		return l.Event
	case firstClick:
		return "one click"
	}
	return ""
}

// landedPatience is how long after the browser handled the input the page may take to dispatch the event. The event is dispatched
// before the browser's reply, but for the clicks that a page's own handling swallows.
const landedPatience = 250 * time.Millisecond

// aimFor aims, with the checks of the in-page op aim, and has the page watch for the events.
func (c *Call) aimFor(ctx context.Context, t *Target, checks string, events ...string) (*aimed, error) {
	return c.aimAt(ctx, t, aiming{checks: checks, events: events})
}

// aiming says how to aim. The names of the fields are those of the in-page op's arguments.
type aiming struct {
	checks         string
	events         []string // to watch for, the one that ends the input last
	times, presses int      // how often that one is to come, for how many presses; 0: once
	guard          bool     // a press that would land on something else is kept from the page
	position       *engine.Point
	settle         bool
	patience       time.Duration // 0: the command's
	want           string        // not empty: aims at what is to be checked or unchecked, by the op for that
}

// aimAt aims. With --force, nothing is checked, and what the input meets gets it.
func (c *Call) aimAt(ctx context.Context, t *Target, o aiming) (*aimed, error) {
	if c.Bool("force") {
		o.checks, o.guard = "none", false
	}
	arg := map[string]any{"checks": o.checks, "arm": o.events, "guard": o.guard, "settle": o.settle}
	if t.Frame.Parent() != nil {
		arg["spare"] = true // for place
	}
	if t.Frame.Remote() {
		arg["arm"] = append([]string{"mousemove"}, o.events...) // for point
	}
	if o.times > 1 {
		arg["times"] = o.times
	}
	if o.presses > 1 {
		arg["presses"] = o.presses
	}
	if o.position != nil {
		arg["position"] = o.position
	}
	if o.patience > 0 {
		arg["patience"] = o.patience
	}
	op := "aim"
	if o.want != "" {
		op, arg["want"] = "check", o.want
	}
	aim := aimed{how: o}
	err := c.RunOp(ctx, t, op, arg, &aim)
	if o.guard && err == nil {
		c.armed = t.Frame
	}
	return &aim, err
}

// disarm ends what an aim armed in a page, when the command ended before it sent the input.
func (c *Call) disarm(ctx context.Context) {
	if c.armed == nil {
		return
	}
	watched, stop := c.armed.Page().Watch(ctx, true)
	defer stop()
	_ = c.armed.Call(watched, "disarm", nil, nil) // a page that is gone has nothing armed
	c.armed = nil
}

// clickAt clicks on an element that was aimed at and waits for the effects. When the page moved or covered the element in that moment, so
// that the press was kept from it, it aims and clicks again, as long as its patience lasts; once when the element moved away between press and
// release. The result is nil when nothing can be known of
// the element afterwards, since its page is gone or blocked by a dialog.
func (c *Call) clickAt(ctx context.Context, tab *Tab, t *Target, aim *aimed, o engine.ClickOptions) (*landed, error) {
	start, patience := time.Now(), c.patience()
	c.before(tab)
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	away := ""
	for {
		seen, err := c.press(watched, tab, t, aim, o)
		if err != nil {
			return nil, c.interrupted(tab, err)
		}
		left := patience - time.Since(start)
		switch {
		case seen == nil || seen.Hit:
			if err := c.after(ctx, tab); err != nil {
				return nil, err
			}
			if away != "" {
				c.Note(away)
			}
			return seen, nil
		case seen.movedAway() && away == "" && aim.how.checks != "none" && left >= time.Millisecond:
			away = c.clickedAgain(t, seen)
		case !seen.Blocked && !seen.Lost || aim.how.checks == "none" || left < time.Millisecond:
			return nil, c.missed(ctx, t, seen)
		}
		again := aim.how
		again.settle, again.patience = true, left
		next, err := c.aimAt(ctx, t, again)
		if fault.Is(err, fault.TargetUnstable) {
			return nil, c.missed(ctx, t, seen)
		}
		if err != nil {
			return nil, err
		}
		*aim = *next
	}
}

// clickedAgain says what became of a press after which the element had moved.
func (c *Call) clickedAgain(t *Target, seen *landed) string {
	said := t.Label + " moved away when it was pressed"
	if _, ok := seen.facts["on"]; ok {
		f := (&opFailure{Facts: seen.facts}).in(t.Frame, seen.doc)
		c.giveRefs(f)
		said += ", so that " + blamed(f.Facts, "on") + " got the rest"
	}
	return said + "; it was clicked where it went"
}

// press clicks once and reads what became of it; nil when the page left the document while it handled the input.
func (c *Call) press(ctx context.Context, tab *Tab, t *Target, aim *aimed, o engine.ClickOptions) (*landed, error) {
	at, err := c.place(ctx, t, aim)
	if err != nil {
		return nil, err
	}
	if err := c.point(ctx, tab, t, aim, at); err != nil {
		return nil, err
	}
	from, _ := tab.Page.Mouse()
	if way, over := c.way(from, at, 1); len(way) > 1 {
		if err := tab.Page.MoveMouse(ctx, way, over); err != nil {
			return nil, err
		}
	}
	c.acting.acts = tab.Page.Acts() // where the pointer only came by, nothing is clicked yet
	if err := tab.Page.Click(ctx, at.X, at.Y, o); err != nil {
		return nil, err
	}
	c.armed = nil
	return c.landed(ctx, t, aim, true)
}

// landed reads what became of the input that followed an aim. Where that ends the action, what it led to comes with it.
func (c *Call) landed(ctx context.Context, t *Target, aim *aimed, ends bool) (*landed, error) {
	arg, err := json.Marshal(map[string]any{"token": aim.Token, "wait": landedPatience.Milliseconds(), "effects": ends && !c.Bool("settle")})
	if err != nil {
		return nil, err
	}
	value, doc, err := t.Frame.CallRaw(ctx, "landed", arg)
	if engine.IsNavigated(err) || fault.Is(err, fault.FrameGone) || err == nil && doc != aim.doc {
		return nil, nil // the page left the document while it handled the input
	}
	if err != nil {
		return nil, err
	}
	seen := &landed{facts: map[string]any{}, doc: doc}
	for _, v := range []any{seen, &seen.facts} {
		if err := json.Unmarshal(value, v); err != nil {
			return nil, fault.New(fault.Internal, "reading the result of landed: %w", err)
		}
	}
	if seen.Armed != nil && !*seen.Armed {
		return nil, fault.New(fault.Timeout, "The input was sent to '%s', and the page did not say in time whether the element received it.", t.Label).
			About(t.Label).WithHint("The page is busy; look at it with a snapshot before you try again.")
	}
	if ends {
		c.acting.seen = seen.Effects
	}
	if seen.Now != nil && t.ref != nil {
		c.noteElement(t, seen.Now)
	}
	return seen, nil
}

// place finds the point of the main frame's viewport to send input to, and makes sure that no ancestor frame covers it.
func (c *Call) place(ctx context.Context, t *Target, aim *aimed) (engine.Point, error) {
	points := aim.Points
	if len(points) == 0 {
		points = []engine.Point{{X: aim.X, Y: aim.Y}}
	}
	patience := c.patience()
	if aim.how.checks == "none" {
		patience = 0
	}
	at, err := t.Frame.Reach(ctx, points, patience)
	if err != nil {
		return engine.Point{}, err
	}
	if by := at.Covered; by != nil && (aim.how.checks != "none" || by.Code != fault.TargetCovered) {
		return engine.Point{}, c.failure(ctx, t, (&opFailure{Code: by.Code, Facts: by.Facts}).in(by.Frame, by.Doc))
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
func (c *Call) point(ctx context.Context, tab *Tab, t *Target, aim *aimed, at engine.Point) error {
	if !t.Frame.Remote() {
		return nil
	}
	for range pointTries {
		if err := tab.Page.Hover(ctx, at.X, at.Y); err != nil {
			return err
		}
		seen, err := c.pointed(ctx, t, aim, false)
		if engine.IsNavigated(err) || seen.Armed != nil { // the document is another one by now
			break
		}
		if err != nil || seen.Pointed {
			return err
		}
	}
	return notPointed(t)
}

// pointing is the result of the in-page op pointed.
type pointing struct {
	Pointed bool         `json:"pointed"`
	Came    bool         `json:"came"`  // it was on the element, which may have moved away since
	Armed   *bool        `json:"armed"` // false when the document is not that of the aim
	Effects *seenEffects `json:"effects"`
}

// pointed asks whether the pointer that was moved to an element came to it. Where that ends the action, what it led to comes with it.
func (c *Call) pointed(ctx context.Context, t *Target, aim *aimed, ends bool) (seen pointing, err error) {
	ends = ends && c.takesEffects(t.Frame)
	err = t.Frame.Call(ctx, "pointed", map[string]any{"token": aim.Token, "wait": pointPatience.Milliseconds(), "effects": ends}, &seen)
	if ends {
		c.acting.seen = seen.Effects
	}
	return seen, err
}

func notPointed(t *Target) error {
	return fault.New(fault.TargetMissed, "The pointer was moved to '%s', and the element did not get it.", t.Label).About(t.Label).
		WithHint("Nothing was pressed. The page changes where it is; wait until it is at rest, then try again.")
}

// missed makes the error for input that was sent and not received: what got it, and how far it came.
func (c *Call) missed(ctx context.Context, t *Target, seen *landed) error {
	facts := map[string]any{}
	for _, key := range []string{"on", "onRole", "onName", "onToken", "received", "replaced", "removed", "disabled", "blocked", "lost"} {
		if v, ok := seen.facts[key]; ok && v != false {
			facts[key] = v
		}
	}
	return c.failure(ctx, t, (&opFailure{Code: fault.TargetMissed, Facts: facts}).in(t.Frame, seen.doc))
}

// hoverTries is how often the pointer is moved to what was at rest, and did not get it.
const hoverTries = 3

func (c *Call) hover(ctx context.Context, tab *Tab, t *Target) (Result, error) {
	position, err := c.position()
	if err != nil {
		return Result{}, err
	}
	start, patience := time.Now(), c.patience()
	how := aiming{checks: "hover", events: []string{"mousemove"}, position: position}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	for tries := 1; ; tries++ {
		aim, err := c.aimAt(ctx, t, how)
		if err != nil {
			return Result{}, err
		}
		at, err := c.place(ctx, t, aim)
		if err != nil {
			return Result{}, err
		}
		c.before(tab)
		err = c.hoverAt(watched, tab, t, aim, at)
		// What has moved before the pointer came is followed; what runs away from the pointer is not, for long.
		left := patience - time.Since(start)
		if fault.Is(err, fault.TargetMissed) && !c.Bool("force") && left >= time.Millisecond && (aim.Moving || tries < hoverTries) {
			how.settle, how.patience = true, left
			continue
		}
		if err != nil {
			if err := c.interrupted(tab, err); err != nil {
				return Result{}, err
			}
		}
		if err := c.after(ctx, tab); err != nil {
			return Result{}, err
		}
		return Result{Data: map[string]any{"hovered": t.Label}, Text: "✓ Done"}, nil
	}
}

// hoverAt moves the pointer to where the target is, and makes sure that it has come to it.
func (c *Call) hoverAt(ctx context.Context, tab *Tab, t *Target, aim *aimed, at engine.Point) error {
	if t.Frame.Remote() {
		return c.point(ctx, tab, t, aim, at)
	}
	if err := tab.Page.Hover(ctx, at.X, at.Y); err != nil {
		return err
	}
	switch seen, err := c.pointed(ctx, t, aim, true); {
	case engine.IsNavigated(err), err == nil && seen.Armed != nil:
		return nil // the page left the document when the pointer came
	case err != nil:
		return err
	case !seen.Pointed && !seen.Came:
		return notPointed(t)
	case !seen.Pointed:
		c.Note("the pointer came to " + t.Label + ", which has moved on since")
	}
	return nil
}
