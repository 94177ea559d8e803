package session

import (
	"context"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
)

// A browser may run and answer, and open no page any more: it hangs, or it can start no processes. A session of ours that finds that leaves it for
// another one, and gets its tabs again there as if it had ended. Others stay in it for as long as their pages live.

// How long an empty page may take to open: a third of what its command has left, so that there is time for another browser, within these limits.
// A browser on a machine that is overloaded for seconds is slow and not sick, and whoever gave a command much time prefers its pages to a new one.
const (
	pageLimit    = 10 * time.Second // without a deadline
	pagePatience = 40 * time.Second
)

// browserEnded reports whether the session has lost a browser that it had started, and has not noticed yet.
func (s *Session) browserEnded() bool {
	s.mu.Lock()
	active, lease := s.active, s.holds
	s.mu.Unlock()
	if lease == nil || lease.launch.Connect != nil {
		return false
	}
	if lease.browser.Err() != nil || active != nil && s.leavesBarren(active) {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return lease.sick
}

// leavesBarren reports whether a tab has no process since the browser can start none. If so, the session leaves that browser.
func (s *Session) leavesBarren(tab *actions.Tab) bool { return s.leavesFor(tab.Page.Err()) }

// leavesFor is leavesBarren by the error of a command.
func (s *Session) leavesFor(err error) bool {
	if err == nil || !engine.HasNoProcess(err) {
		return false
	}
	s.mu.Lock()
	lease := s.holds
	s.mu.Unlock()
	if lease == nil || lease.retire == nil {
		return false
	}
	s.leaves(lease, err)
	return true
}

// leaves has the session leave a browser that opens no page any more, with the next step that needs one, and no other session get it.
func (s *Session) leaves(l *lease, why error) {
	s.mu.Lock()
	was := l.sick
	l.sick = true
	s.mu.Unlock()
	if was {
		return
	}
	s.manager.log.Warn("the browser opens no page", "session", s.name, "browser", l.browser.PID(), "err", why)
	l.retire()
}

// openPage opens an empty page by open. A browser of ours in which that takes too long, or that has no process for it, is left. A page
// that crashes for another reason may have met with an accident, and has a second try.
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
		s.leaves(l, err)
	}
	return page, err
}

// inSound runs a step, and again in another browser where it finds that the session's browser has ended or opens no page any more.
func (s *inCall) inSound(ctx context.Context, step func() error) error {
	for try := 1; ; try++ {
		err := step()
		if err == nil || try == maxRevivals || !s.browserEnded() {
			return err
		}
		if err := s.revive(ctx); err != nil {
			return err
		}
	}
}
