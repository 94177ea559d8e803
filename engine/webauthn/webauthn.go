package webauthn

import (
	"context"
	"slices"
	"sync"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/passkey"
)

// Use is something that a page did with a passkey.
type Use struct {
	RPID, User string
	Created    bool // else the page had it sign
}

// maxUses is how many uses are remembered until a caller asks for them.
const maxUses = 20

// authenticators are the authenticators of a context: one for each tab, with the same passkeys.
type authenticators struct {
	browser *engine.Browser
	placing sync.Mutex // held while a page gets its authenticator

	mu       sync.Mutex
	on       bool
	observed bool
	keys     []passkey.Passkey // the oldest first
	at       map[string]string // the authenticator's id by session
	loans    map[string]*Loan  // by session
	removing map[removal]int   // under way
	uses     []Use             // that no caller has asked for yet
}

var states = engine.NewState(func(c *engine.Context) *authenticators {
	return &authenticators{
		browser:  c.Browser(),
		at:       map[string]string{},
		loans:    map[string]*Loan{},
		removing: map[removal]int{},
	}
})

// observe follows the pages of the context and what they do with their authenticators, from the first use on.
func (a *authenticators) observe(c *engine.Context) {
	a.mu.Lock()
	begins := !a.observed
	a.observed = true
	a.mu.Unlock()
	if begins {
		c.Observe(engine.Observer{Event: a.onEvent, Opening: a.onOpening, Attached: a.onAttached, Detached: a.onDetached})
	}
}

// onOpening gives a new page its authenticator before its first script may ask for it.
func (a *authenticators) onOpening(ctx context.Context, p *engine.Page) (set bool) {
	a.take(ctx, p, true)
	return a.wanted(p.Session())
}

func (a *authenticators) take(ctx context.Context, p *engine.Page, held bool) {
	a.mu.Lock()
	a.inheritLocked(p, held)
	a.mu.Unlock()
	a.replace(ctx, p)
}

func (a *authenticators) onAttached(ctx context.Context, p *engine.Page, _ bool) {
	a.mu.Lock()
	has := a.at[p.Session().ID()] != ""
	a.mu.Unlock()
	if !has { // it was there before, or did not wait
		a.take(ctx, p, false)
	}
}

func (a *authenticators) replace(ctx context.Context, p *engine.Page) {
	if a.wanted(p.Session()) {
		if err := a.place(ctx, p.Session()); err != nil {
			a.browser.Log().Debug("a page has no authenticator", "code", fault.CodeOf(err))
		}
	}
}

// onDetached gives a page its authenticator again: Chromium removes it when any session with the page ends
// (WebAuthnHandler::Disable).
func (a *authenticators) onDetached(p *engine.Page) {
	a.browser.Spawn(func(ctx context.Context) { a.replace(ctx, p) })
}

// wanted reports whether the page of a session is to have an authenticator.
func (a *authenticators) wanted(sess *cdp.Session) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.on || a.loans[sess.ID()] != nil
}

// options are the options of an authenticator of a phone or computer, which has checked its user and keeps passkeys
// with a backup.
type options struct {
	Protocol  string `json:"protocol"`
	Version   string `json:"ctap2Version"`
	Transport string `json:"transport"`
	Resident  bool   `json:"hasResidentKey"`
	Verifies  bool   `json:"hasUserVerification"`
	Verified  bool   `json:"isUserVerified"`
	Present   bool   `json:"automaticPresenceSimulation"`
	Eligible  bool   `json:"defaultBackupEligibility"`
	BackedUp  bool   `json:"defaultBackupState"`
}

func platform() options {
	return options{
		Protocol:  "ctap2",
		Version:   "ctap2_1",
		Transport: "internal",
		Resident:  true,
		Verifies:  true,
		Verified:  true,
		Present:   true,
		Eligible:  true,
		BackedUp:  true,
	}
}

// place gives the page of a session an authenticator in place of one that it has, with the passkeys that it is to have.
func (a *authenticators) place(ctx context.Context, sess *cdp.Session) error {
	a.placing.Lock()
	defer a.placing.Unlock()
	pending := sess.Batch(
		disableCall,
		cdp.Call{Method: "WebAuthn.enable", Params: map[string]bool{"enableUI": false}},
		cdp.Call{Method: "WebAuthn.addVirtualAuthenticator", Params: map[string]options{"options": platform()}},
	)
	if _, err := pending[1].Wait(ctx); err != nil {
		return unsupported(err)
	}
	reply, err := pending[2].Wait(ctx)
	if err != nil {
		return unsupported(err)
	}
	var res struct {
		ID string `json:"authenticatorId"`
	}
	if err := cdp.Unmarshal(reply, &res); err != nil {
		return err
	}
	a.mu.Lock()
	a.at[sess.ID()] = res.ID
	var keys []passkey.Passkey
	if a.on {
		keys = slices.Clone(a.keys)
	}
	if loan := a.loans[sess.ID()]; loan != nil && loan.givesLocked(sess.ID()) {
		keys = append(keys, loan.keys...)
	}
	pending = nil
	for i := range keys {
		pending = append(pending, addTo(sess, res.ID, &keys[i]))
	}
	a.mu.Unlock()
	for i, call := range pending {
		_, err := call.Wait(ctx)
		if fault.Is(err, fault.Protocol) { // the browser's words may quote the call
			return fault.New(fault.Protocol, "the browser refuses the passkey of %s", keys[i].RPID).About(keys[i].RPID)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

var disableCall = cdp.Call{Method: "WebAuthn.disable"}

type withCredential struct {
	Authenticator string     `json:"authenticatorId"`
	Credential    credential `json:"credential"`
}

type credentialRef struct {
	Authenticator string `json:"authenticatorId"`
	Credential    string `json:"credentialId"`
}

func addTo(sess *cdp.Session, authenticator string, p *passkey.Passkey) *cdp.Pending {
	return sess.Start("WebAuthn.addCredential", withCredential{authenticator, credentialOf(p)})
}

// updateLocked gives the authenticator of a session a passkey as it is now. It is removed and added again: the protocol
// has no call that sets a counter.
func (a *authenticators) updateLocked(session, authenticator string, p *passkey.Passkey) {
	a.removeLocked(session, p.ID)
	addTo(a.session(session), authenticator, p)
}

// removal is a passkey that is being removed from one page's authenticator. The browser reports it as of one that the
// page has removed.
type removal struct{ session, id string }

// removeLocked removes a passkey from the authenticator of a session. The channel is closed when the browser has
// answered.
func (a *authenticators) removeLocked(session, id string) <-chan struct{} {
	what, done := removal{session, id}, make(chan struct{})
	a.removing[what]++
	call := a.session(session).Start("WebAuthn.removeCredential", credentialRef{a.at[session], stdBase64(id)})
	a.browser.Spawn(func(ctx context.Context) {
		defer close(done)
		_, _ = call.Wait(ctx) // one that is not there is removed
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.removing[what]--; a.removing[what] == 0 {
			delete(a.removing, what)
		}
	})
	return done
}

// On gives all pages of the context, the open ones and the ones to come, an authenticator with the context's passkeys.
// It returns when page, unless that is nil, has it. While it is on, pages do not reach the authenticators of the
// machine.
func On(ctx context.Context, c *engine.Context, page *engine.Page) error {
	a := states.Of(c)
	a.observe(c)
	a.mu.Lock()
	before := a.on
	a.on = true
	a.mu.Unlock()
	if page != nil {
		if err := a.place(ctx, page.Session()); err != nil {
			a.mu.Lock()
			a.on = before
			a.mu.Unlock()
			return err
		}
	}
	for _, p := range c.Pages() {
		if p != page && p.Attached() {
			a.onDetached(p)
		}
	}
	return nil
}

func unsupported(err error) error {
	if !fault.Is(err, fault.Protocol) {
		return err
	}
	return &fault.Error{
		Code:    fault.Protocol,
		Message: "the browser has no virtual authenticator",
		Err:     err,
		Hint:    "It takes Chromium 120 or newer.",
	}
}

// Off takes the authenticators away. The context keeps the passkeys for when it is on again.
func Off(ctx context.Context, c *engine.Context) error {
	a := states.Of(c)
	a.placing.Lock()
	defer a.placing.Unlock()
	a.mu.Lock()
	a.on = false
	var pending []*cdp.Pending
	for session := range a.at {
		pending = append(pending, a.session(session).Start(disableCall.Method, nil))
	}
	clear(a.at)
	a.mu.Unlock()
	return waitAll(ctx, pending)
}

// IsOn reports whether pages of the context have an authenticator.
func IsOn(c *engine.Context) bool {
	a := states.Of(c)
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.on
}

// session returns a session with a page by its id.
func (a *authenticators) session(id string) *cdp.Session { return a.browser.Session().Sibling(id) }

func waitRemoved(ctx context.Context, pending []<-chan struct{}) error {
	for _, done := range pending {
		select {
		case <-done:
		case <-ctx.Done():
			return fault.WaitEnded(ctx, "removing a passkey")
		}
	}
	return nil
}

// waitAll waits for calls about pages and passkeys that may be gone.
func waitAll(ctx context.Context, pending []*cdp.Pending) error {
	for _, call := range pending {
		if _, err := call.Wait(ctx); err != nil && !fault.Is(err, fault.PageGone) && !fault.Is(err, fault.Protocol) {
			return err
		}
	}
	return nil
}

// List returns the passkeys of the context, with their private keys, the oldest first.
func List(c *engine.Context) []passkey.Passkey {
	a := states.Of(c)
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.keys)
}

// Add gives the context passkeys, in place of those with the same ids. Call [On], before or after it, for pages to have
// them.
func Add(ctx context.Context, c *engine.Context, keys []passkey.Passkey) error {
	a := states.Of(c)
	var pending []*cdp.Pending
	a.mu.Lock()
	for i := range keys {
		k := &keys[i]
		a.keys = append(slices.DeleteFunc(a.keys, func(p passkey.Passkey) bool { return p.ID == k.ID }), *k)
		for session, id := range a.at {
			a.removeLocked(session, k.ID) // else the authenticator refuses a second one of the same id
			pending = append(pending, addTo(a.session(session), id, k))
		}
	}
	a.mu.Unlock()
	for _, call := range pending {
		if _, err := call.Wait(ctx); err != nil && !fault.Is(err, fault.PageGone) {
			return err
		}
	}
	return nil
}

// Remove removes a passkey from the context and its pages. It reports whether there is one with the id.
func Remove(ctx context.Context, c *engine.Context, id string) (bool, error) {
	a := states.Of(c)
	a.mu.Lock()
	before := len(a.keys)
	a.keys = slices.DeleteFunc(a.keys, func(p passkey.Passkey) bool { return p.ID == id })
	found := len(a.keys) < before
	var pending []<-chan struct{}
	if found {
		for session := range a.at {
			pending = append(pending, a.removeLocked(session, id))
		}
	}
	a.mu.Unlock()
	return found, waitRemoved(ctx, pending)
}

// Resume gives a context the passkeys of one whose browser has ended, and reports whether there was anything to give.
// Call it before the context has any pages.
func Resume(ctx context.Context, c, from *engine.Context) (bool, error) {
	keys, on := List(from), IsOn(from)
	if err := Add(ctx, c, keys); err != nil {
		return false, err
	}
	if !on {
		return len(keys) > 0, nil
	}
	return true, On(ctx, c, nil)
}

// Uses returns what pages have done with passkeys since it was last asked.
func Uses(c *engine.Context) []Use {
	a := states.Of(c)
	a.mu.Lock()
	defer a.mu.Unlock()
	uses := a.uses
	a.uses = nil
	return uses
}
