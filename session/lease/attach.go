package lease

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/endpoint"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/launch"
)

// attach connects to a running browser and shows its pages in the session.
func (s *Starter) attach(ctx context.Context, l launch.Options) (*Lease, []*engine.Page, error) {
	unused, err := l.CheckUnused()
	if err != nil {
		return nil, nil, err
	}
	at, err := l.Connect.Find(ctx)
	if err != nil {
		return nil, nil, err
	}
	lease, pages, err := s.Attach(ctx, l, at, nil)
	if err != nil {
		s.returnBrowser(context.WithoutCancel(ctx), l, at)
		return nil, nil, err
	}
	if l.Connect.Searches {
		s.Notices.Add("working in " + lease.At.About)
	}
	if len(unused) > 0 {
		s.Notices.Add("the browser is already running; not applied: " + strings.Join(unused, ", "))
	}
	for _, note := range at.Notes {
		s.Notices.Add(note)
	}
	return lease, pages, nil
}

// returnBrowser gives a browser back to its provider.
func (s *Starter) returnBrowser(ctx context.Context, l launch.Options, at launch.Endpoint) {
	if at.Release == nil {
		return
	}
	if err := at.Release(ctx); err != nil {
		s.Log.Warn("browser not given back", "session", s.Session, "at", l.Connect.Name, "err", err)
	}
}

// Attach attaches to the browser at an endpoint, or to the first of its alternatives that answers. before is the
// context that the new one replaces, or nil.
func (s *Starter) Attach(
	ctx context.Context, l launch.Options, at launch.Endpoint, before *engine.Context,
) (*Lease, []*engine.Page, error) {
	lease, pages, err := s.attachOne(ctx, l, at, before)
	for next := at.Next; err != nil && next != nil && ctx.Err() == nil; next = next.Next {
		s.Log.Info("browser not reached", "session", s.Session, "at", endpoint.ShownAddress(at.Address), "err", err)
		lease, pages, err = s.attachOne(ctx, l, *next, before)
	}
	if err != nil && at.Hide != nil {
		err = at.Hide(err)
	}
	return lease, pages, err
}

// consentReserve is how much of a command's time remains for the error after the browser's user did not answer.
const consentReserve = 2 * time.Second

func (s *Starter) attachOne(
	ctx context.Context, l launch.Options, at launch.Endpoint, before *engine.Context,
) (*Lease, []*engine.Page, error) {
	if deadline, ok := ctx.Deadline(); ok && at.Consent {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-consentReserve))
		defer cancel()
	}
	b, where, err := s.connect(ctx, at)
	if at.Consent && (fault.Is(err, fault.Timeout) || fault.Is(err, fault.ConnectFailed)) {
		err = fault.New(fault.CodeOf(err), "no connection to %s: %w", at.About, fault.WithoutHint(err)).About(at.About).
			WithHint(
				"A dialog in the browser asks whether to allow remote debugging. Accept it and run the command again, with a " +
					"longer --timeout if necessary.")
	}
	if err != nil {
		return nil, nil, err
	}
	// Options about pages apply to any browser; how this one was started is its owner's choice.
	c := b.DefaultContext(engine.ContextOptions{
		UserAgent: l.Context.UserAgent, IgnoreHTTPSErrors: l.Context.IgnoreHTTPSErrors, ColorScheme: l.Context.ColorScheme,
	})
	if err := s.applyGate(ctx, c, l, nil); err != nil {
		_ = b.Close(context.WithoutCancel(ctx))
		return nil, nil, err
	}
	fresh := &Lease{
		Browser:  b,
		Context:  c,
		Launch:   l,
		Endpoint: where.URL,
		about:    launch.About(l, at, where),
		At:       at,
	}
	if before != nil {
		fresh.Overrides, fresh.Lost = c.Resume(before)
	}
	pages, err := c.ListPages(ctx)
	if err != nil {
		_ = b.Close(context.WithoutCancel(ctx))
		return nil, nil, err
	}
	i := slices.IndexFunc(pages, func(p *engine.Page) bool { return p.ID() == where.Tab })
	switch {
	case i >= 0:
		named := pages[i] // the last one becomes the active one
		pages = append(slices.Delete(pages, i, i+1), named)
	case where.Named && before == nil: // a session that returns to its browser has tabs of its own to return to
		_ = b.Close(context.WithoutCancel(ctx))
		return nil, nil, where.NotATab(ctx, at.Address)
	}
	fresh.Disconnect = func(ctx context.Context) {
		_ = c.Close(ctx)
		_ = b.Close(ctx)
	}
	fresh.Release = func(ctx context.Context) {
		fresh.Disconnect(ctx)
		s.returnBrowser(ctx, l, at)
	}
	return fresh, pages, nil
}

// connect connects to the browser at an endpoint.
func (s *Starter) connect(ctx context.Context, at launch.Endpoint) (*engine.Browser, endpoint.Endpoint, error) {
	if at.Open == nil {
		return engine.Connect(ctx, at.Address, at.Headers, s.Log)
	}
	t, err := at.Open(ctx)
	if err != nil {
		return nil, endpoint.Endpoint{}, err
	}
	b, err := engine.AttachOver(ctx, t, "", nil, s.Log)
	return b, endpoint.Endpoint{URL: at.Address}, err
}

// Description describes the session's browser in a sentence.
func (l *Lease) Description() string {
	if l.about != "" {
		return l.about
	}
	return l.Browser.About()
}
