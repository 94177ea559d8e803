package login

import (
	"cmp"
	"context"
	"time"

	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/actions/pointer"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/engine/webauthn"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/passkey"
	"github.com/skua-browser/skua/internal/wording"
)

// passkeyCounter saves how often the passkeys of a login have signed: a server refuses one whose count falls.
type passkeyCounter func(context.Context, []passkey.Passkey) error

// blank is a page that passkeys cannot be used in.
const blank = "about:blank"

// lendPasskeys gives the page the passkeys of the login, until the login is over or the page shows an origin that the
// login does not belong to.
func (l *login) lendPasskeys(ctx context.Context) error {
	if len(l.entry.Passkeys) == 0 {
		return nil
	}
	underWay := !l.Bool("no-navigate") && l.tab.Page.Loading().To() != "" // its request was not paused
	for i := range l.entry.Passkeys {
		p := &l.entry.Passkeys[i]
		if err := p.Check(); err != nil {
			return fault.New(fault.VaultLocked, "the passkey %s of the login %s cannot be used: %w", p.ID, l.entry.Name, err).
				About(l.entry.Name).
				WithHint("Remove it with `auth passkey remove --login %s -- %s`.", l.entry.Name, p.ID)
		}
		// A page of the same relying party that the login is not bound to must not see it, not even before the login's own
		// page is there.
		if origin := urls.Origin(l.tab.Page.URL()); p.Belongs(origin) && !l.bound.Allows(origin) || underWay {
			underWay = false
			if _, err := navigate.GoTo(ctx, l.Call, l.tab, blank); err != nil {
				return err
			}
		}
	}
	var err error
	l.loan, err = webauthn.Lend(ctx, l.tab.Page, l.entry.Passkeys, l.bound.Allows)
	if err != nil || !l.loan.Revoked() {
		return err
	}
	origin := l.loan.Elsewhere()
	return fault.New(fault.PolicyBlocked,
		"The passkeys of the login %s belong to %s, and a page of %s, which could use them, has hold of this tab's window: "+
			"nothing was asked for.",
		wording.Quote(l.entry.Name), l.bound.Home(), origin).About(origin).With("origin", origin).With("belongsTo",
		l.bound.Home()).With("loggedIn", false).
		WithHint(
			"Log in in a tab that no page has opened: run `tab new`, and the login again. If you trust that origin with it, "+
				"save the login again with --allow-origin %s.", origin)
}

// returnLimit is how long a page that does not answer may take to give passkeys back.
const returnLimit = 3 * time.Second

// returnPasskeys takes the passkeys from the page and saves how often they have signed.
func (l *login) returnPasskeys(ctx context.Context) {
	if l.loan == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), returnLimit)
	defer cancel()
	keys, err := l.loan.Return(ctx)
	if err != nil {
		l.Note("the page may still have the passkeys of the login: close the tab, " + fault.MessageOf(err))
	}
	if l.signed() && l.counted != nil {
		if err := l.counted(ctx, keys); err != nil {
			l.Note("the count of the passkey's signatures could not be saved: " + err.Error())
		}
	}
}

// signed reports whether the page has had a passkey of the login sign.
func (l *login) signed() bool {
	if l.loan == nil {
		return false
	}
	select {
	case <-l.loan.Used():
		return true
	default:
		return false
	}
}

// byPasskey logs in with a passkey. It returns the page on which the user is logged in, or a form to fill in: one that
// follows the passkey, or that of the password where the page offers no passkeys.
func (l *login) byPasskey(ctx context.Context) (*pageSeen, error) {
	var last, pressed *pageSeen // pressed: as the page was when its control was pressed
	var since time.Time
	named := false
	for l.left() > loginLook {
		seen, err := l.look(ctx)
		if fault.Is(err, fault.Timeout) && last != nil {
			break
		}
		if err != nil {
			return nil, err
		}
		if l.loan.Revoked() {
			return nil, l.elsewhere(cmp.Or(l.loan.Elsewhere(), l.tab.Page.URL()))
		}
		if seen != nil && last == nil {
			l.stored = seen.main.Stored
		}
		switch {
		case l.signed():
			if pressed == nil {
				pressed = last
			}
			l.steps = append(l.steps, "passkey")
			return l.afterPasskey(ctx, pressed)
		case seen == nil:
			continue
		}
		last = seen
		waiting := pressed != nil && time.Since(since) < replyPatience
		form := seen.form
		switch {
		case pressed != nil && l.loan.Elsewhere() != "" && !waiting:
			return nil, l.elsewhere(l.loan.Elsewhere())
		case pressed != nil:
			if message := newlySaid(seen, saidBefore(pressed), seen.main.Doc != pressed.main.Doc, false); message != "" {
				return nil, l.failed("rejected", seen, "the page says: %s", message).With("said", l.hidden(message))
			}
			if !waiting {
				return nil, l.failed("passkey", seen, "the page did not ask for the passkey within %s", replyPatience)
			}
		case seen.offer != nil:
			pressed, since = seen, time.Now()
			if err := l.pressOffer(ctx, seen.offer); err != nil {
				return nil, err
			}
		case form != nil && form.asks() == "username" && l.entry.Username != "" && !named:
			named = true
			if err := l.fillForm(ctx, form); err != nil {
				return nil, err
			}
		case form != nil && form.asks() != "username" && l.entry.Password != "":
			return seen, nil
		case form == nil && seen.main.Logout != "" && seen.away == nil && l.bound.Allows(seen.main.Origin):
			return seen, nil
		}
		if err := l.change(ctx, min(loginLook, l.left())); err != nil {
			return nil, err
		}
	}
	if last == nil {
		return nil, fault.New(fault.Timeout, "the page of the login %s did not settle", l.entry.Name).About(l.tab.Page.URL())
	}
	if elsewhere := l.loan.Elsewhere(); elsewhere != "" {
		return nil, l.elsewhere(elsewhere)
	}
	if pressed != nil {
		return nil, l.failed("passkey", last,
			"the page did not ask for the passkey within the time limit, although its control for that was pressed")
	}
	return nil, l.failed("passkey", last, "the page did not ask for a passkey, and no control offers to log in with one").
		WithHint("Look with `snapshot -i`: a cookie banner or a menu may be in front of it.")
}

// pressOffer presses what offers to log in with a passkey.
func (l *login) pressOffer(ctx context.Context, f *formSeen) error {
	_, err := pointer.ClickTarget(ctx, l.Call, l.tab, l.target(f, *f.Passkey), input.ClickOptions{
		Button: "left",
		Count:  1,
	})
	if fault.Is(err, fault.RefStale) || fault.Is(err, fault.FrameGone) || engine.IsNavigated(err) {
		return nil
	}
	return err
}

// saidBefore is what a page said already.
func saidBefore(p *pageSeen) map[string]bool {
	known := map[string]bool{}
	for _, f := range []*formSeen{p.main, p.form} {
		if f == nil {
			continue
		}
		for _, s := range f.Told {
			known[s.Text] = true
		}
	}
	return known
}

// afterPasskey waits for what the page does with the signature. It returns the page on which the user is logged in, or
// a form that follows.
func (l *login) afterPasskey(ctx context.Context, before *pageSeen) (*pageSeen, error) {
	begun := time.Now()
	known := map[string]bool{}
	doc := ""
	if before != nil {
		known, doc = saidBefore(before), before.main.Doc
	}
	same := func(a, b *pageSeen) bool { return sameState(a, b) && (a.offer == nil) == (b.offer == nil) }
	answer, last, err := l.lookUntil(ctx, same, func(seen *pageSeen, settled func() bool) (bool, error) {
		if seen.away != nil {
			return false, l.elsewhere(seen.away.Origin)
		}
		replaced, still := doc != "" && seen.main.Doc != doc, settled()
		message := newlySaid(seen, known, replaced, false)
		switch {
		case message != "":
			return false, l.failed("rejected", seen, "the page says: %s", message).With("said", l.hidden(message))
		case replaced && seen.main.Status >= 400:
			return false, l.failed("rejected", seen, "the server answered with HTTP %d: %s", seen.main.Status, seen.main.Title).
				With("status", seen.main.Status)
		case seen.main.Logout != "" && seen.offer == nil, still && seen.offer == nil && seen.form == nil:
			return true, nil
		case still && seen.offer == nil && seen.form != nil && seen.form.asks() != "username":
			return true, nil // a second factor
		case still && time.Since(begun) > replyPatience:
			return false, l.failed("unchanged", seen,
				"the page still offers to log in %s after the passkey signed, and shows no message about it", replyPatience)
		}
		return false, nil
	})
	switch {
	case err != nil:
		return nil, err
	case answer != nil:
		return answer, nil
	}
	if last == nil {
		return nil, l.unsettled("the passkey of the login %s signed", l.entry.Name)
	}
	return nil, l.failed("unknown", last, "the time limit was reached before the login could be verified").
		WithHint("Look at the page with a snapshot, or raise --timeout.")
}
