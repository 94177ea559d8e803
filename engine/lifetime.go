package engine

import (
	"cmp"

	"github.com/skua-browser/skua/engine/world"
	"github.com/skua-browser/skua/internal/fault"
)

// lifetime is whether a page can be used. One that crashed can be used again when it commits another document; one that
// is gone never can. It is guarded by the page's lock, which the callers of methods whose names end in Locked hold.
type lifetime struct {
	page    *Page
	done    chan struct{} // closed when the page is gone
	failed  *fault.Error  // why it crashed
	gone    bool
	closing bool // a caller has asked for its end
}

// Done is closed when the page is gone for good.
func (p *Page) Done() <-chan struct{} { return p.life.done }

// Err returns why the page cannot be used: it was closed, crashed, or its browser ended. Nil while it can.
func (p *Page) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.life.errLocked()
}

// EndedByCaller reports whether a caller ended the page, by closing it, its context or its browser. A page that a
// person closed is not among these.
func (p *Page) EndedByCaller() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.life.gone && (p.life.closing || p.ctxt.closing.Load() || p.ctxt.browser.ending.Load())
}

func (l *lifetime) errLocked() error {
	if !l.gone && l.failed != nil {
		return l.failed
	}
	return l.endedLocked()
}

// endedLocked returns why the page never comes back, or nil: a page that crashed may.
func (l *lifetime) endedLocked() error {
	if l.gone {
		return fault.New(fault.PageGone, "the tab was closed").WithHint("Use `tab list` to see the open tabs.")
	}
	return l.page.ctxt.browser.Err()
}

func (l *lifetime) isGone() bool {
	l.page.mu.Lock()
	defer l.page.mu.Unlock()
	return l.gone
}

// revive lets a crashed page be asked for a navigation, which gives it a new renderer.
func (l *lifetime) revive() {
	p := l.page
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.sessions.exited, p.sess)
	if l.failed != nil {
		l.failed = nil
		p.sess.Fail(nil)
	}
}

// end is called on the reader goroutine when the target is gone.
func (l *lifetime) end() {
	p := l.page
	p.ctxt.pages.remove(p)
	p.mu.Lock()
	if !l.gone {
		close(l.done)
	}
	l.gone = true
	p.dialogs.End()
	p.watches.interrupt(l.errLocked())
	p.mu.Broadcast()
	p.sessions.leaveWorkers()
	p.mu.Unlock()
	p.sess.Detached()
	p.ctxt.notice.tell()
}

// crash marks the page as crashed until it commits another document.
func (l *lifetime) crash(err *fault.Error) { l.page.mu.Do(func() { l.crashLocked(err) }) }

func (l *lifetime) crashLocked(err *fault.Error) {
	p := l.page
	l.failed = err.About(cmp.Or(p.main.url, p.told.url))
	p.sess.Fail(l.failed)
	for _, f := range p.frames.byID {
		if f.sess == p.sess {
			f.world.current = world.World{} // the documents went with the renderer
		}
	}
	p.dialogs.End()
	p.watches.interrupt(l.failed)
	p.mu.Broadcast()
}
