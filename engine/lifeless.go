package engine

import "context"

// lifeless is what is known of a page that had no process when it was attached to. What it was told then reaches the process that it gets, if it
// was discarded, and is lost if it had crashed: Chromium tells of the new process of the latter alone, which then is told again.
type lifeless struct {
	is        bool
	returning bool       // it has a process, and is being set up
	stopped   *pageEvent // it stopped loading meanwhile
}

// processCameLocked sets a page up that has a process again after a crash. The caller holds p.mu.
func (p *Page) processCameLocked() {
	if !p.lifeless.is {
		return
	}
	p.lifeless = lifeless{returning: true}
	p.failed = nil
	p.sess.Fail(nil)
	commits := p.main.commits
	p.ctxt.browser.Spawn(func(ctx context.Context) {
		if err := p.setUp(ctx, true); err != nil {
			p.ctxt.browser.log.Info("page not set up that came back", "target", p.id, "err", err)
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		stopped := p.lifeless.stopped
		p.lifeless = lifeless{}
		f := p.main
		switch {
		case f.commits == commits && f.loader != "" && f.loader == p.nav.started: // the document was there before we could be told
			f.commits++
			p.arrivals++
			p.nav.committedLocked(f)
			p.ctxt.notice.tell()
		case stopped != nil && f.commits == commits:
			p.nav.stoppedLocked(p, stopped)
		}
		p.broadcastLocked()
	})
}
