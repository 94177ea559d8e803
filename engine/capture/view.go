package capture

import (
	"context"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
)

// View is how the screen shows the document of a frame.
type View struct {
	Screen engine.Point `json:"screen"` // the corner of what it shows, in the document
	Width  float64      `json:"width"`
	Height float64      `json:"height"`
	Ratio  float64      `json:"ratio"` // pixels for each CSS pixel
}

var opInfo = inpage.Define[inpage.None, View]("info")

// InView asks a frame how the screen shows its document.
func InView(ctx context.Context, frame *engine.Frame) (View, error) {
	return opInfo.In(ctx, frame, inpage.None{})
}
