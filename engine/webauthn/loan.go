package webauthn

import (
	"context"
	"slices"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/passkey"
)

// Loan is passkeys that one page has for a while.
type Loan struct {
	of      *authenticators
	sess    *cdp.Session
	allowed func(origin string) bool

	// Guarded by of.mu.
	keys   []passkey.Passkey
	shared []string // ids of those that the page has anyway
	used   bool
	signal chan struct{} // closed when a passkey was used
	over   bool          // the page has them no more
}

// Lend gives a page passkeys until [Loan.Return], or until its main frame shows an origin that is not allowed. The context does not get them.
// An authenticator is made for the page if it has none.
func Lend(ctx context.Context, page *engine.Page, keys []passkey.Passkey, allowed func(origin string) bool) (*Loan, error) {
	a := states.Of(page.Context())
	a.observe(page.Context())
	l := &Loan{of: a, sess: page.Session(), allowed: allowed, signal: make(chan struct{})}
	a.mu.Lock()
	for _, k := range keys {
		if a.on && slices.ContainsFunc(a.keys, func(has passkey.Passkey) bool { return k.ID == has.ID }) {
			l.shared = append(l.shared, k.ID)
		} else {
			l.keys = append(l.keys, k)
		}
	}
	a.loans[l.sess.ID()] = l
	a.mu.Unlock()
	if err := a.place(ctx, l.sess); err != nil {
		_, _ = l.Return(context.WithoutCancel(ctx))
		return nil, err
	}
	return l, nil
}

// eventLocked takes in what the page does with a passkey of the loan. It reports whether that concerns the loan alone.
func (l *Loan) eventLocked(method string, key *passkey.Passkey) bool {
	i := slices.IndexFunc(l.keys, func(k passkey.Passkey) bool { return k.ID == key.ID })
	signs := method == "WebAuthn.credentialAsserted"
	if signs && !l.used && (i >= 0 || slices.Contains(l.shared, key.ID)) {
		l.used = true
		close(l.signal)
	}
	if i >= 0 && signs {
		l.keys[i].SignCount, l.keys[i].UsedAt = key.SignCount, now()
		l.of.usedLocked(Use{key.RPID, key.User(), false})
	}
	return i >= 0
}

// Used is closed when the page has had a passkey of the loan sign.
func (l *Loan) Used() <-chan struct{} { return l.signal }

// Revoked reports whether the page has lost the passkeys, since it showed an origin that is not allowed.
func (l *Loan) Revoked() bool {
	l.of.mu.Lock()
	defer l.of.mu.Unlock()
	return l.over
}

func (l *Loan) takeBackLocked() (pending []<-chan struct{}) {
	if l.over {
		return nil
	}
	l.over = true
	for i := range l.keys {
		pending = append(pending, l.of.removeLocked(l.sess.ID(), l.keys[i].ID))
	}
	return pending
}

// Return takes the passkeys from the page, and returns them as they are now: signatures are counted.
func (l *Loan) Return(ctx context.Context) ([]passkey.Passkey, error) {
	a := l.of
	a.mu.Lock()
	if a.loans[l.sess.ID()] == l {
		delete(a.loans, l.sess.ID())
	}
	pending := l.takeBackLocked()
	keys := slices.Clone(l.keys)
	for _, k := range a.keys {
		if slices.Contains(l.shared, k.ID) {
			keys = append(keys, k)
		}
	}
	var disabled []*cdp.Pending
	if !a.on { // the authenticator was there for the loan
		delete(a.at, l.sess.ID())
		disabled = append(disabled, l.sess.Start(disableCall.Method, nil))
	}
	a.mu.Unlock()
	if err := waitRemoved(ctx, pending); err != nil {
		return keys, err
	}
	return keys, waitAll(ctx, disabled)
}
