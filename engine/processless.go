package engine

import "context"

// processless is the state of a page that had no process when it was attached to. If it was discarded, the commands sent then reach its next process.
// If it had crashed, they are lost; Chromium reports a new process only in that case, and the page is set up again.
type processless struct {
	is        bool
	returning bool       // it has a process again, and is being set up
	stopped   *pageEvent // of its stop of loading meanwhile
}

// processCameLocked sets up a page that got a new process after a crash. The caller holds p.mu.
func (p *Page) processCameLocked() {
	if !p.processless.is {
		return
	}
	p.processless = processless{returning: true}
	p.failed = nil
	p.sess.Fail(nil)
	commits := p.main.commits
	p.ctxt.browser.Spawn(func(ctx context.Context) {
		if err := p.setUp(ctx, true); err != nil {
			p.ctxt.browser.log.Info("page not set up after it got a new process", "target", p.id, "err", err)
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		stopped := p.processless.stopped
		p.processless = processless{}
		f := p.main
		switch {
		case f.commits == commits && f.loader != "" && f.loader == p.nav.started: // the document was committed before its event could arrive
			f.commits++
			p.frames.arrivals++
			p.nav.committedLocked(f)
			p.ctxt.notice.tell()
		case stopped != nil && f.commits == commits:
			p.nav.stoppedLocked(p, stopped)
		}
		tellDeparture(p, p.id)
		p.mu.Broadcast()
	})
}
