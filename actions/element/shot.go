package element

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/internal/fault"
)

// Shot is a remembered screenshot, so that commands can act on a point of it as long as the page looks the same. The
// in-page script remembers where it drew which element.
type Shot struct {
	ID     string      // "s3"; never used again in the session
	Area   engine.Rect // the part of the document that it shows, in CSS pixels
	Width  int         // in pixels of the picture
	Height int
	Scale  float64 // pixels of the picture for each CSS pixel

	whole  bool   // it shows more than the viewport, or another part of the page
	doc    string // the document of the main frame
	url    string
	scroll engine.Point
}

// shotsKept is how many screenshots of a tab can be acted on.
const shotsKept = 10

// shots are the last ones of a tab, the newest at the end.
type shots struct {
	mu   sync.Mutex
	list []*Shot
}

// shotCount numbers the screenshots of a session.
type shotCount struct{ atomic.Int64 }

func (s *shots) ids() (ids []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, shot := range s.list {
		ids = append(ids, shot.ID)
	}
	return ids
}

func (s *shots) find(id string) *Shot {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.IndexFunc(s.list, func(shot *Shot) bool { return shot.ID == id }); i >= 0 {
		return s.list[i]
	}
	return nil
}

// Keep makes the shot one whose points can be acted on, and lets the oldest one go when there are many.
func (s *Shot) Keep(tab *actions.Tab) {
	kept := actions.StateOf[shots](&tab.States)
	kept.mu.Lock()
	defer kept.mu.Unlock()
	kept.list = append(kept.list, s)
	if over := len(kept.list) - shotsKept; over > 0 {
		kept.list = slices.Delete(kept.list, 0, over)
	}
}

// Sized says which part of the document the picture shows, and how large it is. Without an area it shows the viewport.
func (s *Shot) Sized(area *engine.Rect, width, height int) {
	if area != nil {
		s.Area = *area
	}
	s.Width, s.Height = width, height
	s.Scale = float64(width) / max(1, s.Area.Width)
}

// depictPatience is how long child frames may take to remember what they show. One that hangs must not take the picture
// with it.
const depictPatience = 3 * time.Second

// depictArg is the argument of the in-page op depict.
type depictArg struct {
	Shot  string   `json:"shot"`
	Kept  []string `json:"kept"` // other screenshots that are not to be forgotten
	Whole bool     `json:"whole,omitzero"`
}

type depicted struct {
	Scroll engine.Point `json:"scroll"`
	View   engine.Rect  `json:"view"` // of the document, what the screen shows
}

// pointAtArg is the argument of the in-page op pointAt.
type pointAtArg struct {
	At *WantedPoint `json:"at"`
}

var (
	opDepict  = inpage.Define[depictArg, depicted]("depict")
	opPointAt = inpage.Define[pointAtArg, innerPoint]("pointAt")
)

// Depict makes the page remember what it shows, for a picture that is about to be taken. whole means that the picture
// will show more than the viewport.
func Depict(ctx context.Context, c *actions.Call, tab *actions.Tab, whole bool) (*Shot, error) {
	s := &Shot{
		ID:    "s" + strconv.FormatInt(actions.StateOf[shotCount](c.Session.States()).Add(1), 10),
		whole: whole,
		url:   tab.Page.URL(),
	}
	main := tab.Page.Main()
	kept := actions.StateOf[shots](&tab.States).ids()
	patient, stop := context.WithTimeout(ctx, depictPatience)
	defer stop()
	var asking sync.WaitGroup
	defer asking.Wait()
	for _, frame := range FramesBelow(patient, main) {
		// What a frame does not remember is refused when it is asked for.
		asking.Go(func() { _, _, _ = opDepict.Raw(patient, frame, depictArg{Shot: s.ID, Kept: kept}) })
	}
	value, doc, err := opDepict.Raw(ctx, main, depictArg{Shot: s.ID, Kept: kept, Whole: whole})
	if err != nil {
		return nil, err
	}
	var seen depicted
	if err := opDepict.Read(value, &seen); err != nil {
		return nil, err
	}
	s.doc, s.scroll, s.Area = doc, seen.Scroll, seen.View
	return s, nil
}

// AtFlag is the flag for a point to act on in place of an element.
func AtFlag() actions.Flag {
	return actions.Flag{
		Name:  "at",
		Kind:  actions.String,
		Kept:  true,
		Value: "x,y",
		Help: "Act on what is at this point, in place of a selector: with --shot in pixels of that picture, else in CSS " +
			"pixels of the viewport",
	}
}

// ShotFlag is the flag for the screenshot that a point is of.
func ShotFlag() actions.Flag {
	return actions.Flag{
		Name:  "shot",
		Kind:  actions.String,
		Kept:  true,
		Value: "id",
		Help:  "The screenshot that --at is a point of; fails when the page is no longer as pictured",
	}
}

// SelectorOrPoint is the element that a command acts on, unless --at is given.
func SelectorOrPoint() actions.Arg {
	a := actions.SelectorArg()
	a.Unless = "at"
	return a
}

// targetOf is what a command is to act on: the element that its argument "selector" names, or what is at the point of
// --at.
func targetOf(ctx context.Context, c *actions.Call, tab *actions.Tab) (*Target, error) {
	switch {
	case c.Has("at"):
		return resolvePoint(ctx, c, tab)
	case c.Has("shot"):
		return nil, c.Invalid("--shot says which screenshot --at is a point of; give --at x,y, too")
	}
	return Resolve(ctx, c, tab, c.String("selector"))
}

// WantedPoint is a point of a frame's viewport, or with Page of its document.
type WantedPoint struct {
	X    float64 `json:"x"`
	Y    float64 `json:"y"`
	Shot string  `json:"shot,omitempty"`
	Page bool    `json:"page,omitempty"`
}

// resolvePoint makes the target of --at, in the innermost frame that is there.
func resolvePoint(ctx context.Context, c *actions.Call, tab *actions.Tab) (*Target, error) {
	if c.Has("position") {
		return nil, c.Invalid("--position is a point of an element, and --at one of the page: give one of them")
	}
	given, ok := parsePoint(c.String("at"))
	if !ok {
		return nil, c.Invalid("--at takes two numbers such as 640,300, got '" + c.String("at") + "'")
	}
	t := &Target{Label: c.String("at"), Tab: tab, Frame: tab.Page.Main()}
	at := WantedPoint{X: given.X, Y: given.Y}
	if c.Has("shot") {
		shot, err := shotOf(ctx, c, tab, c.String("shot"))
		if err != nil {
			return nil, err
		}
		t.Label += " of " + shot.ID
		if at, ok = shot.point(given); !ok {
			return nil, c.Invalid(fmt.Sprintf("--at %s is outside of %s, which is %dx%d pixels in size", c.String("at"), shot.ID,
				shot.Width, shot.Height))
		}
	}
	return t, t.descend(ctx, c, at)
}

// descend finds the innermost frame at a point of the target's frame.
func (t *Target) descend(ctx context.Context, c *actions.Call, at WantedPoint) error {
	for {
		t.Want.At = &at
		inner, err := pointIn(ctx, c, t)
		if err != nil || inner.Token == 0 {
			return err
		}
		child, err := t.Frame.ChildOf(ctx, inner.Token)
		if err != nil || child == nil {
			return err
		}
		t.Frame, at = child, WantedPoint{X: inner.X, Y: inner.Y, Shot: at.Shot}
	}
}

// AtShot returns what is at a point of a screenshot of the tab, in pixels of the picture. It fails when the page is no
// longer as pictured.
func AtShot(ctx context.Context, c *actions.Call, tab *actions.Tab, shot *Shot, given engine.Point) (*Target, error) {
	t := &Target{Label: "the point", Tab: tab, Frame: tab.Page.Main()}
	at, ok := shot.point(given)
	if !ok {
		return nil, fault.New(fault.Usage, "the point %g,%g is outside of %s, which is %dx%d pixels in size", given.X,
			given.Y, shot.ID, shot.Width, shot.Height)
	}
	return t, t.descend(ctx, c, at)
}

// GiveRef returns the ref of an element that an op found in the target's frame, spelled @e12; "": its tab is gone.
func GiveRef(c *actions.Call, t *Target, el *Located) string {
	return (&OpFailure{}).In(t.Frame, el.Doc).give(c, el.Token, el.Role, el.Name)
}

func parsePoint(s string) (p engine.Point, ok bool) {
	across, down, ok := strings.Cut(s, ",")
	var errX, errY error
	p.X, errX = strconv.ParseFloat(strings.TrimSpace(across), 64)
	p.Y, errY = strconv.ParseFloat(strings.TrimSpace(down), 64)
	return p, ok && errX == nil && errY == nil && p.X >= 0 && p.Y >= 0 && p.X < 1e7 && p.Y < 1e7
}

// point is where a point of the picture lies in the page. It is false outside of the picture.
func (s *Shot) point(p engine.Point) (WantedPoint, bool) {
	at := WantedPoint{X: s.Area.X + p.X/s.Scale, Y: s.Area.Y + p.Y/s.Scale, Shot: s.ID, Page: s.whole}
	if !s.whole {
		at.X, at.Y = at.X-s.scroll.X, at.Y-s.scroll.Y
	}
	return at, p.X < float64(s.Width) && p.Y < float64(s.Height)
}

// shotOf finds a screenshot of the tab, whose document must be the one that it shows.
func shotOf(ctx context.Context, c *actions.Call, tab *actions.Tab, id string) (*Shot, error) {
	shot := actions.StateOf[shots](&tab.States).find(id)
	if shot == nil {
		tabs, _ := c.Tabs.All()
		for _, other := range tabs {
			if actions.StateOf[shots](&other.States).find(id) != nil {
				return nil, fault.New(fault.ShotStale, "%s shows tab %s, and %s is the active one.", id, other.ID, tab.ID).
					About(id).
					WithHint("Run `tab %s` first, or act in that tab alone with --tab %s.", other.ID, other.ID)
			}
		}
		return nil, fault.New(fault.ShotStale, "%s: no screenshot with this id is kept; only the last %d of each tab are.",
			id, shotsKept).About(id).
			WithHint(newShot)
	}
	doc, err := tab.Page.Main().Document(ctx)
	if err != nil {
		return nil, err
	}
	if doc == shot.doc {
		return shot, nil
	}
	why := "the page was loaded again since that screenshot"
	if now := tab.Page.URL(); now != shot.url {
		why = "that screenshot shows " + shot.url + ", and the page has navigated to " + now
	}
	return nil, fault.New(fault.ShotStale, "%s: %s.", id, why).About(id).WithHint(newShot).With("why", "document").
		With("url", tab.Page.URL())
}

const newShot = "Take a new screenshot and use its points."

// innerPoint is the result of the in-page op pointAt: where a child frame is met.
type innerPoint struct {
	Located
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// pointIn asks a frame what is at the target's point.
func pointIn(ctx context.Context, c *actions.Call, t *Target) (inner innerPoint, err error) {
	return inner, CallOp(ctx, c, t, opPointAt, pointAtArg{t.Want.At}, &inner)
}

// PointElement is the element at the point of --at.
type PointElement struct {
	Name string `json:"name,omitempty"`
	Ref  string `json:"ref,omitempty"`
	Role string `json:"role,omitempty"`
	Tag  string `json:"tag"`
}

// AtPoint returns the element at the point that the caller gave, or nil if the caller gave none.
func AtPoint(c *actions.Call, t *Target, aim *Aim) *PointElement {
	if t.Want.At == nil {
		return nil
	}
	f := (&OpFailure{}).In(t.Frame, aim.Doc)
	return &PointElement{Name: aim.Name, Ref: f.give(c, aim.Token, aim.Role, aim.Name), Role: aim.Role, Tag: aim.Tag}
}

// DoneAt is the text of an action at a point, which names what was there.
func DoneAt(did string, el *PointElement) string {
	if el == nil {
		return actions.DoneText
	}
	text := actions.DoneText + ": " + did + " " + fact.ElementName(el.Role, el.Name, el.Tag)
	if el.Ref != "" {
		text += " (" + el.Ref + ")"
	}
	return text
}
