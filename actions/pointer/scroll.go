package pointer

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/placement"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/snapshot"
)

func scrollingCommands() []actions.Command {
	selector := actions.Flag{
		Name:  "selector",
		Short: "s",
		Kind:  actions.String,
		Value: "sel",
		Help:  "Scroll this element, or the container that it scrolls in, instead of the page",
	}
	const which = "Without a selector it scrolls the page, or its main part if the page itself does not scroll. Content " +
		"that comes with it is in the next reply, or in this one with --settle. If nothing moved, the reply says so and why."
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "scroll",
				Group:   actions.GroupActions,
				Summary: "Scroll the page or an element",
				Help:    which,
				Args: []actions.Arg{
					{
						Name:     "direction",
						Optional: true,
						Default:  "down",
						OneOf:    []string{"up", "down", "left", "right"},
						Help:     "The direction",
					},
					{
						Name:     "pixels",
						Kind:     actions.Distance,
						Optional: true,
						Default:  "300",
						Help:     "The distance in CSS pixels, or as a percentage of what is in view: 50%",
					},
				},
				Flags: []actions.Flag{selector},
				Examples: []actions.Example{{Line: "scroll down 600"}, {Line: "scroll right 200 -s @e7"}, {
					Line: "scroll down 50% -s #results",
				}},
				Upstream: []string{"scroll <dir> [px]", "scroll [direction] [amount] [options]"},
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Mutates},
			Safety:   actions.Safety{Families: policy.Does(policy.ActsByPointer)},
			Showing:  actions.Showing{Traits: trait.LookAgain},
			Bindings: actions.Bindings{Data: []any{ScrolledResult{}}},
			Run:      runScroll,
		},
		{
			Spec: actions.Spec{
				Name:    "scroll to",
				Group:   actions.GroupActions,
				Summary: "Scroll the page or an element to an edge or a share of its length",
				Help:    which,
				Args: []actions.Arg{{
					Name:  "place",
					Kept:  true,
					Value: "top|bottom|left|right|percent",
					Help:  "An edge, or how much of the way: 50%",
				}},
				Flags: []actions.Flag{selector, {
					Name: "across",
					Kind: actions.Bool,
					Help: "A percentage is of the width, not the height",
				}},
				Examples: []actions.Example{{Line: "scroll to bottom"}, {Line: "scroll to 50% -s #results"}},
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Mutates},
			Safety:   actions.Safety{Families: policy.Does(policy.ActsByPointer)},
			Showing:  actions.Showing{Traits: trait.LookAgain},
			Bindings: actions.Bindings{Data: []any{ScrolledResult{}}},
			Run:      runScrollTo,
		},
		{
			Spec: actions.Spec{
				Name:    "scrollintoview",
				Aliases: []string{"scrollinto"},
				Group:   actions.GroupActions,
				Summary: "Scroll until an element is in view",
				Help:    "An element is in view when a person sees it: not under a sticky header, and not clipped by a container.",
				Args:    []actions.Arg{actions.SelectorArg()},
				Upstream: []string{
					"scrollintoview <sel>",
					"scrollintoview <selector>",
				},
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Mutates},
			Safety:   actions.Safety{Families: policy.Does(policy.ActsByPointer)},
			Showing:  actions.Showing{Traits: trait.LookAgain},
			Bindings: actions.Bindings{
				Data: []any{ScrolledIntoViewResult{}}, Method: "scroll into view",
				Playwright: []string{"await {selector}.scrollIntoViewIfNeeded();"},
			},
			Run: element.OnTarget(RunScrollIntoView),
		},
	}
}

func runScroll(ctx context.Context, c *actions.Call) (actions.Result, error) {
	pixels, share := c.Distance("pixels")
	far := float64(pixels) + share // one of them is 0
	dx, dy := 0.0, far
	switch c.String("direction") {
	case "up":
		dy = -dy
	case "left":
		dx, dy = -dy, 0
	case "right":
		dx, dy = dy, 0
	}
	way := c.String("direction")
	if far < 0 {
		way = map[string]string{"up": "down", "down": "up", "left": "right", "right": "left"}[way]
	}
	return scroll(ctx, c, way, scrollWay{DX: dx, DY: dy, Shares: share != 0})
}

func runScrollTo(ctx context.Context, c *actions.Call) (actions.Result, error) {
	place := c.String("place")
	switch place {
	case "end":
		place = "bottom"
	case "start":
		place = "top"
	case "top", "bottom", "left", "right":
	default:
		share, err := strconv.ParseFloat(strings.TrimSuffix(place, "%"), 64)
		if err != nil || !strings.HasSuffix(place, "%") || !(share >= 0 && share <= 100) {
			return actions.Result{},
				grammar.UsageErrorf(
					"Invalid value for <place>: %q (expected top, bottom, left, right, or a percentage such as 50%%)", place)
		}
		way := "down"
		if c.Bool("across") {
			way = "right"
		}
		return scroll(ctx, c, way, scrollWay{Share: new(share / 100), Across: c.Bool("across")})
	}
	way := map[string]string{"top": "up", "bottom": "down", "left": "left", "right": "right"}[place]
	return scroll(ctx, c, way, scrollWay{Edge: place})
}

// scrollWay says how far to scroll, or where to.
type scrollWay struct {
	DX     float64  `json:"dx,omitzero"`
	DY     float64  `json:"dy,omitzero"`
	Shares bool     `json:"shares,omitzero"` // they are shares of what the box shows, not pixels
	Edge   string   `json:"edge,omitempty"`  // to scroll to: top, bottom, left or right
	Share  *float64 `json:"share,omitempty"` // of the way to scroll to, from 0 to 1
	Across bool     `json:"across,omitzero"` // which is that to the side
	Later  bool     `json:"later,omitzero"`  // answers at once; the op rest reports what comes after
}

// scrollArg is the argument of the in-page op scroll, for an element.
type scrollArg struct {
	element.Targeted
	scrollWay
}

// scrollPageArg is that for the document of a frame.
type scrollPageArg struct {
	scrollWay
	Watch   bool `json:"watch,omitzero"` // for effects
	Effects bool `json:"effects,omitzero"`
}

var (
	opScroll     = inpage.Define[scrollArg, element.Scrolled]("scroll")
	opScrollPage = inpage.Define[scrollPageArg, element.Scrolled]("scroll")
)

// scroll calls the in-page op with arg and reports the result. way is the direction in words.
func scroll(ctx context.Context, c *actions.Call, way string, arg scrollWay) (actions.Result, error) {
	return element.OnPageBy(run.TabForOp,
		func(ctx context.Context, c *actions.Call, tab *actions.Tab) (actions.Result, error) {
			arg.Later = run.RestsLater(c)
			frame, res, err := scrollIn(ctx, c, tab, arg)
			if err != nil {
				return actions.Result{}, err
			}
			data := ScrolledResult{Movement: Movement{Scrolled: res.Moved}}
			tellBox(ctx, c, tab, frame, &data.Movement, &res.MovedBox)
			if axis := way == "left" || way == "right"; axis {
				data.AtStart, data.AtEnd = res.Edges.Left, res.Edges.Right
			} else {
				data.AtStart, data.AtEnd = res.Edges.Top, res.Edges.Bottom
			}
			text := "✓ Done"
			if label := data.Container; label != "" && c.String("selector") == "" {
				text += " (in " + label + ")"
			}
			if res.Moved {
				run.Of(c).Moved = &fact.Scrolled{From: [2]float64{res.From.X, res.From.Y}, To: [2]float64{res.X, res.Y}}
			} else {
				text = whyStill(ctx, c, tab, frame, way, &data, res)
			}
			if res.Moved && arg.Later {
				tellLater(c, frame, data.Container)
			}
			return actions.Result{Data: data, Text: text}, nil
		})(ctx, c)
}

// tellLater has the next reply say where the box went on to, if it did.
func tellLater(c *actions.Call, frame *engine.Frame, container string) {
	what := cmp.Or(container, "the page")
	run.Of(c).Unrest = &run.Unrest{Frame: frame, Say: func(r run.Rested) string {
		if r.TakenBack {
			return "a script of the page put " + what + " back where it was"
		}
		return fmt.Sprintf("%s moved on, to %g, %g", what, r.X, r.Y)
	}}
}

// frameLevels bounds how deep frames that fill their page are looked into for something to scroll.
const frameLevels = 4

// scrollIn scrolls what the selector names, or the page. A frame is scrolled in its own document.
func scrollIn(
	ctx context.Context, c *actions.Call, tab *actions.Tab, arg scrollWay,
) (*engine.Frame, *element.Scrolled, error) {
	frame, err := element.LookIn(ctx, c, tab)
	if err != nil {
		return nil, nil, err
	}
	if err := tab.Page.Acting(ctx); err != nil {
		return nil, nil, err
	}
	var res *element.Scrolled
	if sel := c.String("selector"); sel != "" {
		t, err := element.Resolve(ctx, c, tab, sel)
		if err != nil {
			return nil, nil, err
		}
		if res, err = element.RunOp(ctx, c, t, opScroll, scrollArg{scrollWay: arg}); err != nil {
			return nil, nil, err
		}
		frame = t.Frame
	} else if res, err = scrollPage(ctx, c, frame, arg); err != nil {
		return nil, nil, err
	}
	for range frameLevels {
		if res.InFrame == 0 {
			break
		}
		child, err := frame.ChildOf(ctx, res.InFrame)
		if err != nil || child == nil {
			return frame, res, err
		}
		in, err := opScrollPage.In(ctx, child, scrollPageArg{scrollWay: arg})
		if err != nil {
			return nil, nil, err
		}
		frame, res = child, &in
	}
	return frame, res, nil
}

// scrollPage calls the op in the frame in which selectors look, watches that, and takes what was seen of it, unless a
// frame within is to scroll.
func scrollPage(ctx context.Context, c *actions.Call, frame *engine.Frame, arg scrollWay) (*element.Scrolled, error) {
	if err := run.WatchIn(ctx, c, frame); err != nil {
		return nil, err
	}
	res, err := opScrollPage.In(ctx, frame, scrollPageArg{arg, true, run.CollectsEffects(c, frame)})
	if err == nil && res.InFrame == 0 {
		run.Of(c).Seen = res.Effects
	}
	return &res, err
}

// whyStill says why nothing moved.
func whyStill(
	ctx context.Context, c *actions.Call, tab *actions.Tab, frame *engine.Frame, way string, data *ScrolledResult,
	res *element.Scrolled,
) string {
	what := "the page"
	if label := data.Container; label != "" {
		what = label
	}
	switch {
	case res.TakenBack:
		data.Reason = "taken-back"
		return "Nothing moved: a script of the page put " + what + " back where it was"
	case res.Pans:
		data.Reason = "zoomed"
		return "Nothing moved: the page fits its viewport, of which the screen shows a part; `swipe` and `mouse wheel` " +
			"move that part"
	case !res.Still:
		data.Reason = "at-end"
		end := map[string]string{"up": "top", "down": "bottom", "left": "left edge", "right": "right edge"}[way]
		return "Nothing moved: " + what + " is at its " + end + " already"
	}
	data.Reason = "not-scrollable"
	text := "Nothing moved: there is nothing to scroll " + way
	if c.String("selector") != "" {
		text += " in " + c.String("selector")
	}
	var others []string
	for _, o := range res.Others {
		others = append(others, boxLabel(ctx, c, tab, frame, o))
	}
	if len(others) > 0 {
		data.Scrollable = others
		text += "; what scrolls that way: " + strings.Join(others, ", ")
	}
	return text
}

// tellScrolled adds to the data of a gesture what it scrolled: the innermost first.
func tellScrolled(
	ctx context.Context, c *actions.Call, tab *actions.Tab, frame *engine.Frame, data *Movement, moved []element.MovedBox,
) {
	data.Scrolled = len(moved) > 0
	if len(moved) > 0 {
		tellBox(ctx, c, tab, frame, data, &moved[0])
	}
}

func tellBox(
	ctx context.Context, c *actions.Call, tab *actions.Tab, frame *engine.Frame, data *Movement, box *element.MovedBox,
) {
	data.From, data.To = &box.From, &box.ScrollPosition
	if box.Container == "" {
		return
	}
	named := box.Box
	named.Container = box.Container
	data.Container = boxLabel(ctx, c, tab, frame, named)
}

// boxLabel names a box that scrolls so that a caller can use it: by its ref where it can have one.
func boxLabel(ctx context.Context, c *actions.Call, tab *actions.Tab, frame *engine.Frame, box element.BoxName) string {
	label := "<" + box.Container + ">"
	if box.Name != "" {
		label = box.Role + " " + wording.Quote(box.Name)
	}
	doc, err := frame.Document(ctx)
	if err != nil {
		return label
	}
	ref := c.Session.Refs().Give(snapshot.Ref{
		Tab:     tab.ID,
		FrameID: frame.ID(),
		DocID:   doc,
		URL:     frame.URL(),
		Token:   box.Token,
		Role:    box.Role,
		Name:    box.Name,
	})
	if ref == "" {
		return label
	}
	return label + " " + ref
}

// RunScrollIntoView brings an element into view, with the frames that it is in.
func RunScrollIntoView(
	ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target,
) (actions.Result, error) {
	return element.OnPage(func(ctx context.Context, c *actions.Call, tab *actions.Tab) (actions.Result, error) {
		if err := tab.Page.Acting(ctx); err != nil {
			return actions.Result{}, err
		}
		res, err := element.BringIntoView(ctx, c, t)
		if err != nil {
			return actions.Result{}, err
		}
		// Frames that lie out of view are brought there, too.
		if _, err := placement.InPage(ctx, t.Frame, engine.Point{X: res.X, Y: res.Y}); err != nil {
			return actions.Result{}, err
		}
		text := "✓ Done"
		if !res.Moved && t.Frame.Parent() == nil {
			text += ": it was in view already"
		}
		if res.Covered {
			c.Note(t.Label + " stays under a fixed element")
		}
		return actions.Result{Data: ScrolledIntoViewResult{res.Moved, t.Label}, Text: text}, nil
	})(ctx, c)
}
