package pointer

import (
	"context"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

func dropCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "drop",
			Group:   actions.GroupPointer,
			Summary: "Drop files on an element, as from a file manager",
			Help: "Paths are relative to the current folder, and all of them are checked before anything happens. Fails " +
				"when the element does not take files.",
			Args:     []actions.Arg{actions.SelectorArg(), {Name: "files", Kind: actions.List, Help: "Paths of the files"}},
			Flags:    []actions.Flag{{Name: "folders", Kind: actions.Bool, Help: "Accept folders, too"}, element.ForceFlag()},
			Examples: []actions.Example{{Line: "drop @e4 report.pdf"}, {Line: "drop '#zone' a.png b.png"}},
		},
		Schedule: actions.Schedule{Effect: actions.InTab | actions.Mutates | actions.Navigates},
		Safety:   actions.Safety{Families: policy.Does(policy.ActsByPointer, policy.ReadsFiles)},
		Showing:  actions.Showing{Traits: trait.LookAgain},
		Bindings: actions.Bindings{Data: []any{DroppedResult{}}},
		Run:      element.OnTarget(dropFiles),
	}
}

// dragEnd is the result of the in-page op dragEnded.
type dragEnd struct {
	Armed   *bool    `json:"armed"`
	Up      bool     `json:"up"`
	Dropped bool     `json:"dropped"`
	Hit     bool     `json:"hit"`
	On      string   `json:"on"`
	Types   []string `json:"types"`
	Effect  string   `json:"effect"`
}

// acceptance is the result of the in-page op dropAccepted.
type acceptance struct {
	Over     bool   `json:"over"`
	Accepted bool   `json:"accepted"`
	Again    bool   `json:"again"` // the page has moved something meanwhile, as lists do to make room
	Effect   string `json:"effect"`
	Allowed  string `json:"allowed"`
	element.Met
}

// acceptTries is how often data is moved over its target until that takes it. Many a page decides after the first
// event.
const acceptTries = 4

// dropOn drops data where it is, once the page takes it there. What is not accepted is not dropped: a browser would
// leave the page for a file.
func dropOn(
	ctx context.Context, c *actions.Call, drag *input.Drag, tab *actions.Tab, over *engine.Frame, label string,
	token int64, data *Drop,
) error {
	var now acceptance
	for range acceptTries {
		if err := drag.Carry(ctx, over, []engine.Point{drag.At()}); err != nil {
			return err
		}
		var err error
		if now, err = opDropAccepted.In(ctx, over, inpage.None{}); err != nil {
			return err
		}
		if now.Accepted && !now.Again {
			break
		}
	}
	t := &element.Target{Label: label, Frame: over, Tab: tab}
	if !now.Over {
		return missedGesture(ctx, c, t, &element.GestureResult{})
	}
	if !now.Accepted {
		return refused(ctx, c, t, &now)
	}
	if err := drag.Drop(ctx); err != nil {
		return err
	}
	ended, err := opDragEnded.In(ctx, over, dragEndedArg{token, element.LandedPatience.Milliseconds()})
	if err != nil {
		return leftDocument(err)
	}
	data.DropEffect = now.Effect
	data.Types = ended.Types
	switch {
	case ended.Armed != nil:
	case !ended.Dropped:
		return fault.New(fault.DropRefused, "'%s' accepted the drop, but the page did not receive it.", label).About(label).
			WithHint("Look at the page with a snapshot.")
	case token != 0 && !ended.Hit:
		data.On = ended.On
		c.Note("<" + ended.On + "> took the drop at the place of " + label)
	}
	return nil
}

// refused makes the error for data that is not taken where it is.
func refused(ctx context.Context, c *actions.Call, t *element.Target, now *acceptance) error {
	doc, err := t.Frame.Document(ctx)
	if err != nil {
		return err
	}
	facts := element.Refusal{Met: now.Met, Effect: now.Effect, Allowed: now.Allowed}
	return element.Failure(ctx, c, t, element.NewFailure(fault.DropRefused, facts).In(t.Frame, doc))
}

func dropFiles(ctx context.Context, c *actions.Call, _ *actions.Tab, t *element.Target) (actions.Result, error) {
	files, err := element.LocalFiles(ctx, c, c.Strings("files"))
	if err != nil {
		return actions.Result{}, err
	}
	paths := make([]string, len(files))
	for i, f := range files {
		if f.Folder && !c.Bool("folders") {
			return actions.Result{}, fault.New(fault.File, "%s is a folder.", f.Path).About(f.Path).
				WithHint("Nothing was dropped. Use --folders to drop folders.")
		}
		paths[i] = f.Path
	}
	return element.OnPage(func(ctx context.Context, c *actions.Call, tab *actions.Tab) (actions.Result, error) {
		data := &DroppedResult{Dropped: len(files), Selector: t.Label}
		res := actions.Result{Data: data, Text: "✓ Done"}
		d := &dragging{Call: c, tab: tab, dst: t}
		if err := d.aimGoal(ctx, false); err != nil {
			return res, err
		}
		at, err := element.Place(ctx, c, t, &d.goal.Aim)
		if err != nil {
			return res, err
		}
		if err := element.Reach(ctx, c, tab, t, at); err != nil {
			return res, err
		}
		drag, err := input.DragFiles(tab.Page, paths)
		if err != nil {
			return res, err
		}
		defer drag.Close(ctx)
		if err := drag.Carry(ctx, t.Frame, []engine.Point{at}); err != nil {
			return res, err
		}
		return res, dropOn(ctx, c, drag, tab, t.Frame, t.Label, d.goal.Token, &data.Drop)
	})(ctx, c)
}
