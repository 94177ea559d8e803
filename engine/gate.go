package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/skua-browser/skua/engine/fault"
)

// GateOptions is what the pages of a context may reach. The engine asks it, and has the browser do as it says: with a Proxy that lets through nothing
// else, only what a tab shows is looked at here; without one, every request is, and what the browser does not tell of is kept from pages as far
// as that can be done.
type GateOptions struct {
	Navigable func(address string) error // why a tab may not show an address; nil: it may
	Loadable  func(address string) error // why a page may not load from an address; nil: it may

	// Refused is called with each request that was refused here: its address, why, and whether it was a navigation of a tab. It must not block.
	Refused func(address string, why error, shown bool)

	Proxy *GateProxy

	// All has every request looked at, also where there is a proxy. Without a proxy that is always so.
	All bool

	// Lookup checks what the host of an address resolves to, where every request is paused; nil: no check. It may block.
	Lookup func(ctx context.Context, address string) error

	Hosts []string // where every request is looked at: the hosts that pages may load from, as in URL patterns; nil: all
}

// GateProxy is the proxy of a context with rules. It is set when the context is created.
type GateProxy struct {
	Address        string
	User, Password string
	Greeting       string // an address that the proxy itself answers without content, so that the browser learns the credentials
	Failed         func(address string) error
}

// FailureReason is implemented by errors of Failed that say, in the words of [AbortReasons], why there is no connection.
type FailureReason interface{ FailureReason() string }

// gating is what is known of a context's rules. The zero value is that of a context without any.
type gating struct {
	rules atomic.Pointer[GateOptions]

	greeting sync.Mutex // held while the browser learns the credentials
	greeted  bool
}

// Gate has the rules apply to the context, before it has any pages of its own. They stay.
func (c *Context) Gate(ctx context.Context, rules *GateOptions) error {
	c.requests.mu.Lock()
	c.gating.rules.Store(rules)
	c.requests.mu.Unlock()
	if c.browser.blindTo() {
		return fault.New(fault.ConnectFailed, "this browser does not tell of what is new, so that it cannot be made to keep to hosts").
			WithHint("Leave --allowed-domains and --block-private out, or let skua start the browser.")
	}
	if err := c.intercept(ctx, nil, func(*interception) error { return nil }); err != nil {
		return err
	}
	if rules.all() {
		return c.gateSockets(ctx, rules)
	}
	return nil
}

// patterns are what the browser has to pause for the rules.
func (g *GateOptions) patterns() []fetchRequestPattern {
	switch {
	case g == nil:
		return nil
	case g.all():
		return []fetchRequestPattern{{URLPattern: "*"}}
	}
	return []fetchRequestPattern{{URLPattern: "*", ResourceType: typeDocument}}
}

func (g *GateOptions) all() bool { return g.Proxy == nil || g.All }

func (g *GateOptions) hasProxy() bool { return g != nil && g.Proxy != nil }

const typeDocument = "Document"

// greet has the browser learn what the proxy of the rules wants to know: it keeps that for all that the context asks for, workers and its own
// requests among them.
func (c *Context) greet(ctx context.Context, p *Page) error {
	g := c.gating.rules.Load()
	if !g.hasProxy() {
		return nil
	}
	c.gating.greeting.Lock()
	defer c.gating.greeting.Unlock()
	if c.gating.greeted {
		return nil
	}
	raw, err := p.sess.CallRaw(ctx, "Page.navigate", map[string]string{"url": g.Proxy.Greeting})
	if err != nil {
		return err
	}
	if !strings.Contains(string(raw), "ERR_ABORTED") { // what an answer without content comes to
		return fault.New(fault.BrowserLaunch, "the browser does not use the proxy that the session's rules need: %s", raw).
			WithHint("Leave out --args that choose a proxy.")
	}
	c.gating.greeted = true
	return nil
}

// check asks the rules about a request. It returns nil when it may go on.
func (g *GateOptions) check(q *pausedRequest, shown bool) error {
	switch {
	case g == nil, g.Proxy != nil && q.Request.URL == g.Proxy.Greeting:
		return nil
	case shown:
		return g.Navigable(q.Request.URL)
	}
	return g.Loadable(q.Request.URL)
}

// refuse ends a request that the rules forbid. A tab that was to show it stays where it is.
func (c *Context) refuse(q *pausedRequest, why error, shown bool) {
	reason := "BlockedByClient"
	if shown {
		reason = "Aborted"
		q.page.refusedTo(q.Request.URL, why)
	}
	q.sess.Start("Fetch.failRequest", map[string]string{"requestId": q.RequestID, "errorReason": reason})
	if told := c.gating.rules.Load().Refused; told != nil {
		told(q.Request.URL, why, shown)
	}
}

// lookUp asks what the names in the request's address are, and goes on with it then.
func (c *Context) lookUp(g *GateOptions, q *pausedRequest) {
	c.browser.Spawn(func(ctx context.Context) {
		why := g.Lookup(ctx, q.Request.URL)
		c.later(func() {
			if q.looked = true; why != nil {
				c.refuse(q, why, q.shown())
				return
			}
			c.paused(q)
		})
	})
}

func (b *Browser) blindTo() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.blind
}

// shown reports whether the request is for what a tab itself is to show.
func (q *pausedRequest) shown() bool {
	return q.ResourceType == typeDocument && q.page != nil && q.FrameID == q.page.id
}

// gateFailed says why an answer did not come that the proxy of the rules would not or could not get; empty: it is as the browser says.
func (c *Context) gateFailed(q *pausedRequest) string {
	g := c.gating.rules.Load()
	if !g.hasProxy() || q.ErrorReason == "" {
		return ""
	}
	err := g.Proxy.Failed(q.Request.URL)
	if err == nil {
		return ""
	}
	if why, is := err.(FailureReason); is && slices.Contains(AbortReasons(), why.FailureReason()) {
		return why.FailureReason()
	}
	blocked := fault.Is(err, fault.PolicyBlocked)
	if !blocked && !fault.Is(err, fault.NavigationFailed) || !q.shown() {
		return ""
	}
	q.page.refusedTo(q.Request.URL, err)
	if blocked && g.Refused != nil {
		g.Refused("", err, true) // the proxy has told the rest
	}
	return "Aborted"
}

// refusedTo notes that the tab was not to show something.
func (p *Page) refusedTo(address string, why error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refusals++
	p.refusal = refusedAddress(why, address)
	p.broadcastLocked()
}

func refusedAddress(why error, address string) error {
	f := fault.New(fault.PolicyBlocked, "%s", why.Error())
	if said, ok := errors.AsType[*fault.Error](why); ok {
		*f = *said
		f.Facts = map[string]any{}
		maps.Copy(f.Facts, said.Facts)
	}
	return f.With("url", address)
}

// gated returns why the tab may not show an address, and tells who is to hear of it.
func (p *Page) gated(address string) error {
	g := p.ctxt.gating.rules.Load()
	if g == nil {
		return nil
	}
	why := g.Navigable(address)
	if why == nil {
		return nil
	}
	if g.Refused != nil {
		g.Refused(address, why, false) // the request fails with the error
	}
	return refusedAddress(why, address)
}

// refusedSince returns why the tab was not to show something since the moment; nil: that has not been.
func (p *Page) refusedSince(before point) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.refusals == before.refusals {
		return nil
	}
	return p.refusal
}
