package placement

import (
	"context"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/internal/fault"
)

// Place is where a point of a frame lies in the main frame's viewport.
type Place struct {
	engine.Point
	Covered *Cover // what keeps the pointer from the frame at that point in one of its ancestors, or nil
}

// Cover is what covers or hides a frame.
type Cover struct {
	Code  fault.Code
	Frame *engine.Frame // the ancestor in which it is
	Doc   string        // the document there that tokens in Facts belong to
	Facts []byte        // JSON
}

// InPage translates a point of a frame's viewport into the main frame's, through every ancestor frame.
func InPage(ctx context.Context, f *engine.Frame, pt engine.Point) (Place, error) {
	return Reach(ctx, f, []engine.Point{pt}, 0)
}

// answerTime is what is left of a caller's time for the answer of a page that waits.
const answerTime = 100 * time.Millisecond

// frameBoxArg is the argument of the in-page op frameBox.
type frameBoxArg struct {
	Token    int64          `json:"token"`
	Points   []engine.Point `json:"points"`
	Patience int64          `json:"patience"`         // in ms
	Longest  int64          `json:"longest,omitzero"` // in ms, where more than the patience is known to be needed
}

// frameBox is where a frame's element shows points of the frame, or where the first of them lies and why the pointer
// does not reach any.
type frameBox struct {
	Points []engine.Point  `json:"points"`
	At     engine.Point    `json:"at"`
	Error  *inpage.Failure `json:"error"`
}

// frameAt is a frame's element at a point of the screen, and where the point is in that frame.
type frameAt struct {
	Token int64   `json:"token"` // 0 means none
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
}

var (
	opFrameBox = inpage.Define[frameBoxArg, frameBox]("frameBox")
	opFrameAt  = inpage.Define[engine.Point, frameAt]("frameAt")
)

// Reach returns the first of the points, which are in a frame's viewport, at which the pointer reaches the frame, in
// coordinates of the main frame's viewport. It waits up to patience for one. If there is none, the placement says where
// the first point is and which element covers it.
func Reach(ctx context.Context, f *engine.Frame, points []engine.Point, patience time.Duration) (Place, error) {
	at := Place{}
	for f.Parent() != nil {
		token, _, err := f.OwnerToken(ctx)
		if err != nil {
			return at, err
		}
		arg := frameBoxArg{Token: token, Points: points, Patience: max(0, patience.Milliseconds())}
		if end, ok := ctx.Deadline(); ok && patience > 0 { // what is known to end until then is awaited
			arg.Longest = max(patience, time.Until(end)-answerTime).Milliseconds()
		}
		parent := f.Parent()
		value, doc, err := opFrameBox.Raw(ctx, parent, arg)
		if err != nil {
			return at, err
		}
		var box frameBox
		if err := opFrameBox.Read(value, &box); err != nil {
			return at, err
		}
		if points = box.Points; box.Error != nil {
			points, patience = []engine.Point{box.At}, 0
			if at.Covered == nil {
				at.Covered = &Cover{Code: box.Error.Code, Frame: parent, Doc: doc, Facts: box.Error.Facts}
			}
		}
		f = parent
	}
	at.Point = points[0]
	return at, nil
}

// At returns the innermost frame that shows something at a point of a frame's viewport, and the point in that frame's
// own. It needs one round trip a level.
func At(ctx context.Context, f *engine.Frame, at engine.Point) (*engine.Frame, engine.Point, error) {
	for {
		found, err := opFrameAt.In(ctx, f, at)
		if err != nil {
			return nil, at, err
		}
		if found.Token == 0 {
			return f, at, nil
		}
		child, err := f.ChildOf(ctx, found.Token)
		if err != nil || child == nil {
			return f, at, err
		}
		f, at = child, engine.Point{X: found.X, Y: found.Y}
	}
}
