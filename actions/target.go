package actions

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/snapshot"
)

// Target is an element that a command is to act on: where to look, and what for.
type Target struct {
	Label string // as the caller spelled it, for messages
	tab   *Tab
	Frame *engine.Frame
	path  []string      // of a selector that names frames: those below the one that selectors look in
	ref   *snapshot.Ref // set when the caller gave a ref
	Doc   string        // the document in which the last op ran
	want  wanted
}

// NewTarget is the target of an element that is known by its token in a document.
func NewTarget(tab *Tab, frame *engine.Frame, doc string, token int64, label string) *Target {
	return &Target{Label: label, tab: tab, Frame: frame, want: wanted{Ref: &wantedRef{Token: token, Doc: doc}}}
}

// Resolve turns a selector of the caller's into a target on the tab.
func (c *Call) Resolve(ctx context.Context, tab *Tab, selector string) (*Target, error) {
	if snapshot.IsRef(selector) {
		return c.resolveRef(ctx, tab, selector)
	}
	want, path, err := parseSelector(selector)
	if err != nil {
		return nil, err
	}
	return c.lookFor(ctx, tab, selector, want, path)
}

// lookFor makes the target of what is wanted in the frame that selectors look in, or in one within that.
func (c *Call) lookFor(ctx context.Context, tab *Tab, label string, want wanted, path []string) (*Target, error) {
	frame, err := c.LookIn(ctx, tab)
	if err != nil {
		return nil, err
	}
	t := &Target{Label: label, tab: tab, Frame: frame, want: want, path: path}
	t.want.Strict = c.Bool("strict") && want.Index == nil
	return t, c.enterPath(ctx, t)
}

// onTarget makes the Run of a command that acts on the element that its argument "selector" names in the active tab.
func onTarget(fn func(*Call, context.Context, *Tab, *Target) (Result, error)) func(context.Context, *Call) (Result, error) {
	return func(ctx context.Context, c *Call) (Result, error) {
		tab, err := c.Tab(ctx)
		if err != nil {
			return Result{}, err
		}
		t, err := c.Resolve(ctx, tab, c.String("selector"))
		if err != nil {
			return Result{}, err
		}
		return fn(c, ctx, tab, t)
	}
}

func (c *Call) resolveRef(ctx context.Context, tab *Tab, selector string) (*Target, error) {
	ref, err := c.Session.Refs().Lookup(selector)
	if err != nil {
		return nil, err
	}
	if ref.Tab != tab.ID {
		return nil, fault.New(fault.RefStale, "@%s belongs to tab %s, and %s is the active one.", ref.ID(), ref.Tab, tab.ID).About(selector).
			WithHint("Run `tab %s` first, or take a new snapshot; or act in that tab alone with --tab %s.", ref.Tab, ref.Tab)
	}
	frame := tab.Page.Frame(ref.FrameID)
	if frame == nil {
		return nil, ref.Gone(tab.Page.URL())
	}
	doc, err := frame.Document(ctx)
	if err != nil {
		return nil, err
	}
	if doc != ref.DocID {
		return nil, ref.Gone(frame.URL())
	}
	return &Target{
		Label: "@" + ref.ID(),
		tab:   tab,
		Frame: frame,
		ref:   &ref,
		want:  wanted{Ref: &wantedRef{Token: ref.Token, Role: ref.Role, Name: ref.Name, Doc: ref.DocID}},
	}, nil
}

// Located is what every in-page op that finds an element says of it.
type Located struct {
	Token  int64   `json:"token"`
	Count  int     `json:"count"`
	Index  int     `json:"index"` // among the matches
	Tag    string  `json:"tag"`
	Role   string  `json:"role"`
	Name   string  `json:"name"`
	Healed bool    `json:"healed"`
	Was    *seenAs `json:"was"`    // of a ref, when its element has another role or name by now
	Beside *beside `json:"beside"` // of a ref, when the text beside its element is another one by now

	doc string // the document that Token holds in
}

// seenAs is how an element was shown to the caller.
type seenAs struct {
	Role string `json:"role"`
	Name string `json:"name"`
}

// beside is the first text beside an element, when the caller saw it and now.
type beside struct {
	Was string `json:"was"`
	Is  string `json:"is"`
}

// found is implemented by the results of such ops.
type found interface{ element() *Located }

func (l *Located) element() *Located { return l }

// RunOp calls an op on the target and decodes its result. The arguments are those of the op; target and patience are added. When the
// document is replaced while the op waits, the op begins again in the new one, but for refs, which do not outlive their document.
func (c *Call) RunOp(ctx context.Context, t *Target, op string, args map[string]any, result found) error {
	arg := map[string]any{"target": t.want}
	maps.Copy(arg, args)
	if c.acting != nil {
		arg["watch"] = true
		if err := c.watchIn(ctx, t.Frame); err != nil {
			return err
		}
	}
	start, patience := time.Now(), c.patience()
	if p, ok := args["patience"].(time.Duration); ok {
		patience = p
	}
	watched, stop := t.Frame.Page().Watch(ctx, true)
	defer stop()
	for {
		if t.ref != nil {
			// Pages draw anew what their server answers, which the in-page script does not see coming.
			t.want.Ref.Rest = len(t.Frame.Page().UnderWay()) == 0
			arg["target"] = t.want
		}
		arg["patience"] = max(0, (patience - time.Since(start)).Milliseconds())
		raw, err := json.Marshal(arg)
		if err != nil {
			return err
		}
		value, doc, err := t.Frame.CallRaw(watched, op, raw)
		if moved, lost := c.carriedOn(ctx, t, err, patience-time.Since(start)); lost != nil {
			return lost
		} else if moved {
			continue
		}
		if err != nil {
			return err
		}
		t.Doc = doc
		f := failureOf(value)
		if f != nil && f.Again && time.Since(start) < patience {
			continue
		}
		if f != nil {
			return c.failure(ctx, t, f.in(t.Frame, doc))
		}
		if err := json.Unmarshal(value, result); err != nil {
			return fault.New(fault.Internal, "reading the result of %s: %w", op, err)
		}
		result.element().doc = doc
		c.noteElement(t, result.element())
		return nil
	}
}

// carriedOn deals with an op that ended since its document or its frame went away under it. The op is to be done again when the target may be
// in the next document; lost is why it cannot be there.
func (c *Call) carriedOn(ctx context.Context, t *Target, err error, left time.Duration) (moved bool, lost error) {
	gone := fault.Is(err, fault.FrameGone)
	switch {
	case !gone && !engine.IsNavigated(err):
		return false, nil
	case t.ref != nil:
		return false, t.ref.Gone(urlOf(t.Frame))
	case left <= 0:
		return false, fault.New(fault.SelectorNotFound, "The page navigated away while %s was looked for.", t.Label).About(t.Label).
			WithHint("Wait for the page, then try again.")
	case gone && len(t.path) == 0:
		_, lost := c.LookIn(ctx, t.tab)
		if lost == nil {
			lost = err
		}
		return false, lost
	case gone:
		if t.Frame, lost = c.LookIn(ctx, t.tab); lost != nil {
			return false, lost
		}
		return true, c.enterPath(ctx, t)
	}
	_, lost = t.Frame.Page().Settle(ctx, SettleLimit)
	return true, lost
}

// urlOf is the address of a frame's document, "" for a frame that does not exist any more.
func urlOf(f *engine.Frame) string {
	if f.Gone() {
		return ""
	}
	return f.URL()
}

// noteElement says which element was taken when that is not plain.
func (c *Call) noteElement(t *Target, el *Located) {
	switch {
	case t.ref != nil && el.Healed:
		c.Note(t.Label + " was replaced by an equal element; the ref now names that one (healed)")
		c.healed = append(c.healed, refReport{Ref: t.Label, Role: el.Role, Name: el.Name})
		c.Session.Refs().Heal(*t.ref, el.Token)
		t.ref.Token = el.Token
		t.want.Ref.Token = el.Token
	case t.ref != nil && (el.Was != nil || el.Beside != nil):
		c.noteChange(t, el)
	case t.ref == nil && t.want.Index == nil && el.Count > 1:
		c.noteMatched(t, el)
	}
}

// noteChange says that a ref's element, which lives, is not quite what the caller saw.
func (c *Call) noteChange(t *Target, el *Located) {
	report := refReport{Ref: t.Label, Role: el.Role, Name: el.Name, Was: el.Was, Beside: el.Beside}
	if slices.ContainsFunc(c.changed, func(r refReport) bool { return r.Ref == report.Ref }) {
		return // an earlier op of the same command has said so
	}
	c.changed = append(c.changed, report)
	if el.Was != nil {
		c.Note(fmt.Sprintf("%s changed: was %s, is %s", t.Label, elementName(&Located{Role: el.Was.Role, Name: el.Was.Name}), elementName(el)))
		c.Session.Refs().Rename(*t.ref, el.Role, el.Name)
		t.ref.Role, t.ref.Name = el.Role, el.Name
		t.want.Ref.Role, t.want.Ref.Name = el.Role, el.Name
	}
	if el.Beside != nil {
		c.Note(fmt.Sprintf("%s changed: was beside %s, is beside %s", t.Label, wording.Quote(el.Beside.Was), wording.Quote(el.Beside.Is)))
	}
}

// refReport is what the data of a reply says of a ref that healed, or whose element has another role or name than the caller was shown.
type refReport struct {
	Ref    string  `json:"ref"`
	Role   string  `json:"role"`
	Name   string  `json:"name"`
	Was    *seenAs `json:"was,omitempty"`
	Beside *beside `json:"beside,omitempty"`
}

// reportRefs adds to the data, where there is some, what became of refs.
func (c *Call) reportRefs(res *Result) {
	if res.Data == nil {
		return
	}
	c.reportMatched(res)
	if len(c.healed) > 0 {
		res.Add("healed", c.healed)
	}
	if len(c.changed) > 0 {
		res.Add("changed", c.changed)
	}
}

func elementName(el *Located) string {
	name := el.Role
	if name == "" || name == "generic" {
		name = "<" + el.Tag + ">"
	}
	if el.Name != "" {
		name += " " + wording.Quote(el.Name)
	}
	return name
}
