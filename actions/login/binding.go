package login

import (
	"context"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/guard/vault"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// bind says where a login may be typed: where it was bound to when it was saved. What the call says can only narrow
// that.
func bind(c *actions.Call, e *vault.Entry) (vault.Binding, error) {
	bound, err := vault.Bind(e.URL, e.AllowOrigins...)
	if err != nil {
		return vault.Binding{}, err
	}
	outside := func(origin string) error {
		return fault.New(fault.PolicyBlocked, "The login %s belongs to %s, not to %s: nothing was typed.",
			wording.Quote(e.Name), bound.Home(), origin).
			About(origin).With("origin", origin).With("belongsTo", bound.Home()).With("loggedIn", false).
			WithHint(
				"A login may only be typed on the origins that it was saved for. If you trust that origin with it, save it again "+
					"with --allow-origin %s.", origin)
	}
	if c.Has("url") {
		address, err := navigate.Address(c, c.String("url"))
		if err != nil {
			return vault.Binding{}, err
		}
		origin, err := vault.Origin(address)
		if err != nil {
			return vault.Binding{}, err
		}
		if !bound.Allows(origin) {
			return vault.Binding{}, outside(origin)
		}
		e.URL = address
	}
	if c.Has("allow-origin") {
		narrow, other, err := bound.Restrict(c.Strings("allow-origin"))
		if err != nil {
			return vault.Binding{}, err
		}
		if other != "" {
			return vault.Binding{}, outside(other)
		}
		bound = narrow
	}
	return bound, nil
}

// maySend refuses a form that would take the password or a code to an origin that the login is not bound to, or show
// the password.
func (l *login) maySend(f *formSeen) error {
	if f.Password == nil && len(f.Codes) == 0 {
		return nil
	}
	for _, origin := range f.Targets {
		if l.bound.Allows(origin) {
			continue
		}
		e := fault.New(fault.PolicyBlocked,
			"The login %s belongs to %s, but the form at %s would send it to %s: it was not sent.", wording.Quote(l.entry.Name),
			l.bound.Home(), f.Origin, origin).
			About(origin).With("origin", origin).With("belongsTo", l.bound.Home()).With("loggedIn", false)
		if len(l.steps) > 0 {
			e.With("steps", l.steps)
		}
		return e.WithHint(
			"A login may only be sent to the origins that it was saved for. If you trust that origin with it, save it again "+
				"with --allow-origin %s.", origin)
	}
	if f.Password != nil && !f.Password.IsPassword {
		return l.noPasswordField(*f.Password)
	}
	return nil
}

// noPasswordField refuses a field that would show the password.
func (l *login) noPasswordField(field formField) error {
	return fault.New(fault.PolicyBlocked, "The login %s was not typed: '%s' is not a password field, and would show it.",
		wording.Quote(l.entry.Name), field.Label).
		About(field.Label).With("loggedIn", false).
		WithHint("Name the password field with --password-selector, or leave that out.")
}

// turned reports whether the field of the password shows what it holds by now.
func (l *login) turned(ctx context.Context, before *formSeen) bool {
	now, err := l.look(ctx)
	return err == nil && now != nil &&
		(now.form == nil || now.form.Doc == before.Doc && (now.form.Password == nil || !now.form.Password.IsPassword))
}
