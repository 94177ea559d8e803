package capture

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"math"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/capture"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/placement"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/pixels"
)

// contentSlice is how many pixels of a picture of a box's content are in memory at once, twice.
const contentSlice = 1 << 24

// content is a box whose whole content is to be pictured, part by part.
type content struct {
	tab    *actions.Tab
	frame  *engine.Frame
	label  string
	whole  bool  // it is the page
	plain  bool  // nothing of it scrolls
	token  int64 // 0 means the document of the frame
	width  float64
	height float64
	place  engine.Rect // what of the page showed it first

	grownTo engine.Rect // its size at the end
	changes int
	covered string
}

// unrolling is what the op says that begins.
type unrolling struct {
	element.Located
	Frame       bool    `json:"ofFrame"`
	Whole       bool    `json:"ofPage"`
	Scrolls     bool    `json:"scrolls"`
	Transformed bool    `json:"transformed"`
	Width       float64 `json:"width"`
	Height      float64 `json:"height"`
}

// unrollArg is the argument of the in-page op unroll, for an element. That for the document of a frame is an innerArg.
type unrollArg struct{ element.Targeted }

// The in-page ops that bring the content of a box part by part, and put it back.
var (
	opUnroll     = inpage.Define[unrollArg, unrolling]("unroll")
	opUnrollPage = inpage.Define[innerArg, unrolling]("unroll")
	opUnrollTo   = inpage.Define[engine.Point, unrolled]("unrollTo")
	opRollUp     = inpage.Define[inpage.None, any]("rollUp")
)

// unrolled is the result of the in-page op unrollTo.
type unrolled struct {
	Gone    bool         `json:"gone"`
	Part    *contentPart `json:"part"`
	Width   float64      `json:"width"`
	Height  float64      `json:"height"`
	Changes int          `json:"changes"`
	Screen  engine.Point `json:"screen"`
}

// contentPart is what is seen of the content, and where in the frame's viewport.
type contentPart struct {
	engine.Rect
	Left    float64 `json:"left"`
	Top     float64 `json:"top"`
	Covered string  `json:"covered"`
}

// unroll begins with the content of the box that a selector names. The box is put back by rollUp, also when this fails.
func (b *content) unroll(ctx context.Context, c *actions.Call, t *element.Target) error {
	b.frame, b.label = t.Frame, t.Label
	begun, err := element.RunOp(ctx, c, t, opUnroll, unrollArg{})
	if err != nil {
		return err
	}
	b.token = begun.Token
	if begun.Frame {
		inner, err := t.Frame.Content(ctx, t.Doc, begun.Token)
		if err == nil && inner == nil {
			err = fault.New(fault.TargetUnsuitable, "The frame '%s' shows no document.", t.Label).About(t.Label)
		}
		if err != nil {
			return err
		}
		b.frame = inner
	}
	if begun.Frame || begun.Whole && b.frame != b.tab.Page.Main() {
		b.token = 0
		if *begun, err = opUnrollPage.In(ctx, b.frame, innerArg{Page: true}); err != nil {
			return err
		}
	}
	if begun.Transformed {
		return fault.New(fault.TargetUnsuitable,
			"The page draws '%s' in another size or turned, so its content cannot be put together from parts.", t.Label).
			About(t.Label).WithHint("Leave out --full for a picture of what it shows now.")
	}
	b.whole, b.plain, b.width, b.height = begun.Whole, !begun.Scrolls, begun.Width, begun.Height
	return nil
}

// rollUp puts everything back as it was.
func (b *content) rollUp(ctx context.Context, c *actions.Call) {
	if b.frame == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), revealLimit)
	defer cancel()
	if _, err := opRollUp.In(ctx, b.frame, inpage.None{}); err != nil && !engine.IsNavigated(err) && !b.frame.Gone() {
		c.Note(b.label + " may still be scrolled as for its screenshot: " + err.Error())
	}
}

// seen is a part of the content, where it is in the document.
type seen struct {
	content engine.Rect
	clip    engine.Rect
}

// bring scrolls the content so that its part from a point on is seen.
func (b *content) bring(ctx context.Context, at engine.Point, ratio float64) (*seen, error) {
	now, err := opUnrollTo.In(ctx, b.frame, at)
	if err != nil {
		return nil, err
	}
	if now.Gone {
		return nil, fault.New(fault.TargetMissed,
			"The box '%s' left the page while its content was scrolled for the screenshot.", b.label).About(b.label).
			WithHint("Wait until the page is at rest, then try again.")
	}
	b.grownTo, b.changes = engine.Rect{Width: now.Width, Height: now.Height}, now.Changes
	if now.Part == nil {
		return nil, nil
	}
	if b.covered == "" {
		b.covered = now.Part.Covered
	}
	part := now.Part
	clip := engine.Rect{X: part.Left, Y: part.Top, Width: part.Width, Height: part.Height}
	if main := b.tab.Page.Main(); b.frame != main {
		from, err := placement.InPage(ctx, b.frame, engine.Point{X: clip.X, Y: clip.Y})
		if err != nil {
			return nil, err
		}
		to, err := placement.InPage(ctx, b.frame, engine.Point{X: clip.X + clip.Width, Y: clip.Y + clip.Height})
		if err != nil {
			return nil, err
		}
		if math.Abs(to.X-from.X-clip.Width) > 1 || math.Abs(to.Y-from.Y-clip.Height) > 1 {
			return nil, fault.New(fault.TargetUnsuitable,
				"The page draws the frame of '%s' in another size or turned, so its content cannot be put together from parts.",
				b.label).About(b.label).WithHint("Leave out --full for a picture of what it shows now.")
		}
		clip.X, clip.Y = from.X, from.Y
		page, err := capture.InView(ctx, main)
		if err != nil {
			return nil, err
		}
		now.Screen = page.Screen
	}
	clip.X, clip.Y = clip.X+now.Screen.X, clip.Y+now.Screen.Y
	// a part that begins within a pixel would be blurred
	whole := func(v float64) float64 { return math.Ceil(v*ratio-1e-6) / ratio }
	dx, dy := whole(clip.X)-clip.X, whole(clip.Y)-clip.Y
	one := &seen{
		content: engine.Rect{X: part.X + dx, Y: part.Y + dy, Width: part.Width - dx, Height: part.Height - dy},
		clip:    engine.Rect{X: clip.X + dx, Y: clip.Y + dy, Width: clip.Width - dx, Height: clip.Height - dy},
	}
	if one.clip.Width < 1/ratio || one.clip.Height < 1/ratio {
		return nil, nil
	}
	if b.place.Width == 0 {
		b.place = one.clip
	}
	return one, nil
}

// refusedContent says why the picture cannot be taken, or nil.
func (s *Shot) refusedContent(c *actions.Call, width, height int) error {
	size := fmt.Sprintf("%dx%d", width, height)
	switch {
	case s.annotate:
		return c.Invalid("--annotate goes with the page or an element as it is, not with the whole content of a box.")
	case s.ifChanged:
		return c.Invalid("--if-changed does not compare the whole content of a box.")
	case s.Format == capture.WebP:
		return c.Invalid("The whole content of a box is written as png or jpeg, got webp.")
	case s.Format == capture.JPEG && (height > jpegLimit || width > jpegLimit):
		return c.Invalid("A jpeg has at most 65535 pixels in each direction, and this screenshot has " + size +
			". Use png, or a smaller --scale.")
	case width > contentSlice/16 || height > 1<<24:
		return c.Invalid("This screenshot has " + size + ", which is too much for one picture. Use a smaller --scale.")
	}
	return nil
}

// saveContent writes the picture of the whole content of a box while its parts are taken.
func saveContent(ctx context.Context, c *actions.Call, tab *actions.Tab, s *Shot, b *content) (actions.Result, error) {
	look, err := capture.Measure(ctx, tab.Page)
	if err != nil {
		return actions.Result{}, err
	}
	scale := s.Scale
	if scale == 0 {
		scale = look.Ratio
	}
	width, height := max(1, int(math.Round(b.width*scale))), max(1, int(math.Round(b.height*scale)))
	if err := s.refusedContent(c, width, height); err != nil {
		return actions.Result{}, err
	}
	if _, err := b.bring(ctx, engine.Point{}, look.Ratio); err != nil {
		return actions.Result{}, err
	}
	file, err := s.File.Create()
	if err != nil {
		return actions.Result{}, err
	}
	defer file.Abort()
	joined := &pixels.Stitched{
		Width:  width,
		Height: height,
		Rows: max(1,
			min(contentSlice/width, int(max(1, b.place.Height*scale)))),
		Clear: s.Clear,
		Fetch: func(y, rows int) (image.Image, error) {
			slice := image.NewRGBA(image.Rect(0, y, width, y+rows))
			return slice, b.fill(ctx, s, slice, scale, look.Ratio)
		},
	}
	if err := encodeStitched(bufio.NewWriterSize(file, 1<<16), s, joined); err != nil {
		return actions.Result{}, err
	}
	if _, err := file.Commit(); err != nil {
		return actions.Result{}, s.File.Failed(err)
	}
	saved, err := s.File.Saved()
	if err != nil {
		return actions.Result{}, err
	}
	b.tell(c)
	s.inner = b.inner()
	s.unrolled = &Pictured{
		Shows:  showsContent,
		Width:  width,
		Height: height,
		Scale:  rounded(scale),
		Area:   b.place,
	}
	return s.saved(ctx, c, tab, ScreenshotResult{}, saved, nil), nil
}

// encodeStitched writes a picture whose parts are taken while it is read.
func encodeStitched(w *bufio.Writer, s *Shot, joined *pixels.Stitched) error {
	var err error
	if s.Format == capture.JPEG {
		quality := s.Quality
		if quality == 0 {
			quality = 80 // what browsers take
		}
		err = jpeg.Encode(w, joined, &jpeg.Options{Quality: quality})
	} else {
		err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(w, joined)
	}
	if joined.Err() != nil {
		return joined.Err()
	}
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		return s.File.Failed(err)
	}
	return nil
}

// fill takes the parts of the content that a slice of the picture shows. What is not there any longer stays blank.
func (b *content) fill(ctx context.Context, s *Shot, slice *image.RGBA, scale, ratio float64) error {
	bounds := slice.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; {
		next := bounds.Max.Y
		for x := bounds.Min.X; x < bounds.Max.X; {
			part, err := b.bring(ctx, engine.Point{X: float64(x) / scale, Y: float64(y) / scale}, ratio)
			if err != nil {
				return err
			}
			var at image.Rectangle
			if part != nil {
				at = pixelsOf(part.content, scale)
			}
			if !(image.Point{X: x, Y: y}).In(at) {
				if float64(y)/scale < b.grownTo.Height-1 && float64(x)/scale < b.grownTo.Width-1 {
					return fault.New(fault.TargetUnsuitable, "The page does not let the content of '%s' be seen from %d,%d pixels on.",
						b.label, x, y).
						About(b.label).WithHint("`scroll` it by hand, and take a screenshot of what it shows.")
				}
				break // the content became smaller
			}
			if err := b.take(ctx, s, slice, part, scale); err != nil {
				return err
			}
			x, next = at.Max.X, min(next, at.Max.Y)
		}
		if next <= y {
			break
		}
		y = next
	}
	return nil
}

// pixelsOf are the pixels that are wholly within a part of the content.
func pixelsOf(r engine.Rect, scale float64) image.Rectangle {
	low := func(v float64) int { return int(math.Ceil(v*scale - 1e-3)) }
	high := func(v float64) int { return int(math.Floor(v*scale + 1e-3)) }
	return image.Rect(low(r.X), low(r.Y), high(r.X+r.Width), high(r.Y+r.Height))
}

// take draws a part into the slice.
func (b *content) take(ctx context.Context, s *Shot, slice *image.RGBA, part *seen, scale float64) error {
	raw, err := capture.Screenshot(ctx, b.tab.Page, capture.ScreenshotOptions{
		Scale: scale,
		Clear: s.Clear,
		Clip:  &part.clip,
	})
	if err != nil {
		return err
	}
	picture, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		return fault.New(fault.Internal, "reading a part of the picture: %w", err)
	}
	at := image.Pt(int(math.Round(part.content.X*scale)), int(math.Round(part.content.Y*scale)))
	draw.Draw(slice, picture.Bounds().Sub(picture.Bounds().Min).Add(at), picture, picture.Bounds().Min, draw.Src)
	return nil
}

// inner are the boxes in it.
func (b *content) inner() *innerBoxes {
	return &innerBoxes{frame: b.frame, token: b.token, what: b.label}
}

// tell notes how the picture differs from what the box shows.
func (b *content) tell(c *actions.Call) {
	now := b.grownTo
	switch {
	case math.Abs(now.Height-b.height) >= 1 || math.Abs(now.Width-b.width) >= 1:
		c.Note(
			fmt.Sprintf(
				"%s had %gx%g pixels of content when the screenshot began, and %gx%g at its end, since the page changes it while "+
					"it is scrolled: the picture has the first %gx%g", b.label, b.width, b.height, now.Width, now.Height, b.width,
				b.height))
	case b.changes > 0:
		c.Note("the page changed the content of " + b.label +
			" while it was scrolled, as a list does that has only the rows in view: each part of the picture " +
			"shows what was there then")
	}
	if b.covered != "" {
		c.Note(b.covered + " lies over " + b.label + " and is in each part of the picture; --hide '" + b.covered +
			"' leaves it out")
	}
}
