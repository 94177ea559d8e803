package session

import (
	"context"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/initscript"
	"github.com/skua-browser/skua/guard/gate"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/launch"
)

// lease is a session's use of a browser: the browser, the session's context in it, and how to give them back.
type lease struct {
	browser *engine.Browser
	context *engine.Context
	launch  launch.Options
	saved   *launch.SavedOptions // what the ledger saves of launch

	endpoint   string // the WebSocket URL of a connected browser, with its secrets
	at         launch.Endpoint
	overrides  []string              // overrides that were applied again after a reconnect
	lost       []string              // what a reconnect lost
	disconnect func(context.Context) // ends the connection without giving the browser back
	about      string                // a description of the browser; empty: use the browser's own
	release    func(context.Context)

	retire    func() // keeps other sessions from getting the browser; nil: no other session uses it
	unhealthy bool   // the browser opens no pages; guarded by the session's mu

	appRests    bool // the launched app goes on without a window; guarded by the session's mu
	appEndNoted bool // a notice has reported the end of the launched app; guarded by the session's mu
}

// start gets a browser and a context for the session, and the pages that they already show. They become the session's with adopt. The caller holds
// s.starting.
func (s *Session) start(ctx context.Context, l launch.Options) (*lease, []*engine.Page, error) {
	l = l.WithGates()
	if l.Connect != nil {
		return s.attach(ctx, l)
	}
	if s.manager.browsers.Shared() {
		l, err := s.startShared(ctx, l)
		return l, nil, err
	}
	lease, err := s.startLocal(ctx, l)
	return lease, nil, err
}

// startLocal starts a browser of this machine, with what plugins add to it.
func (s *Session) startLocal(ctx context.Context, l launch.Options) (*lease, error) {
	if l.Extend == nil {
		return s.startPlainLocal(ctx, l)
	}
	added, err := l.Extend(ctx, &l)
	if err != nil {
		return nil, err
	}
	l.Added = added.Notes
	lease, err := s.startPlainLocal(ctx, l)
	if err != nil {
		return nil, err
	}
	for _, script := range added.Scripts {
		if _, err := initscript.Add(ctx, lease.context, nil, script.Name, script.Source); err != nil {
			lease.release(context.WithoutCancel(ctx))
			return nil, err
		}
	}
	return lease, nil
}

func (s *Session) startPlainLocal(ctx context.Context, l launch.Options) (*lease, error) {
	if l.OwnBrowser() { // a window belongs to one session, too
		return s.startDedicated(ctx, l)
	}
	asked := l
	l, guard, err := s.openGate(l)
	if err != nil {
		return nil, err
	}
	return s.leaseContext(ctx, l.Browser.Key(), l, asked, guard, func(ctx context.Context, b *engine.Browser) (*engine.Context, error) {
		return b.NewContext(ctx, l.Context)
	})
}

// leaseContext takes a browser of the pool and creates a context in it. A browser that does not answer is replaced once. asked is the launch as the
// caller wants it, without the gate's additions.
func (s *Session) leaseContext(ctx context.Context, key string, l, asked launch.Options, guard *gate.Gate, makes contextMaker) (*lease, error) {
	closeGate := gateCloser(guard)
	browsers := s.manager.browsers
	b, started, err := browsers.Acquire(ctx, key, l)
	if err != nil {
		closeGate()
		return nil, err
	}
	c, hangs, err := s.newContext(ctx, b, makes)
	if hangs {
		browsers.Release(context.WithoutCancel(ctx), b)
		if b, started, err = browsers.Acquire(ctx, key, l); err != nil {
			closeGate()
			return nil, err
		}
		c, _, err = s.newContext(ctx, b, makes)
	}
	if err == nil {
		if err = s.applyGate(ctx, c, l, guard); err != nil {
			_ = c.Close(context.WithoutCancel(ctx))
		}
	}
	if err != nil {
		closeGate()
		browsers.Release(context.WithoutCancel(ctx), b)
		return nil, err
	}
	s.manager.log.Info("session started", "session", s.name, "browser", b.Browser.PID(), "launched", started, "about", b.Browser.About())
	retire := func() { browsers.Retire(b) }
	return &lease{browser: b.Browser, context: c, launch: asked, retire: retire, release: func(ctx context.Context) {
		defer closeGate()
		if b.Browser.Err() == nil {
			if err := closeContext(ctx, c); err != nil {
				s.manager.log.Debug("context not closed", "session", s.name, "err", err)
			}
		}
		browsers.Release(ctx, b)
	}}, nil
}

// startWith is start with the saved state of the launch, which is loaded before the browser shows a page.
func (s *Session) startWith(ctx context.Context, l launch.Options) (*lease, []*engine.Page, error) {
	if l.Restore == nil {
		s.mu.Lock()
		s.stateRestore = stateRestore{}
		s.mu.Unlock()
		return s.start(ctx, l)
	}
	b, err := l.Restore.Load(ctx)
	if err != nil {
		return nil, nil, err
	}
	lease, pages, err := s.start(ctx, l)
	if err != nil {
		return nil, nil, err
	}
	if err := s.restoreState(ctx, lease, b); err != nil {
		lease.release(context.WithoutCancel(ctx))
		return nil, nil, err
	}
	return lease, pages, nil
}

// How long a browser may take to close or create a context, so that a hung browser delays no session.
const (
	closeContextLimit = 3 * time.Second
	contextLimit      = 10 * time.Second
)

// closeContext closes a context within half of the remaining time, which leaves time for the steps after it.
func closeContext(ctx context.Context, c *engine.Context) error {
	limit := closeContextLimit
	if deadline, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(deadline)/2)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return c.Close(ctx)
}

// contextMaker creates a session's context in a browser.
type contextMaker func(context.Context, *engine.Browser) (*engine.Context, error)

// newContext creates a context in a browser of the pool. A browser that does not answer is retired from the pool.
func (s *Session) newContext(ctx context.Context, b *launch.Pooled, makes contextMaker) (c *engine.Context, hangs bool, err error) {
	limit := contextLimit
	if deadline, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(deadline)/3)
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c, err = makes(limited, b.Browser)
	hangs = err != nil && ctx.Err() == nil && (limited.Err() != nil || fault.Is(err, fault.BrowserGone)) // a browser that was just killed counts, too
	if hangs {
		s.manager.log.Warn("the browser could not create a context", "session", s.name, "browser", b.Browser.PID(), "err", err)
		s.manager.browsers.Retire(b)
	}
	return c, hangs, err
}

// relaunchOptions returns the options for the call l: those of the browser that ended, if there was one, so that l's own options are ignored. A call
// that opens a URL with other options gets them, but not the earlier tabs. note says what was decided.
func (s *Session) relaunchOptions(l launch.Options, how recovery) (again launch.Options, as recovery, note string, err error) {
	s.mu.Lock()
	lost := s.loss
	s.mu.Unlock()
	if lost == nil || l.Connect != nil {
		return l, how, "", nil
	}
	switch {
	case lost.launch != nil:
		again = *lost.launch
	case lost.saved != nil:
		if again, err = lost.saved.Options(l, s.name); err != nil {
			return l, how, "", err
		}
	default:
		return l, how, "", nil
	}
	again.Gates, again.Ceilings, again.Network, again.Above = l.Gates, l.Ceilings, l.Network, l.Above // the rules of the current call apply
	differ := l.ChangedFrom(again)
	switch {
	case len(differ) == 0:
		return again, how, "", nil
	case how.opensURL:
		how.blank = true
		return l, how, "the browser was restarted for " + strings.Join(differ, ", "), nil
	}
	if note, err = l.Unapplied(differ); note != "" {
		note = "the session's browser keeps the options of the one that ended; " + note
	}
	return again, how, note, err
}

// startShared gives the session its own tabs in the browser that has the shared profile.
func (s *Session) startShared(ctx context.Context, l launch.Options) (*lease, error) {
	b := s.manager.browsers
	p, started, err := b.AcquireShared(ctx, l)
	if err != nil {
		return nil, err
	}
	if started {
		noteMendedProfile(s, p.Browser)
	}
	c := p.Browser.NewView(l.Context)
	if err := s.applyGate(ctx, c, l, nil); err != nil {
		_ = c.Close(context.WithoutCancel(ctx))
		b.Release(context.WithoutCancel(ctx), p)
		return nil, err
	}
	s.manager.log.Info("session started", "session", s.name, "browser", p.Browser.PID(), "launched", started, "about", p.Browser.About())
	return &lease{browser: p.Browser, context: c, launch: l, release: func(ctx context.Context) {
		if p.Browser.Err() == nil {
			b.SaveLogins(ctx, p.Browser)
			if err := closeContext(ctx, c); err != nil {
				s.manager.log.Debug("tabs not closed", "session", s.name, "err", err)
			}
		}
		b.Release(ctx, p)
	}}, nil
}
