package lifecycle

import (
	"context"
	"sync"

	"github.com/skua-browser/skua/internal/fault"
)

// Lifetime is how long a session lasts: until it closes, after which another one begins. The zero value has begun.
type Lifetime struct {
	mu  sync.Mutex
	ctx context.Context
	end context.CancelCauseFunc
}

// Current returns a context that ends when the session closes.
func (l *Lifetime) Current() context.Context {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ctx == nil {
		l.ctx, l.end = context.WithCancelCause(context.Background())
	}
	return l.ctx
}

// End ends the lifetime with the error that [Closed] returns.
func (l *Lifetime) End() {
	l.mu.Lock()
	end := l.end
	l.ctx, l.end = nil, nil
	l.mu.Unlock()
	if end != nil {
		end(Closed())
	}
}

// Within derives a context that ends when the session closes.
func (l *Lifetime) Within(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	ended := l.Current()
	stop := context.AfterFunc(ended, func() { cancel(context.Cause(ended)) })
	return ctx, func() { stop(); cancel(nil) }
}

// Closed is the error of a command whose session closed.
func Closed() error {
	return fault.New(fault.PageGone, "the session was closed meanwhile").With("sessionClosed", true)
}

// OrClosed returns the error of a command whose page or browser went away: Closed if its lifetime ended first. The
// command's own context may not have ended yet, since another goroutine ends it.
func OrClosed(life context.Context, err error) error {
	switch fault.CodeOf(err) {
	case fault.PageGone, fault.TabGone, fault.BrowserGone:
		if life.Err() != nil {
			return Closed() // of this command alone: the cause is that of all commands
		}
	}
	return err
}
