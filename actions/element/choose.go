package element

import (
	"context"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/world"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// Choice is the result of the in-page ops that choose options of a select: what is chosen.
type Choice struct {
	Located
	Selected []string `json:"selected"`
	Changed  bool     `json:"changed"` // the page was told, and may take it back
	// what the page still shows in place of a hidden select, though another option is chosen
	Drawn string `json:"drawn"`

	Effects *run.SeenEffects `json:"effects"`
}

// selectedArg is the argument of the in-page op selected.
type selectedArg struct {
	Target  Wanted `json:"target"`
	Effects bool   `json:"effects"`
}

var opSelected = inpage.Define[selectedArg, Choice]("selected")

// ReadBack reads the selection after a change, and the effects. It reads nothing if the choice led away from the page.
type KeptChoice struct {
	frame *engine.Frame
	asked *world.Asked
	arg   selectedArg
}

// Behind is for the op that chooses.
func (k *KeptChoice) Behind(c *actions.Call, t *Target) func() {
	return func() {
		k.frame, k.asked, k.arg = t.Frame, nil, selectedArg{t.Want, run.CollectsEffects(c, t.Frame)}
		if arg, err := opSelected.JSON(k.arg); err == nil {
			k.asked = t.Frame.AskNext(opSelected.Name(), arg)
		}
	}
}

// Read adds to what the op that chooses has answered. A choice that leads away from the page is not read.
func (k *KeptChoice) Read(ctx context.Context, c *actions.Call, t *Target, res *Choice) error {
	if k.asked == nil {
		return nil // the document was gone before it could be asked
	}
	value, err := k.frame.Next(ctx, k.asked)
	if engine.IsNavigated(err) || fault.Is(err, fault.FrameGone) {
		return nil
	}
	if err != nil {
		return err
	}
	if f := FailureOf(value); f != nil {
		return Failure(ctx, c, t, f.In(k.frame, k.asked.World.Doc))
	}
	if err := opSelected.Read(value, res); err != nil {
		return err
	}
	if k.arg.Effects {
		run.Of(c).Seen = res.Effects
	}
	return nil
}

// NoteDrawn adds a note if the page shows something other than the chosen option in place of the select.
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
