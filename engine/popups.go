package engine

import (
	"context"
	"sync"
)

// Popups are the pages that the pages of a context open. Attaching to one takes a while, in which a caller may wait for
// it.
type Popups struct {
	browser *Browser

	mu       sync.Mutex
	handler  func(*Page)
	underWay int           // popups whose attaching is under way
	settled  chan struct{} // closed when underWay falls to 0
}

// Popups returns the popups of the context.
func (c *Context) Popups() *Popups { return &c.popups }

// Handle sets the function that is called with each page that the context's pages open. It runs on a goroutine of the
// browser, once the page is attached and usable. In a foreign browser it also gets the tabs that the user opens; those
// are attached to on first use.
func (s *Popups) Handle(fn func(*Page)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handler = fn
}

// Await waits until the popups that are open are attached and the handler has been called with them.
func (s *Popups) Await(ctx context.Context) {
	s.mu.Lock()
	pending, settled := s.underWay > 0, s.settled
	s.mu.Unlock()
	if !pending {
		return
	}
	select {
	case <-settled:
	case <-ctx.Done():
	}
}

// tell calls the handler.
func (s *Popups) tell(p *Page) {
	s.mu.Lock()
	fn := s.handler
	s.mu.Unlock()
	if fn != nil {
		fn(p)
	}
}

// during runs fn on a goroutine of the browser, and has Await wait for it.
func (s *Popups) during(fn func(context.Context)) {
	s.mu.Lock()
	if s.underWay == 0 {
		s.settled = make(chan struct{})
	}
	s.underWay++
	s.mu.Unlock()
	s.browser.Spawn(func(ctx context.Context) {
		defer func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.underWay--; s.underWay == 0 {
				close(s.settled)
			}
		}()
		fn(ctx)
	})
}
