package element

import (
	"context"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
)

// GestureResult is the result of the in-page op gestureSeen.
type GestureResult struct {
	Met                      // what the first event came to
	Armed     *bool          `json:"armed"` // false if the page was no longer watched, so that nothing is known
	Hit       bool           `json:"hit"`
	Count     map[string]int `json:"count"`     // of events by name
	Prevented []string       `json:"prevented"` // the events that a script took
	Scrolled  []MovedBox     `json:"scrolled"`
	Changed   bool           `json:"changed"` // the document changed meanwhile
}

// Nothing reports whether the gesture is seen to have done nothing.
func (g *GestureResult) Nothing() bool {
	return len(g.Scrolled) == 0 && len(g.Prevented) == 0 && !g.Changed
}

// WatchGestureArg is the argument of the in-page op watchGesture: a point, or an element.
type WatchGestureArg struct {
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	Token int64   `json:"token,omitzero"`
}

// GestureSeenArg is the argument of the in-page op gestureSeen.
type GestureSeenArg struct {
	First string `json:"first"`          // the event that the gesture begins with
	Click int64  `json:"click,omitzero"` // how long a click that it leads to may take, in ms
}

// The in-page ops that watch a gesture and return its result.
var (
	OpWatchGesture = inpage.Define[WatchGestureArg, inpage.None]("watchGesture")
	OpGestureSeen  = inpage.Define[GestureSeenArg, GestureResult]("gestureSeen")
)

// WatchAround has the frames around one watch what a gesture in it does to them: what does not scroll in a frame
// scrolls around it.
func WatchAround(ctx context.Context, c *actions.Call, frame *engine.Frame) error {
	for parent := frame.Parent(); parent != nil; frame, parent = parent, parent.Parent() {
		token, _, err := frame.OwnerToken(ctx)
		if err != nil {
			return err
		}
		if _, err := OpWatchGesture.In(ctx, parent, WatchGestureArg{Token: token}); err != nil {
			return err
		}
	}
	return nil
}

// GestureSeen reads the result of a gesture that began in a frame with the event. If nothing in the frame scrolled, in
// is the ancestor frame in which something did.
func GestureSeen(
	ctx context.Context, c *actions.Call, frame *engine.Frame, first string,
) (seen GestureResult, in *engine.Frame, err error) {
	arg := GestureSeenArg{First: first}
	if seen, err = OpGestureSeen.In(ctx, frame, arg); err != nil {
		return seen, frame, err
	}
	in = frame
	for parent := frame.Parent(); parent != nil; parent = parent.Parent() {
		around, err := OpGestureSeen.In(ctx, parent, arg)
		if err != nil {
			return seen, in, err
		}
		if len(seen.Scrolled) == 0 && len(around.Scrolled) > 0 {
			seen.Scrolled, in = around.Scrolled, parent
		}
	}
	return seen, in, nil
}

// Reach waits until input for a place in a frame of another process gets there, see point.
func Reach(ctx context.Context, c *actions.Call, tab *actions.Tab, t *Target, at engine.Point) error {
	if !t.Frame.Remote() {
		return nil
	}
	aim, err := aimFor(ctx, c, t, "none")
	if err != nil {
		return err
	}
	return PointAt(ctx, c, tab, t, aim, at)
}

// BoxName is an element that scrolls, as the in-page script names it.
type BoxName struct {
	Container string `json:"container"`
	Token     int64  `json:"token"`
	Role      string `json:"role"`
	Name      string `json:"name"`
}

// MovedBox is where something that scrolls is and was. Container is empty for the page.
type MovedBox struct {
	Container string         `json:"container"`
	Box       BoxName        `json:"box"`
	From      ScrollPosition `json:"from"`
	ScrollPosition
	Edges ScrollEdges `json:"edges"`
}

// ScrollPosition is where a box is scrolled to.
type ScrollPosition struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// ScrollEdges reports which of its edges a box shows.
type ScrollEdges struct {
	Top    bool `json:"top"`
	Bottom bool `json:"bottom"`
	Left   bool `json:"left"`
	Right  bool `json:"right"`
}

// Scrolled is the result of the in-page op scroll.
type Scrolled struct {
	Located
	MovedBox
	Moved     bool  `json:"moved"`
	InFrame   int64 `json:"inFrame"`   // token of the frame element that contains the element to scroll
	TakenBack bool  `json:"takenBack"` // it moved, and a script moved it back
	Still     bool  `json:"still"`     // it does not scroll that way at all
	// the page does not, but the part of it that the screen shows can be moved that way
	Pans   bool      `json:"pans"`
	Others []BoxName `json:"others"` // what does

	Effects *run.SeenEffects `json:"effects"`
}

// Sighted is the result of the in-page op scrollIntoView.
type Sighted struct {
	Located
	X       float64 `json:"x"` // its middle
	Y       float64 `json:"y"`
	Moved   bool    `json:"moved"`
	Covered bool    `json:"covered"`
}

// sightArg is the argument of the in-page op scrollIntoView.
type sightArg struct {
	Targeted
	Later bool `json:"later,omitzero"` // answers as soon as it is in view; the op rest reports whether it stays there
}

var opScrollIntoView = inpage.Define[sightArg, Sighted]("scrollIntoView")

// ScrollIntoView scrolls until a target is in view and stays there.
func ScrollIntoView(ctx context.Context, c *actions.Call, t *Target) (*Sighted, error) {
	return RunOp(ctx, c, t, opScrollIntoView, sightArg{})
}

// BringIntoView is ScrollIntoView, but waits for nothing once the target is in view. Where it does not stay there, the
// next reply says so.
func BringIntoView(ctx context.Context, c *actions.Call, t *Target) (*Sighted, error) {
	later := run.RestsLater(c)
	res, err := RunOp(ctx, c, t, opScrollIntoView, sightArg{Later: later})
	if err == nil && later && res.Moved {
		run.Of(c).Unrest = &run.Unrest{Frame: t.Frame, Say: func(run.Rested) string {
			return t.Label + " is out of view again: the page has moved it since"
		}}
	}
	return res, err
}
