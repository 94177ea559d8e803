package session

import (
	"context"
	"time"

	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/session/ledger"
)

// lull is how long a session is left alone before it is looked at what a crash would take from it.
const lull = 700 * time.Millisecond

// lookLimit bounds that look: a page that hangs is not waited for.
const lookLimit = 2 * time.Second

// seen is what was last seen of a session's pages, for the case that they crash.
type seen struct {
	timer   *time.Timer
	offsets map[string]scrolled // by id of the tab
	cookies []storage.NewCookie
}

// scrolled is how far a tab was scrolled at an address.
type scrolled struct {
	url    string
	offset ledger.Offset
}

func (s *seen) forgetLocked() {
	if s.timer != nil {
		s.timer.Stop()
	}
	*s = seen{}
}

func (s *seen) keepLocked(k ledger.Tab) {
	if s.offsets == nil {
		s.offsets = map[string]scrolled{}
	}
	s.offsets[k.ID] = scrolled{url: k.URL, offset: k.Scroll}
}

// noteLater has the session looked at when it is left alone for a moment: behind commands and not between them.
func (s *Session) noteLater() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revived = false
	if s.holds == nil || s.holds.launch.Connect != nil || s.manager.brief {
		return
	}
	if s.seen.timer == nil {
		s.seen.timer = time.AfterFunc(lull, s.look)
		return
	}
	s.seen.timer.Reset(lull)
}

// look asks the browser how far the active tab is scrolled, and for the cookies. It ends with the session or within lookLimit.
func (s *Session) look() {
	if s.queue.Taken() { // whoever works in the session now will have it looked at
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), lookLimit)
	defer cancel()
	ctx, stop := s.during(ctx)
	defer stop()
	s.mu.Lock()
	lease, tab := s.holds, s.active
	s.mu.Unlock()
	if lease == nil || lease.browser.Err() != nil {
		return
	}
	if !s.manager.browsers.Shared() { // a profile that is kept has them itself
		if cookies, err := storage.Cookies(ctx, lease.context); err == nil {
			kept := make([]storage.NewCookie, 0, len(cookies))
			for _, c := range cookies {
				kept = append(kept, c.Again())
			}
			s.mu.Lock()
			if s.holds == lease {
				s.seen.cookies = kept
			}
			s.mu.Unlock()
		}
	}
	if tab == nil || tab.Page.Err() != nil || !tab.Page.Attached() || tab.Page.Dialog() != nil {
		return
	}
	url := tab.Page.URL()
	offset, err := ledger.ScrollOffset(ctx, tab.Page)
	if err != nil || tab.Page.URL() != url {
		return
	}
	s.mu.Lock()
	current := s.holds == lease
	if current {
		s.seen.keepLocked(ledger.Tab{ID: tab.ID, URL: url, Scroll: offset})
		s.crashes.forget(url) // it has outlived what was done with it
	}
	s.mu.Unlock()
	if current {
		s.remember()
	}
}
