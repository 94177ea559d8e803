package actions

import (
	"context"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
)

func choosingCommands() []Command {
	return []Command{
		selectCommand(),
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

func (c *Call) setChecked(ctx context.Context, tab *Tab, t *target, want bool) (Result, error) {
	key := "checked"
	if !want {
		key = "unchecked"
	}
	unchanged := Result{Data: map[string]any{key: t.label}, Text: "✓ Done"}

	aim, err := c.aim(ctx, t, "click")
	if err != nil {
		// What can't be clicked may be in the wanted state all the same.
		if now, rerr := c.checkedState(ctx, t); rerr == nil && now != nil && *now == wordOf(want) {
			return unchanged, nil
		}
		return Result{}, err
	}
	switch {
	case aim.Checked == nil:
		return Result{}, fault.New(fault.TargetUnsuitable, "Element '%s' is a %s, which cannot be %s.", t.label, elementName(&aim.located), key).
			About(t.label).WithHint("Use it on checkboxes, radio buttons and switches.")
	case *aim.Checked == wordOf(want):
		return unchanged, nil
	case !want && aim.Role == "radio":
		return Result{}, fault.New(fault.TargetUnsuitable, "Element '%s' is a radio button, which cannot be unchecked.", t.label).
			About(t.label).WithHint("Check another one of its group.")
	}
	seen, err := c.clickAt(ctx, tab, t, aim, engine.ClickOptions{})
	if err != nil || seen == nil {
		return unchanged, err
	}
	if !seen.Removed && (seen.Checked == nil || *seen.Checked != wordOf(want)) {
		return Result{}, fault.New(fault.ValueNotKept, "The click reached '%s', and the page left it %s.", t.label, checkedWord(seen.Checked)).
			About(t.label).WithHint("The page's script decides this state; look at the page with a snapshot.")
	}
	return unchanged, nil
}

// checkedState reads the state of a control without the checks that acting makes; nil when it has none.
func (c *Call) checkedState(ctx context.Context, t *target) (*string, error) {
	var now readResult
	if err := c.run(ctx, t, "read", map[string]any{"what": "checkedState"}, &now); err != nil {
		return nil, err
	}
	state, ok := now.Value.(string)
	if !ok {
		return nil, nil
	}
	return &state, nil
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
