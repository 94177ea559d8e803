package actions

import (
	"context"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
)

func choosingCommands() []Command {
	return []Command{
		{
			Name: "select", Group: actionGroup, Summary: "Choose options of a select box",
			Args:   []Arg{selectorArg(), {Name: "value", Kind: List, Help: "Values or labels of the options"}},
			Effect: Mutates | Navigates, Examples: []Example{{Line: "select @e4 green"}, {Line: `select #size "Extra large"`}},
			Run: onTarget((*Call).runSelect),
		},
		{
			Name: "check", Group: actionGroup, Summary: "Check a checkbox, radio button or switch", Args: []Arg{selectorArg()},
			Help:   "Does nothing when it is checked already. Reads the state back, and fails when it did not change.",
			Effect: Mutates | Navigates,
			Run:    onTarget((*Call).check),
		},
		{
			Name: "uncheck", Group: actionGroup, Summary: "Uncheck a checkbox or switch", Args: []Arg{selectorArg()},
			Help:   "Does nothing when it is not checked. Reads the state back, and fails when it did not change.",
			Effect: Mutates | Navigates,
			Run:    onTarget((*Call).uncheck),
		},
	}
}

// chosen is the result of the in-page op select.
type chosen struct {
	located
	Selected []string `json:"selected"`
}

func (c *Call) runSelect(ctx context.Context, tab *Tab, t *target) (Result, error) {
	before := c.before(tab)
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	var res chosen
	if err := c.run(watched, t, "select", map[string]any{"values": c.Strings("value")}, &res); err != nil {
		if _, err := c.interrupted(tab, err); err != nil {
			return Result{}, err
		}
	}
	if err := c.after(ctx, tab, before); err != nil {
		return Result{}, err
	}
	return Result{Data: map[string]any{"selected": res.Selected}, Text: "✓ Done"}, nil
}

// controlState is the result of the in-page op state.
type controlState struct {
	Connected bool    `json:"connected"`
	Checked   *string `json:"checked"`
}

func (c *Call) setChecked(ctx context.Context, tab *Tab, t *target, want bool) (Result, error) {
	key := "checked"
	if !want {
		key = "unchecked"
	}
	done := Result{Data: map[string]any{key: t.label}, Text: "✓ Done"}

	var now readResult
	if err := c.run(ctx, t, "read", map[string]any{"what": "checkedState"}, &now); err != nil {
		return Result{}, err
	}
	state, checkable := now.Value.(string)
	if !checkable {
		return Result{}, fault.New(fault.TargetUnsuitable, "Element '%s' is a %s, which cannot be %s.", t.label, elementName(&now.located), key).
			About(t.label).WithHint("Use it on checkboxes, radio buttons and switches.")
	}
	if state == wordOf(want) {
		return done, nil
	}
	if !want && now.Role == "radio" {
		return Result{}, fault.New(fault.TargetUnsuitable, "Element '%s' is a radio button, which cannot be unchecked.", t.label).
			About(t.label).WithHint("Check another one of its group.")
	}
	dialog, err := c.click(ctx, tab, t, engine.ClickOptions{})
	if err != nil || dialog {
		return done, err
	}
	var after controlState
	err = t.frame.Call(ctx, "state", map[string]any{"token": now.Token}, &after)
	if engine.IsNavigated(err) {
		return done, nil
	}
	if err != nil {
		return Result{}, err
	}
	if after.Connected && (after.Checked == nil || *after.Checked != wordOf(want)) {
		return Result{}, fault.New(fault.ValueNotKept, "The click reached '%s', and the page left it %s.", t.label, checkedWord(after.Checked)).
			About(t.label).WithHint("The page's script decides this state; look at the page with a snapshot.")
	}
	return done, nil
}

func wordOf(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

func checkedWord(state *string) string {
	switch {
	case state == nil:
		return "without a state"
	case *state == "true":
		return "checked"
	case *state == "mixed":
		return "partly checked"
	}
	return "unchecked"
}

func (c *Call) check(ctx context.Context, tab *Tab, t *target) (Result, error) {
	return c.setChecked(ctx, tab, t, true)
}

func (c *Call) uncheck(ctx context.Context, tab *Tab, t *target) (Result, error) {
	return c.setChecked(ctx, tab, t, false)
}
