package element

import (
	"cmp"
	"context"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/engine/placement"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// Aim is the result of the in-page op aim.
type Aim struct {
	Located
	X float64 `json:"x"`
	Y float64 `json:"y"`

	Points []engine.Point `json:"points"` // all that would do, in a frame

	Rect    engine.Rect `json:"rect"`
	Href    string      `json:"href"`
	Checked *string     `json:"checked"`
	Moving  bool        `json:"moving"` // it does not come to rest, and is aimed at where it will be

	Disabled bool `json:"disabled"` // natively or by aria-disabled
	ViaLabel bool `json:"viaLabel"` // its label is pressed in its place
	// the control that the element is a part of, when it gets the input at a point beside it or as its host
	Via *Located `json:"via"`
	// a control in the element that gets the input, since the element itself has no clickable point
	Inner *Located `json:"inner"`

	// the select of an option in a native menu: nothing was aimed at, since the caller chooses the option
	Menu *Located `json:"menu"`

	// Of the op check.
	Already bool   `json:"already"` // the element is already as requested, and nothing was aimed at
	Control int64  `json:"control"` // token of what has the state
	Kind    string `json:"kind"`    // its role
	Said    bool   `json:"said"`    // the page says the state in ARIA as well, maybe later than the native box has it

	How AimOptions `json:"-"`
}

// landedArg is the argument of the in-page op landed.
type landedArg struct {
	Token   int64 `json:"token"`
	Wait    int64 `json:"wait"` // in ms
	Effects bool  `json:"effects"`
	Dialog  bool  `json:"dialog"`
	Behind  bool  `json:"behind,omitzero"` // it was sent with the input
}

var opLanded = inpage.Define[landedArg, Landing]("landed")

// Landing is the result of the in-page op landed: where the input went.
type Landing struct {
	Met
	Hit      bool   `json:"hit"`
	Event    string `json:"event"`   // by which it is known
	Armed    *bool  `json:"armed"`   // false if the page was no longer watched, so that nothing is known
	Blocked  bool   `json:"blocked"` // the press would have hit something else and was blocked
	Lost     bool   `json:"lost"`    // the document got no press at all: what a page drags takes all input
	Removed  bool   `json:"removed"`
	Received string `json:"received"` // what the target got of what it missed

	Unreleased bool `json:"unreleased"` // the page got the press, but a dialog held back the release

	Checked *string  `json:"checked"`
	Now     *Located `json:"now"` // the equal element that took the target's place before the press, and got it

	Effects *run.SeenEffects `json:"effects"`

	Replaced bool `json:"replaced"` // an equal element has taken the target's place, and got no click
	Clicked  bool `json:"clicked"`  // what is named by On got the click
	Disabled bool `json:"disabled"` // the browser delivers no input to the target

	Doc string `json:"-"` // the document that tokens are of
}

// movedAway reports whether the element got the press, and nothing more since it was elsewhere when the button came up.
func (l *Landing) movedAway() bool { return l.Received == "mousedown" && !l.Removed }

// FirstClick is the event that a double click reports if there was no second click.
const FirstClick = "first click"

// PressOnly returns the event that the page acted on before there was a click, or "".
func (l *Landing) PressOnly() string {
	switch l.Event {
	case "mousedown", "pointerdown":
		return l.Event
	case FirstClick:
		return "one click"
	}
	return ""
}

// LandedPatience is how long after the browser handled the input the page may take to dispatch the event. The event is
// dispatched before the browser's reply, except for clicks that the page's own handlers swallow.
const LandedPatience = 250 * time.Millisecond

// aimFor aims, with the checks of the in-page op aim, and has the page watch for the events.
func aimFor(ctx context.Context, c *actions.Call, t *Target, checks string, events ...string) (*Aim, error) {
	return AimAt(ctx, c, t, AimOptions{Checks: checks, Events: events})
}

// AimOptions are the options of aiming. Fields are named like the arguments of the in-page op.
type AimOptions struct {
	Checks         string
	Events         []string // to watch for, the one that ends the input last
	Times, Presses int      // how often that one is to come, for how many presses; 0 means once
	Guard          bool     // a press that would hit another element is not delivered to the page
	Position       *engine.Point
	Settle         bool
	Patience       time.Duration // 0 means the command's
	Choose         bool          // an option that no pointer reaches is one to choose, see Aim.Menu
	hovered        bool          // the pointer has been moved to what shows the target, or is being moved there
	Want           string        // not empty: aims at a control to check or uncheck, by the op for that
}

// AimArg is the argument of the in-page ops that aim.
type AimArg struct {
	Targeted
	Checks   string        `json:"checks"`
	Arm      []string      `json:"arm,omitempty"`
	Guard    bool          `json:"guard"`
	Settle   bool          `json:"settle"`
	Spare    bool          `json:"spare,omitzero"`
	Times    int           `json:"times,omitzero"`
	Presses  int           `json:"presses,omitzero"`
	Position *engine.Point `json:"position,omitempty"`
	Choose   bool          `json:"choose,omitzero"`
	Want     string        `json:"want,omitempty"`   // of the op check
	Bounded  bool          `json:"bounded,omitzero"` // the caller decides how long to wait, whatever the page looks like
}

// The in-page ops that aim.
var (
	opAim   = inpage.Define[AimArg, Aim]("aim")
	opCheck = inpage.Define[AimArg, Aim]("check")
)

// AimAt aims at an element. With --force it checks nothing, and whatever is at the point gets the input.
func AimAt(ctx context.Context, c *actions.Call, t *Target, o AimOptions) (*Aim, error) {
	if c.Bool("force") {
		o.Checks, o.Guard = "none", false
	}
	arg := AimArg{
		Targeted: Targeted{
			Within:  o.Patience,
			Hovered: o.hovered,
		},
		Checks:   o.Checks,
		Arm:      o.Events,
		Guard:    o.Guard,
		Settle:   o.Settle,
		Position: o.Position,
		Choose:   o.Choose,
		Want:     o.Want,
		Spare:    t.Frame.Parent() != nil, // for place
		Bounded:  c.Flagged("timeout"),
	}
	if t.Frame.Remote() {
		arg.Arm = append([]string{"mousemove"}, o.Events...) // for point
	}
	if o.Times > 1 {
		arg.Times = o.Times
	}
	if o.Presses > 1 {
		arg.Presses = o.Presses
	}
	op := opAim
	if o.Want != "" {
		op = opCheck
	}
	aim, err := RunOp(ctx, c, t, op, arg)
	aim.How = o
	if o.Guard && err == nil && aim.Menu == nil {
		run.SetArmed(c, t.Frame)
	}
	return aim, err
}

// ClickAt clicks on an element that was aimed at and waits for the effects. When the page moved or covered the element
// in that moment, so that the press was kept from it, it aims and clicks again, as long as its patience lasts; once
// when the element moved away between press and release, and when that fails, the error is about the press that the
// page got. The result is nil when nothing can be known of the element afterwards, since its page is gone or blocked by
// a dialog.
func ClickAt(
	ctx context.Context, c *actions.Call, tab *actions.Tab, t *Target, aim *Aim, o input.ClickOptions,
) (*Landing, error) {
	start, patience := time.Now(), c.Patience()
	run.Start(c, tab)
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	away, pressed := "", (*Landing)(nil)
	for {
		seen, err := Press(watched, c, tab, t, aim, o)
		if err != nil {
			return nil, sinceThePress(ctx, c, tab, t, pressed, run.Interrupted(c, tab, err))
		}
		left := patience - time.Since(start)
		switch {
		case seen == nil || seen.Hit:
			if err := run.Settle(ctx, c, tab); err != nil {
				return nil, err
			}
			if away != "" {
				c.Note(away)
			}
			return seen, nil
		case seen.movedAway() && away == "" && aim.How.Checks != "none" && left >= time.Millisecond:
			away, pressed = clickedAgain(c, t, seen), seen
		case !seen.Blocked && !seen.Lost || aim.How.Checks == "none" || left < time.Millisecond:
			return nil, Missed(ctx, c, t, cmp.Or(pressed, seen))
		}
		again := aim.How
		again.Settle, again.Patience = true, left
		next, err := AimAt(ctx, c, t, again)
		if fault.Is(err, fault.TargetUnstable) {
			return nil, Missed(ctx, c, t, cmp.Or(pressed, seen))
		}
		if err != nil {
			return nil, sinceThePress(ctx, c, tab, t, pressed, err)
		}
		*aim = *next
	}
}

// sinceThePress is the error of an attempt after one that pressed the element, if there was one: that press happened,
// even if the next attempt failed. An error that says more than that, or is not about the element, stays.
func sinceThePress(
	ctx context.Context, c *actions.Call, tab *actions.Tab, t *Target, pressed *Landing, err error,
) error {
	if err == nil || pressed == nil || ctx.Err() != nil || fault.Is(err, fault.Timeout) || tab.Page.Err() != nil ||
		tab.Page.Dialogs().Open() != nil {
		return err
	}
	return Missed(ctx, c, t, pressed)
}

// clickedAgain describes the result of a press after which the element had moved.
func clickedAgain(c *actions.Call, t *Target, seen *Landing) string {
	message := t.Label + " moved away when the button was pressed"
	if seen.On != "" {
		message += ", so that " + seen.Blamed(c, t.Frame, seen.Doc) + " got the rest"
	}
	return message + "; it was clicked at its new place"
}

// Press clicks once and reads the result; nil if the page left the document while it handled the input.
func Press(
	ctx context.Context, c *actions.Call, tab *actions.Tab, t *Target, aim *Aim, o input.ClickOptions,
) (*Landing, error) {
	at, err := Place(ctx, c, t, aim)
	if err != nil {
		return nil, err
	}
	if err := PointAt(ctx, c, tab, t, aim, at); err != nil {
		return nil, err
	}
	from := input.MouseOf(tab.Page).At
	if way, over := MousePath(c, from, at, 1); len(way) > 1 {
		if err := input.MoveMouse(ctx, tab.Page, way, over); err != nil {
			return nil, err
		}
	}
	run.Of(c).Acts = tab.Page.Acts() // where the pointer only came by, nothing is clicked yet
	before := input.Dialogs(tab.Page)
	behind, sent := landedBehind(c, t, aim, o)
	if err := input.Click(ctx, tab.Page, at, o, sent...); err != nil {
		return nil, err
	}
	run.SetArmed(c, nil)
	met := input.Dialogs(tab.Page) != before
	seen, err := landed(ctx, c, t, aim, true, met, behind)
	if err != nil || seen == nil || !seen.Unreleased {
		return seen, err
	}
	// The release came to the browser while the dialog that the press opened was there.
	if err := input.Release(ctx, tab.Page, at, o); err != nil {
		return nil, err
	}
	return Landed(ctx, c, t, aim, true)
}

// Landed reads the result of the input that followed an aim. If ends, that includes the effects of the action.
func Landed(ctx context.Context, c *actions.Call, t *Target, aim *Aim, ends bool) (*Landing, error) {
	return landed(ctx, c, t, aim, ends, false, nil)
}

func landingOf(c *actions.Call, aim *Aim, ends bool) landedArg {
	return landedArg{Token: aim.Token, Wait: LandedPatience.Milliseconds(), Effects: ends && !c.Bool("settle")}
}

// landingBehind is [Landed] that is sent with a click.
type landingBehind = run.Behind[landedArg, Landing]

// landedBehind is to be sent with a click; nil where other events come behind those that are watched for.
func landedBehind(c *actions.Call, t *Target, aim *Aim, o input.ClickOptions) (*landingBehind, []input.Sent) {
	if o.Button == "right" || o.Modifiers != 0 {
		return nil, nil
	}
	arg := landingOf(c, aim, true)
	arg.Behind = true
	b := &landingBehind{Op: opLanded, Frame: t.Frame, Arg: arg}
	return b, []input.Sent{b.Sent}
}

// landed is Landed. After a dialog it may find that the page got a press without its end, and then waits for nothing
// and goes on watching. Sent is what was sent with the input, if anything was.
func landed(
	ctx context.Context, c *actions.Call, t *Target, aim *Aim, ends, dialog bool, sent *landingBehind,
) (*Landing, error) {
	var now Landing
	var doc string
	reply, err := sent.Answer(ctx, dialog)
	switch {
	case reply != nil:
		now, doc = reply.Answer, reply.Doc
	case err == nil:
		arg := landingOf(c, aim, ends)
		arg.Dialog = dialog
		now, doc, err = opLanded.Here(ctx, t.Frame, arg)
	}
	if engine.IsNavigated(err) || fault.Is(err, fault.FrameGone) || err == nil && doc != aim.Doc {
		return nil, nil // the page left the document while it handled the input
	}
	if err != nil {
		return nil, err
	}
	seen := &now
	seen.Doc = doc
	if seen.Armed != nil && !*seen.Armed {
		return nil, fault.New(fault.Timeout,
			"The input was sent to '%s', but the page did not report in time whether the element received it.", t.Label).
			About(t.Label).WithHint("The page is busy; look at it with a snapshot before you try again.")
	}
	if ends {
		run.Of(c).Seen = seen.Effects
	}
	if seen.Now != nil && t.Ref != nil {
		NoteElement(c, t, seen.Now)
	}
	return seen, nil
}

// Place finds the point of the main frame's viewport to send input to, and makes sure that no ancestor frame covers it.
func Place(ctx context.Context, c *actions.Call, t *Target, aim *Aim) (engine.Point, error) {
	points := aim.Points
	if len(points) == 0 {
		points = []engine.Point{{X: aim.X, Y: aim.Y}}
	}
	patience := c.Patience()
	if aim.How.Checks == "none" {
		patience = 0
	}
	at, err := placement.Reach(ctx, t.Frame, points, patience)
	if err != nil {
		return engine.Point{}, err
	}
	if by := at.Covered; by != nil && (aim.How.Checks != "none" || by.Code != fault.TargetCovered) {
		return engine.Point{}, Failure(ctx, c, t, FailureAt(by.Code, by.Facts, by.Frame, by.Doc))
	}
	return at.Point, nil
}

// How often the pointer is moved to a place in a frame of another process, and how long its page may take to notice. A
// try that fails because the browser has not painted the frame where it is now is right in the next frame or the one
// after that.
const (
	pointTries    = 20
	pointPatience = 50 * time.Millisecond
)

// PointAt moves the pointer to a place in a frame of another process until it is seen to be there. Chromium sends input
// to the process whose frame it painted last at that place, so that after scrolling a click could go to what was there
// before. Moving the pointer to the wrong one does little harm. In frames of the page's own process the place is looked
// up in the document itself.
func PointAt(ctx context.Context, c *actions.Call, tab *actions.Tab, t *Target, aim *Aim, at engine.Point) error {
	if !t.Frame.Remote() {
		return nil
	}
	for range pointTries {
		if err := input.Hover(ctx, tab.Page, at); err != nil {
			return err
		}
		seen, err := Pointed(ctx, c, t, aim, false, nil)
		if engine.IsNavigated(err) || seen.Armed != nil { // the document is another one by now
			break
		}
		if err != nil || seen.Pointed {
			return err
		}
	}
	return NotPointed(t)
}

// pointedArg is the argument of the in-page op pointed.
type pointedArg struct {
	Token   int64 `json:"token"`
	Wait    int64 `json:"wait"` // in ms
	Effects bool  `json:"effects"`
	Behind  bool  `json:"behind,omitzero"` // it was sent with the move
}

var opPointed = inpage.Define[pointedArg, pointing]("pointed")

// pointing is the result of the in-page op pointed.
type pointing struct {
	Pointed bool             `json:"pointed"`
	Came    bool             `json:"came"`  // it was on the element, which may have moved away since
	Armed   *bool            `json:"armed"` // false when the document is not that of the aim
	Effects *run.SeenEffects `json:"effects"`
}

// PointingBehind is [Pointed] that is sent with a move.
type PointingBehind = run.Behind[pointedArg, pointing]

// PointedBehind is to be sent with a move that ends an action.
func PointedBehind(c *actions.Call, t *Target, aim *Aim) *PointingBehind {
	arg := pointedArg{aim.Token, pointPatience.Milliseconds(), run.CollectsEffects(c, t.Frame), true}
	return &PointingBehind{Op: opPointed, Frame: t.Frame, Arg: arg}
}

// Pointed asks whether the pointer that was moved to an element came to it. Where that ends the action, what it led to
// comes with it. Sent is nil where nothing was sent with the move.
func Pointed(
	ctx context.Context, c *actions.Call, t *Target, aim *Aim, ends bool, sent *PointingBehind,
) (seen pointing, err error) {
	ends = ends && run.CollectsEffects(c, t.Frame)
	reply, err := sent.Answer(ctx, false)
	switch {
	case reply != nil:
		seen = reply.Answer
	case err == nil:
		seen, err = opPointed.In(ctx, t.Frame, pointedArg{
			Token:   aim.Token,
			Wait:    pointPatience.Milliseconds(),
			Effects: ends,
		})
	}
	if ends {
		run.Of(c).Seen = seen.Effects
	}
	return seen, err
}

// NotPointed is the error for a pointer that was moved to an element, which did not get it.
func NotPointed(t *Target) error {
	return fault.New(fault.TargetMissed, "The pointer was moved to '%s', but the element did not receive it.", t.Label).
		About(t.Label).
		WithHint("Nothing was pressed. The page is changing around it; wait until the page has settled, then try again.")
}

// Missed makes the error for input that was sent and not received: what got it, and how far it came.
func Missed(ctx context.Context, c *actions.Call, t *Target, seen *Landing) error {
	facts := Missing{
		Met:      seen.Met,
		Received: seen.Received,
		Replaced: seen.Replaced,
		Removed:  seen.Removed,
		Disabled: seen.Disabled,
		Blocked:  seen.Blocked,
		Lost:     seen.Lost,
	}
	return Failure(ctx, c, t, NewFailure(fault.TargetMissed, facts).In(t.Frame, seen.Doc))
}

// ForceFlag is the flag of the commands that can act without the checks, read by AimAt.
func ForceFlag() actions.Flag {
	return actions.Flag{
		Name: "force",
		Kind: actions.Bool,
		Help: "Act without waiting or checking first; the reply still says what received the input",
	}
}

// PositionFlag is the flag for a point of the element to act on, read by ClickPosition.
func PositionFlag() actions.Flag {
	return actions.Flag{
		Name:      "position",
		Kind:      actions.String,
		Kept:      true,
		Value:     "x,y",
		DashValue: true,
		Help:      "The point in the element's box, in pixels from its top left corner",
	}
}

// ClickPosition reads --position; nil when it was not given.
func ClickPosition(c *actions.Call) (*engine.Point, error) {
	if !c.Has("position") {
		return nil, nil
	}
	at, ok := parsePoint(c.String("position"))
	if !ok {
		return nil, c.Invalid("--position takes two numbers such as 10,5, got " + wording.Quote(c.String("position")))
	}
	return &at, nil
}
