package login

import (
	"context"
	"slices"

	"github.com/skua-browser/skua/actions/element"
	"github.com/skua-browser/skua/actions/forms"
	"github.com/skua-browser/skua/actions/pointer"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/engine/network"
	"github.com/skua-browser/skua/internal/fault"
)

// fillForm types what the document asks for, and sends it.
func (l *login) fillForm(ctx context.Context, f *formSeen) error {
	if f.Username != nil && (f.Password != nil || len(f.Codes) == 0) && l.entry.Username != "" {
		if err := l.put(ctx, f, *f.Username, "username", l.entry.Username); err != nil {
			return err
		}
	}
	last := f.Username
	if f.Password != nil {
		if err := l.put(ctx, f, *f.Password, "password", l.entry.Password); err != nil {
			return err
		}
		last = f.Password
	}
	if len(f.Codes) > 0 && l.code != nil {
		if err := l.putCode(ctx, f); err != nil {
			return err
		}
		last = &f.Codes[len(f.Codes)-1]
	}
	return l.send(ctx, f, last)
}

// put types a text into a field. It goes there by the browser's input, after the field has the focus.
func (l *login) put(ctx context.Context, f *formSeen, field formField, step, text string) error {
	if step != "username" {
		network.KeepSecret(l.tab.Page.Context(), text)
	}
	_, err := forms.FillField(ctx, l.Call, l.tab, l.target(f, field), text, forms.FillOptions{
		Password: step == "password",
	})
	if err != nil && step == "password" && (fault.Is(err, fault.TargetUnsuitable) || fault.Is(err, fault.ValueNotKept)) &&
		l.turned(ctx, f) {
		return l.noPasswordField(field)
	}
	if err != nil {
		return l.hide(err)
	}
	l.steps = append(l.steps, step)
	return nil
}

// putCode types a one-time code, into one field or a digit into each of several.
func (l *login) putCode(ctx context.Context, f *formSeen) error {
	code, err := l.code(ctx)
	if err != nil {
		return err
	}
	l.secrets = append(l.secrets, code)
	if len(f.Codes) == 1 {
		return l.put(ctx, f, f.Codes[0], "code", code)
	}
	if len(f.Codes) != len(code) {
		return l.failed("code", &pageSeen{main: f}, "the page has %d fields for a code of %d digits", len(f.Codes), len(code))
	}
	// Such fields pass the focus on by themselves, or take a whole code that is pasted: each digit is put where it
	// belongs.
	for i, field := range f.Codes {
		watched, stop := l.tab.Page.Watch(ctx, true)
		kept, err := forms.ReadsBack(watched, f.frame, field.Token, string(code[i]))
		stop()
		if engine.IsNavigated(err) { // it had all that it needs
			break
		}
		if err == nil && kept {
			continue
		}
		if err := l.put(ctx, f, field, "code", string(code[i])); err != nil {
			if i == len(f.Codes)-1 && (engine.IsNavigated(err) || fault.Is(err, fault.RefStale)) {
				break
			}
			return err
		}
	}
	l.steps = slices.Compact(l.steps)
	return nil
}

func (l *login) target(f *formSeen, field formField) *element.Target {
	return element.NewTarget(l.tab, f.frame, f.Doc, field.Token, field.Label)
}

// send presses the button of a form, or Enter in its last field. Some forms are on their way as soon as they have all.
func (l *login) send(ctx context.Context, f *formSeen, last *formField) error {
	now, err := l.look(ctx)
	if err != nil || now == nil || now.form == nil || now.form.Doc != f.Doc || now.form.asks() != f.asks() {
		return l.hide(err)
	}
	if err := l.maySend(now.form); err != nil { // the page may have changed the form since
		return err
	}
	if button := now.form.Submit; button != nil {
		_, err := pointer.ClickTarget(ctx, l.Call, l.tab, l.target(now.form, *button), input.ClickOptions{
			Button: "left",
			Count:  1,
		})
		if fault.Is(err, fault.RefStale) || fault.Is(err, fault.FrameGone) || engine.IsNavigated(err) {
			return nil // it has gone with its form, which was on its way
		}
		if err != nil {
			return l.hide(err)
		}
		return nil
	}
	t := l.target(now.form, *last)
	if _, err := forms.Focus(ctx, l.Call, l.tab, t, forms.FocusArg{}); err != nil {
		if fault.Is(err, fault.RefStale) {
			return nil
		}
		return l.hide(err)
	}
	enter, err := input.ParseKey("Enter")
	if err != nil {
		return err
	}
	_, err = forms.SendInput(ctx, l.Call, l.tab, func(ctx context.Context) error {
		return input.PressKeys(ctx, l.tab.Page, []input.Stroke{enter})
	})
	return l.hide(err)
}
