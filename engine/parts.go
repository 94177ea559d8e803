package engine

import (
	"context"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/dialogs"
	"github.com/skua-browser/skua/engine/traffic"
)

// The parts of a page that are packages of their own, and what each has to know of it.

// Dialogs are the JavaScript dialogs of the page.
func (p *Page) Dialogs() *dialogs.Dialogs { return p.dialogs }

// DialogPolicies say how the pages of the context treat their dialogs.
func (c *Context) DialogPolicies() *dialogs.Policies { return &c.policies }

func newDialogs(p *Page, cause *dialogs.Override) *dialogs.Dialogs {
	c := p.ctxt
	return dialogs.New(dialogs.Owner{
		ID:       p.id,
		State:    p.mu,
		Session:  p.sess,
		Policies: &c.policies,
		Cause:    cause,
		Unseen:   p.background.Load,
		Opened: func(d *dialogs.Dialog) {
			p.watches.interruptByDialog(d.Err())
			c.browser.Spawn(func(ctx context.Context) { dialogShown(ctx, p) })
		},
		Changed: c.notice.tell,
		Spawn:   c.browser.Spawn,
		Log:     c.browser.log,
	})
}

// networkEnable asks for events without the bodies, which the browser would keep for us.
var networkEnable = NetworkBuffers{}.enable()

// Traffic is what the page and its frames ask for.
func (p *Page) Traffic() *traffic.Traffic { return p.traffic }

func newTraffic(p *Page) *traffic.Traffic {
	tell := func(call cdp.Call) {
		p.sess.Start(call.Method, call.Params)
		for id := range p.sessions.frames {
			p.ctxt.browser.conn.Session(id).Start(call.Method, call.Params)
		}
	}
	return traffic.New(traffic.Owner{
		Main:  p.id,
		State: p.mu,
		Watch: func(on bool) {
			if on {
				tell(networkEnable)
				return
			}
			tell(cdp.Call{Method: "Network.disable"})
		},
		Told: func() bool { return p.ctxt.overrides.Has(networkKey) },
		Document: func() traffic.Document {
			l := &p.main.loaded
			return traffic.Document{Loader: l.loader, Loaded: l.load, LoadedAt: l.loadedAt, Idle: l.networkIdle}
		},
	})
}
