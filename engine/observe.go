package engine

import (
	"slices"

	"github.com/skua-browser/skua/engine/cdp"
)

// Observe calls fn with each event of the page's sessions from now on, those of its frames in other processes and of its workers included, after
// the page has taken it in. It runs on the connection's reader: like that of [cdp.Session.Tap] it may only change state, wake waiters and start
// calls. It ends with the page.
func (p *Page) Observe(fn func(*cdp.Session, cdp.Event)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []func(*cdp.Session, cdp.Event)
	if now := p.observers.Load(); now != nil {
		all = slices.Clone(*now)
	}
	all = append(all, fn)
	p.observers.Store(&all)
}

// onEvent takes an event in and tells those who observe the page.
func (p *Page) onEvent(sess *cdp.Session, ev cdp.Event) {
	p.takeIn(sess, ev)
	if observers := p.observers.Load(); observers != nil {
		for _, fn := range *observers {
			fn(sess, ev)
		}
	}
}
