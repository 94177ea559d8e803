package actions

import (
	"context"

	"github.com/skua-browser/skua/engine"
)

// gestured is the result of the in-page op gestureSeen.
type gestured struct {
	Armed     *bool          `json:"armed"` // false when the page was not watched any more, so that nothing is known
	Hit       bool           `json:"hit"`
	On        string         `json:"on"` // what the first event came to
	OnRole    string         `json:"onRole"`
	OnName    string         `json:"onName"`
	OnToken   float64        `json:"onToken"`
	Count     map[string]int `json:"count"`     // of events by name
	Prevented []string       `json:"prevented"` // the events that a script took
	Scrolled  []movedBox     `json:"scrolled"`
	Changed   bool           `json:"changed"` // the document changed meanwhile
}

// nothing reports whether the gesture is seen to have done nothing.
func (g *gestured) nothing() bool { return len(g.Scrolled) == 0 && len(g.Prevented) == 0 && !g.Changed }

// watchAround has the frames around one watch what a gesture in it does to them: what does not scroll in a frame scrolls around it.
func (c *Call) watchAround(ctx context.Context, frame *engine.Frame) error {
	for parent := frame.Parent(); parent != nil; frame, parent = parent, parent.Parent() {
		token, _, err := frame.OwnerToken(ctx)
		if err != nil {
			return err
		}
		if err := parent.Call(ctx, "watchGesture", map[string]any{"token": token}, nil); err != nil {
			return err
		}
	}
	return nil
}

// gestureSeen reads what became of a gesture that began in a frame with the event. Where nothing of the frame scrolled, in is the frame
// around it of which something did.
func (c *Call) gestureSeen(ctx context.Context, frame *engine.Frame, first string) (seen gestured, in *engine.Frame, err error) {
	arg := map[string]any{"first": first}
	if err := frame.Call(ctx, "gestureSeen", arg, &seen); err != nil {
		return seen, frame, err
	}
	in = frame
	for parent := frame.Parent(); parent != nil; parent = parent.Parent() {
		var around gestured
		if err := parent.Call(ctx, "gestureSeen", arg, &around); err != nil {
			return seen, in, err
		}
		if len(seen.Scrolled) == 0 && len(around.Scrolled) > 0 {
			seen.Scrolled, in = around.Scrolled, parent
		}
	}
	return seen, in, nil
}

// reach waits until input for a place in a frame of another process gets there, see point.
func (c *Call) reach(ctx context.Context, tab *Tab, t *Target, at engine.Point) error {
	if !t.Frame.Remote() {
		return nil
	}
	aim, err := c.aimFor(ctx, t, "none")
	if err != nil {
		return err
	}
	return c.point(ctx, tab, t, aim, at)
}
