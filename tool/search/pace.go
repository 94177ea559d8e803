package search

import (
	"context"
	"time"

	"github.com/skua-browser/skua/internal/pause"
)

// gap is the least time between the beginnings of two requests: the providers count requests in a second.
const gap = 1100 * time.Millisecond

// pace lets one request go at a time, and none too soon after the one before.
type pace struct {
	clock Clock
	turn  chan time.Time // holds when the last request began, while none is under way
}

func newPace(c Clock) *pace {
	p := &pace{clock: c, turn: make(chan time.Time, 1)}
	p.turn <- time.Time{}
	return p
}

// enter waits for the caller's turn. A caller who has given up gets none, even when it is free.
func (p *pace) enter(ctx context.Context) (leave func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var last time.Time
	select {
	case last = <-p.turn:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if left := gap - p.clock.Now().Sub(last); left > 0 && !last.IsZero() {
		if err := p.clock.Wait(ctx, left); err != nil {
			p.turn <- last
			return nil, err
		}
	}
	began := p.clock.Now()
	return func() { p.turn <- began }, nil
}

type realClock struct{}

func (realClock) Now() time.Time { return time.Now() }

func (realClock) Wait(ctx context.Context, d time.Duration) error { return pause.For(ctx, d) }
