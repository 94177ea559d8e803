package webauthn

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/internal/passkey"
)

// onEvent handles an event on the connection's reader.
func (a *authenticators) onEvent(p *engine.Page, sess *cdp.Session, ev cdp.Event) {
	switch ev.Method {
	case "Page.frameNavigated":
		a.navigated(p, sess, ev)
		return
	case "Network.requestWillBeSent":
		a.fetchesAhead(p, ev)
		return
	}
	if !strings.HasPrefix(ev.Method, "WebAuthn.") {
		return
	}
	var e struct {
		ID         string     `json:"credentialId"`
		Credential credential `json:"credential"`
	}
	if cdp.Unmarshal(ev.Params, &e) != nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	key := e.Credential.passkey()
	if loan := a.loans[sess.ID()]; loan != nil && loan.eventLocked(sess.ID(), ev.Method, &key) {
		return
	}
	switch ev.Method {
	case "WebAuthn.credentialAdded":
		key.CreatedAt = now()
		a.takeLocked(sess.ID(), key)
		a.usedLocked(Use{key.RPID, key.User(), true})
	case "WebAuthn.credentialAsserted":
		key.UsedAt = now()
		a.takeLocked(sess.ID(), key)
		a.usedLocked(Use{key.RPID, key.User(), false})
	case "WebAuthn.credentialUpdated": // the page has another name for its user
		a.takeLocked(sess.ID(), key)
	case "WebAuthn.credentialDeleted": // the page says that its server does not know it any longer
		id := urlBase64(e.ID)
		if a.removing[removal{sess.ID(), id}] > 0 {
			return
		}
		a.keys = slices.DeleteFunc(a.keys, func(k passkey.Passkey) bool { return k.ID == id })
		for session := range a.at {
			if session != sess.ID() {
				a.removeLocked(session, id)
			}
		}
	}
}

// takeLocked takes over a passkey as one session's authenticator has it, and tells the others. What the browser does
// not say of it stays.
func (a *authenticators) takeLocked(from string, key passkey.Passkey) {
	i := slices.IndexFunc(a.keys, func(k passkey.Passkey) bool { return k.ID == key.ID })
	if i < 0 {
		a.keys = append(a.keys, key)
	} else {
		if key.CreatedAt == nil {
			key.CreatedAt = a.keys[i].CreatedAt
		}
		if key.UsedAt == nil {
			key.UsedAt = a.keys[i].UsedAt
		}
		a.keys[i] = key
	}
	for session, at := range a.at {
		if session != from {
			a.updateLocked(session, at, &key)
		}
	}
}

func (a *authenticators) usedLocked(use Use) {
	if a.uses = append(a.uses, use); len(a.uses) > maxUses {
		a.uses = a.uses[1:]
	}
}

// navigated ends a loan when its page shows another origin, or any window around it a document of a stranger.
func (a *authenticators) navigated(p *engine.Page, sess *cdp.Session, ev cdp.Event) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.loans) == 0 {
		return
	}
	var e struct {
		Frame struct {
			Parent string `json:"parentId"`
			Loader string `json:"loaderId"`
			URL    string `json:"url"`
		} `json:"frame"`
	}
	if cdp.Unmarshal(ev.Params, &e) != nil {
		return
	}
	for _, loan := range a.loans {
		if loan.away[e.Frame.Loader] != "" {
			loan.takeBackLocked()
		}
	}
	if loan := a.loans[sess.ID()]; loan != nil && sess == p.Session() && e.Frame.Parent == "" &&
		!loan.allowed(urls.Origin(e.Frame.URL)) {
		loan.leaveLocked(sess.ID())
	}
}
