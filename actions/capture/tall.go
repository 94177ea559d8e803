package capture

import (
	"bufio"
	"bytes"
	"context"
	"image"
	"image/draw"
	"image/png"
	"math"
	"strconv"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/capture"
	"github.com/skua-browser/skua/internal/annotate"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/pixels"
	"github.com/skua-browser/skua/snapshot/axtree"
)

const (
	// surfaceLimit is how many pixels of height a graphics card paints at once; Chromium repeats the beginning below it,
	// or paints nothing.
	surfaceLimit = 16384
	// sliceRows is how high the parts are that a higher picture is taken in.
	sliceRows = 4096
	// jpegLimit is the height up to which the format goes, webpLimit that of the other one.
	jpegLimit, webpLimit = 65535, 16383
	// widthLimit is the width above which no slice of a picture is small.
	widthLimit = 16384
)

// tallShot is a picture that is taken in slices.
type tallShot struct {
	scale         float64 // pixels for each CSS pixel
	clip          engine.Rect
	width, Height int // in pixels
}

// Measure finds the part of the document that the picture shows, and returns its measures when it is too tall to be
// taken at once.
func Measure(ctx context.Context, c *actions.Call, tab *actions.Tab, s *Shot) (*tallShot, error) {
	if !s.Full && (s.Clip == nil || s.Clip.Width < 2000 && s.Clip.Height < 2000 && s.Scale == 0 && !c.Has("clip")) {
		return nil, nil
	}
	look, err := capture.Measure(ctx, tab.Page)
	if err != nil {
		return nil, err
	}
	if s.Full {
		s.Full, s.Clip = false, &look.Document
	}
	if c.Has("clip") {
		part, ok := Common(*s.Clip, look.Document)
		if !ok {
			return nil, c.Invalid("--clip " + c.String("clip") + " is outside of the page, which is " + sizeText(look.Document) +
				" pixels in size")
		}
		s.Clip = &part
	}
	t := &tallShot{scale: s.Scale, clip: *s.Clip}
	if t.scale == 0 {
		t.scale = look.Ratio
	}
	t.width, t.Height = int(math.Round(t.clip.Width*t.scale)), int(math.Round(t.clip.Height*t.scale))
	size := sizeText(engine.Rect{Width: float64(t.width), Height: float64(t.Height)})
	switch {
	case s.Format == capture.WebP && (t.Height > webpLimit || t.width > webpLimit):
		return nil, c.Invalid("A webp has at most 16383 pixels in each direction, and this screenshot has " + size +
			". Use png, or a smaller --scale.")
	case s.Format == capture.JPEG && t.Height > jpegLimit:
		return nil, c.Invalid("A jpeg has at most 65535 pixels in each direction, and this screenshot has " + size +
			". Use png, or a smaller --scale.")
	case t.width > widthLimit:
		return nil, c.Invalid("This screenshot has " + size +
			"; a width of more than 16384 pixels cannot be painted. Use --clip or a smaller --scale.")
	case t.Height <= surfaceLimit:
		return nil, nil
	case s.ifChanged:
		return nil, c.Invalid("--if-changed compares screenshots of up to 16384 pixels of height, and this one has " + size +
			". Use a smaller --scale.")
	}
	return t, nil
}

func sizeText(r engine.Rect) string {
	return strconv.Itoa(int(r.Width)) + "x" + strconv.Itoa(int(r.Height))
}

// Decoded takes a picture of the viewport, of the whole page or of a clip, of any height, and tells what the whole
// page's lacks.
func Decoded(ctx context.Context, c *actions.Call, tab *actions.Tab, o capture.ScreenshotOptions) (image.Image, error) {
	s := &Shot{ScreenshotOptions: o, whole: o.Full}
	tall, err := Measure(ctx, c, tab, s)
	if err != nil {
		return nil, err
	}
	if s.whole {
		(&innerBoxes{what: "the page"}).tell(ctx, c, tab)
	}
	if tall == nil {
		raw, err := capture.Screenshot(ctx, tab.Page, s.ScreenshotOptions)
		if err != nil {
			return nil, err
		}
		return pixels.Decode(raw)
	}
	joined := slicesOf(ctx, c, tab, s, tall)
	defer joined.Close()
	whole := image.NewRGBA(joined.Bounds())
	draw.Draw(whole, whole.Rect, joined, image.Point{}, draw.Src)
	return whole, joined.Err()
}

// saveTall writes the picture while its slices are taken.
func saveTall(ctx context.Context, c *actions.Call, tab *actions.Tab, s *Shot, t *tallShot) (actions.Result, error) {
	var list []annotation
	var marks []annotate.Mark
	file, err := s.File.Create()
	if err != nil {
		return actions.Result{}, err
	}
	defer file.Abort()
	write := func() error {
		if _, err := file.Seek(0, 0); err != nil {
			return s.File.Failed(err)
		}
		if err := file.Truncate(0); err != nil {
			return s.File.Failed(err)
		}
		if s.depict(ctx, c, tab, &t.clip); s.shot != nil {
			s.shot.Sized(&t.clip, t.width, t.Height)
		}
		joined := slicesOf(ctx, c, tab, s, t)
		defer joined.Close()
		if s.annotate {
			joined.Draw = func(slice draw.Image, whole image.Rectangle) {
				annotate.PaintPart(slice, whole, marks, int(math.Round(t.scale)))
			}
		}
		return encodeStitched(bufio.NewWriterSize(file, 1<<16), s, joined)
	}
	if s.annotate {
		err = whileStill(ctx, c, tab, true, func(tree *axtree.Tree, p *Places) error {
			marks, list = marksOf(tree, p, p.Shown(&t.clip), t.scale)
			return write()
		}, func(*axtree.Tree, *Places) error { return nil })
	} else {
		err = write()
	}
	if err != nil {
		return actions.Result{}, err
	}
	if _, err := file.Commit(); err != nil {
		return actions.Result{}, s.File.Failed(err)
	}
	saved, err := s.File.Saved()
	if err != nil {
		return actions.Result{}, err
	}
	return s.saved(ctx, c, tab, ScreenshotResult{}, saved, list), nil
}

// slicesOf is the picture whose slices are taken when they are read.
func slicesOf(ctx context.Context, c *actions.Call, tab *actions.Tab, s *Shot, t *tallShot) *pixels.Stitched {
	return &pixels.Stitched{
		Width:  t.width,
		Height: t.Height,
		Rows:   sliceRows,
		Ahead:  true,
		Clear:  s.Clear,
		Fetch: func(y, height int) (image.Image, error) {
			o := capture.ScreenshotOptions{Scale: t.scale, Clear: s.Clear, Clip: &engine.Rect{
				X: t.clip.X, Y: t.clip.Y + float64(y)/t.scale, Width: t.clip.Width, Height: float64(height) / t.scale,
			}}
			raw, err := capture.Screenshot(ctx, tab.Page, o)
			if err != nil {
				return nil, err
			}
			slice, err := png.Decode(bytes.NewReader(raw))
			if err != nil {
				return nil, fault.New(fault.Internal, "reading a part of the picture: %w", err)
			}
			return slice, nil
		},
	}
}
