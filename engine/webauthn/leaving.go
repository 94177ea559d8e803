package webauthn

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/interception"
	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/passkey"
)

// A document may ask for a passkey before anybody hears that it is there. So its request waits until the passkeys are
// gone, if its origin may use them and is not allowed to, a stranger here:
//   - Requests for documents are paused while a loan lasts. Service workers, whose answers are not, are passed by, and
//     no page is rendered ahead.
//   - What speculation rules fetch ahead cannot be paused, nor can the navigation that uses it. The browser reports it
//     before it is sent, and it counts as asked for: the page that wants it has to wait for its answer before it can go
//     there.
//   - A frame has the authenticator of its page, if the element that it is in lets it have passkeys.
//   - about:blank and blob: need no request. They have the origin of the window that sent the page there. So a stranger
//     that may have hold of the page's window, its opener or one that it opened, has all of the loan's pages lose the
//     passkeys.
//   - Chromium keeps no document in its back-forward cache whose page has a session:
//     TestLoanIsOverBeforeAnotherOriginShows goes back to one.

const bypassKey = "passkeys"

// watch has the requests for documents wait for the loan from now on.
func (l *Loan) watch(ctx context.Context) error {
	c := l.page.Context()
	l.watcher = &interception.Watcher{Asked: l.asked}
	if err := c.Requests(l.page).Watch(ctx, l.watcher); err != nil {
		return err
	}
	if err := c.NetworkDomain().Need(ctx, l.page, bypassKey, engine.NetworkBuffers{}); err != nil {
		return err
	}
	bypass := func(on bool) []cdp.Call {
		return []cdp.Call{
			{Method: "Network.setBypassServiceWorker", Params: map[string]bool{"bypass": on}},
			{Method: "Page.setPrerenderingAllowed", Params: map[string]bool{"isAllowed": !on}},
		}
	}
	if err := c.Overrides().Set(ctx, l.page, bypassKey, &engine.Override{
		Calls:  bypass(true),
		Undo:   bypass(false),
		Frames: true,
	}); err != nil {
		return err
	}
	return l.settle(ctx)
}

// unwatch ends that.
func (l *Loan) unwatch(ctx context.Context) error {
	if l.watcher == nil {
		return nil
	}
	c := l.page.Context()
	if err := c.Overrides().Set(ctx, nil, bypassKey, nil); err != nil {
		return err
	}
	if err := c.NetworkDomain().Free(ctx, nil, bypassKey); err != nil {
		return err
	}
	return c.Requests(nil).Unwatch(ctx, l.watcher)
}

// arrivalLimit is how long the loan waits for what was under way before it.
const arrivalLimit = 5 * time.Second

// settle deals with what was there, or under way, before requests waited: the loan begins as one that is over where a
// stranger has hold of the page.
func (l *Loan) settle(ctx context.Context) error {
	for _, p := range l.page.Context().Pages() {
		if !l.windows[p.ID()] {
			continue
		}
		if err := p.Attach(ctx); err != nil { // its requests would go out unseen
			return err
		}
		for begun := time.Now(); p.Loading().To() != ""; { // its request may be on its way to anybody
			if still, err := p.Loading().Settle(ctx, arrivalLimit-time.Since(begun)); err != nil {
				return err
			} else if !still {
				return fault.New(fault.Timeout, "the tab is on its way to %s, so that it gets no passkeys",
					urls.Origin(p.Loading().To())).About(p.URL()).
					WithHint("Wait until it is there (`wait --load load`), or end it with `tab close`.")
			}
		}
	}
	for _, p := range l.page.Context().Pages() {
		if !l.windows[p.ID()] {
			continue
		}
		stranger := l.stranger(p.Address())
		if stranger == "" {
			for _, f := range p.Frames().All(ctx) {
				if origin := l.stranger(f.URL()); origin != "" && l.delegates(ctx, p.ID(), f.ID()) {
					stranger = origin
				}
			}
		}
		if stranger != "" {
			l.of.mu.Lock()
			l.over, l.where = true, stranger
			l.of.mu.Unlock()
		}
	}
	return nil
}

// windowsWith are the ids of the tabs that may have hold of a page's window: those that opened one another.
func windowsWith(page *engine.Page) map[string]bool {
	with := map[string]bool{page.ID(): true}
	for grown := true; grown; {
		grown = false
		for _, p := range page.Context().Pages() {
			if opener := p.Opener(); opener != "" && with[opener] != with[p.ID()] {
				with[opener], with[p.ID()], grown = true, true, true
			}
		}
	}
	return with
}

// stranger is the origin of an address whose documents could use the passkeys, and are not allowed to; empty means that
// it does not count as one.
func (l *Loan) stranger(address string) string {
	origin := urls.Origin(address)
	if l.allowed(origin) || !slices.ContainsFunc(l.keys, func(k passkey.Passkey) bool { return k.Belongs(origin) }) {
		return ""
	}
	return origin
}

// fetchesAhead is called when a page has something fetched, which may be a document that it has no request for later.
func (a *authenticators) fetchesAhead(p *engine.Page, ev cdp.Event) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.loans) == 0 {
		return
	}
	var e struct {
		Load    string `json:"requestId"`
		Type    string `json:"type"`
		Request struct {
			URL string `json:"url"`
		} `json:"request"`
	}
	if cdp.Unmarshal(ev.Params, &e) != nil || e.Type != "Prefetch" {
		return
	}
	for _, l := range a.loans {
		if origin := l.stranger(e.Request.URL); origin != "" && !l.over && l.windows[p.ID()] {
			l.awayLocked(e.Load, origin)
		}
	}
}

// asked is called before a request for a document goes out.
func (l *Loan) asked(d interception.Document) <-chan struct{} {
	a := l.of
	a.mu.Lock()
	defer a.mu.Unlock()
	origin := l.stranger(d.URL)
	switch _, led := l.away[d.Load]; {
	case l.over || !l.windows[d.Tab]:
		return nil
	case origin == "" && led: // the stranger leads back
		return l.backLocked(d.Load)
	case origin == "":
		return nil
	case d.Frame != d.Tab:
		return a.spawn(func(ctx context.Context) {
			if l.delegates(ctx, d.Tab, d.Frame) {
				a.mu.Lock()
				pending := l.awayLocked(d.Load, origin)
				a.mu.Unlock()
				_ = waitRemoved(ctx, pending)
			}
		})
	}
	pending := l.awayLocked(d.Load, origin)
	return a.spawn(func(ctx context.Context) { _ = waitRemoved(ctx, pending) })
}

// awayLocked takes the passkeys from all pages of the loan before a stranger is asked for a document.
func (l *Loan) awayLocked(load, origin string) (pending []<-chan struct{}) {
	for _, session := range l.sessionsLocked() {
		if l.givesLocked(session) {
			pending = append(pending, l.takeFromLocked(session)...)
		}
	}
	l.away[load], l.where = origin, origin
	return pending
}

// backLocked gives the passkeys back when a stranger has redirected to one that may.
func (l *Loan) backLocked(load string) <-chan struct{} {
	a := l.of
	if delete(l.away, load); len(l.away) > 0 {
		return nil
	}
	l.where = ""
	var pending []*cdp.Pending
	for _, session := range l.sessionsLocked() {
		if at := a.at[session]; at != "" && l.givesLocked(session) {
			for i := range l.keys {
				pending = append(pending, addTo(a.session(session), at, &l.keys[i]))
			}
		}
	}
	return a.spawn(func(ctx context.Context) { _ = waitAll(ctx, pending) })
}

// spawn runs a function on a goroutine of the browser. The channel is closed when it has returned.
func (a *authenticators) spawn(fn func(context.Context)) <-chan struct{} {
	done := make(chan struct{})
	a.browser.Spawn(func(ctx context.Context) {
		defer close(done)
		fn(ctx)
	})
	return done
}

// delegationLimit is how long a page may take to say what one of its frames may do. One that does not say it lets the
// frame do anything.
const delegationLimit = 2 * time.Second

// delegates reports whether the element that a frame is in lets it have passkeys.
func (l *Loan) delegates(ctx context.Context, tab, frame string) bool {
	ctx, cancel := context.WithTimeout(ctx, delegationLimit)
	defer cancel()
	pages := l.page.Context().Pages()
	i := slices.IndexFunc(pages, func(p *engine.Page) bool { return p.ID() == tab })
	if i < 0 {
		return true
	}
	f := pages[i].Frames().ByID(frame)
	if f == nil || f.Parent() == nil {
		return true
	}
	attributes, err := ownerAttributes(ctx, f)
	return err != nil || slices.ContainsFunc(attributes, func(text string) bool {
		return strings.Contains(strings.ToLower(text), "publickey-credentials")
	})
}

// ownerAttributes are the names and values of the attributes of the element that a frame is in.
func ownerAttributes(ctx context.Context, f *engine.Frame) ([]string, error) {
	sess := f.Parent().Session()
	raw, err := sess.CallRaw(ctx, "DOM.getFrameOwner", map[string]string{"frameId": f.ID()})
	if err != nil {
		return nil, err
	}
	var owner struct {
		Node int64 `json:"backendNodeId"`
	}
	if err := cdp.Unmarshal(raw, &owner); err != nil {
		return nil, err
	}
	if raw, err = sess.CallRaw(ctx, "DOM.describeNode", map[string]int64{"backendNodeId": owner.Node}); err != nil {
		return nil, err
	}
	var described struct {
		Node struct {
			Attributes []string `json:"attributes"`
		} `json:"node"`
	}
	err = cdp.Unmarshal(raw, &described)
	return described.Node.Attributes, err
}

// Elsewhere is the origin that the passkeys are out of use for, or were taken back: it could use them, and is not
// allowed to. Empty means that there is none.
func (l *Loan) Elsewhere() string {
	l.of.mu.Lock()
	defer l.of.mu.Unlock()
	return l.where
}
