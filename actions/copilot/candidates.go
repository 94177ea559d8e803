package copilot

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	captures "github.com/skua-browser/skua/actions/capture"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/capture"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/annotate"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/snapshot"
	"github.com/skua-browser/skua/snapshot/axtree"
)

func captureCandidatesCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "capture candidates",
			Group:   actions.GroupCopilot,
			Summary: "Save a screenshot in which elements have numbered boxes, and print the boxes",
			Help: "[4] in the picture is @e4. Boxes are in CSS pixels from the picture's upper left corner. The last word " +
				"is a path when it is not an id. The reply names ids that are out of view; with --full the picture shows the " +
				"whole page.",
			Args: []actions.Arg{{
				Name:  "ids",
				Value: "id...> [path",
				Kind:  actions.List,
				Kept:  true,
				Help:  "Ids: e12 or @e12; then where to save the picture",
			}},
			Flags: []actions.Flag{
				{Name: "full", Short: "f", Kind: actions.Bool, Help: "The whole page instead of the viewport"},
				{Name: "screenshot-dir", Kind: actions.Path, Value: "folder", Help: "The folder for pictures without a path"},
			},
			Examples: []actions.Example{{Line: "capture candidates @e4 @e7"}, {
				Line: "capture candidates e4 e7 both.png --full",
			}},
		},
		Schedule: actions.Schedule{Effect: actions.Reads},
		Safety:   actions.Safety{Families: policy.Does()},
		Showing:  actions.Showing{Writes: &trait.Output{Kind: trait.Image}},
		Bindings: actions.Bindings{Data: []any{CandidatesResult{}}},
		Run:      runCaptureCandidates,
	}
}

func runCaptureCandidates(ctx context.Context, c *actions.Call) (actions.Result, error) {
	ids, path := c.Strings("ids"), ""
	if last := len(ids) - 1; last > 0 {
		if _, err := bareID(ids[last]); err != nil && captures.LooksLikePath(ids[last]) {
			ids, path = ids[:last], ids[last]
		}
	}
	s := &captures.Shot{}
	if err := captures.ShotFormat(c, s, path); err != nil {
		return actions.Result{}, err
	}
	if s.Format == capture.WebP {
		return actions.Result{}, c.Invalid("Boxes are drawn into png or jpeg, got webp.")
	}
	ext := ".png"
	if s.Format == capture.JPEG {
		ext = ".jpg"
	}
	var err error
	if s.File, err = files.NewArtifact(c, "candidates", path, captures.ScreenshotDir(c), ext); err != nil {
		return actions.Result{}, err
	}
	tab, err := run.Tab(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	targets, err := elements(watched, c, tab, ids)
	if err != nil {
		return actions.Result{}, err
	}
	if s.Full = c.Bool("full"); s.Full {
		tall, err := captures.Measure(watched, c, tab, s)
		if err != nil {
			return actions.Result{}, err
		}
		if tall != nil {
			return actions.Result{}, fault.New(fault.TargetUnsuitable,
				"The page is %d pixels high, which is too much for one picture.", tall.Height).
				WithHint("Scroll to the candidates with scrollintoview, and leave out --full.")
		}
	}
	image, boxes, err := pictureOf(watched, c, tab, s, targets)
	if err != nil {
		return actions.Result{}, err
	}
	return savedCandidates(c, s, targets, image, boxes)
}

func savedCandidates(
	c *actions.Call, s *captures.Shot, targets []*element.Target, image []byte, boxes []pcd.Box,
) (actions.Result, error) {
	file, err := s.File.Save(image)
	if err != nil {
		return actions.Result{}, err
	}
	file.Type = "image/" + string(s.Format)
	data := CandidatesResult{Boxes: boxes, SavedFile: file}
	var text strings.Builder
	text.WriteString("✓ Screenshot saved to " + s.File.Shown)
	for _, b := range boxes {
		text.WriteString("\n   [" + b.ID[1:] + "] @" + b.ID + " " + wording.Quote(b.Label))
	}
	var unseen []string
	for _, t := range targets {
		if !slices.ContainsFunc(boxes, func(b pcd.Box) bool { return b.ID == t.Ref.ID() }) {
			unseen = append(unseen, t.Ref.ID())
		}
	}
	if len(unseen) > 0 {
		data.Unseen = unseen
		where := "in view"
		if s.Clip != nil {
			where = "on the page"
		}
		c.Note("not seen " + where + ": @" + strings.Join(unseen, ", @"))
	}
	return actions.Result{Data: data, Text: text.String()}, nil
}

// pictureOf takes a picture with the boxes of elements. In a page without frames nothing but these is asked for.
func pictureOf(
	ctx context.Context, c *actions.Call, tab *actions.Tab, s *captures.Shot, targets []*element.Target,
) (picture []byte, boxes []pcd.Box, err error) {
	tree, err := treeOf(ctx, c, tab, targets)
	if err != nil {
		return nil, nil, err
	}
	o := s.ScreenshotOptions
	out := annotate.Output{JPEG: o.Format == capture.JPEG, Quality: o.Quality}
	o.Format = capture.PNG
	var raw []byte
	err = captures.WhileTreeStill(ctx, c, tab, tree, o.Clip != nil, func(*captures.Places) (err error) {
		raw, err = capture.Screenshot(ctx, tab.Page, o)
		return err
	}, func(p *captures.Places) error {
		width, _, err := annotate.Size(raw)
		if err != nil {
			return err
		}
		shown := p.Shown(o.Clip)
		scale := float64(width) / shown.Width
		var marks []annotate.Mark
		marks, boxes = candidateMarks(tree, targets, p, shown, scale)
		picture, err = annotate.Draw(raw, marks, int(math.Round(scale)), out)
		return err
	})
	return picture, boxes, err
}

// treeOf is a tree that has the elements: made of them alone, or, when frames are between them and the page, that of
// the page as well.
func treeOf(ctx context.Context, c *actions.Call, tab *actions.Tab, targets []*element.Target) (*axtree.Tree, error) {
	main := tab.Page.Main()
	tree := &axtree.Tree{Docs: []axtree.Doc{{FrameID: main.ID(), DocID: targets[0].Ref.DocID, URL: main.URL()}}}
	if slices.ContainsFunc(targets, func(t *element.Target) bool { return t.Frame != main }) {
		snap, err := look.TakeSnapshot(ctx, c, tab, main, snapshot.Options{Interactive: true, Depth: -1})
		if err != nil {
			return nil, err
		}
		tree = snap.Tree
	}
	for _, t := range targets {
		doc := slices.IndexFunc(tree.Docs, func(d axtree.Doc) bool { return d.DocID == t.Ref.DocID })
		if doc < 0 {
			return nil, t.Ref.Gone(element.URLOf(t.Frame))
		}
		at := int32(len(tree.Nodes))
		tree.Nodes = append(tree.Nodes, axtree.Node{
			Doc:   int32(doc),
			Token: t.Ref.Token,
			Ref:   t.Ref.N,
			Role:  t.Ref.Role,
			Name:  t.Ref.Name,
			End:   at + 1,
		})
	}
	return tree, nil
}

// candidateMarks returns the boxes of the elements, which are the last nodes of the tree.
func candidateMarks(
	tree *axtree.Tree, targets []*element.Target, p *captures.Places, shown engine.Rect, scale float64,
) ([]annotate.Mark, []pcd.Box) {
	marks, boxes := []annotate.Mark{}, []pcd.Box{}
	first := len(tree.Nodes) - len(targets)
	for i, t := range targets {
		box, ok := p.Boxes[int32(first+i)]
		if !ok {
			continue
		}
		part, ok := captures.Common(box, shown)
		if !ok {
			continue
		}
		part.X, part.Y = part.X-shown.X, part.Y-shown.Y
		marks = append(marks, annotate.Mark{Rect: captures.Rounded(part, scale), Number: t.Ref.N})
		at := func(v float64) float64 { return math.Round(v*100) / 100 }
		boxes = append(boxes, pcd.Box{
			ID:    t.Ref.ID(),
			X:     at(part.X),
			Y:     at(part.Y),
			W:     at(part.Width),
			H:     at(part.Height),
			Label: t.Ref.Name,
		})
	}
	return marks, boxes
}
