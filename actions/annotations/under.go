package annotations

import (
	"cmp"
	"context"
	"image"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/capture"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/pagetext"
	"github.com/skua-browser/skua/internal/annotate"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/dashboard"
)

// maxUnder is how many elements are listed for one mark.
const maxUnder = 20

// leastShare is how much of an element has to be in a box for the box to mean it.
const leastShare = 0.5

// mark reads one thing that was drawn, and finds the elements below it.
func (f *frozen) mark(ctx context.Context, c *actions.Call, m dashboard.Mark) (mark, error) {
	m.Text = pagetext.Bounded(strings.TrimSpace(m.Text), maxNote)
	limit := func(p engine.Point) engine.Point {
		at := func(v float64, most int) float64 { return min(max(0, v), float64(most)) }
		return engine.Point{X: at(p.X, f.shot.Width), Y: at(p.Y, f.shot.Height)}
	}
	m.From, m.To = limit(m.From), limit(m.To)
	made := mark{Mark: m}
	switch m.Kind {
	case dashboard.Box:
	case dashboard.Point:
		made.From = m.To
	case dashboard.Arrow:
	default:
		return mark{}, fault.New(fault.Usage, "a mark is a box, a point or an arrow, not %q", m.Kind)
	}
	from, to := f.inDocument(made.From), f.inDocument(made.To)
	made.rect = engine.Rect{
		X:      min(from.X, to.X),
		Y:      min(from.Y, to.Y),
		Width:  math.Abs(to.X - from.X),
		Height: math.Abs(to.Y - from.Y),
	}
	if m.Kind == dashboard.Box {
		made.elements = f.inside(made.rect)
		if over := len(made.elements) - maxUnder; over > 0 {
			made.elements, made.more = made.elements[:maxUnder], over
		}
	}
	if len(made.elements) > 0 {
		return made, nil
	}
	at := made.To
	if m.Kind == dashboard.Box {
		at = engine.Point{X: (made.From.X + made.To.X) / 2, Y: (made.From.Y + made.To.Y) / 2}
	}
	at.X, at.Y = min(at.X, float64(f.shot.Width)-1), min(at.Y, float64(f.shot.Height)-1)
	el, err := f.at(ctx, c, at)
	switch {
	case ctx.Err() != nil:
		return mark{}, context.Cause(ctx)
	case err == nil:
		made.elements = []found{el}
	default:
		if el, ok := f.around(f.inDocument(at)); ok {
			made.elements = []found{el}
		} else {
			made.none = fault.MessageOf(err)
		}
	}
	return made, nil
}

// inDocument turns a point of the picture into one of the document.
func (f *frozen) inDocument(p engine.Point) engine.Point {
	return engine.Point{X: f.shot.Area.X + p.X/f.shot.Scale, Y: f.shot.Area.Y + p.Y/f.shot.Scale}
}

// each calls fn with all elements that have a ref, and where they are in the document.
func (f *frozen) each(fn func(el found)) {
	scroll := f.places.Scroll()
	for i := range f.tree.Nodes {
		n := &f.tree.Nodes[i]
		box, ok := f.places.Boxes[int32(i)]
		if n.Ref == 0 || !ok {
			continue
		}
		box.X, box.Y = box.X+scroll.X, box.Y+scroll.Y
		fn(found{
			ref:  "@e" + strconv.Itoa(int(n.Ref)),
			role: n.Role,
			name: n.Name,
			rect: box,
			node: int32(i),
		})
	}
}

// inside returns the elements of which most is within a rectangle of the document, in the order of the page.
func (f *frozen) inside(r engine.Rect) (list []found) {
	f.each(func(el found) {
		if part, ok := capture.Common(el.rect, r); ok && part.Width*part.Height >= leastShare*el.rect.Width*el.rect.Height {
			list = append(list, el)
		}
	})
	return list
}

// around returns the smallest element at a point of the document.
func (f *frozen) around(p engine.Point) (found, bool) {
	var all []found
	f.each(func(el found) {
		if r := el.rect; p.X >= r.X && p.Y >= r.Y && p.X < r.X+r.Width && p.Y < r.Y+r.Height {
			all = append(all, el)
		}
	})
	if len(all) == 0 {
		return found{}, false
	}
	return slices.MinFunc(all, func(a, b found) int {
		return cmp.Compare(a.rect.Width*a.rect.Height, b.rect.Width*b.rect.Height)
	}), true
}

// at asks the page what is at a point of the picture, while it is as pictured. The element gets a ref although
// snapshots may show none for it.
func (f *frozen) at(ctx context.Context, c *actions.Call, p engine.Point) (found, error) {
	call := impatient(c)
	t, err := element.AtShot(ctx, call, f.tab, f.shot, p)
	if err != nil {
		return found{}, err
	}
	res, err := element.ReadText(ctx, call, t, "text")
	if err != nil {
		return found{}, err
	}
	if tag := strings.ToLower(res.Tag); tag == "body" || tag == "html" {
		return found{}, fault.New(fault.SelectorNotFound, "only the page itself is there")
	}
	const most = 200
	el := found{ref: element.GiveRef(call, t, &res.Located), role: res.Role, name: res.Name, node: -1}
	if res.Value != nil && !res.Secret && res.Name == "" {
		el.text = pagetext.Bounded(strings.Join(strings.Fields(*res.Value), " "), most)
	}
	if el.role == "" || el.role == "generic" || el.role == "none" {
		el.role = strings.ToLower(res.Tag)
	}
	el.target = element.NewTarget(f.tab, t.Frame, res.Doc, res.Token, el.ref)
	rect, err := capture.PlaceOf(ctx, call, f.tab, el.target)
	if err == nil {
		el.rect = *rect
	}
	return el, err
}

// paint draws the marks into the picture.
func (f *frozen) paint(marks []mark) ([]byte, error) {
	list := make([]annotate.Mark, len(marks))
	pixel := func(p engine.Point) image.Point { return image.Pt(int(math.Round(p.X)), int(math.Round(p.Y))) }
	for i, m := range marks {
		list[i].Number = uint32(i + 1)
		switch m.Kind {
		case dashboard.Box:
			list[i].Rect = image.Rectangle{Min: pixel(m.From), Max: pixel(m.To)}.Canon()
		default:
			list[i].Arrow = &annotate.Arrow{From: pixel(m.From), To: pixel(m.To)}
		}
	}
	return annotate.Draw(f.raw, list, int(math.Round(f.shot.Scale)), annotate.Output{})
}
