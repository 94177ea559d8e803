package capture

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/capture"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/pixels"
)

// What a picture shows.
const (
	showsViewport = "viewport"
	showsPage     = "page"
	showsElement  = "element"
	showsClip     = "clip"
	showsContent  = "content"
)

// Pictured is what a screenshot shows, so that commands can act on a point of it.
type Pictured struct {
	Shot   string  `json:"shot,omitempty"` // its id, for --shot
	Shows  string  `json:"shows"`          // viewport, page, element, clip or content
	Width  int     `json:"width"`          // in pixels of the picture
	Height int     `json:"height"`
	Scale  float64 `json:"scale"` // pixels of the picture for each CSS pixel
	// what of the page it shows, in CSS pixels from the page's top left corner; of content, the box
	Area engine.Rect `json:"area"`
}

// depicted takes a picture of which the page remembers what is where in it. A page that cannot is pictured all the
// same.
func (s *Shot) depicted(
	ctx context.Context, c *actions.Call, tab *actions.Tab, o capture.ScreenshotOptions,
) ([]byte, error) {
	s.depict(ctx, c, tab, o.Clip)
	raw, err := capture.Screenshot(ctx, tab.Page, o)
	if err != nil || s.shot == nil {
		return raw, err
	}
	width, height, err := pixels.Size(raw)
	if err != nil {
		return nil, fault.New(fault.Internal, "reading the size of the picture: %w", err)
	}
	s.shot.Sized(o.Clip, width, height)
	return raw, nil
}

// depict has the page remember what the picture of a clip, or of the viewport, is about to show.
func (s *Shot) depict(ctx context.Context, c *actions.Call, tab *actions.Tab, clip *engine.Rect) {
	var err error
	if s.shot, err = element.Depict(ctx, c, tab, clip != nil); err != nil && ctx.Err() == nil {
		s.unseen = err
	}
}

// shows names what is in the picture.
func (s *Shot) shows() string {
	switch {
	case s.whole:
		return showsPage
	case s.selector != "":
		return showsElement
	case s.Clip != nil:
		return showsClip
	}
	return showsViewport
}

// pictured is the part of the reply that says what the picture shows. From then on its points can be acted on.
func (s *Shot) pictured(c *actions.Call, tab *actions.Tab) *Pictured {
	if s.shot == nil {
		if s.unseen != nil {
			c.Note("points of this screenshot cannot be clicked: " + fault.MessageOf(s.unseen))
		}
		return nil
	}
	s.shot.Keep(tab)
	return &Pictured{
		Shot:   s.shot.ID,
		Shows:  s.shows(),
		Width:  s.shot.Width,
		Height: s.shot.Height,
		Scale:  rounded(s.shot.Scale),
		Area:   s.shot.Area,
	}
}

// text says it in a line.
func (p *Pictured) text(selector string) string {
	what := "the " + p.Shows
	switch p.Shows {
	case showsElement:
		what = selector
	case showsContent:
		return fmt.Sprintf("  the whole content of %s, %dx%d pixels, scale %s", selector, p.Width, p.Height,
			strconv.FormatFloat(p.Scale, 'g', -1, 64))
	case showsClip:
		what = fmt.Sprintf("%g,%g,%g,%g of the page", p.Area.X, p.Area.Y, p.Area.Width, p.Area.Height)
	}
	return fmt.Sprintf("  shot %s: %s, %dx%d pixels, scale %s", p.Shot, what, p.Width, p.Height,
		strconv.FormatFloat(p.Scale, 'g', -1, 64))
}

func rounded(v float64) float64 { return math.Round(v*1e4) / 1e4 }
