package handover

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"sync"
)

// Arrivals is the account of a host whose sessions come from older ones. The zero value expects none. Its methods may
// be called from several goroutines.
type Arrivals struct {
	mu       sync.Mutex
	expected map[string]*expected
}

// expected is a session that will come.
type expected struct {
	from []func(session string) error // the hosts that may have it: asks one for it at once
	here chan struct{}                // closed when it is here, or will not come
	left int                          // hosts that may still have it
}

// Read reads which sessions will come from a host. Follow then reads them, and calls arrived for each, until the host
// has sent the last one or has ended; those that did not come by then are not expected any longer. Demand asks that
// host for a session at once.
func (a *Arrivals) Read(
	from io.Reader, demand func(session string) error, arrived func(Moved),
) (follow func(), err error) {
	lines := json.NewDecoder(from)
	var first message
	if err := lines.Decode(&first); err != nil {
		return nil, err
	}
	open := map[string]bool{}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, name := range first.Expect {
		if open[name] {
			continue
		}
		open[name] = true
		if a.expected == nil {
			a.expected = map[string]*expected{}
		}
		e := a.expected[name]
		if e == nil {
			e = &expected{here: make(chan struct{})}
			a.expected[name] = e
		}
		e.from, e.left = append(e.from, demand), e.left+1
	}
	return func() {
		for {
			var next message
			if err := lines.Decode(&next); err != nil { // the last one was sent, or the host has ended
				break
			}
			if m := next.Moved; m != nil {
				arrived(*m)
				if open[m.Name] {
					delete(open, m.Name)
					a.come(m.Name)
				}
			}
		}
		for name := range open {
			a.come(name)
		}
	}, nil
}

// come says that a session has come from one host, or will not.
func (a *Arrivals) come(name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	e := a.expected[name]
	if e.left--; e.left == 0 {
		close(e.here)
		delete(a.expected, name)
	}
}

// Any reports whether sessions will come.
func (a *Arrivals) Any() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.expected) > 0
}

// Names returns the sessions that will come.
func (a *Arrivals) Names() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Sorted(maps.Keys(a.expected))
}

// Demand asks for a session at once: the commands that are under way in it end.
func (a *Arrivals) Demand(name string) error {
	a.mu.Lock()
	e := a.expected[name]
	a.mu.Unlock()
	if e == nil {
		return nil
	}
	var failed []error
	for _, demand := range e.from {
		failed = append(failed, demand(name))
	}
	return errors.Join(failed...)
}

// Wait waits until a session is here, if it will come.
func (a *Arrivals) Wait(ctx context.Context, name string) error {
	a.mu.Lock()
	e := a.expected[name]
	a.mu.Unlock()
	if e == nil {
		return nil
	}
	select {
	case <-e.here:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
