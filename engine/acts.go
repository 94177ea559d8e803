package engine

import "context"

// Acting counts that something which acts on the page is now sent to it. It fails, and then nothing may be sent, when the caller's context has
// ended. Packages on top of this one call it before they send input, scripts and files; whoever calls an op of the in-page script that acts calls
// it too.
func (p *Page) Acting(ctx context.Context) error {
	if ctx.Err() != nil {
		return WaitEnded(ctx, "sending input")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.acts++
	return nil
}

// Acts returns how often something that acts on the page was sent so far. When a dialog keeps a caller from an answer, the count tells whether
// the page may have received what was sent.
func (p *Page) Acts() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.acts
}
