package liveness

import (
	"context"
	"sync"
	"time"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/world"
)

// Sign is a sign of life that a page was asked for. A page whose script keeps it busy gives none.
type Sign struct {
	asked time.Time
	once  sync.Once
	came  chan struct{} // closed when the page has answered, or cannot be asked any longer
}

func (s *Sign) give() { s.once.Do(func() { close(s.came) }) }

// Ask asks the page of a session for a sign of life, unless it is asked already, or is kept from answering by a
// navigation: nil then. Spawn runs the wait for the answer, which lasts as long as the page gives none.
func (l *Log) Ask(on *cdp.Session, spawn func(func(context.Context))) *Sign {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.under[on] != nil {
		return nil
	}
	if l.sign != nil && !l.sign.Came() {
		return l.sign
	}
	s := &Sign{asked: time.Now(), came: make(chan struct{})}
	l.sign = s
	answer := on.Start("Runtime.evaluate", world.Params{Expression: "0"})
	spawn(func(ctx context.Context) {
		defer s.give()
		_, _ = answer.Wait(ctx)
	})
	return s
}

// HandledInput records that the page has handled input. That is a sign of life, too: a page handles input before it
// answers calls, so that one that handles keys all the time does not come to answer.
func (l *Log) HandledInput() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.sign != nil {
		l.sign.give()
	}
}

// Came reports whether the page has given the sign.
func (s *Sign) Came() bool {
	select {
	case <-s.came:
		return true
	default:
		return false
	}
}

// Silence returns for how long the page has owed a sign of life; 0 means that it does not.
func (l *Log) Silence() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.sign == nil || l.sign.Came() {
		return 0
	}
	return time.Since(l.sign.asked)
}
