package forms

import (
	"context"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// retypeArg is the argument of the in-page op retype.
type retypeArg struct {
	element.Targeted
	Text    string `json:"text"`
	Typing  int64  `json:"typing"`  // how long typing it may take, in ms
	Focused bool   `json:"focused"` // what had the focus is meant, whatever it was
}

var opRetype = inpage.Define[retypeArg, retyped]("retype")

// retyped is the result of the in-page op retype.
type retyped struct {
	element.Located
	Has    *int   `json:"has"` // characters of the text that the field has; nil if it holds something else
	Value  string `json:"value"`
	Length int    `json:"length"`
	Secret bool   `json:"secret"`
	Missed bool   `json:"missed"` // it did not take the focus
}

// retype types the rest of a text whose keys came when no field had the focus any longer, as when the page replaces a
// field at an input. It does that once, and fails if the field loses the focus again.
func retype(
	ctx context.Context, c *actions.Call, tab *actions.Tab, at typingAt, text string, delay time.Duration,
) (*typed, error) {
	all := []rune(text)
	field, err := element.RunOp(ctx, c, at.target, opRetype, retypeArg{
		Text:    text,
		Typing:  typingTakes(text, delay),
		Focused: at.focused,
	})
	if err != nil {
		return nil, err
	}
	switch {
	case field.Missed:
		return nil, replacedAtFocus(at.label)
	case field.Has == nil:
		return nil, replacedField(at.label, kept{Value: field.Value, Secret: field.Secret, length: field.Length})
	}
	rest := string(all[min(*field.Has, len(all)):])
	if done, err := sendText(ctx, c, tab, rest, delay); err != nil || done {
		return nil, err
	}
	now, err := readTyped(ctx, c, tab, at, text, nil)
	if err != nil || now == nil || now.Stray == 0 {
		return now, err
	}
	arrived := len(all) - now.Stray
	e := fault.New(fault.ValueNotKept,
		"'%s' lost the focus while it was typed into, and again when the rest was typed: %s of %d arrived%s.", at.label,
		wording.Plural(arrived, "character"), len(all), nowHolding(now)).About(at.label).With("typed", arrived)
	return nil,
		e.WithHint(
			"The keys of the rest were kept from the page. The page may replace the field at each key: use `fill`, which " +
				"enters a text at once.")
}

// nowHolding says what a field holds that took a part of a text.
func nowHolding(now *typed) string {
	if now.Secret || now.Outcome == "none" {
		return ""
	}
	return ", and it holds " + wording.Quote(now.Value)
}

// replacedAtFocus is the error for a field that was gone each time it got the focus.
func replacedAtFocus(label string) error {
	return fault.New(fault.TargetMissed, "The page replaced '%s' each time it got the focus. Nothing was typed.", label).
		About(label).
		WithHint("Look at the page with a snapshot: what has taken its place may be another field.")
}

// replacedField is the error for a field that was replaced while it was typed into, if the new one does not hold the
// text.
func replacedField(label string, now kept) error {
	e := fault.New(fault.ValueNotKept, "The page replaced '%s' while it was typed into; the new field holds %s.", label,
		wording.Quote(now.Value)).
		About(label).With("seen", now.Value)
	if now.Secret {
		e = fault.New(fault.ValueNotKept, "The page replaced '%s' while it was typed into; the new field holds %s.", label,
			wording.Plural(now.length, "character")).About(label)
	}
	return e.WithHint("Use `fill`, which enters a text at once.")
}
