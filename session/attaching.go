package session

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/session/launch"
)

// attach connects to a browser that runs already, whose pages the session shows.
func (s *Session) attach(ctx context.Context, l launch.Options) (*lease, []*engine.Page, error) {
	at, err := l.Connect.Find(ctx)
	if err != nil {
		return nil, nil, err
	}
	lease, pages, err := s.reach(ctx, l, at, nil)
	if err != nil {
		s.giveBack(context.WithoutCancel(ctx), l, at)
		return nil, nil, err
	}
	if l.Connect.Searches {
		s.tell("working in " + lease.at.About)
	}
	if flags := l.MeantForOurs(); len(flags) > 0 {
		s.tell("the browser runs already; not applied: " + strings.Join(flags, ", "))
	}
	for _, note := range at.Notes {
		s.tell(note)
	}
	return lease, pages, nil
}

// giveBack returns a browser to who lent it.
func (s *Session) giveBack(ctx context.Context, l launch.Options, at launch.Endpoint) {
	if at.Release == nil {
		return
	}
	if err := at.Release(ctx); err != nil {
		s.manager.log.Warn("browser not given back", "session", s.name, "at", l.Connect.Name, "err", err)
	}
}

// reach attaches to the browser at an endpoint, or at the next one that can be reached. Before, unless it is nil, is the context whose place the
// new one takes.
func (s *Session) reach(ctx context.Context, l launch.Options, at launch.Endpoint, before *engine.Context) (*lease, []*engine.Page, error) {
	lease, pages, err := s.reachOne(ctx, l, at, before)
	for next := at.Next; err != nil && next != nil && ctx.Err() == nil; next = next.Next {
		s.manager.log.Info("browser not reached", "session", s.name, "at", engine.ShownAddress(at.Address), "err", err)
		lease, pages, err = s.reachOne(ctx, l, *next, before)
	}
	if err != nil && at.Hide != nil {
		err = at.Hide(err)
	}
	return lease, pages, err
}

// consentReserve is what is left of a command's time, after a browser's user was waited for, to say so.
const consentReserve = 2 * time.Second

func (s *Session) reachOne(ctx context.Context, l launch.Options, at launch.Endpoint, before *engine.Context) (*lease, []*engine.Page, error) {
	if deadline, ok := ctx.Deadline(); ok && at.Consent {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-consentReserve))
		defer cancel()
	}
	b, where, err := engine.Connect(ctx, at.Address, at.Headers, s.manager.log)
	if at.Consent && (fault.Is(err, fault.Timeout) || fault.Is(err, fault.ConnectFailed)) {
		err = fault.New(fault.CodeOf(err), "no connection to %s: %w", at.About, fault.WithoutHint(err)).About(at.About).
			WithHint("A dialog in it asks whether remote debugging is allowed. Accept it, and run the command again, with a longer --timeout if need be.")
	}
	if err != nil {
		return nil, nil, err
	}
	// What is about pages is had in any browser; how it was started is not ours to say.
	c := b.DefaultContext(engine.ContextOptions{
		UserAgent: l.Context.UserAgent, IgnoreHTTPSErrors: l.Context.IgnoreHTTPSErrors, ColorScheme: l.Context.ColorScheme,
	})
	if err := s.gated(ctx, c, l, nil); err != nil {
		_ = b.Close(context.WithoutCancel(ctx))
		return nil, nil, err
	}
	fresh := &lease{browser: b, context: c, launch: l, endpoint: where.URL, about: launch.About(l, at, where), at: at}
	if before != nil {
		fresh.stands, fresh.ended = c.Resume(before)
	}
	pages, err := c.ListPages(ctx)
	if err != nil {
		_ = b.Close(context.WithoutCancel(ctx))
		return nil, nil, err
	}
	if i := slices.IndexFunc(pages, func(p *engine.Page) bool { return p.ID() == where.Tab }); i >= 0 {
		named := pages[i] // the last one becomes the active one
		pages = append(slices.Delete(pages, i, i+1), named)
	}
	fresh.leave = func(ctx context.Context) {
		_ = c.Close(ctx)
		_ = b.Close(ctx)
	}
	fresh.release = func(ctx context.Context) {
		fresh.leave(ctx)
		s.giveBack(ctx, l, at)
	}
	return fresh, pages, nil
}

// said tells in a sentence what the session's browser is.
func (l *lease) said() string {
	if l.about != "" {
		return l.about
	}
	return l.browser.About()
}
