package lease

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/initscript"
	"github.com/skua-browser/skua/guard/gate"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/session/notices"
	"github.com/skua-browser/skua/session/rules"
)

// Lease is a session's use of a browser: the browser, the session's context in it, and how to give them back.
type Lease struct {
	Browser *engine.Browser
	Context *engine.Context
	Launch  launch.Options

	Endpoint   string // the WebSocket URL of a connected browser, with its secrets
	At         launch.Endpoint
	Overrides  []string              // overrides that were applied again after a reconnect
	Lost       []string              // what a reconnect lost
	Disconnect func(context.Context) // ends the connection without giving the browser back
	about      string                // a description of the browser; empty means use the browser's own
	Release    func(context.Context)

	Retire func() // keeps other sessions from getting the browser; nil means that no other session uses it

	Unhealthy   atomic.Bool // the browser opens no pages
	AppRests    atomic.Bool // the launched app goes on without a window
	AppEndNoted atomic.Bool // a notice has reported the end of the launched app
}

// InApp reports whether the browser is a launched app. A nil lease has no app.
func (l *Lease) InApp() bool { return l != nil && l.Launch.App != nil }

// Starter gets browsers for a session. Its fields never change.
type Starter struct {
	Session  string // the name
	Owner    string // tells the session from those of the same name in other managers
	Browsers *launch.Browsers
	Rules    *rules.Set
	Refused  *policy.Log
	Notices  *notices.Queue
	Resolver gate.Resolver // resolves names for sessions with network rules; nil means the system's resolver
	Log      *slog.Logger
}

// Start gets a browser and a context for the session, and the pages that they already show. The caller sees to it that
// a session has only one.
func (s *Starter) Start(ctx context.Context, l launch.Options) (*Lease, []*engine.Page, error) {
	l = l.WithGates()
	if l.Connect != nil {
		return s.attach(ctx, l)
	}
	if s.Browsers.Shared() {
		l, err := s.startShared(ctx, l)
		return l, nil, err
	}
	lease, err := s.startLocal(ctx, l)
	return lease, nil, err
}

// startLocal starts a browser of this machine, with what plugins add to it.
func (s *Starter) startLocal(ctx context.Context, l launch.Options) (*Lease, error) {
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
		if _, err := initscript.Add(ctx, lease.Context, nil, script.Name, script.Source); err != nil {
			lease.Release(context.WithoutCancel(ctx))
			return nil, err
		}
	}
	return lease, nil
}

func (s *Starter) startPlainLocal(ctx context.Context, l launch.Options) (*Lease, error) {
	if l.OwnBrowser() { // a window belongs to one session, too
		return s.startDedicated(ctx, l)
	}
	asked := l
	l, guard, err := s.openGate(l)
	if err != nil {
		return nil, err
	}
	return s.leaseContext(ctx, l.Browser.Key(), l, asked, guard,
		func(ctx context.Context, b *engine.Browser) (*engine.Context, error) {
			return b.NewContext(ctx, l.Context)
		})
}

// leaseContext takes a browser of the pool and creates a context in it. A browser that does not answer is replaced
// once. asked is the launch as the caller wants it, without the gate's additions.
func (s *Starter) leaseContext(
	ctx context.Context, key string, l, asked launch.Options, guard *gate.Gate, makes contextMaker,
) (*Lease, error) {
	closeGate := gateCloser(guard)
	browsers := s.Browsers
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
	s.Log.Info("session started", "session", s.Session, "browser", b.Browser.PID(), "launched", started, "about",
		b.Browser.About())
	retire := func() { browsers.Retire(b) }
	return &Lease{
		Browser: b.Browser,
		Context: c,
		Launch:  asked,
		Retire:  retire,
		Release: func(ctx context.Context) {
			defer closeGate()
			if b.Browser.Err() == nil {
				if err := closeContext(ctx, c); err != nil {
					s.Log.Debug("context not closed", "session", s.Session, "err", err)
				}
			}
			browsers.Release(ctx, b)
		},
	}, nil
}

// CloseContextLimit and contextLimit are how long a browser may take to close or create a context, so that a hung
// browser delays no session.
const (
	CloseContextLimit = 3 * time.Second
	contextLimit      = 10 * time.Second
)

// closeContext closes a context within half of the remaining time, which leaves time for the steps after it.
func closeContext(ctx context.Context, c *engine.Context) error {
	limit := CloseContextLimit
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
func (s *Starter) newContext(
	ctx context.Context, b *launch.Pooled, makes contextMaker,
) (c *engine.Context, hangs bool, err error) {
	limit := contextLimit
	if deadline, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(deadline)/3)
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c, err = makes(limited, b.Browser)
	// a browser that was just killed counts, too
	hangs = err != nil && ctx.Err() == nil && (limited.Err() != nil || fault.Is(err, fault.BrowserGone))
	if hangs {
		s.Log.Warn("the browser could not create a context", "session", s.Session, "browser", b.Browser.PID(), "err", err)
		s.Browsers.Retire(b)
	}
	return c, hangs, err
}

// startShared gives the session its own tabs in the browser that has the shared profile.
func (s *Starter) startShared(ctx context.Context, l launch.Options) (*Lease, error) {
	b := s.Browsers
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
	s.Log.Info("session started", "session", s.Session, "browser", p.Browser.PID(), "launched", started, "about",
		p.Browser.About())
	return &Lease{Browser: p.Browser, Context: c, Launch: l, Release: func(ctx context.Context) {
		if p.Browser.Err() == nil {
			b.SaveLogins(ctx, p.Browser)
			if err := closeContext(ctx, c); err != nil {
				s.Log.Debug("tabs not closed", "session", s.Session, "err", err)
			}
		}
		b.Release(ctx, p)
	}}, nil
}
