package capture

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"math"
	"slices"
	"strconv"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/capture"
	"github.com/skua-browser/skua/internal/annotate"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/snapshot"
	"github.com/skua-browser/skua/snapshot/axtree"
)

// annotation is one numbered box of a picture. Its number is that of its ref.
type annotation struct {
	Box    annotationBox  `json:"box"`
	Pixels *annotationBox `json:"pixels,omitempty"` // the box in pixels of the picture, where these are not CSS pixels
	Name   string         `json:"name,omitempty"`
	Number uint32         `json:"number"`
	Ref    string         `json:"ref"`
	Role   string         `json:"role"`
}

// annotationBox is in CSS pixels from the picture's top left corner.
type annotationBox struct {
	X      int `json:"x"`
	Y      int `json:"y"`
	Width  int `json:"width"`
	Height int `json:"height"`
}

// legend is the line that explains a number: with the box in pixels of the picture, but where agent-browser's form is
// wanted.
func (a *annotation) legend(upstream bool) string {
	line := "   [" + strconv.Itoa(int(a.Number)) + "] @" + a.Ref + " " + a.Role
	if a.Name != "" {
		line += " " + wording.Quote(a.Name)
	}
	if upstream {
		return line
	}
	box := a.Box
	if a.Pixels != nil {
		box = *a.Pixels
	}
	return line + fmt.Sprintf(" at %d,%d %dx%d", box.X, box.Y, box.Width, box.Height)
}

func boxOf(r image.Rectangle) annotationBox {
	return annotationBox{X: r.Min.X, Y: r.Min.Y, Width: r.Dx(), Height: r.Dy()}
}

// annotateTries is how often a picture is taken again when the page moved meanwhile.
const annotateTries = 3

// annotated takes a picture and draws the refs of what it shows into it. Nothing is drawn in the page, which could
// notice.
func annotated(
	ctx context.Context, c *actions.Call, tab *actions.Tab, s *Shot,
) (picture []byte, list []annotation, err error) {
	o := s.ScreenshotOptions
	out := annotate.Output{JPEG: o.Format == capture.JPEG, Quality: o.Quality}
	o.Format = capture.PNG
	var raw []byte
	err = whileStill(ctx, c, tab, o.Clip != nil, func(*axtree.Tree, *Places) (err error) {
		raw, err = s.depicted(ctx, c, tab, o)
		return err
	}, func(tree *axtree.Tree, p *Places) (err error) {
		picture, list, err = annotatedPicture(raw, tree, p, o.Clip, out)
		return err
	})
	return picture, list, err
}

// whileStill takes a picture, again when what is in the page moved meanwhile, and hands over where it was when the
// picture is taken. Whole says that the whole document counts, and not what is in view.
func whileStill(
	ctx context.Context, c *actions.Call, tab *actions.Tab, whole bool, picture, taken func(*axtree.Tree, *Places) error,
) error {
	snap, err := look.TakeSnapshot(ctx, c, tab, tab.Page.Main(), snapshot.Options{Interactive: true, Depth: -1})
	if err != nil {
		return err
	}
	return WhileTreeStill(ctx, c, tab, snap.Tree, whole, func(p *Places) error {
		return picture(snap.Tree, p)
	}, func(p *Places) error { return taken(snap.Tree, p) })
}

// WhileTreeStill is whileStill for the elements of a tree that is there already.
func WhileTreeStill(
	ctx context.Context, c *actions.Call, tab *actions.Tab, tree *axtree.Tree, whole bool,
	picture, taken func(*Places) error,
) error {
	for try := 1; ; try++ {
		before, err := placesOf(ctx, tab.Page, tree, whole)
		if err != nil {
			return err
		}
		if err := picture(before); err != nil {
			return err
		}
		after, err := placesOf(ctx, tab.Page, tree, whole)
		if err != nil {
			return err
		}
		if before.equal(after) || try == annotateTries {
			if try == annotateTries && !before.equal(after) {
				c.Note("the page moves while screenshots are taken; boxes may show earlier positions")
			}
			return taken(after)
		}
	}
}

// annotatedPicture draws what of the tree lies in the picture of clip, or of the viewport.
func annotatedPicture(
	raw []byte, tree *axtree.Tree, p *Places, clip *engine.Rect, o annotate.Output,
) ([]byte, []annotation, error) {
	width, _, err := annotate.Size(raw)
	if err != nil {
		return nil, nil, err
	}
	shown := p.Shown(clip)
	scale := float64(width) / shown.Width
	marks, list := marksOf(tree, p, shown, scale)
	picture, err := annotate.Draw(raw, marks, int(math.Round(scale)), o)
	return picture, list, err
}

// Shown returns the part of the viewport that a picture of clip, or of the whole viewport, shows.
func (p *Places) Shown(clip *engine.Rect) engine.Rect {
	if clip == nil {
		return p.view
	}
	return engine.Rect{X: clip.X - p.scroll.X, Y: clip.Y - p.scroll.Y, Width: clip.Width, Height: clip.Height}
}

// marksOf returns the boxes of what lies in the part of the page that a picture shows, in its pixels and for the reply.
func marksOf(tree *axtree.Tree, p *Places, shown engine.Rect, scale float64) ([]annotate.Mark, []annotation) {
	type marked struct {
		annotation
		rect image.Rectangle
	}
	var all []marked
	seen := map[uint32]bool{}
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		box, ok := p.Boxes[int32(i)]
		if n.Ref == 0 || !ok || seen[n.Ref] {
			continue
		}
		part, ok := Common(box, shown)
		if !ok {
			continue
		}
		seen[n.Ref] = true
		part.X, part.Y = part.X-shown.X, part.Y-shown.Y
		m := marked{
			annotation: annotation{Number: n.Ref, Ref: "e" + strconv.Itoa(int(n.Ref)), Role: n.Role, Name: n.Name},
			rect:       Rounded(part, scale),
		}
		m.Box = boxOf(Rounded(part, 1))
		if scale != 1 {
			pixels := boxOf(m.rect)
			m.Pixels = &pixels
		}
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b marked) int { return cmp.Compare(a.Number, b.Number) })
	marks, list := make([]annotate.Mark, len(all)), make([]annotation, len(all))
	for i, m := range all {
		marks[i], list[i] = annotate.Mark{Rect: m.rect, Number: m.Number}, m.annotation
	}
	return marks, list
}

// Rounded returns the pixels that a rectangle covers at least half.
func Rounded(r engine.Rect, scale float64) image.Rectangle {
	at := func(v float64) int { return int(math.Round(v * scale)) }
	return image.Rect(at(r.X), at(r.Y), at(r.X+r.Width), at(r.Y+r.Height))
}

// Common returns what two rectangles have in common, if that is something.
func Common(a, b engine.Rect) (engine.Rect, bool) {
	x, y := max(a.X, b.X), max(a.Y, b.Y)
	r := engine.Rect{X: x, Y: y, Width: min(a.X+a.Width, b.X+b.Width) - x, Height: min(a.Y+a.Height, b.Y+b.Height) - y}
	return r, r.Width >= 1 && r.Height >= 1
}
