package session

import (
	"context"
	"time"

	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/session/ledger"
)

// debounceInterval is how long a session must be idle before its checkpoint is taken.
const debounceInterval = 700 * time.Millisecond

// checkpointLimit bounds a checkpoint: a hung page is skipped.
const checkpointLimit = 2 * time.Second

// checkpoint is what a session restores after a crash: cookies and scroll positions.
type checkpoint struct {
	timer   *time.Timer
	offsets map[string]scrollPosition // by id of the tab
	cookies []storage.NewCookie
}

// scrollPosition is how far a tab was scrolled at an address.
type scrollPosition struct {
	url    string
	offset ledger.Offset
}

func (s *checkpoint) forgetLocked() {
	if s.timer != nil {
		s.timer.Stop()
	}
	*s = checkpoint{}
}

func (s *checkpoint) keepLocked(k ledger.Tab) {
	if s.offsets == nil {
		s.offsets = map[string]scrollPosition{}
	}
	s.offsets[k.ID] = scrollPosition{url: k.URL, offset: k.Scroll}
}

// checkpointLater schedules a checkpoint for when the session is idle, so that it never delays a command.
func (s *Session) checkpointLater() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reloadedTab = false
	if s.lease == nil || s.lease.launch.Connect != nil || s.manager.brief {
		return
	}
	if s.checkpoint.timer == nil {
		s.checkpoint.timer = time.AfterFunc(debounceInterval, s.takeCheckpoint)
		return
	}
	s.checkpoint.timer.Reset(debounceInterval)
}

// takeCheckpoint reads the cookies and the scroll position of the active tab. It ends with the session or after checkpointLimit.
func (s *Session) takeCheckpoint() {
	if s.queue.Busy() { // the running command schedules the next checkpoint
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), checkpointLimit)
	defer cancel()
	ctx, stop := s.untilClosed(ctx)
	defer stop()
	s.mu.Lock()
	lease, tab := s.lease, s.active
	s.mu.Unlock()
	if lease == nil || lease.browser.Err() != nil {
		return
	}
	if !s.manager.browsers.Shared() { // a persistent profile keeps its own cookies
		if cookies, err := storage.Cookies(ctx, lease.context); err == nil {
			kept := make([]storage.NewCookie, 0, len(cookies))
			for _, c := range cookies {
				kept = append(kept, c.Again())
			}
			s.mu.Lock()
			if s.lease == lease {
				s.checkpoint.cookies = kept
			}
			s.mu.Unlock()
		}
	}
	if tab == nil || tab.Page.Err() != nil || !tab.Page.Attached() || tab.Page.Dialogs().Open() != nil {
		return
	}
	url := tab.Page.URL()
	offset, err := ledger.ScrollOffset(ctx, tab.Page)
	if err != nil || tab.Page.URL() != url {
		return
	}
	s.mu.Lock()
	current := s.lease == lease
	if current {
		s.checkpoint.keepLocked(ledger.Tab{ID: tab.ID, URL: url, Scroll: offset})
		s.crashes.forget(url) // it survived the last command
	}
	s.mu.Unlock()
	if current {
		s.remember()
	}
}
