package actions

import (
	"context"
	"time"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/policy"
)

func choosingCommands() []Command {
	return []Command{
		selectCommand(),
		{
			Name:     "check",
			Upstream: []string{"check <sel>", "check <selector>"},
			Group:    GroupActions, Summary: "Check a checkbox, radio button, switch or toggle button", Args: []Arg{SelectorArg()},
			Help: "The element may be the control, its label, or what has no other such control in it, such as a row. Clicks nothing when it is " +
				"checked already. Reads the state back, and fails when the page does not keep it.",
			Effect: Mutates | Navigates, Traits: trait.Presses | trait.LookAgain, Refs: trait.Refs{Settles: []string{"checkbox", "radio"}},
			Playwright: []string{"await {selector}.check();"},
			Run:        onTarget((*Call).check),
			Policy:     Policy{Families: policy.Does(policy.ActsByPointer), Like: []string{policy.Click}},
		},
		{
			Name:     "uncheck",
			Upstream: []string{"uncheck <sel>", "uncheck <selector>"},
			Group:    GroupActions, Summary: "Uncheck a checkbox, switch or toggle button", Args: []Arg{SelectorArg()},
			Help: "The element may be the control, its label, or what has no other such control in it, such as a row. Clicks nothing when it is " +
				"not checked. Reads the state back, and fails when the page does not keep it.",
			Effect: Mutates | Navigates, Traits: trait.Presses | trait.LookAgain, Refs: trait.Refs{Settles: []string{"checkbox", "radio"}},
			Playwright: []string{"await {selector}.uncheck();"},
			Run:        onTarget((*Call).uncheck),
			Policy:     Policy{Families: policy.Does(policy.ActsByPointer), Like: []string{policy.Click}},
		},
	}
}

const (
	// togglePatience is how long a page may take to show the state that a click led to: some ask a server, or render in a later task.
	togglePatience = time.Second
	// mostToggles is how often a control of three states is clicked on its way to the wanted one.
	mostToggles = 3
)

func (c *Call) setChecked(ctx context.Context, tab *Tab, t *Target, want bool) (Result, error) {
	key := "checked"
	if !want {
		key = "unchecked"
	}
	data := map[string]any{key: t.Label}
	was := ""
	for range mostToggles {
		aim, err := c.aimAt(ctx, t, aiming{checks: "pointer", events: []string{"mousedown", "click"}, guard: true, want: wordOf(want)})
		switch {
		case err != nil:
			return Result{}, err
		case aim.Already:
			c.armed = nil
			if was == "" {
				data["already"] = true
				return Result{Data: data, Text: "✓ Done · it was " + key + " already"}, nil
			}
			return Result{Data: data, Text: "✓ Done"}, nil
		case aim.Control == 0: // a radio button that is to be unchecked
			c.armed = nil
			return Result{}, fault.New(fault.TargetUnsuitable, "Element '%s' is a radio button, which cannot be unchecked.", t.Label).
				About(t.Label).WithHint("Check another one of its group.")
		case aim.Checked != nil && *aim.Checked == was:
			return Result{}, notToggled(t, aim.Checked)
		}
		was = *aim.Checked
		now, err := c.toggle(ctx, tab, t, aim, wordOf(want))
		switch {
		case err != nil:
			return Result{}, err
		case now == nil || now.Removed || now.Checked != nil && *now.Checked == wordOf(want):
			return Result{Data: data, Text: "✓ Done"}, nil
		case now.Checked == nil || *now.Checked == was || was != "mixed" && *now.Checked != "mixed":
			return Result{}, notToggled(t, now.Checked)
		}
	}
	return Result{}, notToggled(t, &was)
}

// toggled is the result of the in-page op checkedNow.
type toggled struct {
	Checked *string `json:"checked"`
	Removed bool    `json:"removed"`
}

// toggle clicks on what was aimed at, and reads the state that this led to; nil when nothing can be known of it.
func (c *Call) toggle(ctx context.Context, tab *Tab, t *Target, aim *aimed, want string) (*toggled, error) {
	part := *t // the press is for what stands for the control, not for a row or a label around it
	part.ref, part.want = nil, wanted{Ref: &wantedRef{Token: aim.Token, Doc: aim.doc}}
	aim.how.want = ""
	seen, err := c.clickAt(ctx, tab, &part, aim, engine.ClickOptions{})
	if err != nil || seen == nil {
		return nil, err
	}
	if seen.Checked != nil && *seen.Checked == want {
		return &toggled{Checked: seen.Checked}, nil
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	now := new(toggled)
	arg := map[string]any{"token": aim.Control, "want": want, "target": t.want, "wait": min(togglePatience, c.Left()).Milliseconds()}
	err = t.Frame.Call(watched, "checkedNow", arg, now)
	if engine.IsNavigated(err) || fault.Is(err, fault.FrameGone) {
		return nil, nil // the page left the document
	}
	if err != nil {
		return nil, c.interrupted(tab, err)
	}
	return now, nil
}

func notToggled(t *Target, state *string) error {
	return fault.New(fault.ValueNotKept, "The click reached '%s', and the page left it %s.", t.Label, checkedWord(state)).
		About(t.Label).WithHint("The page's script decides this state; look at the page with a snapshot.")
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

func (c *Call) check(ctx context.Context, tab *Tab, t *Target) (Result, error) {
	return c.setChecked(ctx, tab, t, true)
}

func (c *Call) uncheck(ctx context.Context, tab *Tab, t *Target) (Result, error) {
	return c.setChecked(ctx, tab, t, false)
}
