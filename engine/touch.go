package engine

import (
	"context"
	"time"

	"github.com/skua-browser/skua/engine/cdp"
)

// touchEvent is Input.dispatchTouchEvent of the protocol. The browser takes it without touch emulation, which would change media queries
// and navigator.maxTouchPoints under the page.
type touchEvent struct {
	Type      string       `json:"type"`
	Points    []touchPoint `json:"touchPoints"`
	Modifiers Modifiers    `json:"modifiers,omitzero"`
	Timestamp float64      `json:"timestamp,omitzero"` // seconds since the epoch
}

type touchPoint struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

func (e touchEvent) call() cdp.Call { return cdp.Call{Method: "Input.dispatchTouchEvent", Params: e} }

func (p *Page) touch(kind string, at time.Time, points ...Point) cdp.Call {
	e := touchEvent{Type: kind, Points: []touchPoint{}, Modifiers: p.Held(), Timestamp: float64(at.UnixMicro()) / 1e6}
	for _, pt := range points {
		e.Points = append(e.Points, touchPoint(pt))
	}
	return e.call()
}

// Tap puts a finger on a point of the main frame's viewport, holds it there, and lifts it. It returns when the page has handled that,
// but for the click that the browser makes of a tap.
func (p *Page) Tap(ctx context.Context, at Point, hold time.Duration) error {
	if hold == 0 {
		now := time.Now()
		return p.sendInput(ctx, []cdp.Call{p.touch("touchStart", now, at), p.touch("touchEnd", now)})
	}
	return p.whileTouching(ctx, at, func() error { return Pause(ctx, hold) }, time.Now)
}

// restBeforeLifting is how long a finger seems to rest before it is lifted. A browser that sees one lifted in motion lets what it
// scrolled go on by momentum.
const restBeforeLifting = 200 * time.Millisecond

// Swipe puts a finger on a point of the main frame's viewport, moves it through others, and lifts it. Each move is waited for, so that
// the page sees it.
func (p *Page) Swipe(ctx context.Context, from Point, way []Point) error {
	move := func() error {
		for _, to := range way {
			if err := p.sendInput(ctx, []cdp.Call{p.touch("touchMove", time.Now(), to)}); err != nil {
				return err
			}
		}
		return nil
	}
	return p.whileTouching(ctx, from, move, func() time.Time { return time.Now().Add(restBeforeLifting) })
}

// whileTouching does something with a finger on the page. When that fails the touch is canceled, so that no finger stays there.
func (p *Page) whileTouching(ctx context.Context, at Point, do func() error, lift func() time.Time) error {
	err := p.sendInput(ctx, []cdp.Call{p.touch("touchStart", time.Now(), at)})
	if err == nil {
		err = do()
	}
	if err == nil {
		return p.sendInput(ctx, []cdp.Call{p.touch("touchEnd", lift())})
	}
	p.cleanUp(ctx, p.touch("touchCancel", time.Now()))
	return err
}

// cleanUp sends input that must reach the page although what came before it failed. A page that a dialog blocks gets it when that closes.
func (p *Page) cleanUp(ctx context.Context, calls ...cdp.Call) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanUpLimit)
	defer cancel()
	ctx, stop := p.Watch(ctx, true)
	defer stop()
	_ = p.dispatch(ctx, calls) // the error that led here tells more
}

// cleanUpLimit bounds what is done to leave a page without held buttons or fingers.
const cleanUpLimit = 2 * time.Second
