package forms

import (
	"context"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/pointer"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// SubmitCommand is the command that submits a form as a person does.
func SubmitCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "submit",
			Group:   actions.GroupCopilot,
			Summary: "Submit a form, as a person does",
			Help: "The element is a form, or anything in it. Clicks the form's submit control; where there is none, presses " +
				"Enter in the field. Reports the result, and fails when the form was not sent, for instance because the browser " +
				"found an invalid field.",
			Args:     []actions.Arg{actions.SelectorArg()},
			Examples: []actions.Example{{Line: "submit @e5"}, {Line: "submit form"}},
		},
		Schedule: actions.Schedule{Effect: actions.InTab | actions.Mutates | actions.Navigates},
		Safety: actions.Safety{
			Families: policy.Does(policy.ActsByPointer, policy.ActsByKeyboard, policy.Sends),
			Also:     func(*actions.Input) []string { return []string{policy.Click, policy.Press} }, Sends: true,
		},
		Bindings: actions.Bindings{Data: []any{SubmittedResult{}}},
		Run:      element.OnTarget(submit),
	}
}

// submitter is the result of the in-page op submitter.
type submitter struct {
	element.Located
	Real    bool           `json:"real"`    // it is a form of HTML, whose sending is an event
	Control *press         `json:"control"` // what submits it
	Field   *press         `json:"field"`   // else the field that takes Enter
	Invalid []invalidField `json:"invalid"`
}

// submittedArg is the argument of the in-page op submitted.
type submittedArg struct {
	Wait int64 `json:"wait"` // in ms
}

type submitted struct {
	Sent bool `json:"sent"`
}

var (
	opSubmitter = inpage.Define[element.Targeted, submitter]("submitter")
	opSubmitted = inpage.Define[submittedArg, submitted]("submitted")
)

type invalidField struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// submitPatience is how long a page may think before it sends a form, such as one that checks the fields in a task of
// its own.
const submitPatience = 300 * time.Millisecond

func submit(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target) (actions.Result, error) {
	how, err := element.RunOp(ctx, c, t, opSubmitter, element.Targeted{})
	if err != nil {
		return actions.Result{}, err
	}
	data := SubmittedResult{Submitted: t.Label}
	if how.Control != nil {
		part := partOf(c, t, how.Control, how.Doc)
		data.Control = part.Label
		o := input.ClickOptions{Button: "left", Count: 1}
		aim, err := pointer.AimToClick(ctx, c, part, o)
		if err != nil {
			return actions.Result{}, err
		}
		if _, err := element.ClickAt(ctx, c, tab, part, aim, o); err != nil {
			return actions.Result{}, err
		}
	} else {
		part := partOf(c, t, how.Field, how.Doc)
		data.Field = part.Label
		if err := enterIn(ctx, c, tab, part); err != nil {
			return actions.Result{}, err
		}
	}
	if how.Real {
		if err := sent(ctx, c, tab, t, how); err != nil {
			return actions.Result{}, err
		}
	}
	return actions.Result{Data: data, Text: "✓ Done"}, nil
}

// partOf is an element that an op named in the place of the target.
func partOf(c *actions.Call, t *element.Target, p *press, doc string) *element.Target {
	part := *t
	part.Ref, part.Want = nil, element.Wanted{
		Ref: &element.WantedRef{Token: p.Token, Role: p.Role, Name: p.Name, Doc: doc},
	}
	part.Label = element.ElementName(&element.Located{Role: p.Role, Name: p.Name})
	return &part
}

// enterIn gives a field the focus and presses Enter.
func enterIn(ctx context.Context, c *actions.Call, tab *actions.Tab, field *element.Target) error {
	run.Start(c, tab)
	if _, err := Focus(ctx, c, tab, field, FocusArg{}); err != nil {
		return err
	}
	enter, err := input.ParseKey("Enter")
	if err != nil {
		return err
	}
	behind := element.FlushBehind(c, tab, "keyup", input.Releases(tab.Page, enter))
	dialog, err := SendInput(ctx, c, tab, func(ctx context.Context) error {
		return input.PressKeys(ctx, tab.Page, []input.Stroke{enter}, behind.Sent)
	})
	if err != nil || dialog {
		return err
	}
	if err := element.Flush(ctx, c, tab, behind); err != nil { // Enter submits in a task after the key event
		return err
	}
	return run.Settle(ctx, c, tab)
}

// sent makes sure that the form was sent. That the page has left its document is enough.
func sent(ctx context.Context, c *actions.Call, tab *actions.Tab, t *element.Target, how *submitter) error {
	if tab.Page.Dialogs().Open() != nil || tab.Page.Err() != nil || t.Frame.Gone() || run.HasLeft(c) {
		return nil
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	now := submitted{Sent: true}
	doc, err := t.Frame.Document(watched)
	if err == nil && doc == how.Doc {
		now, err = opSubmitted.In(watched, t.Frame, submittedArg{min(submitPatience, c.TimeLeft()).Milliseconds()})
	}
	switch {
	case engine.IsNavigated(err), fault.Is(err, fault.FrameGone), fault.Is(err, fault.PageGone),
		fault.Is(err, fault.DialogOpen):
		return nil
	case err != nil:
		return err
	case now.Sent:
		return nil
	}
	e := fault.New(fault.TargetUnsuitable, "'%s' was not submitted.", t.Label).About(t.Label)
	if len(how.Invalid) == 0 {
		return e.WithHint("The page's script prevented it; look at the page with a snapshot.")
	}
	fields := make([]string, len(how.Invalid))
	for i, f := range how.Invalid {
		fields[i] = wording.Quote(f.Name)
		if f.Why != "" {
			fields[i] += " (" + strings.TrimSuffix(f.Why, ".") + ")"
		}
	}
	return e.With("invalid", how.Invalid).WithHint("The browser does not send it until these are valid: %s.",
		strings.Join(fields, ", "))
}
