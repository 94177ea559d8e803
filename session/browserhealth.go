package session

import (
	"context"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
)

// A browser can run and answer, and still open no pages: it hangs, or cannot start processes. A session leaves such a browser for another one and
// restores its tabs there, as after a crash. Other sessions stay in it for as long as their pages live.

// How long an empty page may take to open: a third of the command's remaining time, within these limits, so that there is time for another browser. A
// browser on an overloaded machine is slow, not unhealthy, and a caller with a long timeout prefers its own pages.
const (
	pageLimit    = 10 * time.Second // without a deadline
	pagePatience = 40 * time.Second
)

// browserEnded reports whether the session's own browser has ended or is unhealthy, and the session has not handled that yet.
func (s *Session) browserEnded() bool {
	s.mu.Lock()
	active, lease := s.active, s.lease
	s.mu.Unlock()
	if lease == nil || lease.launch.Connect != nil {
		return false
	}
	if lease.browser.Err() != nil || active != nil && s.abandonUnhealthyBrowser(active) {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return lease.unhealthy
}

// abandonUnhealthyBrowser reports whether a tab has no process because the browser cannot start one. If so, the session leaves the browser.
func (s *Session) abandonUnhealthyBrowser(tab *actions.Tab) bool {
	return s.abandonForError(tab.Page.Err())
}

// abandonForError is abandonUnhealthyBrowser for the error of a command.
func (s *Session) abandonForError(err error) bool {
	if err == nil || !engine.HasNoProcess(err) {
		return false
	}
	s.mu.Lock()
	lease := s.lease
	s.mu.Unlock()
	if lease == nil || lease.retire == nil {
		return false
	}
	s.abandon(lease, err)
	return true
}

// abandon marks a browser as unhealthy: the session leaves it at its next step, and no other session gets it.
func (s *Session) abandon(l *lease, why error) {
	s.mu.Lock()
	was := l.unhealthy
	l.unhealthy = true
	s.mu.Unlock()
	if was {
		return
	}
	s.manager.log.Warn("the browser opens no page", "session", s.name, "browser", l.browser.PID(), "err", why)
	l.retire()
}

// openPage opens an empty page with open. The session abandons its own browser if that takes too long or the page gets no process. A page that
// crashes for another reason is tried once more.
func (s *Session) openPage(ctx context.Context, l *lease, open func(context.Context) (*engine.Page, error)) (*engine.Page, error) {
	if l.retire == nil {
		return open(ctx)
	}
	limit := pageLimit
	if deadline, ok := ctx.Deadline(); ok {
		limit = min(pagePatience, time.Until(deadline)/3)
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	page, err := open(limited)
	if fault.Is(err, fault.PageCrashed) && !engine.HasNoProcess(err) {
		page, err = open(limited)
	}
	if err != nil && ctx.Err() == nil && (limited.Err() != nil || fault.Is(err, fault.PageCrashed)) {
		s.abandon(l, err)
	}
	return page, err
}

// withBrowserRetry runs a step, and again in another browser if the session's browser has ended or is unhealthy.
func (s *callSession) withBrowserRetry(ctx context.Context, step func() error) error {
	for try := 1; ; try++ {
		err := step()
		if err == nil || try == maxRecoveries || !s.browserEnded() {
			return err
		}
		if err := s.recoverBrowser(ctx); err != nil {
			return err
		}
	}
}
