package engine

import (
	"context"
	"strings"
	"sync"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/interception"
	"github.com/skua-browser/skua/internal/fault"
)

// greeting is whether the browser knows the credentials for the proxy of a context's rules.
type greeting struct {
	mu   sync.Mutex // held while the browser learns them
	done bool
}

// ensure has the browser learn what the proxy of the rules wants to know: it keeps that for all that the context asks
// for, workers and its own requests among them.
func (g *greeting) ensure(ctx context.Context, rules *interception.Rules, p *Page) error {
	if !rules.HasProxy() {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.done {
		return nil
	}
	raw, err := p.sess.CallRaw(ctx, "Page.navigate", map[string]string{"url": rules.Proxy.Greeting})
	if err != nil {
		return err
	}
	if !strings.Contains(string(raw), "ERR_ABORTED") { // what an answer without content comes to
		return fault.New(fault.BrowserLaunch, "the browser does not use the proxy that the session's rules need: %s", raw).
			WithHint("Leave out --args that choose a proxy.")
	}
	g.done = true
	return nil
}

const (
	fetchKey = "fetch"
	gateKey  = "gate"
)

// Requests returns the requests of the context: routes, credentials and headers of origins hold in all its pages, in
// their frames and workers, and in those that come. A change returns when page, unless that is nil, has accepted it,
// and is taken back if page refuses it.
func (c *Context) Requests(page *Page) interception.Requests {
	return c.requests.Changed(func(ctx context.Context, enable *interception.Enable) error {
		return pauseRequests(ctx, c, page, enable)
	})
}

// pauseRequests has the browser pause what enable says, or nil.
func pauseRequests(ctx context.Context, c *Context, page *Page, enable *interception.Enable) error {
	var to *Override
	if enable != nil {
		to = &Override{
			What:    "routes, credentials and headers of origins",
			Calls:   []cdp.Call{enable.Call()},
			Undo:    []cdp.Call{interception.Disable()},
			Frames:  true,
			Workers: true,
		}
	}
	return c.overrides.Set(ctx, page, fetchKey, to)
}

// Gate has the rules apply to the context, before it has any pages of its own. They stay.
func (c *Context) Gate(ctx context.Context, rules *interception.Rules) error {
	c.requests.SetRules(rules)
	if c.browser.blindTo() && !rules.FilesOnly {
		return fault.New(fault.ConnectFailed,
			"this browser does not report new pages, so host rules cannot be enforced in it").
			WithHint("Leave --allowed-domains and --block-private out, or let skua start the browser.")
	}
	if err := c.requests.Refresh(ctx); err != nil {
		return err
	}
	if rules.PausesAll() {
		return confineSockets(ctx, c, rules)
	}
	return nil
}

func (b *Browser) blindTo() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.blind
}

// confineSockets has what is not paused kept from the pages of a browser that has no proxy of ours.
func confineSockets(ctx context.Context, c *Context, rules *interception.Rules) error {
	if err := c.network.Need(ctx, nil, gateKey, NetworkBuffers{}); err != nil {
		return err
	}
	calls, err := rules.Confine()
	if err != nil {
		return err
	}
	if err := c.overrides.Set(ctx, nil, gateKey, &Override{Calls: calls, Frames: true, Workers: true}); err != nil {
		return err
	}
	return c.browser.sessions.hold(ctx)
}
