package element

import (
	"context"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// Choice is the result of the in-page ops that choose options of a select: what is chosen.
type Choice struct {
	Located
	Selected []string `json:"selected"`
	Changed  bool     `json:"changed"` // the page was told, and may take it back
	Field    int64    `json:"field"`   // token of the select
	// what the page still shows in place of a hidden select, though another option is chosen
	Drawn string `json:"drawn"`

	Effects *run.SeenEffects `json:"effects"`
}

// selectedArg is the argument of the in-page op selected.
type selectedArg struct {
	Target   Wanted   `json:"target"`
	Field    int64    `json:"field"`
	Selected []string `json:"selected"`
	Effects  bool     `json:"effects"`
}

var opSelected = inpage.Define[selectedArg, Choice]("selected")

// ReadBack reads what the page kept of a choice that changed, and what that led to. A choice that leads away from the
// page is not read.
func (res *Choice) ReadBack(ctx context.Context, c *actions.Call, t *Target) error {
	effects := run.CollectsEffects(c, t.Frame)
	err := CallOp(ctx, c, t, opSelected, selectedArg{t.Want, res.Field, res.Selected, effects}, res)
	if engine.IsNavigated(err) || fault.Is(err, fault.FrameGone) {
		err = nil // the choice led away from the page
	}
	if effects {
		run.Of(c).Seen = res.Effects
	}
	return err
}

// NoteDrawn says what the page shows in place of the select, when that is something else than what is chosen.
func (res *Choice) NoteDrawn(c *actions.Call, t *Target) {
	if res.Drawn != "" {
		c.Note("what the page draws in place of " + t.Label + " still shows " + wording.Quote(res.Drawn) +
			": choose there, as a person does, if that counts")
	}
}

// CallOp calls an op that finds its element itself, and makes the sentence for its failure. The result keeps what is
// not in the answer.
func CallOp[Arg, Answer any](
	ctx context.Context, c *actions.Call, t *Target, op inpage.Op[Arg, Answer], arg Arg, result *Answer,
) error {
	value, doc, err := op.Raw(ctx, t.Frame, arg)
	if err != nil {
		return err
	}
	if f := FailureOf(value); f != nil {
		return Failure(ctx, c, t, f.In(t.Frame, doc))
	}
	return op.Read(value, result)
}
