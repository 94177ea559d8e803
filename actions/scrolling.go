package actions

import (
	"context"
	"maps"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/policy"
	"github.com/skua-browser/skua/snapshot"
)

func scrollingCommands() []Command {
	selector := Flag{Name: "selector", Short: "s", Kind: String, Value: "sel", Help: "What to scroll instead of the page: it, or what it scrolls in"}
	const which = "Without a selector it is the page, or its main part where the page itself does not scroll. Returns when that is at rest, " +
		"and says when nothing moved, and why."
	return []Command{
		{
			Name:     "scroll",
			Upstream: []string{"scroll <dir> [px]", "scroll [direction] [amount] [options]"},
			Group:    GroupActions, Summary: "Scroll the page or an element", Help: which,
			Args: []Arg{
				{Name: "direction", Optional: true, Default: "down", OneOf: []string{"up", "down", "left", "right"}, Help: "Which way"},
				{Name: "pixels", Kind: Distance, Optional: true, Default: "300", Help: "How far, in CSS pixels, or as a percentage of what is in view: 50%"},
			},
			Flags:  []Flag{selector},
			Effect: Mutates, Traits: trait.ScrollsBy | trait.LookAgain, View: trait.ViewScrolled, Run: runScroll,
			Examples: []Example{{Line: "scroll down 600"}, {Line: "scroll right 200 -s @e7"}, {Line: "scroll down 50% -s #results"}},
			Policy:   Policy{Families: policy.Does(policy.ActsByPointer)},
		},
		{
			Name: "scroll to", Group: GroupActions, Summary: "Scroll the page or an element to an edge or a share of its length", Help: which,
			Args:   []Arg{{Name: "place", Kept: true, Value: "top|bottom|left|right|percent", Help: "An edge, or how much of the way: 50%"}},
			Flags:  []Flag{selector, {Name: "across", Kind: Bool, Help: "A percentage is that of the width"}},
			Effect: Mutates, Traits: trait.ScrollsTo | trait.LookAgain, View: trait.ViewScrolled, Run: runScrollTo,
			Examples: []Example{{Line: "scroll to bottom"}, {Line: "scroll to 50% -s #results"}},
			Policy:   Policy{Families: policy.Does(policy.ActsByPointer)},
		},
		{
			Name:     "scrollintoview",
			Upstream: []string{"scrollintoview <sel>", "scrollintoview <selector>"},
			Aliases:  []string{"scrollinto"}, Group: GroupActions, Summary: "Scroll until an element is in view",
			Help: "In view is what a person sees: not below a header that stays in its place, nor cut off by a box around it.",
			Args: []Arg{SelectorArg()}, Effect: Mutates, Traits: trait.LookAgain,
			Playwright: []string{"await {selector}.scrollIntoViewIfNeeded();"}, Run: onTarget((*Call).runScrollIntoView),
			Policy: Policy{Families: policy.Does(policy.ActsByPointer)},
		},
	}
}

// position is where a box is scrolled to.
type position struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// edges says which of its edges a box shows.
type edges struct {
	Top    bool `json:"top"`
	Bottom bool `json:"bottom"`
	Left   bool `json:"left"`
	Right  bool `json:"right"`
}

// boxName is an element that scrolls, as the in-page script names it.
type boxName struct {
	Container string `json:"container"`
	Token     int64  `json:"token"`
	Role      string `json:"role"`
	Name      string `json:"name"`
}

// movedBox is where something that scrolls is and was. Container is empty for the page.
type movedBox struct {
	Container string   `json:"container"`
	Box       boxName  `json:"box"`
	From      position `json:"from"`
	position
	Edges edges `json:"edges"`
}

// scrolled is the result of the in-page op scroll.
type scrolled struct {
	Located
	movedBox
	Moved     bool      `json:"moved"`
	InFrame   int64     `json:"inFrame"`   // token of the frame element that has what is to be scrolled
	TakenBack bool      `json:"takenBack"` // it moved, and a script moved it back
	Still     bool      `json:"still"`     // it does not scroll that way at all
	Others    []boxName `json:"others"`    // what does

	Effects *seenEffects `json:"effects"`
}

func runScroll(ctx context.Context, c *Call) (Result, error) {
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
	return c.scroll(ctx, way, map[string]any{"dx": dx, "dy": dy, "shares": share != 0})
}

func runScrollTo(ctx context.Context, c *Call) (Result, error) {
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
			return Result{}, asUsage("Invalid value for <place>: %q (expected top, bottom, left, right, or a percentage such as 50%%)", place)
		}
		way := "down"
		if c.Bool("across") {
			way = "right"
		}
		return c.scroll(ctx, way, map[string]any{"to": share / 100, "across": c.Bool("across")})
	}
	way := map[string]string{"top": "up", "bottom": "down", "left": "left", "right": "right"}[place]
	return c.scroll(ctx, way, map[string]any{"to": place})
}

// scroll calls the in-page op with arg and says what came of it. Way is the direction in words.
func (c *Call) scroll(ctx context.Context, way string, arg map[string]any) (Result, error) {
	return onPageBy((*Call).pageForOp, func(c *Call, ctx context.Context, tab *Tab) (Result, error) {
		frame, res, err := c.scrollIn(ctx, tab, arg)
		if err != nil {
			return Result{}, err
		}
		data := map[string]any{"scrolled": res.Moved}
		c.tellBox(ctx, tab, frame, data, &res.movedBox)
		if axis := way == "left" || way == "right"; axis {
			data["atStart"], data["atEnd"] = res.Edges.Left, res.Edges.Right
		} else {
			data["atStart"], data["atEnd"] = res.Edges.Top, res.Edges.Bottom
		}
		text := "✓ Done"
		if label, _ := data["container"].(string); label != "" && c.String("selector") == "" {
			text += " (in " + label + ")"
		}
		if !res.Moved {
			text = c.whyStill(ctx, tab, frame, way, data, res)
		}
		return Result{Data: data, Text: text}, nil
	})(ctx, c)
}

// frameLevels bounds how deep frames that fill their page are looked into for something to scroll.
const frameLevels = 4

// scrollIn scrolls what the selector names, or the page. A frame is scrolled in its own document.
func (c *Call) scrollIn(ctx context.Context, tab *Tab, arg map[string]any) (*engine.Frame, *scrolled, error) {
	frame, err := c.LookIn(ctx, tab)
	if err != nil {
		return nil, nil, err
	}
	if err := tab.Page.Acting(ctx); err != nil {
		return nil, nil, err
	}
	res := new(scrolled)
	if sel := c.String("selector"); sel != "" {
		t, err := c.Resolve(ctx, tab, sel)
		if err != nil {
			return nil, nil, err
		}
		if err := c.RunOp(ctx, t, "scroll", arg, res); err != nil {
			return nil, nil, err
		}
		frame = t.Frame
	} else if err := c.scrollPage(ctx, frame, arg, res); err != nil {
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
		in := new(scrolled)
		if err := child.Call(ctx, "scroll", arg, in); err != nil {
			return nil, nil, err
		}
		frame, res = child, in
	}
	return frame, res, nil
}

// scrollPage calls the op in the frame in which selectors look, watches that, and takes what was seen of it, unless a frame within is to scroll.
func (c *Call) scrollPage(ctx context.Context, frame *engine.Frame, arg map[string]any, res *scrolled) error {
	if err := c.watchIn(ctx, frame); err != nil {
		return err
	}
	first := maps.Clone(arg)
	first["watch"] = true
	first["effects"] = c.takesEffects(frame)
	if err := frame.Call(ctx, "scroll", first, res); err != nil {
		return err
	}
	if res.InFrame == 0 {
		c.acting.seen = res.Effects
	}
	return nil
}

// whyStill says why nothing moved.
func (c *Call) whyStill(ctx context.Context, tab *Tab, frame *engine.Frame, way string, data map[string]any, res *scrolled) string {
	what := "the page"
	if label, _ := data["container"].(string); label != "" {
		what = label
	}
	switch {
	case res.TakenBack:
		data["reason"] = "taken-back"
		return "Nothing moved: a script of the page put " + what + " back where it was"
	case !res.Still:
		data["reason"] = "at-end"
		end := map[string]string{"up": "top", "down": "bottom", "left": "left edge", "right": "right edge"}[way]
		return "Nothing moved: " + what + " is at its " + end + " already"
	}
	data["reason"] = "not-scrollable"
	text := "Nothing moved: there is nothing to scroll " + way
	if c.String("selector") != "" {
		text += " in " + c.String("selector")
	}
	var others []string
	for _, o := range res.Others {
		others = append(others, c.boxLabel(ctx, tab, frame, o))
	}
	if len(others) > 0 {
		data["scrollable"] = others
		text += "; what scrolls that way: " + strings.Join(others, ", ")
	}
	return text
}

// tellScrolled adds to the data of a gesture what it scrolled: the innermost first.
func (c *Call) tellScrolled(ctx context.Context, tab *Tab, frame *engine.Frame, data map[string]any, moved []movedBox) {
	data["scrolled"] = len(moved) > 0
	if len(moved) > 0 {
		c.tellBox(ctx, tab, frame, data, &moved[0])
	}
}

func (c *Call) tellBox(ctx context.Context, tab *Tab, frame *engine.Frame, data map[string]any, box *movedBox) {
	data["from"], data["to"] = box.From, box.position
	if box.Container == "" {
		return
	}
	named := box.Box
	named.Container = box.Container
	data["container"] = c.boxLabel(ctx, tab, frame, named)
}

// boxLabel names a box that scrolls so that a caller can use it: by its ref where it can have one.
func (c *Call) boxLabel(ctx context.Context, tab *Tab, frame *engine.Frame, box boxName) string {
	label := "<" + box.Container + ">"
	if box.Name != "" {
		label = box.Role + " " + wording.Quote(box.Name)
	}
	doc, err := frame.Document(ctx)
	if err != nil {
		return label
	}
	ref := c.Session.Refs().Give(snapshot.Ref{
		Tab: tab.ID, FrameID: frame.ID(), DocID: doc, URL: frame.URL(), Token: box.Token, Role: box.Role, Name: box.Name,
	})
	if ref == "" {
		return label
	}
	return label + " " + ref
}

// sighted is the result of the in-page op scrollIntoView.
type sighted struct {
	Located
	X       float64 `json:"x"` // its middle
	Y       float64 `json:"y"`
	Moved   bool    `json:"moved"`
	Covered bool    `json:"covered"`
}

func (c *Call) runScrollIntoView(ctx context.Context, tab *Tab, t *Target) (Result, error) {
	return onPage(func(c *Call, ctx context.Context, tab *Tab) (Result, error) {
		if err := tab.Page.Acting(ctx); err != nil {
			return Result{}, err
		}
		var res sighted
		if err := c.RunOp(ctx, t, "scrollIntoView", nil, &res); err != nil {
			return Result{}, err
		}
		// Frames that lie out of view are brought there, too.
		if _, err := t.Frame.ToPage(ctx, engine.Point{X: res.X, Y: res.Y}); err != nil {
			return Result{}, err
		}
		text := "✓ Done"
		if !res.Moved && t.Frame.Parent() == nil {
			text += ": it was in view already"
		}
		if res.Covered {
			c.Note(t.Label + " stays below something that keeps its place on the screen")
		}
		return Result{Data: map[string]any{"scrolled": t.Label, "moved": res.Moved}, Text: text}, nil
	})(ctx, c)
}
