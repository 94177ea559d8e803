package forms

import (
	"context"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

func typingCommands() []actions.Command {
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name: "fill",
				Synonyms: []string{
					"input", "set-value", "fill-in", "enter-text",
					"type-into",
				},
				Group:   actions.GroupActions,
				Summary: "Replace the content of a field",
				Help: "Clears the field and puts the text in, then reads back what the page kept. Works on text fields, " +
					"contenteditable elements, editors in pages, and date, time, color and range inputs. A text field's change " +
					"event comes when the field loses the focus, as when a person types. A picked value (a date, a color) is " +
					"committed at once. If a button of the form is disabled, or the page says that it handles keys, the last " +
					"character comes as a key. Use `type` if a page takes keys only.",
				Args: []actions.Arg{actions.SelectorArg(), {
					Name:     "text",
					Kind:     actions.Text,
					Optional: true,
					Kept:     true,
					Typed:    true,
					Help:     "The new content; nothing to clear the field",
				}},
				Examples: []actions.Example{{Line: `fill @e3 "a@b.c"`}, {Line: "fill @e3", Note: "clear the field"}},
				Upstream: []string{"fill <sel> <text>", "fill <selector> <text>"},
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Mutates},
			Safety:   actions.Safety{Families: policy.Does(policy.ActsByKeyboard)},
			Showing:  actions.Showing{Traits: trait.LookAgain, Refs: trait.Refs{Kept: true}},
			Bindings: actions.Bindings{
				Data: []any{FilledResult{}},
				Tools: []actions.AgentTool{{
					Name: "browser_fill", Title: "Fill", About: "Replace what is in a field.",
					Params: []actions.Param{{Name: "selector"}, {Name: "value", Of: "text", Required: true}},
				}},
				Playwright: []string{"await {selector}.fill({text});", "await {selector}.clear();"},
			},
			Run: element.OnTarget(runFill),
		},
		{
			Spec: actions.Spec{
				Name:    "type",
				Group:   actions.GroupActions,
				Summary: "Type text into a field, key by key",
				Help: "Focuses the field, puts the caret at its end and sends a key event for each character. It succeeds when " +
					"the keys were delivered; if the field shows something else, as one with an input mask does, the reply says " +
					"what. If the field is replaced or loses the focus, no key goes to the page: the rest is typed into the field " +
					"that is there, once. Use `fill` if the field must have exactly the text.",
				Args: []actions.Arg{actions.SelectorArg(), {
					Name:     "text",
					Kind:     actions.Text,
					Optional: true,
					Kept:     true,
					Typed:    true,
					Help:     "What to type; a newline is the Enter key",
				}},
				Flags: []actions.Flag{
					{Name: "clear", Kind: actions.Bool, Help: "Empty the field first"},
					{Name: "delay", Kind: actions.Duration, Value: "ms", Help: "Pause between the keys"},
				},
				Upstream: []string{"type <sel> <text>", "type <selector> <text>"},
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Mutates | actions.Navigates},
			Safety:   actions.Safety{Families: policy.Does(policy.ActsByKeyboard)},
			Showing:  actions.Showing{Traits: trait.LookAgain},
			Bindings: actions.Bindings{
				Data: []any{TypedResult{}},
				Tools: []actions.AgentTool{{
					Name:  "browser_type",
					Title: "Type",
					About: "Type text into a field, key by key.",
					Params: []actions.Param{{Name: "selector"}, {Name: "text", Required: true}, {
						Name:  "clear",
						About: "empty it first",
					}},
				}},
				Playwright: []string{"await {selector}.pressSequentially({text});"},
			},
			Run: element.OnTarget(runType),
		},
		{
			Spec: actions.Spec{
				Name:     "focus",
				Group:    actions.GroupActions,
				Summary:  "Give an element the keyboard focus",
				Args:     []actions.Arg{actions.SelectorArg()},
				Upstream: []string{"focus <sel>", "focus <selector>"},
			},
			Schedule: actions.Schedule{Effect: actions.InTab | actions.Mutates},
			Safety:   actions.Safety{Families: policy.Does(policy.ActsByKeyboard)},
			Showing:  actions.Showing{Refs: trait.Refs{Kept: true}},
			Bindings: actions.Bindings{Data: []any{FocusedResult{}}, Playwright: []string{"await {selector}.focus();"}},
			Run:      element.OnTarget(Focused),
		},
	}
}

// focusResult is the result of the in-page op focus.
type focusResult struct {
	element.Located
	Focused  bool `json:"focused"`
	Editable bool `json:"editable"`

	Passed   *element.Located `json:"passed"`   // what has the focus, when the target got it and passed it on at once
	Replaced bool             `json:"replaced"` // the page took it out when it got the focus

	Effects *run.SeenEffects `json:"effects"`
	typedInto
}

// FocusArg is the argument of the in-page op focus.
type FocusArg struct {
	element.Targeted
	CaretAtEnd bool   `json:"caretAtEnd,omitzero"`
	Typing     *int64 `json:"typing,omitempty"` // how long typing that follows may take, in ms; nil means that none does
	Effects    bool   `json:"effects,omitzero"`
}

var opFocus = inpage.Define[FocusArg, focusResult]("focus")

// Focus gives the target the focus.
func Focus(
	ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target, arg FocusArg,
) (*focusResult, error) {
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	res, err := element.RunOp(watched, c, t, opFocus, arg)
	if err != nil {
		return nil, err
	}
	if !res.Focused {
		return nil, fault.New(fault.TargetUnsuitable, "Element '%s' did not take the focus.", t.Label).About(t.Label).
			WithHint("Only links, controls, editable elements and elements with a tabindex do.")
	}
	switch {
	case res.Passed == nil:
	case res.Passed.Token == 0:
		c.Note(t.Label + " got the focus and lost it at once; no element has it")
	default:
		c.Note(t.Label + " got the focus and passed it on at once to " + element.ElementName(res.Passed))
	}
	return res, nil
}

// Focused gives an element the focus and checks that it has it.
func Focused(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target) (actions.Result, error) {
	run.Start(c, tab)
	run.Of(c).Focuses = true
	if err := engine.ActingByOp(ctx, tab.Page); err != nil {
		return actions.Result{}, err
	}
	switch res, err := Focus(ctx, c, tab, t, FocusArg{Effects: !c.Bool("settle")}); {
	case err == nil:
		run.Of(c).Seen = res.Effects
		holdFocus(tab, heldBy(t, res))
	default:
		if err := run.Interrupted(c, tab, err); err != nil {
			return actions.Result{}, err
		}
	}
	return actions.Result{Data: FocusedResult{t.Label}, Text: "✓ Done"}, run.Settle(ctx, c, tab)
}

// heldBy is the field that text which comes next is for: the target, unless it takes none or has passed the focus on.
func heldBy(t *element.Target, res *focusResult) *element.Target {
	if !res.Editable && res.Passed == nil || res.Passed != nil && res.Passed.Token != 0 {
		return nil
	}
	return t
}
