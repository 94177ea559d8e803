package forms

import (
	"context"
	"slices"
	"time"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/engine/traffic"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

func choosingCommands() []actions.Command {
	return []actions.Command{
		selectCommand(),
		{
			Spec: actions.Spec{
				Name:    "check",
				Group:   actions.GroupActions,
				Summary: "Check a checkbox, radio button, switch or toggle button",
				Help: "The element may be the control, its label, or a container with only one such control, such as a row. " +
					"Clicks nothing when it is checked already. Reads the state back, and fails when the page does not keep it.",
				Args:     []actions.Arg{actions.SelectorArg()},
				Upstream: []string{"check <sel>", "check <selector>"},
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Mutates | actions.Navigates},
			Safety:   actions.Safety{Families: policy.Does(policy.ActsByPointer), Like: []string{policy.Click}},
			Showing: actions.Showing{
				Traits: trait.Presses | trait.LookAgain,
				Refs:   trait.Refs{Settles: []string{"checkbox", "radio"}},
			},
			Bindings: actions.Bindings{Data: []any{CheckedResult{}}, Playwright: []string{"await {selector}.check();"}},
			Run:      element.OnTarget(check),
		},
		{
			Spec: actions.Spec{
				Name:    "uncheck",
				Group:   actions.GroupActions,
				Summary: "Uncheck a checkbox, switch or toggle button",
				Help: "The element may be the control, its label, or a container with only one such control, such as a row. " +
					"Clicks nothing when it is not checked. Reads the state back, and fails when the page does not keep it.",
				Args:     []actions.Arg{actions.SelectorArg()},
				Upstream: []string{"uncheck <sel>", "uncheck <selector>"},
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Mutates | actions.Navigates},
			Safety:   actions.Safety{Families: policy.Does(policy.ActsByPointer), Like: []string{policy.Click}},
			Showing: actions.Showing{
				Traits: trait.Presses | trait.LookAgain,
				Refs:   trait.Refs{Settles: []string{"checkbox", "radio"}},
			},
			Bindings: actions.Bindings{Data: []any{CheckedResult{}}, Playwright: []string{"await {selector}.uncheck();"}},
			Run:      element.OnTarget(uncheck),
		},
	}
}

const (
	// togglePatience is how long a page may take to show the state that a click led to: some ask a server, or render in a
	// later task.
	togglePatience = time.Second
	// pendingPatience is the same for a page that disables the control meanwhile, says that it is busy, or has asked its
	// server.
	pendingPatience = 10 * time.Second
	// mostToggles is how often a control of three states is clicked on its way to the wanted one.
	mostToggles = 3
)

// SetChecked clicks a checkbox, radio button or switch until it has the wanted state, and fails when the page does not
// keep it.
func SetChecked(
	ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target, want bool,
) (actions.Result, error) {
	key := "checked"
	if !want {
		key = "unchecked"
	}
	data := CheckedResult{Checked: t.Label}
	if !want {
		data = CheckedResult{Unchecked: t.Label}
	}
	was := ""
	for range mostToggles {
		aim, err := element.AimAt(ctx, c, t, element.AimOptions{
			Checks: "pointer",
			Events: []string{"mousedown", "click"},
			Guard:  true,
			Want:   wordOf(want),
		})
		switch {
		case err != nil:
			return actions.Result{}, err
		case aim.Already:
			run.SetArmed(c, nil)
			if was == "" {
				data.Already = true
				return actions.Result{Data: data, Text: "✓ Done · it was " + key + " already"}, nil
			}
			return actions.Result{Data: data, Text: "✓ Done"}, nil
		case aim.Control == 0: // a radio button, to uncheck
			run.SetArmed(c, nil)
			return actions.Result{}, fault.New(fault.TargetUnsuitable,
				"Element '%s' is a radio button, which cannot be unchecked.", t.Label).
				About(t.Label).WithHint("Check another one of its group.")
		case aim.Checked != nil && *aim.Checked == was:
			return actions.Result{}, notToggled(t, aim.Checked)
		}
		was = *aim.Checked
		now, err := toggle(ctx, c, tab, t, aim, wordOf(want))
		switch {
		case err != nil:
			return actions.Result{}, err
		case now == nil || now.Removed:
			return actions.Result{Data: data, Text: "✓ Done"}, nil
		case now.Checked != nil && *now.Checked == wordOf(want):
			run.Of(c).Toggled = &fact.Changed{From: was, To: *now.Checked}
			return actions.Result{Data: data, Text: "✓ Done"}, nil
		case now.Checked == nil || *now.Checked == was || was != "mixed" && *now.Checked != "mixed":
			return actions.Result{}, notToggled(t, now.Checked)
		}
	}
	return actions.Result{}, notToggled(t, &was)
}

// checkedNowArg is the argument of the in-page op checkedNow.
type checkedNowArg struct {
	Token   int64          `json:"token"`
	Want    string         `json:"want"`
	Target  element.Wanted `json:"target"`
	Wait    int64          `json:"wait"`    // in ms
	Longest int64          `json:"longest"` // in ms, where more is known to be needed
}

var opCheckedNow = inpage.Define[checkedNowArg, toggled]("checkedNow")

// toggled is the result of the in-page op checkedNow.
type toggled struct {
	Checked *string `json:"checked"`
	Removed bool    `json:"removed"`
}

// toggle clicks on what was aimed at, and reads the state that this led to; nil when nothing can be known of it.
func toggle(
	ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target, aim *element.Aim, want string,
) (*toggled, error) {
	part := *t // the press is for what stands for the control, not for a row or a label around it
	part.Ref, part.Want = nil, element.Wanted{Ref: &element.WantedRef{Token: aim.Token, Doc: aim.Doc}}
	aim.How.Want = ""
	asked := requestsOf(tab)
	seen, err := element.ClickAt(ctx, c, tab, &part, aim, input.ClickOptions{})
	if err != nil || seen == nil {
		return nil, err
	}
	if seen.Checked != nil && *seen.Checked == want && !aim.Said {
		return &toggled{Checked: seen.Checked}, nil
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	for start := time.Now(); ; {
		longest := min(pendingPatience-time.Since(start), c.TimeLeft())
		wait := min(togglePatience, c.TimeLeft())
		arg := checkedNowArg{aim.Control, want, t.Want, wait.Milliseconds(), longest.Milliseconds()}
		now, err := opCheckedNow.In(watched, t.Frame, arg)
		switch {
		case engine.IsNavigated(err) || fault.Is(err, fault.FrameGone):
			return nil, nil // the page left the document
		case err != nil:
			return nil, run.Interrupted(c, tab, err)
		case now.Removed || now.Checked != nil && *now.Checked == want || longest < togglePatience || !asksMore(tab, asked):
			return &now, nil
		}
	}
}

// requestsOf returns the ids of the requests that the page waits for.
func requestsOf(tab *actions.Tab) map[string]bool {
	ids := map[string]bool{}
	for _, r := range tab.Page.Traffic().UnderWay(time.Time{}) {
		ids[r.ID] = true
	}
	return ids
}

// asksMore reports whether the page waits for a request that is not among those.
func asksMore(tab *actions.Tab, before map[string]bool) bool {
	return slices.ContainsFunc(tab.Page.Traffic().UnderWay(time.Time{}), func(r traffic.Request) bool {
		return !before[r.ID]
	})
}

func notToggled(t *element.Target, state *string) error {
	return fault.New(fault.ValueNotKept, "The click reached '%s', but the page left it %s.", t.Label, checkedWord(state)).
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

func check(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target) (actions.Result, error) {
	return SetChecked(ctx, c, tab, t, true)
}

func uncheck(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target) (actions.Result, error) {
	return SetChecked(ctx, c, tab, t, false)
}
