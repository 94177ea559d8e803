package actions

import (
	"context"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/policy"
)

func submitCommand() Command {
	return Command{
		Name: "submit", Group: GroupCopilot, Summary: "Submit a form, as a person does",
		Help: "The element is a form, or anything in it. Clicks the form's submit control; where there is none, presses Enter in the field. Says what " +
			"that led to, and fails when the form was not sent: the browser keeps one back whose fields are not as they have to be.",
		Args: []Arg{SelectorArg()}, Effect: Mutates | Navigates,
		Examples: []Example{{Line: "submit @e5"}, {Line: "submit form"}},
		Sends:    true,
		Run:      onTarget((*Call).submit),
		Policy:   Policy{Families: policy.Does(policy.ActsByPointer, policy.ActsByKeyboard, policy.Sends), Also: func(*Input) []string { return []string{policy.Click, policy.Press} }},
	}
}

// submitter is the result of the in-page op submitter.
type submitter struct {
	Located
	Real    bool           `json:"real"`    // it is a form of HTML, whose sending is an event
	Control *press         `json:"control"` // what submits it
	Field   *press         `json:"field"`   // else the field that takes Enter
	Invalid []invalidField `json:"invalid"`
}

type invalidField struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// submitPatience is how long a page may think before it sends a form, such as one that checks the fields in a task of its own.
const submitPatience = 300 * time.Millisecond

func (c *Call) submit(ctx context.Context, tab *Tab, t *Target) (Result, error) {
	var how submitter
	if err := c.RunOp(ctx, t, "submitter", nil, &how); err != nil {
		return Result{}, err
	}
	data := map[string]any{"submitted": t.Label}
	if how.Control != nil {
		part := c.partOf(t, how.Control, how.doc)
		data["control"] = part.Label
		o := engine.ClickOptions{Button: "left", Count: 1}
		aim, err := c.aimToClick(ctx, part, o)
		if err != nil {
			return Result{}, err
		}
		if _, err := c.clickAt(ctx, tab, part, aim, o); err != nil {
			return Result{}, err
		}
	} else {
		part := c.partOf(t, how.Field, how.doc)
		data["field"] = part.Label
		if err := c.enterIn(ctx, tab, part); err != nil {
			return Result{}, err
		}
	}
	if how.Real {
		if err := c.sent(ctx, tab, t, &how); err != nil {
			return Result{}, err
		}
	}
	return Result{Data: data, Text: "✓ Done"}, nil
}

// partOf is an element that an op named in the place of the target.
func (c *Call) partOf(t *Target, p *press, doc string) *Target {
	part := *t
	part.ref, part.want = nil, wanted{Ref: &wantedRef{Token: p.Token, Role: p.Role, Name: p.Name, Doc: doc}}
	part.Label = elementName(&Located{Role: p.Role, Name: p.Name})
	return &part
}

// enterIn gives a field the focus and presses Enter.
func (c *Call) enterIn(ctx context.Context, tab *Tab, field *Target) error {
	c.before(tab)
	if _, err := c.Focus(ctx, tab, field, nil); err != nil {
		return err
	}
	enter, err := engine.ParseKey("Enter")
	if err != nil {
		return err
	}
	dialog, err := c.SendInput(ctx, tab, func(ctx context.Context) error { return tab.Page.Keys(ctx, []engine.Stroke{enter}) })
	if err != nil || dialog {
		return err
	}
	if err := c.flush(ctx, tab); err != nil { // Enter submits in a task after the key event
		return err
	}
	return c.after(ctx, tab)
}

// sent makes sure that the form was sent. That the page has left its document is enough.
func (c *Call) sent(ctx context.Context, tab *Tab, t *Target, how *submitter) error {
	if tab.Page.Dialog() != nil || tab.Page.Err() != nil || t.Frame.Gone() {
		return nil
	}
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	var now struct {
		Sent bool `json:"sent"`
	}
	now.Sent = true
	doc, err := t.Frame.Document(watched)
	if err == nil && doc == how.doc {
		err = t.Frame.Call(watched, "submitted", map[string]any{"wait": min(submitPatience, c.Left()).Milliseconds()}, &now)
	}
	switch {
	case engine.IsNavigated(err), fault.Is(err, fault.FrameGone), fault.Is(err, fault.PageGone), fault.Is(err, fault.DialogOpen):
		return nil
	case err != nil:
		return err
	case now.Sent:
		return nil
	}
	e := fault.New(fault.TargetUnsuitable, "'%s' was not submitted.", t.Label).About(t.Label)
	if len(how.Invalid) == 0 {
		return e.WithHint("The page's script kept it back; look at the page with a snapshot.")
	}
	fields := make([]string, len(how.Invalid))
	for i, f := range how.Invalid {
		fields[i] = wording.Quote(f.Name)
		if f.Why != "" {
			fields[i] += " (" + strings.TrimSuffix(f.Why, ".") + ")"
		}
	}
	return e.With("invalid", how.Invalid).WithHint("The browser keeps it back until these are right: %s.", strings.Join(fields, ", "))
}
