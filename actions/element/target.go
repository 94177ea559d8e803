package element

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/snapshot"
)

// Target is an element that a command is to act on: where to look, and what for.
type Target struct {
	Label string // as the caller spelled it, for messages
	Tab   *actions.Tab
	Frame *engine.Frame
	path  []string      // of a selector that names frames: those below the one that selectors look in
	Ref   *snapshot.Ref // set when the caller gave a ref
	Doc   string        // the document in which the last op ran
	Want  Wanted
}

// NewTarget is the target of an element that is known by its token in a document.
func NewTarget(tab *actions.Tab, frame *engine.Frame, doc string, token int64, label string) *Target {
	return &Target{Label: label, Tab: tab, Frame: frame, Want: Wanted{Ref: &WantedRef{Token: token, Doc: doc}}}
}

// Resolve turns a selector of the caller's into a target on the tab.
func Resolve(ctx context.Context, c *actions.Call, tab *actions.Tab, selector string) (*Target, error) {
	if snapshot.IsRef(selector) {
		return ResolveRef(ctx, c, tab, selector)
	}
	want, path, err := ParseSelector(selector)
	if err != nil {
		return nil, err
	}
	if want.CSS == selector && !c.UpstreamText() {
		want.Label = selector
	}
	return LookFor(ctx, c, tab, selector, want, path)
}

// LookFor makes the target of what is wanted in the frame that selectors look in, or in one within that.
func LookFor(
	ctx context.Context, c *actions.Call, tab *actions.Tab, label string, want Wanted, path []string,
) (*Target, error) {
	frame, err := LookIn(ctx, c, tab)
	if err != nil {
		return nil, err
	}
	t := &Target{
		Label: label,
		Tab:   tab,
		Frame: frame,
		Want:  want,
		path:  path,
	}
	t.Want.Strict = c.Bool("strict") && want.Index == nil
	return t, enterPath(ctx, c, t)
}

// OnTarget makes the Run of a command that acts on the element that its argument "selector" names in the active tab, or
// on that at the point of --at.
func OnTarget(
	fn func(context.Context, *actions.Call, *actions.Tab, *Target) (actions.Result, error),
) func(context.Context, *actions.Call) (actions.Result, error) {
	return func(ctx context.Context, c *actions.Call) (actions.Result, error) {
		tab, err := run.Tab(ctx, c)
		if err != nil {
			return actions.Result{}, err
		}
		t, err := targetOf(ctx, c, tab)
		if err != nil {
			return actions.Result{}, err
		}
		return fn(ctx, c, tab, t)
	}
}

// ResolveRef makes the target of a ref. A ref of another tab is an error that says so, as is one of a document that is
// gone, unless that left what its element can be known by where the page was loaded again.
func ResolveRef(ctx context.Context, c *actions.Call, tab *actions.Tab, selector string) (*Target, error) {
	ref, err := c.Session.Refs().Lookup(selector)
	if err != nil {
		return nil, err
	}
	if ref.Tab != tab.ID {
		return nil, fault.New(fault.RefStale, "@%s belongs to tab %s, and %s is the active one.", ref.ID(), ref.Tab, tab.ID).
			About(selector).
			WithHint("Run `tab %s` first, or take a new snapshot; or act in that tab alone with --tab %s.", ref.Tab, ref.Tab).
			With("refTab", ref.Tab)
	}
	frame := tab.Page.Frames().ByID(ref.FrameID)
	if frame == nil {
		return nil, ref.Gone(tab.Page.URL())
	}
	doc, err := frame.Document(ctx)
	if err != nil {
		return nil, err
	}
	want := &WantedRef{Token: ref.Token, Role: ref.Role, Name: ref.Name, Doc: doc}
	if doc != ref.DocID {
		left, ok := tab.Page.Sessions().Left.Of(ref.DocID, ref.Token)
		if !ok {
			return nil, ref.Gone(frame.URL())
		}
		want.Left = &left
	}
	return &Target{
		Label: "@" + ref.ID(),
		Tab:   tab,
		Frame: frame,
		Ref:   &ref,
		Want:  Wanted{Ref: want},
	}, nil
}

// Located is what every in-page op reports about the element that it found.
type Located struct {
	Token int64 `json:"token"`
	Count int   `json:"count"`
	Index int   `json:"index"` // among the matches
	// it shows the text that was looked for and no other, as the first match does not
	Whole  bool               `json:"whole"`
	Tag    string             `json:"tag"`
	Role   string             `json:"role"`
	Name   string             `json:"name"`
	Healed bool               `json:"healed"`
	Item   string             `json:"item"`   // that it is in, of a ref that healed across documents
	Was    *fact.SeenAs       `json:"was"`    // of a ref, when its element has another role or name by now
	Called bool               `json:"called"` // it is the one control whose name was given in place of a selector
	Beside *fact.AdjacentText `json:"beside"` // of a ref, when the text beside its element is another one by now

	Doc string `json:"-"` // the document that Token holds in
}

// found is implemented by the results of such ops.
type found interface{ element() *Located }

func (l *Located) element() *Located { return l }

// answerTime is what is left of a command's time for the answer of an op that has waited as long as it may.
const answerTime = 100 * time.Millisecond

// Targeted holds the parameters that all ops on a target share. RunOp fills it in.
type Targeted struct {
	Target   Wanted `json:"target"`
	Patience int64  `json:"patience"`         // in ms
	Longest  int64  `json:"longest,omitzero"` // in ms, where more than the patience is known to be needed
	Watch    bool   `json:"watch,omitzero"`   // for effects
	Hovered  bool   `json:"hovered,omitzero"` // the pointer was moved over what shows the target

	Within  time.Duration `json:"-"` // the patience; 0 means the command's
	Written func()        `json:"-"` // is called each time when the op has been written, see [engine.Frame.CallAnd]
}

// targeted is implemented by the arguments of such ops.
type targeted interface{ ofTarget() *Targeted }

func (a *Targeted) ofTarget() *Targeted { return a }

// RunOp calls an op on the target and returns its result, which is empty after an error. What all such ops take is
// added to the argument. When the document is replaced while the op waits, the op starts again in the new one, except
// for refs, which do not outlive their document.
func RunOp[Arg, Answer any, A interface {
	*Arg
	targeted
}, F interface {
	*Answer
	found
}](ctx context.Context, c *actions.Call, t *Target, op inpage.Op[Arg, Answer], arg Arg) (*Answer, error) {
	result := new(Answer)
	return result, runOp(ctx, c, t, op.Name(), A(&arg), F(result))
}

func runOp(ctx context.Context, c *actions.Call, t *Target, op string, args targeted, result found) error {
	arg := args.ofTarget()
	arg.Target = t.Want
	if run.Of(c) != nil {
		arg.Watch = true
		if err := run.WatchIn(ctx, c, t.Frame); err != nil {
			return err
		}
	}
	start, patience := time.Now(), c.Patience()
	if arg.Within > 0 {
		patience = arg.Within
	}
	watched, stop := t.Frame.Page().Watch(ctx, true)
	defer stop()
	for {
		if t.Ref != nil {
			// Pages render again when their server answers, which the in-page script cannot foresee.
			t.Want.Ref.Rest = len(t.Frame.Page().Traffic().UnderWay(time.Time{})) == 0
		}
		arg.Target = t.Want
		arg.Patience = max(0, (patience - time.Since(start)).Milliseconds())
		if longest := c.TimeLeft() - answerTime; longest > patience {
			arg.Longest = longest.Milliseconds()
		}
		raw, err := json.Marshal(args)
		if err != nil {
			return err
		}
		value, doc, err := t.Frame.CallAnd(watched, op, raw, arg.Written)
		if moved, lost := CarriedOn(ctx, c, t, err, patience-time.Since(start)); lost != nil {
			return lost
		} else if moved {
			continue
		}
		if err != nil {
			return err
		}
		t.Doc = doc
		f := FailureOf(value)
		if f != nil && f.Again && time.Since(start) < patience {
			continue
		}
		if f = f.In(t.Frame, doc); f != nil && !arg.Hovered {
			if arg.Hovered, err = hoverFirst(watched, c, t, f); err != nil {
				return err
			}
			if arg.Hovered {
				continue
			}
		}
		if f != nil {
			return Failure(ctx, c, t, f)
		}
		if err := json.Unmarshal(value, result); err != nil {
			return fault.New(fault.Internal, "reading the result of %s: %w", op, err)
		}
		result.element().Doc = doc
		NoteElement(c, t, result.element())
		return nil
	}
}

// CarriedOn handles an op that ended because its document or frame went away. The op has to be repeated if the target
// may be in the next document; lost says why it cannot be there.
func CarriedOn(
	ctx context.Context, c *actions.Call, t *Target, err error, left time.Duration,
) (moved bool, lost error) {
	gone := fault.Is(err, fault.FrameGone)
	switch {
	case !gone && !engine.IsNavigated(err):
		return false, nil
	case t.Ref != nil:
		return false, t.Ref.Gone(shownInstead(t))
	case t.Want.At != nil: // what is there in the next document is something else
		return false, fault.New(fault.ShotStale, "%s: the page navigated to %s before anything was done there.", t.Label,
			URLOf(t.Frame)).About(t.Label).
			WithHint(newShot)
	case left <= 0:
		return false, fault.New(fault.SelectorNotFound, "The page navigated away during the search for %s.", t.Label).
			About(t.Label).
			WithHint("Wait for the page, then try again.")
	case gone && len(t.path) == 0:
		_, lost := LookIn(ctx, c, t.Tab)
		if lost == nil {
			lost = err
		}
		return false, lost
	case gone:
		if t.Frame, lost = LookIn(ctx, c, t.Tab); lost != nil {
			return false, lost
		}
		return true, enterPath(ctx, c, t)
	}
	_, lost = t.Frame.Page().Loading().Settle(ctx, run.Patience(c, t.Frame.Page(), run.LeastSettle))
	return true, lost
}

// URLOf returns the address of a frame's document, or "" for a frame that no longer exists.
func URLOf(f *engine.Frame) string {
	if f.Gone() {
		return ""
	}
	return f.URL()
}

// shownInstead is the address of what is there instead of the document of a target: in its frame, else in its tab, else
// "".
func shownInstead(t *Target) string {
	if main := t.Tab.Page.Main(); t.Frame.Gone() {
		return URLOf(main)
	}
	return t.Frame.URL()
}

// NoteElement adds a note about the chosen element if the choice is not obvious.
func NoteElement(c *actions.Call, t *Target, el *Located) {
	switch {
	case t.Ref != nil && el.Healed && t.Want.Ref.Left != nil:
		noteInherited(c, t, el)
	case t.Ref != nil && el.Healed:
		c.Note(t.Label + " was replaced by an equal element; the ref now names that one (healed)")
		run.ReportHealed(c, fact.RefReport{Ref: t.Label, Role: el.Role, Name: el.Name})
		c.Session.Refs().Heal(*t.Ref, el.Token)
		t.Ref.Token = el.Token
		t.Want.Ref.Token = el.Token
	case t.Ref != nil && (el.Was != nil || el.Beside != nil):
		noteChange(c, t, el)
	case el.Called:
		if run.ReportMatched(c, fact.MatchedReport{Selector: t.Label, Count: 1, Role: el.Role, Name: el.Name}) {
			c.Note(wording.Quote(t.Label) + " matches nothing as a selector; the one control with that name was used: " +
				ElementName(el))
		}
	case t.Ref == nil && t.Want.Index == nil && el.Count > 1:
		noteMatched(c, t, el)
	}
}

// noteInherited says that an element of the document now shown was taken for that of the document which the ref is of.
// The ref stays one of that.
func noteInherited(c *actions.Call, t *Target, el *Located) {
	what := ElementName(el)
	if el.Item != "" && el.Item != el.Name {
		what += " in " + wording.Quote(el.Item)
	}
	now := c.Session.Refs().Give(snapshot.Ref{
		Tab:     t.Tab.ID,
		FrameID: t.Frame.ID(),
		DocID:   el.Doc,
		URL:     t.Frame.URL(),
		Token:   el.Token,
		Role:    el.Role,
		Name:    el.Name,
	})
	c.Note(t.Label + " is of this page before it was loaded again; the same " + what + " was used, which is " + now +
		" now (healed)")
	run.ReportHealed(c, fact.RefReport{Ref: t.Label, Role: el.Role, Name: el.Name})
	if ref, err := c.Session.Refs().Lookup(now); err == nil {
		t.Ref = &ref
	}
	t.Want.Ref = &WantedRef{Token: el.Token, Role: el.Role, Name: el.Name, Doc: el.Doc}
}

// noteChange says that a ref's element, which lives, is not quite what the caller saw.
func noteChange(c *actions.Call, t *Target, el *Located) {
	if !run.ReportChanged(c, fact.RefReport{
		Ref:    t.Label,
		Role:   el.Role,
		Name:   el.Name,
		Was:    el.Was,
		Beside: el.Beside,
	}) {
		return // an earlier op of the same command has said so
	}
	if el.Was != nil {
		c.Note(fmt.Sprintf("%s changed: was %s, is %s", t.Label, ElementName(&Located{
			Role: el.Was.Role,
			Name: el.Was.Name,
		}), ElementName(el)))
		c.Session.Refs().Rename(*t.Ref, el.Role, el.Name)
		t.Ref.Role, t.Ref.Name = el.Role, el.Name
		t.Want.Ref.Role, t.Want.Ref.Name = el.Role, el.Name
	}
	if el.Beside != nil {
		c.Note(fmt.Sprintf("%s changed: was beside %s, is beside %s", t.Label, wording.Quote(el.Beside.Was),
			wording.Quote(el.Beside.Is)))
	}
}

// ElementName returns the element's name for a sentence, see [fact.ElementName].
func ElementName(el *Located) string { return fact.ElementName(el.Role, el.Name, el.Tag) }

// OnPage makes the Run of a command that acts on the active tab and watches the effects. If a dialog interrupts the
// page, the function still returns what it knows.
func OnPage(
	fn func(ctx context.Context, c *actions.Call, tab *actions.Tab) (actions.Result, error),
) func(context.Context, *actions.Call) (actions.Result, error) {
	return OnPageBy(run.Tab, fn)
}

// OnPageBy is OnPage for a command that gets its tab in its own way.
func OnPageBy(
	page func(context.Context, *actions.Call) (*actions.Tab, error),
	fn func(ctx context.Context, c *actions.Call, tab *actions.Tab) (actions.Result, error),
) func(context.Context, *actions.Call) (actions.Result, error) {
	return func(ctx context.Context, c *actions.Call) (actions.Result, error) {
		tab, err := page(ctx, c)
		if err != nil {
			return actions.Result{}, err
		}
		run.Start(c, tab)
		watched, stop := tab.Page.Watch(ctx, true)
		defer stop()
		res, err := fn(watched, c, tab)
		if err != nil {
			if err := run.Interrupted(c, tab, err); err != nil {
				return actions.Result{}, err
			}
		}
		return res, run.Settle(ctx, c, tab)
	}
}
