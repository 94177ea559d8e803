package element

import (
	"context"
	"encoding/json"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/snapshot"
)

// How many frames of a page are asked for what its main frame does not have, and for how long.
const (
	framesAsked     = 10
	framesAskedTime = time.Second
)

// inFrames names what was looked for where a frame has it; "" where none does. Selectors look in the main frame alone,
// and a snapshot shows the frames as well.
func inFrames(ctx context.Context, c *actions.Call, t *Target) string {
	if t.Frame.Parent() != nil || t.Want.Ref != nil || c.UpstreamText() {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, framesAskedTime)
	defer cancel()
	frames := FramesBelow(ctx, t.Frame)
	for _, frame := range frames[:min(len(frames), framesAsked)] {
		value, doc, err := opReadState.Raw(ctx, frame, ReadArg{Targeted: Targeted{Target: t.Want}, What: "visible"})
		if err != nil || FailureOf(value) != nil {
			continue
		}
		var el Located
		if json.Unmarshal(value, &el) != nil {
			continue
		}
		ref := c.Session.Refs().Give(snapshot.Ref{
			Tab:     t.Tab.ID,
			FrameID: frame.ID(),
			DocID:   doc,
			URL:     frame.URL(),
			Token:   el.Token,
			Role:    el.Role,
			Name:    el.Name,
		})
		return " The frame " + wording.Quote(frameLabel(frame)) + " has " + fact.ElementName(el.Role, el.Name, el.Tag) +
			" (" + ref + "): refs work in frames."
	}
	return ""
}
