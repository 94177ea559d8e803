package session

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/policy"
)

// foreign is how a session gets a browser that it does not start.
type foreign struct {
	name string // what messages call it, without secrets
	find func(context.Context) (endpoint, error)

	provider string // that find asks for a browser; empty: none

	searches bool // find looks around and lends nothing, so that it may be asked again when the browser is gone
}

// endpoint is where such a browser is reached.
type endpoint struct {
	address string                      // a port, an http or a ws address, with the secrets that it holds
	headers http.Header                 // of the questions for its websocket and of the websocket; may be nil
	about   string                      // what is known of the browser, a sentence for people; may be empty
	hide    func(error) error           // takes secrets out of an error of reaching it; nil: there are none but those of the address and headers
	notes   []string                    // what its session has to say once it is reached
	release func(context.Context) error // gives the browser back to who lent it; nil: nobody did. It is called once, when the session leaves

	consent bool      // the browser may ask its user first
	next    *endpoint // to be tried when this one can't be reached; nil: none
}

// at is the browser at an address that the caller gives.
func at(address string, headers http.Header) *foreign {
	return &foreign{name: engine.ShownAddress(address), find: func(context.Context) (endpoint, error) {
		return endpoint{address: address, headers: headers}, nil
	}}
}

// attach connects to a browser that runs already, whose pages the session shows.
func (s *Session) attach(ctx context.Context, l launch) (*lease, []*engine.Page, error) {
	at, err := l.connect.find(ctx)
	if err != nil {
		return nil, nil, err
	}
	lease, pages, err := s.reach(ctx, l, at, nil)
	if err != nil {
		s.giveBack(context.WithoutCancel(ctx), l, at)
		return nil, nil, err
	}
	if l.connect.searches {
		s.tell("working in " + lease.at.about)
	}
	if flags := l.meantForOurs(); len(flags) > 0 {
		s.tell("the browser runs already; not applied: " + strings.Join(flags, ", "))
	}
	for _, note := range at.notes {
		s.tell(note)
	}
	return lease, pages, nil
}

// giveBack returns a browser to who lent it.
func (s *Session) giveBack(ctx context.Context, l launch, at endpoint) {
	if at.release == nil {
		return
	}
	if err := at.release(ctx); err != nil {
		s.manager.log.Warn("browser not given back", "session", s.name, "at", l.connect.name, "err", err)
	}
}

// reach attaches to the browser at an endpoint, or at the next one that can be reached. Before, unless it is nil, is the context whose place the
// new one takes.
func (s *Session) reach(ctx context.Context, l launch, at endpoint, before *engine.Context) (*lease, []*engine.Page, error) {
	lease, pages, err := s.reachOne(ctx, l, at, before)
	for next := at.next; err != nil && next != nil && ctx.Err() == nil; next = next.next {
		s.manager.log.Info("browser not reached", "session", s.name, "at", engine.ShownAddress(at.address), "err", err)
		lease, pages, err = s.reachOne(ctx, l, *next, before)
	}
	if err != nil && at.hide != nil {
		err = at.hide(err)
	}
	return lease, pages, err
}

// consentReserve is what is left of a command's time, after a browser's user was waited for, to say so.
const consentReserve = 2 * time.Second

func (s *Session) reachOne(ctx context.Context, l launch, at endpoint, before *engine.Context) (*lease, []*engine.Page, error) {
	if deadline, ok := ctx.Deadline(); ok && at.consent {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-consentReserve))
		defer cancel()
	}
	b, where, err := engine.Connect(ctx, at.address, at.headers, s.manager.log)
	if at.consent && (fault.Is(err, fault.Timeout) || fault.Is(err, fault.ConnectFailed)) {
		err = fault.New(fault.CodeOf(err), "no connection to %s: %w", at.about, plain(err)).About(at.about).
			WithHint("A dialog in it asks whether remote debugging is allowed. Accept it, and run the command again, with a longer --timeout if need be.")
	}
	if err != nil {
		return nil, nil, err
	}
	// What is about pages is had in any browser; how it was started is not ours to say.
	c := b.DefaultContext(engine.ContextOptions{
		UserAgent: l.context.UserAgent, IgnoreHTTPSErrors: l.context.IgnoreHTTPSErrors, ColorScheme: l.context.ColorScheme,
	})
	if err := s.gated(ctx, c, l, nil); err != nil {
		_ = b.Close(context.WithoutCancel(ctx))
		return nil, nil, err
	}
	fresh := &lease{browser: b, context: c, launch: l, endpoint: where.URL, about: about(l, at, where), at: at}
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

// plain is what an error says without its hint.
func plain(err error) error {
	if f, ok := errors.AsType[*fault.Error](err); ok && f.Hint != "" {
		return errors.New(f.Message)
	}
	return err
}

// about says what a session that is attached works in, for people who ask for details.
func about(l launch, at endpoint, where engine.Endpoint) string {
	switch {
	case l.connect.provider != "":
		return at.about
	case at.about != "":
		return at.about + ", which was running already and is left running"
	}
	s := "the browser at " + engine.ShownAddress(where.URL) + ", which was running already and is left running"
	if where.Lone {
		s += "; it is reached over the connection of one of its tabs, and lost when that is closed"
	}
	return s
}

// meantForOurs are the options of the call that only a browser which we start can take.
func (l launch) meantForOurs() []string {
	if l.connect.provider != "" || l.app != nil { // who starts it is told of them
		return nil
	}
	var flags []string
	for _, name := range launchFlags {
		switch name {
		case policy.FlagDomains, policy.FlagResources, policy.FlagBlockPrivate, policy.FlagAllowPrivate, "user-agent", "ignore-https-errors", "color-scheme", "cdp", "auto-connect":
			continue
		}
		if _, given := l.given[name]; given {
			flags = append(flags, "--"+name)
		}
	}
	return flags
}
