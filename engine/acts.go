package engine

import (
	"context"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/world"
	"github.com/skua-browser/skua/internal/fault"
)

// Acting records that something which acts on the page is about to be sent. If the caller's context has ended, it fails
// and nothing may be sent. Call it before sending input, scripts or files.
func (p *Page) Acting(ctx context.Context) error { return acting(ctx, p, cdp.Changing) }

// ActingByOp is [Page.Acting] before calling an op of the in-page script that acts, or answers why it does not.
func ActingByOp(ctx context.Context, p *Page) error { return acting(ctx, p, cdp.Attempting) }

func acting(ctx context.Context, p *Page, count func(context.Context)) error {
	if ctx.Err() != nil {
		return fault.WaitEnded(ctx, "sending input")
	}
	count(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.acts++
	p.dialogs.EndRow()
	return nil
}

// Acts returns how often something that acts on the page was sent so far. When a dialog keeps a caller from an answer,
// the count tells whether the page may have received what was sent.
func (p *Page) Acts() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.acts
}

// Evaluate runs a script in the main frame, in the page's own world, as [world.Run] does.
func (p *Page) Evaluate(ctx context.Context, script string) (world.Value, error) {
	return evaluate(ctx, p, 0, script)
}

// EvaluateIn is [Page.Evaluate] in a world that another program made, such as an extension or an app for its preload
// script. See [world.Named].
func EvaluateIn(ctx context.Context, p *Page, name, script string) (world.Value, error) {
	sessions := &p.ctxt.browser.sessions
	// a session of its own, since it would tell the page's of all its worlds again
	session, err := sessions.attachTo(ctx, p.id)
	if err != nil {
		return world.Value{}, err
	}
	id, err := world.Named(ctx, p.sess.Sibling(session), p.main.ID(), name)
	sessions.detachFrom(session)
	if err != nil {
		return world.Value{}, err
	}
	return evaluate(ctx, p, id, script)
}

func evaluate(ctx context.Context, p *Page, in int64, script string) (world.Value, error) {
	if err := p.Acting(ctx); err != nil {
		return world.Value{}, err
	}
	return world.Run(ctx, p.sess, in, script, func() bool {
		return p.Err() == nil && p.Dialogs().Open() == nil && Departing(p) == nil && !p.ctxt.policies.Shown()
	})
}
