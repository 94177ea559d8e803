package pointer

import (
	"context"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/internal/wording"
)

var opChooseOption = inpage.Define[element.Targeted, element.Choice]("chooseOption")

// choosesOption reports whether a click of this kind chooses an option in a menu, when it is on one.
func choosesOption(c *actions.Call, o input.ClickOptions) bool {
	return o.Button != "right" && o.Button != "middle" && o.Count < 2 && o.Modifiers == 0 && !c.Has("position")
}

// chooseOption chooses the option of a select whose menu the browser draws itself. No click of a page's pointer gets
// there, open or not, so that the choice is made as by the command select, which the reply says.
func chooseOption(
	ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target, aim *element.Aim,
) (actions.Result, error) {
	run.Start(c, tab)
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	if err := engine.ActingByOp(watched, tab.Page); err != nil {
		return actions.Result{}, err
	}
	var kept element.KeptChoice
	res, err := element.RunOp(watched, c, t, opChooseOption, element.Targeted{Written: kept.Behind(c, t)})
	if err == nil {
		err = kept.Read(watched, c, t, res)
	}
	if err != nil {
		if err := run.Interrupted(c, tab, err); err != nil {
			return actions.Result{}, err
		}
	}
	option, list := wording.Quote(aim.Name), element.ElementName(aim.Menu)
	switch {
	case err == nil && !res.Changed:
		c.Note(option + " is chosen in " + list + " already")
	default:
		c.Note("chose " + option + " in " + list +
			", as `select` does: the browser draws that menu itself, and it takes no click from here")
	}
	res.NoteDrawn(c, t)
	if err := run.Settle(ctx, c, tab); err != nil {
		return actions.Result{}, err
	}
	data := ClickedResult{Clicked: t.Label, Selected: res.Selected, DialogOpened: run.Blocked(c, tab)}
	return actions.Result{Data: data, Text: actions.DoneText}, nil
}
