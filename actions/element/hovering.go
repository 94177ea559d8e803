package element

import (
	"context"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/internal/fault"
)

// hovering is what to move the pointer over so that a target shows.
type hovering struct {
	Hover      string `json:"hover"` // the element in CSS notation: div#row
	HoverRole  string `json:"hoverRole"`
	HoverName  string `json:"hoverName"`
	HoverToken int64  `json:"hoverToken"`

	// HoverGuessed is set where rules that cannot be read, of another origin, may say so.
	HoverGuessed bool `json:"hoverGuessed,omitzero"`

	// Where neither a rule nor an attribute says so: what the target is in.
	Row      string `json:"row"`
	RowRole  string `json:"rowRole"`
	RowName  string `json:"rowName"`
	RowToken int64  `json:"rowToken"`
}

// hoverPatience is how long the element that shows a target may take to be within reach.
const hoverPatience = time.Second

// hoverFirst moves the pointer over what shows the target of an op, if the op failed for want of that.
func hoverFirst(ctx context.Context, c *actions.Call, t *Target, f *OpFailure) (hovered bool, err error) {
	facts := FactsOf[hovering](f)
	if facts.HoverToken == 0 || c.Bool("force") {
		return false, nil
	}
	over := &Target{
		Label: facts.Hover,
		Tab:   t.Tab,
		Frame: t.Frame,
		path:  t.path,
		Want:  Wanted{Ref: &WantedRef{Token: facts.HoverToken, Role: facts.HoverRole, Name: facts.HoverName, Doc: f.doc}},
	}
	aim, err := AimAt(ctx, c, over, AimOptions{Checks: "hover", Patience: hoverPatience, hovered: true})
	if err != nil {
		return false, ignoreTarget(ctx, err)
	}
	at, err := Place(ctx, c, over, aim)
	if err != nil {
		return false, ignoreTarget(ctx, err)
	}
	if err := input.Hover(ctx, t.Frame.Page(), at); err != nil {
		return false, err
	}
	shows := " first, which shows "
	if facts.HoverGuessed {
		shows = " first, which may show "
	}
	c.Note("hovered " + f.blamed(c, facts.Hover, facts.HoverRole, facts.HoverName, facts.HoverToken) + shows + t.Label)
	return true, nil
}

// ignoreTarget leaves out an error about the element to hover: the target's own says more.
func ignoreTarget(ctx context.Context, err error) error {
	if ctx.Err() != nil || fault.Is(err, fault.DialogOpen) || fault.Is(err, fault.PageGone) {
		return err
	}
	return nil
}

// hint says what to hover where it is not known whether that helps.
func (h hovering) hint(c *actions.Call, f *OpFailure) string {
	if h.RowToken == 0 {
		return ""
	}
	return " If it shows when the pointer is over what it is in, `hover` that first: " +
		f.blamed(c, h.Row, h.RowRole, h.RowName, h.RowToken) + "."
}
