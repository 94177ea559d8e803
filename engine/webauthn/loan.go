package webauthn

import (
	"context"
	"maps"
	"slices"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/interception"
	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/internal/passkey"
)

// Loan is passkeys that one page has for a while, and the windows that it opens meanwhile.
type Loan struct {
	of      *authenticators
	page    *engine.Page
	allowed func(origin string) bool
	watcher *interception.Watcher

	// Guarded by of.mu.
	keys   []passkey.Passkey
	shared []string // ids of those that the page has anyway
	used   bool
	signal chan struct{}   // closed when a passkey was used
	popups map[string]bool // sessions of windows that the page opened, and whether they have them
	over   bool            // the page has them no more

	windows map[string]bool   // ids of the tabs that may have hold of one another's windows
	away    map[string]string // documents of others that are asked for, by load, and their origins
	where   string            // the origin that a document was last asked for of
}

// Lend gives a page passkeys until [Loan.Return], or until its main frame shows an origin that is not allowed. So it
// does with the windows that the page opens, of which each may have another origin for itself. The context does not get
// them. Before a document of an origin that is not allowed, and that may use them, is asked for, they are gone. See
// leaving.go. An authenticator is made for the page if it has none.
func Lend(
	ctx context.Context, page *engine.Page, keys []passkey.Passkey, allowed func(origin string) bool,
) (*Loan, error) {
	a := states.Of(page.Context())
	a.observe(page.Context())
	l := &Loan{
		of:      a,
		page:    page,
		allowed: allowed,
		popups:  map[string]bool{},
		away:    map[string]string{},
		signal:  make(chan struct{}),
	}
	l.windows = windowsWith(page)
	a.mu.Lock()
	for _, k := range keys {
		if a.on && slices.ContainsFunc(a.keys, func(has passkey.Passkey) bool { return k.ID == has.ID }) {
			l.shared = append(l.shared, k.ID)
		} else {
			l.keys = append(l.keys, k)
		}
	}
	a.loans[l.session()] = l
	a.mu.Unlock()
	err := l.watch(ctx)
	if err == nil {
		err = a.place(ctx, page.Session())
	}
	if err != nil {
		_, _ = l.Return(context.WithoutCancel(ctx))
		return nil, err
	}
	return l, nil
}

// eventLocked takes in what the page of a session does with a passkey of the loan. It reports whether that concerns the
// loan alone.
func (l *Loan) eventLocked(session, method string, key *passkey.Passkey) bool {
	i := slices.IndexFunc(l.keys, func(k passkey.Passkey) bool { return k.ID == key.ID })
	signs := method == "WebAuthn.credentialAsserted"
	if signs && !l.used && (i >= 0 || slices.Contains(l.shared, key.ID)) {
		l.used = true
		close(l.signal)
	}
	if i >= 0 && signs {
		l.keys[i].SignCount, l.keys[i].UsedAt = key.SignCount, now()
		l.of.usedLocked(Use{key.RPID, key.User(), false})
		l.countLocked(session, &l.keys[i])
	}
	return i >= 0
}

// countLocked tells the other pages that have the loan how often a passkey has signed in one of them.
func (l *Loan) countLocked(signed string, key *passkey.Passkey) {
	for _, session := range l.sessionsLocked() {
		if at := l.of.at[session]; session != signed && at != "" && l.givesLocked(session) {
			l.of.updateLocked(session, at, key)
		}
	}
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
	for _, session := range l.sessionsLocked() {
		if l.givesLocked(session) {
			pending = append(pending, l.takeFromLocked(session)...)
		}
	}
	l.over = true
	return pending
}

func (l *Loan) takeFromLocked(session string) (pending []<-chan struct{}) {
	for i := range l.keys {
		pending = append(pending, l.of.removeLocked(session, l.keys[i].ID))
	}
	return pending
}

// session is that of the page which asked for the loan.
func (l *Loan) session() string { return l.page.Session().ID() }

// sessionsLocked are those of all pages that have, or had, the loan.
func (l *Loan) sessionsLocked() []string {
	return append(slices.Collect(maps.Keys(l.popups)), l.session())
}

// givesLocked reports whether a page that has the loan may use its passkeys.
func (l *Loan) givesLocked(session string) bool {
	return len(l.away) == 0 && l.hasLocked(session)
}

// hasLocked reports whether a page that has the loan may use its passkeys when no document of others is asked for.
func (l *Loan) hasLocked(session string) bool {
	has, popup := l.popups[session]
	return !l.over && (has || !popup)
}

// inheritLocked gives a page the loan of the one that opened it, if the page was held: what another one asked for
// before was not paused.
func (a *authenticators) inheritLocked(p *engine.Page, held bool) {
	session, at := p.Session().ID(), p.URL()
	if p.Opener() == "" || a.loans[session] != nil {
		return
	}
	for _, l := range a.loans {
		if l.windows[p.Opener()] {
			l.windows[p.ID()] = true
		}
		if held && l.page.ID() == p.Opener() && !l.over && (at == "" || at == "about:blank" || l.allowed(urls.Origin(at))) {
			l.popups[session] = true
			a.loans[session] = l
			return
		}
	}
}

// leaveLocked takes the passkeys from a page that shows another origin, and from all if it is the one that they were
// lent to.
func (l *Loan) leaveLocked(session string) {
	switch has, popup := l.popups[session]; {
	case !popup:
		l.takeBackLocked()
	case has && !l.over:
		l.popups[session] = false
		l.takeFromLocked(session)
	}
}

// Return takes the passkeys from the page, and returns them as they are now: signatures are counted.
func (l *Loan) Return(ctx context.Context) ([]passkey.Passkey, error) {
	a := l.of
	a.mu.Lock()
	pending := l.takeBackLocked()
	keys := slices.Clone(l.keys)
	for _, k := range a.keys {
		if slices.Contains(l.shared, k.ID) {
			keys = append(keys, k)
		}
	}
	var disabled []*cdp.Pending
	for _, session := range l.sessionsLocked() {
		if a.loans[session] != l {
			continue // it has another one by now
		}
		delete(a.loans, session)
		if !a.on { // the authenticator was there for the loan
			delete(a.at, session)
			disabled = append(disabled, a.session(session).Start(disableCall.Method, nil))
		}
	}
	a.mu.Unlock()
	if err := waitRemoved(ctx, pending); err != nil {
		return keys, err
	}
	if err := waitAll(ctx, disabled); err != nil {
		return keys, err
	}
	return keys, l.unwatch(ctx)
}
