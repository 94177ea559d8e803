package capture

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/capture"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/placement"
	"github.com/skua-browser/skua/internal/fault"
)

// shotPart reads which part of the page the picture shows, and its scale.
func shotPart(c *actions.Call, s *Shot) error {
	s.Full = c.Bool("full")
	s.whole = s.Full && s.selector == ""
	if c.Has("clip") {
		if s.Full || s.selector != "" {
			return c.Invalid("--clip excludes --full and a selector.")
		}
		var n [4]float64
		parts := strings.Split(c.String("clip"), ",")
		for i := range min(len(parts), len(n)) {
			var err error
			if n[i], err = strconv.ParseFloat(strings.TrimSpace(parts[i]), 64); err != nil || n[i] < 0 || n[i] > 1e7 {
				parts = nil
				break
			}
		}
		if len(parts) != len(n) || n[2] < 1 || n[3] < 1 {
			return c.Invalid("--clip takes x,y,width,height in CSS pixels, such as 0,0,400,300, got '" + c.String("clip") + "'")
		}
		s.Clip = &engine.Rect{X: n[0], Y: n[1], Width: n[2], Height: n[3]}
	}
	switch scale := c.String("scale"); scale {
	case "", "device":
	case "css":
		s.Scale = 1
	default:
		n, err := strconv.ParseFloat(scale, 64)
		if err != nil || !(n >= 0.01 && n <= 16) {
			return c.Invalid("--scale takes css, device or a number from 0.01 to 16, got '" + scale + "'")
		}
		s.Scale = n
	}
	return nil
}

// ElementClip scrolls an element into view and returns its rectangle in the document, cut to what its frame shows.
func ElementClip(ctx context.Context, c *actions.Call, tab *actions.Tab, selector string) (*engine.Rect, error) {
	t, err := element.Resolve(ctx, c, tab, selector)
	if err != nil {
		return nil, err
	}
	if _, err := element.ScrollIntoView(ctx, c, t); err != nil {
		return nil, err
	}
	return PlaceOf(ctx, c, tab, t)
}

// PlaceOf returns the rectangle of a target in the document, independent of scrolling, cut to what its frame shows.
func PlaceOf(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target) (*engine.Rect, error) {
	res, err := element.ReadBox(ctx, c, t)
	if err != nil {
		return nil, err
	}
	rect := cmp.Or(res.Value, &engine.Rect{})
	if rect.Width <= 0 || rect.Height <= 0 {
		return nil, fault.New(fault.TargetHidden,
			"Element '%s' has no size, so it has no screenshot.", t.Label).
			About(t.Label)
	}
	if t.Frame != tab.Page.Main() {
		if err := intoPage(ctx, c, t, rect); err != nil {
			return nil, err
		}
	}
	page, err := capture.InView(ctx, tab.Page.Main())
	if err != nil {
		return nil, err
	}
	rect.X, rect.Y = rect.X+page.Screen.X, rect.Y+page.Screen.Y
	return rect, nil
}

// intoPage turns a rectangle in the viewport of the target's frame into what of it the page shows, in the viewport of
// the page.
func intoPage(ctx context.Context, c *actions.Call, t *element.Target, rect *engine.Rect) error {
	frame, err := capture.InView(ctx, t.Frame)
	if err != nil {
		return err
	}
	part, ok := Common(*rect, engine.Rect{Width: frame.Width, Height: frame.Height})
	if !ok {
		return fault.New(fault.TargetHidden,
			"Element '%s' is outside the visible part of its frame, so it has no screenshot.", t.Label).About(t.Label)
	}
	if part != *rect {
		c.Note(t.Label + " is larger than its frame; the screenshot has only what the frame shows")
	}
	from, err := placement.InPage(ctx, t.Frame, engine.Point{X: part.X, Y: part.Y})
	if err != nil {
		return err
	}
	to, err := placement.InPage(ctx, t.Frame, engine.Point{X: part.X + part.Width, Y: part.Y + part.Height})
	if err != nil {
		return err
	}
	*rect = engine.Rect{
		X: min(from.X, to.X), Y: min(from.Y, to.Y), Width: max(from.X, to.X) - min(from.X, to.X),
		Height: max(from.Y, to.Y) - min(from.Y, to.Y),
	}
	return nil
}

// revealLimit bounds how long showing again what was hidden may take.
const revealLimit = 5 * time.Second

// curtainArg is the argument of the in-page op curtain.
type curtainArg struct {
	Target element.Wanted `json:"target"`
}

type curtained struct {
	Count int `json:"count"` // of what was hidden
}

// The in-page ops that hide elements, and show them again.
var (
	opCurtain = inpage.Define[curtainArg, curtained]("curtain")
	opReveal  = inpage.Define[inpage.None, any]("reveal")
)

// hide hides what selectors match until reveal is called, which also is to be done when hide fails.
func hide(ctx context.Context, c *actions.Call, tab *actions.Tab, selectors []string) (reveal func(), err error) {
	var hiding []*engine.Frame
	reveal = func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), revealLimit)
		defer cancel()
		for _, frame := range hiding {
			if _, err := opReveal.In(ctx, frame, inpage.None{}); err != nil && !engine.IsNavigated(err) && !frame.Gone() {
				c.Note("elements that were hidden for the screenshot may still be hidden: " + err.Error())
			}
		}
	}
	for _, selector := range selectors {
		t, err := element.Resolve(ctx, c, tab, selector)
		if err != nil {
			return reveal, err
		}
		hiding = append(hiding, t.Frame)
		var res curtained
		if err := element.CallOp(ctx, c, t, opCurtain, curtainArg{t.Want}, &res); err != nil {
			return reveal, err
		}
		if res.Count == 0 {
			return reveal, fault.New(fault.SelectorNotFound,
				"Nothing on the page matches '%s', so the picture would show what --hide is to hide.", selector).
				About(selector).WithHint("Nothing was saved. `snapshot` shows what is there.")
		}
	}
	return reveal, nil
}
