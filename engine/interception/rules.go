package interception

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/skua-browser/skua/internal/fault"
)

// Rules are what the pages of a context may reach. They are asked here, and the browser is made to do as they say: with
// a Proxy that lets through nothing else, only what a tab shows is looked at here; without one, every request is, and
// what the browser does not report is kept from pages as far as that can be done.
type Rules struct {
	Navigable func(address string) error // why a tab may not show an address; nil means that it may
	Loadable  func(address string) error // why a page may not load from an address; nil means that it may

	// Refused is called with each request that was refused here: its address, why, and whether it was a navigation of a
	// tab. It must not block.
	Refused func(address string, why error, shown bool)

	Proxy *Proxy

	// All has every request looked at, also where there is a proxy. Without a proxy that is always so.
	All bool

	// FilesOnly has only file: addresses looked at.
	FilesOnly bool

	// Lookup checks what the host of an address resolves to, where every request is paused; nil means no check. It may
	// block.
	Lookup func(ctx context.Context, address string) error

	// where every request is looked at: the hosts that pages may load from, as in URL patterns; nil means all
	Hosts []string
}

// Proxy is the proxy of a context with rules. It is set when the context is created.
type Proxy struct {
	Address        string
	User, Password string
	// an address that the proxy itself answers without content, so that the browser learns the credentials
	Greeting string
	Failed   func(address string) error
}

// FailureReason is implemented by errors of Failed that say, in the words of [AbortReasons], why there is no
// connection.
type FailureReason interface{ FailureReason() string }

// patterns are what the browser has to pause for the rules.
func (g *Rules) patterns() []Pattern {
	switch {
	case g == nil:
		return nil
	case g.PausesAll():
		return []Pattern{{URLPattern: "*"}}
	case g.FilesOnly:
		return []Pattern{{URLPattern: filePattern}}
	}
	return []Pattern{{URLPattern: "*", ResourceType: typeDocument}, {URLPattern: filePattern}}
}

// filePattern matches local files, which no proxy sees.
const filePattern = "file:*"

// PausesAll reports whether every request is looked at.
func (g *Rules) PausesAll() bool { return !g.FilesOnly && (g.Proxy == nil || g.All) }

// HasProxy reports whether there are rules with a proxy.
func (g *Rules) HasProxy() bool { return g != nil && g.Proxy != nil }

const typeDocument = "Document"

// Navigate returns why a tab may not show an address, and tells who is to hear of it. It returns nil when it may, and
// without rules.
func (g *Rules) Navigate(address string) error {
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
	return refusal(why, address)
}

// check asks the rules about a request. It returns nil when it may go on.
func (g *Rules) check(q *pausedRequest, shown bool) error {
	switch {
	case g == nil, g.Proxy != nil && q.Request.URL == g.Proxy.Greeting:
		return nil
	case shown:
		return g.Navigable(q.Request.URL)
	}
	return g.Loadable(q.Request.URL)
}

// refuse ends a request that the rules forbid. A tab that was to show it stays where it is.
func (i *Interception) refuse(q *pausedRequest, why error, shown bool) {
	reason := "BlockedByClient"
	if shown {
		reason = "Aborted"
		q.tab.Refused(refusal(why, q.Request.URL))
	}
	q.sess.Start("Fetch.failRequest", map[string]string{"requestId": q.RequestID, "errorReason": reason})
	if told := i.Rules().Refused; told != nil {
		told(q.Request.URL, why, shown)
	}
}

// lookUp asks what the names in the request's address are, and goes on with it then.
func (i *Interception) lookUp(g *Rules, q *pausedRequest) {
	i.owner.Spawn(func(ctx context.Context) {
		why := g.Lookup(ctx, q.Request.URL)
		i.later(func() {
			if q.looked = true; why != nil {
				i.refuse(q, why, q.shown())
				return
			}
			i.paused(q)
		})
	})
}

// shown reports whether the request is for what a tab itself is to show.
func (q *pausedRequest) shown() bool {
	return q.ResourceType == typeDocument && q.tab != nil && q.FrameID == q.tab.ID
}

// gateFailed says why an answer did not come that the proxy of the rules would not or could not get; empty means that
// it is as the browser says.
func (i *Interception) gateFailed(q *pausedRequest) string {
	g := i.Rules()
	if !g.HasProxy() || q.ErrorReason == "" {
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
	q.tab.Refused(refusal(err, q.Request.URL))
	if blocked && g.Refused != nil {
		g.Refused("", err, true) // the proxy has told the rest
	}
	return "Aborted"
}

// refusal is the error of what was not to be shown.
func refusal(why error, address string) error {
	f := fault.New(fault.PolicyBlocked, "%s", why.Error())
	if said, ok := errors.AsType[*fault.Error](why); ok {
		*f = *said
		f.Facts = maps.Clone(said.Facts)
	}
	return f.With("url", address)
}
