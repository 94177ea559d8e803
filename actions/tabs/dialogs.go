package tabs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/dialogs"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

func dialogCommands() []actions.Command {
	upstream := map[string][]string{"accept": {"dialog accept [text]", "dialog <accept|dismiss|status> [text]"}}
	answer := func(name, summary string, accept bool, args ...actions.Arg) actions.Command {
		return actions.Command{
			Spec: actions.Spec{
				Name:     "dialog " + name,
				Group:    actions.GroupTabs,
				Summary:  summary,
				Args:     args,
				Upstream: upstream[name],
			},
			Schedule: actions.Schedule{Effect: actions.Mutates | actions.Control},
			Safety:   actions.Safety{Families: policy.Does(policy.ActsByPointer), Blind: accept},
			Showing:  actions.Showing{Traits: trait.AboutDialog | trait.LookAgain},
			Bindings: actions.Bindings{Data: []any{DialogAnswerResult{}}},
			Run: func(ctx context.Context, c *actions.Call) (actions.Result, error) {
				if err := answerDialog(ctx, c, accept); err != nil {
					return actions.Result{}, err
				}
				return actions.Result{
					Data: DialogAnswerResult{Accepted: accept, Handled: true, Response: name},
					Text: "✓ Done",
				}, nil
			},
		}
	}
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "dialog status",
				Group:   actions.GroupTabs,
				Summary: "Tell whether a JavaScript dialog is open",
			},
			Schedule: actions.Schedule{Effect: actions.Reads | actions.Control},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.AboutDialog},
			Bindings: actions.Bindings{Data: []any{DialogStatusResult{}}},
			Run:      runDialogStatus,
		},
		answer("accept", "Accept the open dialog", true, actions.Arg{
			Name:     "text",
			Kind:     actions.Text,
			Optional: true,
			Kept:     true,
			Typed:    true,
			Help:     "The answer to a prompt",
		}),
		answer("dismiss", "Dismiss the open dialog", false),
		{
			Spec: actions.Spec{
				Name:    "dialog policy",
				Group:   actions.GroupTabs,
				Summary: "Print or set how dialogs of the session are answered",
				Help: "default accepts alert and beforeunload at once and leaves confirm and prompt open, for `dialog accept` or " +
					"`dialog dismiss`. accept and dismiss answer all of them, keep leaves all of them open. The policy applies to " +
					"all tabs until the session is closed; --dialog overrides it for one action.",
				Args: []actions.Arg{
					{
						Name:     "policy",
						Optional: true,
						OneOf:    []string{"default", "accept", "dismiss", "keep"},
						Help:     "How dialogs are answered; without it the policy is printed",
					},
					{
						Name:     "text",
						Kind:     actions.Text,
						Optional: true,
						Help:     "With accept: the answer to prompts, instead of their default",
					},
				},
				Examples: []actions.Example{{Line: "dialog policy dismiss"}, {Line: `dialog policy accept "Ada Lovelace"`}},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser, Alters: actions.With("policy")},
			Safety:   actions.Safety{Families: policy.Does(policy.ActsByPointer), Gives: actions.ToNamed(nil)},
			Showing:  actions.Showing{Traits: trait.AboutDialog},
			Bindings: actions.Bindings{Data: []any{DialogPolicyResult{}}},
			Run:      runDialogPolicy,
		},
	}
}

func runDialogPolicy(_ context.Context, c *actions.Call) (actions.Result, error) {
	if c.Has("text") && c.String("policy") != "accept" {
		return actions.Result{}, c.Invalid("Only `dialog policy accept` takes an answer to prompts.")
	}
	if c.Has("policy") {
		policy := &dialogs.Policy{Answer: dialogs.Answer(c.String("policy"))}
		if c.String("policy") == "default" {
			policy = nil
		}
		if c.Has("text") {
			policy.Text = new(c.String("text"))
		}
		c.Session.SetDialogPolicy(policy)
	}
	policy := c.Session.DialogPolicy()
	name := string(policy.Answer)
	if policy.Answer == dialogs.Default {
		name = "default"
	}
	data := DialogPolicyResult{Policy: name, Text: policy.Text}
	if policy.Text != nil {
		name += " " + *policy.Text
	}
	return actions.Result{Data: data, Text: name}, nil
}

// answerPatience is how long the page may take to show what the answer leads to. One that is busy does not keep the
// caller.
const answerPatience = 500 * time.Millisecond

func answerDialog(ctx context.Context, c *actions.Call, accept bool) error {
	_, tab := c.Tabs.All()
	if tab == nil {
		return fault.New(fault.NoDialog, "No dialog is showing: no tab is open.")
	}
	d := tab.Page.Dialogs().Open()
	if d == nil {
		return noDialog(c, tab)
	}
	run.Start(c, tab)
	run.GoOn(c)
	text := c.String("text")
	if !c.Has("text") {
		text = d.DefaultPrompt // what the OK button of the dialog does
	}
	if err := tab.Page.Dialogs().Answer(ctx, accept, text); err != nil {
		return err
	}
	patient, cancel := context.WithTimeout(ctx, answerPatience)
	defer cancel()
	if err := element.Flush(patient, c, tab, nil); err != nil && !fault.Is(err, fault.Timeout) {
		return err
	}
	if tab.Page.Loading().To() != "" {
		return run.Settle(ctx, c, tab) // the answer let the page go
	}
	return nil
}

// noDialog is the error of an answer for which the tab has no dialog. It names the tabs that have one.
func noDialog(c *actions.Call, tab *actions.Tab) error {
	err := fault.New(fault.NoDialog, "No dialog is showing.")
	var others []string
	tabs, _ := c.Tabs.All()
	for _, t := range tabs {
		if d := t.Page.Dialogs().Open(); d != nil && t != tab {
			others = append(others, t.ID)
		}
	}
	if len(others) > 0 {
		err = fault.New(fault.NoDialog, "No dialog is showing in tab %s; one is open in %s.", tab.ID,
			strings.Join(others, ", ")).
			WithHint("Use `--tab %s` to answer it.", others[0]).With("tabs", others)
	}
	return err
}

func runDialogStatus(_ context.Context, c *actions.Call) (actions.Result, error) {
	tabs, active := c.Tabs.All()
	var d *dialogs.Dialog
	if active != nil {
		d = active.Page.Dialogs().Open()
	}
	data := DialogStatusResult{HasDialog: d != nil}
	lines := []string{"✓ No dialog is currently open"}
	if d != nil {
		data.Type, data.Message, data.DefaultPrompt = d.Type, &d.Message, &d.DefaultPrompt
		lines = []string{fmt.Sprintf("⚠ JavaScript %s dialog is open: %s", d.Type, wording.Quote(d.Message))}
		if d.Type == "prompt" {
			lines = append(lines, "  Default prompt text: "+wording.Quote(d.DefaultPrompt))
		}
		lines = append(lines, "  Use `dialog accept [text]` or `dialog dismiss` to resolve it")
		if way := run.WayOut(c, active); way != "" {
			lines = append(lines, " "+way)
		}
	}
	for _, t := range tabs {
		d := t.Page.Dialogs().Open()
		if d == nil || t == active {
			continue
		}
		data.OtherTabs = append(data.OtherTabs, DialogOfTab{Message: d.Message, TabID: t.ID, Type: d.Type})
		lines = append(lines,
			fmt.Sprintf("⚠ JavaScript %s dialog is open in tab %s: %s", d.Type, t.ID, wording.Quote(d.Message)))
	}
	return actions.Result{Data: data, Text: strings.Join(lines, "\n")}, nil
}
