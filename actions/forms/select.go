package forms

import (
	"context"
	"strconv"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

func selectCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name: "select",
			Synonyms: []string{
				"select-option",
				"choose",
			},
			Group:   actions.GroupActions,
			Summary: "Choose options of a select box, a listbox or a combobox",
			Help: "An option is matched by its value, then by its label; `index=2` is the third one. In a multiple select " +
				"exactly the given options are chosen. A list that the page builds itself (listbox, combobox, menu, or what a " +
				"button opens) is opened, scrolled or searched for the option, and the option is clicked. Waits for options that " +
				"load late, and reads back what is chosen.",
			Args: []actions.Arg{actions.SelectorArg(), {
				Name:     "value",
				Kind:     actions.List,
				Optional: true,
				Kept:     true,
				Help:     "Values or labels of the options",
			}},
			Flags: []actions.Flag{
				{Name: "label", Kind: actions.Bool, Help: "Match labels only, even if an option has such a value"},
				{
					Name:  "index",
					Kind:  actions.List,
					Value: "n",
					Kept:  true,
					Help:  "Choose the option with this number, from 0; several with commas",
				},
			},
			Examples: []actions.Example{
				{Line: "select @e4 green"}, {Line: `select #size "Extra large"`}, {Line: "select @e4 --index 2"}, {
					Line: "select @e7 red blue",
					Note: "Of several",
				},
			},
			Upstream: []string{"select <sel> <val...>", "select <selector> <value...>"},
		},
		Schedule: actions.Schedule{Effect: actions.InTab | actions.Mutates | actions.Navigates},
		Safety:   actions.Safety{Families: policy.Does(policy.ActsByPointer)},
		Showing:  actions.Showing{Traits: trait.LookAgain, Refs: trait.Refs{Settles: []string{"combobox"}}},
		Bindings: actions.Bindings{
			Data: []any{SelectedResult{}},
			Tools: []actions.AgentTool{{
				Name:   "browser_select",
				Title:  "Select",
				About:  "Choose an option of a select box or a list, by its value or label.",
				Params: []actions.Param{{Name: "selector"}, {Name: "value", Required: true}},
			}},
			Playwright: []string{"await {selector}.selectOption({...value});"},
		},
		Run: element.OnTarget(runSelect),
	}
}

// chosen is the result of the in-page ops select and choose: what is chosen, or the next step to it.
type chosen struct {
	element.Choice
	Custom bool   `json:"custom"` // the page has built the list itself
	Step   string `json:"step"`   // "press", "type", "key"; empty means none, or it is not known yet
	Why    string `json:"why"`    // what a press is for: "open", "option" or "close"
	More   bool   `json:"more"`   // of a press: what is chosen stays chosen
	Gone   bool   `json:"gone"`   // the list, once its option was pressed, so that nothing more was seen of the choice
	// the role of the menu item, or of the item in a list that reports no selection; it was clicked
	As    string `json:"as"`
	Text  string `json:"text"`
	Key   string `json:"key"`
	Press *press `json:"press"`
}

// selectArg is the argument of the in-page op select.
type selectArg struct {
	element.Targeted
	Values []string `json:"values"`
	By     string   `json:"by"` // any, index or label
	// what a click may do besides choosing is done: items of menus are clicked, and buttons that may open a list
	Menus bool `json:"menus"`
}

// chooseArg is the argument of the in-page op choose.
type chooseArg struct {
	Patience  int64 `json:"patience"`  // in ms
	Unpressed bool  `json:"unpressed"` // the last step was not done
	Half      bool  `json:"half"`      // the element got the press alone
}

var (
	opSelect = inpage.Define[selectArg, chosen]("select")
	opChoose = inpage.Define[chooseArg, chosen]("choose")
)

// press is the element that a step is to press.
type press struct {
	Token int64  `json:"token"`
	Role  string `json:"role"`
	Name  string `json:"name"`
}

func runSelect(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target) (actions.Result, error) {
	values, by := c.Strings("value"), "any"
	switch {
	case c.Has("index") && (len(values) > 0 || c.Bool("label")):
		return actions.Result{}, c.Invalid("select takes values or --index, not both.")
	case c.Has("index"):
		by, values = "index", c.Strings("index")
		for _, n := range values {
			if _, err := strconv.ParseUint(n, 10, 31); err != nil {
				return actions.Result{}, c.Invalid("--index takes whole numbers from 0, got " + wording.Quote(n))
			}
		}
	case len(values) == 0:
		return actions.Result{}, c.Missing("value")
	case c.Bool("label"):
		by = "label"
	}
	return chooseBy(ctx, c, tab, t, values, by)
}

// Choose selects the options with these values in a select, or in what a page uses in place of one.
func Choose(
	ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target, values []string,
) (actions.Result, error) {
	return chooseBy(ctx, c, tab, t, values, "any")
}

func chooseBy(
	ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target, values []string, by string,
) (actions.Result, error) {
	run.Start(c, tab)
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	if err := engine.ActingByOp(watched, tab.Page); err != nil {
		return actions.Result{}, err
	}
	var kept element.KeptChoice
	res, err := element.RunOp(watched, c, t, opSelect, selectArg{
		Targeted: element.Targeted{Written: kept.Behind(c, t)},
		Values:   values, By: by,
		Menus: len(c.Rules.InForce()) == 0, // a rule about clicks does not name this command
	})
	switch {
	case err != nil:
	case res.Custom:
		err = chooseStepwise(watched, c, tab, t, res, values)
	default:
		err = kept.Read(watched, c, t, &res.Choice)
	}
	if err != nil {
		if err := run.Interrupted(c, tab, err); err != nil {
			return actions.Result{}, err
		}
	}
	res.NoteDrawn(c, t)
	if err := run.Settle(ctx, c, tab); err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: SelectedResult{res.Selected}, Text: "✓ Done"}, nil
}

const (
	// mostChooseSteps bounds a choice in a list that never is as it should be.
	mostChooseSteps = 80
	// choosePatience is the least time for a step: a page needs some to show its options and what was chosen of them.
	choosePatience = 2500 * time.Millisecond
)

// chooseStepwise does the steps that the in-page script says one after another, until it has seen that all is chosen.
func chooseStepwise(
	ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target, res *chosen, values []string,
) error {
	doc := res.Doc
	for range mostChooseSteps {
		if res.Selected != nil {
			if res.Gone {
				c.Note("the page removed the list when " + wording.Quote(res.Selected[len(res.Selected)-1]) +
					" was clicked, so the choice could not be verified")
			}
			if res.As != "" {
				c.Note(wording.Quote(res.Selected[len(res.Selected)-1]) + " was clicked, a " + res.As + " of what " + t.Label +
					" opens")
			}
			return nil
		}
		done, half, err := chooseStep(ctx, c, tab, t, res, doc)
		if err != nil {
			return err
		}
		*res = chosen{}
		err = element.CallOp(ctx, c, t, opChoose, chooseArg{max(c.Patience(), choosePatience).Milliseconds(), !done, half},
			res)
		switch {
		case err == nil:
		case !engine.IsNavigated(err) && !fault.Is(err, fault.FrameGone):
			return err
		default: // the choice led away from the page
			c.Note("the page navigated before the choice could be verified")
			res.Selected = values
		}
	}
	return fault.New(fault.ValueNotKept, "The list of '%s' did not reach the right choice after %d steps.", t.Label,
		mostChooseSteps).About(t.Label).
		WithHint("Look at the page with a snapshot.")
}

// chooseStep does one step. It is not done if the page has replaced the element to press, and half done if that got no
// click.
func chooseStep(
	ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target, res *chosen, doc string,
) (done, half bool, err error) {
	switch res.Step {
	case "type":
		return true, false, input.InsertText(ctx, tab.Page, res.Text)
	case "key":
		key, err := input.ParseKey(res.Key)
		if err != nil {
			return false, false, err
		}
		return true, false, input.PressKeys(ctx, tab.Page, []input.Stroke{key})
	case "press":
	default:
		return true, false, nil
	}
	part := &element.Target{
		Label: t.Label,
		Tab:   tab,
		Frame: t.Frame,
		Want: element.Wanted{
			Ref: &element.WantedRef{Token: res.Press.Token, Role: res.Press.Role, Name: res.Press.Name, Doc: doc},
		},
	}
	if res.Why == "option" {
		part.Label = wording.Quote(res.Press.Name)
	}
	if res.Why == "close" { // report why nothing was chosen, even if the list cannot be closed
		if _, _, err := pressPart(ctx, c, tab, part, input.ClickOptions{}); err != nil && ctx.Err() != nil {
			return false, false, err
		}
		return true, false, nil
	}
	var o input.ClickOptions
	if res.More {
		o.Modifiers = input.Control
	}
	return pressPart(ctx, c, tab, part, o)
}

// pressPart clicks on a part of what a command acts on. It is not done when the page has replaced that part, and half
// done when that got the press alone.
func pressPart(
	ctx context.Context, c *actions.Call, tab *actions.Tab, part *element.Target, o input.ClickOptions,
) (done, half bool, err error) {
	start, patience := time.Now(), c.Patience()
	for {
		aim, err := element.AimAt(ctx, c, part, element.AimOptions{
			Checks: "pointer",
			Events: []string{"mousedown", "click"},
			Guard:  true,
		})
		if fault.Is(err, fault.RefStale) {
			return false, false, nil
		}
		if err != nil {
			return false, false, err
		}
		seen, err := element.Press(ctx, c, tab, part, aim, o)
		switch {
		case err != nil:
			return false, false, err
		case seen == nil || seen.Hit:
			return true, seen != nil && seen.PressOnly() != "", nil
		case seen.Removed:
			return false, false, nil
		case !seen.Blocked || time.Since(start) > patience:
			return false, false, element.Missed(ctx, c, part, seen)
		}
	}
}
