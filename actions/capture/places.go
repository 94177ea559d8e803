package capture

import (
	"context"
	"sync"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/snapshot/axtree"
)

// Places says where the elements of a tree are seen, in the viewport of the main frame.
type Places struct {
	Boxes  map[int32]engine.Rect // by index in Tree.Nodes; what is not seen has none
	scroll engine.Point
	view   engine.Rect
}

// Scroll is how far the main frame was scrolled.
func (p *Places) Scroll() engine.Point { return p.scroll }

// PlacesOf says where the elements of a tree are now, also where they are not in view.
func PlacesOf(ctx context.Context, page *engine.Page, tree *axtree.Tree) (*Places, error) {
	return placesOf(ctx, page, tree, true)
}

func (p *Places) equal(q *Places) bool {
	if p.scroll != q.scroll || len(p.Boxes) != len(q.Boxes) {
		return false
	}
	for i, box := range p.Boxes {
		if other, ok := q.Boxes[i]; !ok || other != box {
			return false
		}
	}
	return true
}

// docPlaces is what is asked of one document of a tree, and its answer.
type docPlaces struct {
	nodes  []int32 // whose tokens are asked for
	inner  []int32 // documents of its frames, in the order in which their elements are asked for
	answer boxes
	err    error
}

// boxesArg is the argument of the in-page op boxes.
type boxesArg struct {
	Tokens []int64 `json:"tokens,omitempty"`
	Frames []int64 `json:"frames,omitempty"`
	Whole  bool    `json:"whole,omitzero"`
}

// boxes is its result, in the order of the tokens.
type boxes struct {
	Boxes   [][]float64   `json:"boxes"`
	Frames  []*framePlace `json:"frames"`
	ScrollX float64       `json:"scrollX"`
	ScrollY float64       `json:"scrollY"`
	View    engine.Rect   `json:"view"` // what of the viewport the screen shows
}

var opBoxes = inpage.Define[boxesArg, boxes]("boxes")

// framePlace is where a frame lies in the viewport of its parent.
type framePlace struct {
	X      float64   `json:"x"`
	Y      float64   `json:"y"`
	ScaleX float64   `json:"scaleX"`
	ScaleY float64   `json:"scaleY"`
	Seen   []float64 `json:"seen"`
}

// placesPatience is how long a child frame may take to say where its elements are. One that hangs must not take the
// picture with it.
const placesPatience = 3 * time.Second

// placesOf asks every document of a tree once, all at the same time. Whole says that the whole document of the main
// frame counts, and not its viewport only. Elements of child frames that cannot answer are left out.
func placesOf(ctx context.Context, page *engine.Page, tree *axtree.Tree, whole bool) (*Places, error) {
	docs := make([]docPlaces, len(tree.Docs))
	args := make([]boxesArg, len(tree.Docs))
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		if n.Token == 0 {
			continue
		}
		docs[n.Doc].nodes = append(docs[n.Doc].nodes, int32(i))
		args[n.Doc].Tokens = append(args[n.Doc].Tokens, n.Token)
		if next := i + 1; int32(next) < n.End && tree.Nodes[next].Doc != n.Doc {
			docs[n.Doc].inner = append(docs[n.Doc].inner, tree.Nodes[next].Doc)
			args[n.Doc].Frames = append(args[n.Doc].Frames, n.Token)
		}
	}
	args[0].Whole = whole
	var asking sync.WaitGroup
	patient, stop := context.WithTimeout(ctx, placesPatience)
	defer stop()
	for i := range docs {
		frame, limit := page.Frames().ByID(tree.Docs[i].FrameID), patient
		if i == 0 {
			limit = ctx
		}
		if frame == nil || tree.Docs[i].DocID == "" || len(args[i].Tokens) == 0 && i > 0 {
			continue
		}
		asking.Go(func() { docs[i].ask(limit, frame, tree.Docs[i].DocID, args[i]) })
	}
	asking.Wait()
	if docs[0].err != nil {
		return nil, docs[0].err
	}
	top := &docs[0].answer
	found := &Places{
		Boxes:  map[int32]engine.Rect{},
		scroll: engine.Point{X: top.ScrollX, Y: top.ScrollY},
		view:   top.View,
	}
	far := engine.Rect{X: -1e7, Y: -1e7, Width: 2e7, Height: 2e7}
	found.add(docs, 0, projection{scaleX: 1, scaleY: 1, seen: far})
	return found, nil
}

// ask runs the op in a frame. Tokens are valid only in the document that issued them.
func (d *docPlaces) ask(ctx context.Context, frame *engine.Frame, doc string, arg boxesArg) {
	value, now, err := opBoxes.Raw(ctx, frame, arg)
	if err == nil && now == doc {
		err = opBoxes.Read(value, &d.answer)
	} else if err == nil {
		err = fault.New(fault.RefStale, "The page navigated to %s while its screenshot was taken.", frame.URL()).
			WithHint("Wait for the page, then try again.")
	}
	d.err = err
}

// projection maps a frame's viewport into that of the main frame.
type projection struct {
	x, y           float64
	scaleX, scaleY float64
	seen           engine.Rect // what is seen of it, in the main frame's viewport
}

func (p projection) rect(r []float64) engine.Rect {
	return engine.Rect{X: p.x + r[0]*p.scaleX, Y: p.y + r[1]*p.scaleY, Width: r[2] * p.scaleX, Height: r[3] * p.scaleY}
}

// add adds the boxes of a document and of the frames in it.
func (p *Places) add(docs []docPlaces, doc int32, by projection) {
	d := &docs[doc]
	if d.err != nil {
		return
	}
	for i, box := range d.answer.Boxes {
		if len(box) != 4 || i >= len(d.nodes) {
			continue
		}
		if part, ok := Common(by.rect(box), by.seen); ok {
			p.Boxes[d.nodes[i]] = part
		}
	}
	for i, frame := range d.answer.Frames {
		if frame == nil || len(frame.Seen) != 4 || i >= len(d.inner) {
			continue
		}
		if seen, ok := Common(by.rect(frame.Seen), by.seen); ok {
			p.add(docs, d.inner[i], projection{
				x:      by.x + frame.X*by.scaleX,
				y:      by.y + frame.Y*by.scaleY,
				scaleX: by.scaleX * frame.ScaleX,
				scaleY: by.scaleY * frame.ScaleY,
				seen:   seen,
			})
		}
	}
}
