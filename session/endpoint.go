package session

import (
	"context"
	"net/http"

	"github.com/skua-browser/skua/engine"
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
	release func(context.Context) error // gives the browser back to who lent it; nil: nobody did. It is called once, when the session leaves
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
	giveBack := func(ctx context.Context) {
		if at.release == nil {
			return
		}
		if err := at.release(ctx); err != nil {
			s.manager.log.Warn("browser not given back", "session", s.name, "at", l.connect.name, "err", err)
		}
	}
	lease, pages, err := s.reach(ctx, l, at)
	if err != nil {
		giveBack(context.WithoutCancel(ctx))
		if at.hide != nil {
			err = at.hide(err)
		}
		return nil, nil, err
	}
	lease.about = at.about
	leave := lease.release
	lease.release = func(ctx context.Context) {
		leave(ctx)
		giveBack(ctx)
	}
	return lease, pages, nil
}

// reach attaches to the browser at an endpoint.
func (s *Session) reach(ctx context.Context, l launch, at endpoint) (*lease, []*engine.Page, error) {
	b, where, err := engine.Connect(ctx, at.address, at.headers, s.manager.log)
	if err != nil {
		return nil, nil, err
	}
	// What is about pages is had in any browser; how it was started is not ours to say.
	c := b.DefaultContext(engine.ContextOptions{
		UserAgent: l.context.UserAgent, IgnoreHTTPSErrors: l.context.IgnoreHTTPSErrors, ColorScheme: l.context.ColorScheme,
	})
	pages, err := c.ListPages(ctx)
	if err != nil {
		_ = b.Close(context.WithoutCancel(ctx))
		return nil, nil, err
	}
	return &lease{browser: b, context: c, launch: l, endpoint: where.URL, release: func(ctx context.Context) {
		_ = c.Close(ctx)
		_ = b.Close(ctx)
	}}, pages, nil
}
