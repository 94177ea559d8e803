package session

import (
	"context"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/guard/gate"
	"github.com/skua-browser/skua/session/launch"
)

// lease is a session's hold on a browser.
type lease struct {
	browser *engine.Browser
	context *engine.Context
	launch  launch.Options
	kept    *launch.Kept // what the journal keeps of that

	endpoint string // the websocket of a browser that the session is attached to, with its secrets
	at       launch.Endpoint
	stands   []string              // what was said of pages, and stands again after the connection was lost
	ended    []string              // what did not outlive that
	leave    func(context.Context) // ends the connection, and gives nothing back
	about    string                // what is known of that browser; empty: what it says itself
	release  func(context.Context)

	retire func() // has no other session get the browser; nil: it is nobody else's
	sick   bool   // the browser runs and opens no page any more; guarded by the session's mu
}

// start gets a browser and a context for the session, and the pages that they show already. The session has them when it takes
// them. The caller holds s.starting.
func (s *Session) start(ctx context.Context, l launch.Options) (*lease, []*engine.Page, error) {
	l = l.WithGates()
	if l.Connect != nil {
		return s.attach(ctx, l)
	}
	if s.manager.browsers.Shared() {
		l, err := s.share(ctx, l)
		return l, nil, err
	}
	lease, err := s.startOurs(ctx, l)
	return lease, nil, err
}

// startOurs gets a browser that is started here, with what plugins add to it.
func (s *Session) startOurs(ctx context.Context, l launch.Options) (*lease, error) {
	if l.Extend == nil {
		return s.startPlain(ctx, l)
	}
	added, err := l.Extend(ctx, &l)
	if err != nil {
		return nil, err
	}
	l.Added = added.Told
	lease, err := s.startPlain(ctx, l)
	if err != nil {
		return nil, err
	}
	for _, script := range added.Scripts {
		if _, err := lease.context.AddInitScript(ctx, nil, script.Name, script.Source); err != nil {
			lease.release(context.WithoutCancel(ctx))
			return nil, err
		}
	}
	return lease, nil
}

func (s *Session) startPlain(ctx context.Context, l launch.Options) (*lease, error) {
	if l.Alone() { // a window belongs to one session, too
		return s.startAlone(ctx, l)
	}
	asked := l
	l, guard, err := s.gateFor(l)
	if err != nil {
		return nil, err
	}
	return s.leaseOf(ctx, l.Browser.Key(), l, asked, guard, func(ctx context.Context, b *engine.Browser) (*engine.Context, error) {
		return b.NewContext(ctx, l.Context)
	})
}

// leaseOf takes a browser of the pool and a context in it, which makes makes. A browser that does not answer is left for another one. Asked is the
// launch as the caller wants it, without what the gate adds.
func (s *Session) leaseOf(ctx context.Context, key string, l, asked launch.Options, guard *gate.Gate, makes contextMaker) (*lease, error) {
	closeGate := closing(guard)
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
		if err = s.gated(ctx, c, l, guard); err != nil {
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

// startWith is start with the state that the launch names, which is read before and put into the browser before it shows any page of ours.
func (s *Session) startWith(ctx context.Context, l launch.Options) (*lease, []*engine.Page, error) {
	if l.Wish == nil {
		s.mu.Lock()
		s.restoring = restoring{}
		s.mu.Unlock()
		return s.start(ctx, l)
	}
	b, err := l.Wish.Load()
	if err != nil {
		return nil, nil, err
	}
	lease, pages, err := s.start(ctx, l)
	if err != nil {
		return nil, nil, err
	}
	if err := s.begin(ctx, lease, b); err != nil {
		lease.release(context.WithoutCancel(ctx))
		return nil, nil, err
	}
	return lease, pages, nil
}

// How long a browser is waited for that is to close a context, and for one that is to make one: one that hangs holds nobody up.
const (
	closeContextLimit = 3 * time.Second
	contextLimit      = 10 * time.Second
)

// closeContext closes a context and leaves as much of the time to what comes behind it.
func closeContext(ctx context.Context, c *engine.Context) error {
	limit := closeContextLimit
	if deadline, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(deadline)/2)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return c.Close(ctx)
}

// contextMaker makes a session's context in a browser.
type contextMaker func(context.Context, *engine.Browser) (*engine.Context, error)

// newContext makes a context in a browser of the pool. One that does not answer is left, and nobody else gets it.
func (s *Session) newContext(ctx context.Context, b *launch.Pooled, makes contextMaker) (c *engine.Context, hangs bool, err error) {
	limit := contextLimit
	if deadline, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(deadline)/3)
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c, err = makes(limited, b.Browser)
	hangs = err != nil && ctx.Err() == nil && (limited.Err() != nil || fault.Is(err, fault.BrowserGone)) // one that has just been killed is left, too
	if hangs {
		s.manager.log.Warn("the browser makes no context", "session", s.name, "browser", b.Browser.PID(), "err", err)
		s.manager.browsers.Retire(b)
	}
	return c, hangs, err
}

// launchAgain is how the browser is started for the call l: as one was that ended, if there is such a one, and what the call says else is not
// applied. A call that opens an address with other options has a browser with those, and the tabs of before are not loaded in it. The note says so.
func (s *Session) launchAgain(l launch.Options, how revival) (again launch.Options, as revival, note string, err error) {
	s.mu.Lock()
	lost := s.loss
	s.mu.Unlock()
	if lost == nil || l.Connect != nil {
		return l, how, "", nil
	}
	switch {
	case lost.launch != nil:
		again = *lost.launch
	case lost.kept != nil:
		if again, err = lost.kept.Options(l, s.name); err != nil {
			return l, how, "", err
		}
	default:
		return l, how, "", nil
	}
	again.Gates, again.Ceilings, again.Network, again.Above = l.Gates, l.Ceilings, l.Network, l.Above // they stand by themselves
	differ := l.Others(again)
	switch {
	case len(differ) == 0:
		return again, how, "", nil
	case how.opens:
		how.blank = true
		return l, how, "the browser was started anew for " + strings.Join(differ, ", "), nil
	}
	return again, how, "the session's browser keeps the options of the one that ended; not applied: " + strings.Join(differ, ", ") +
		" (use `close` first, or another --session)", nil
}

// share gives the session tabs of its own in the browser with the profile.
func (s *Session) share(ctx context.Context, l launch.Options) (*lease, error) {
	b := s.manager.browsers
	p, started, err := b.AcquireShared(ctx, l)
	if err != nil {
		return nil, err
	}
	c := p.Browser.NewView(l.Context)
	if err := s.gated(ctx, c, l, nil); err != nil {
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
