package lifecycle

import (
	"context"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/crash"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/lease"
)

// A browser can run and answer, and still open no pages: it hangs, or cannot start processes. A session leaves such a
// browser for another one and restores its tabs there, as after a crash. Other sessions stay in it for as long as their
// pages live.

// How long an empty page may take to open: a third of the command's remaining time, within these limits, so that there
// is time for another browser. A browser on an overloaded machine is slow, not unhealthy, and a caller with a long
// timeout prefers its own pages.
const (
	pageLimit    = 10 * time.Second // without a deadline
	pagePatience = 40 * time.Second
)

// unusable reports whether the session's own browser has ended or is unhealthy, and the session has not handled that
// yet.
func (b *Browser) unusable() bool {
	lease, active := b.current()
	if lease == nil || lease.Launch.Connect != nil {
		return false
	}
	return lease.Browser.Err() != nil || active != nil && b.abandonFor(active.Page.Err()) || lease.Unhealthy.Load()
}

// abandonFor reports whether a page or a command has failed because the browser cannot start a process. If so, the
// session leaves the browser.
func (b *Browser) abandonFor(err error) bool {
	if err == nil || !crash.HasNoProcess(err) {
		return false
	}
	lease := b.Lease()
	if lease == nil || lease.Retire == nil {
		return false
	}
	b.abandon(lease, err)
	return true
}

// abandon marks a browser as unhealthy: the session leaves it at its next step, and no other session gets it.
func (b *Browser) abandon(l *lease.Lease, why error) {
	if l.Unhealthy.Swap(true) {
		return
	}
	b.Log.Warn("the browser opens no page", "session", b.Session, "browser", l.Browser.PID(), "err", why)
	l.Retire()
}

// openPage opens an empty page with open. The session abandons its own browser if that takes too long or the page gets
// no process. A page that crashes for another reason is tried once more.
func (b *Browser) openPage(
	ctx context.Context, l *lease.Lease, open func(context.Context) (*engine.Page, error),
) (*engine.Page, error) {
	if l.Retire == nil {
		return open(ctx)
	}
	limit := pageLimit
	if deadline, ok := ctx.Deadline(); ok {
		limit = min(pagePatience, time.Until(deadline)/3)
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	page, err := open(limited)
	if fault.Is(err, fault.PageCrashed) && !crash.HasNoProcess(err) {
		page, err = open(limited)
	}
	if err != nil && ctx.Err() == nil && (limited.Err() != nil || fault.Is(err, fault.PageCrashed)) {
		b.abandon(l, err)
	}
	return page, err
}
