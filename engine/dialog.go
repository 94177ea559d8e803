package engine

import (
	"context"

	"github.com/skua-browser/skua/engine/dialogs"
)

// Dialogs are the JavaScript dialogs of the page.
func (p *Page) Dialogs() *dialogs.Dialogs { return p.dialogs }

// DialogPolicies say how the pages of the context treat their dialogs.
func (c *Context) DialogPolicies() *dialogs.Policies { return &c.policies }

func newDialogs(p *Page, cause *dialogs.Override) *dialogs.Dialogs {
	c := p.ctxt
	return dialogs.New(dialogs.Owner{
		ID: p.id, State: p.mu, Session: p.sess, Policies: &c.policies, Cause: cause,
		Unseen: p.background.Load,
		Opened: func(d *dialogs.Dialog) {
			p.interruptByDialogLocked(d.Err())
			c.browser.Spawn(func(ctx context.Context) { c.dialogShown(ctx, p) })
		},
		Changed: c.notice.tell,
		Spawn:   c.browser.Spawn,
		Log:     c.browser.log,
	})
}
