package input

import (
	"context"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
)

// touchEvent is Input.dispatchTouchEvent of the protocol. The browser accepts it without touch emulation, which would
// change the page's media queries and navigator.maxTouchPoints.
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

func touch(p *engine.Page, kind string, at time.Time, points ...engine.Point) cdp.Call {
	e := touchEvent{
		Type:      kind,
		Points:    []touchPoint{},
		Modifiers: HeldModifiers(p),
		Timestamp: float64(at.UnixMicro()) / 1e6,
	}
	for _, pt := range points {
		e.Points = append(e.Points, touchPoint(pt))
	}
	return e.call()
}

// Tap puts a finger on a point of the main frame's viewport, holds it there, and lifts it. It returns when the page has
// handled the touch; the click that the browser makes of a tap may follow.
func Tap(ctx context.Context, p *engine.Page, at engine.Point, hold time.Duration) error {
	if hold == 0 {
		now := time.Now()
		return send(ctx, p, []cdp.Call{touch(p, "touchStart", now, at), touch(p, "touchEnd", now)})
	}
	return whileTouching(ctx, p, at, func() error { return Pause(ctx, hold) }, time.Now)
}

// restBeforeLifting is how long a finger seems to rest before it is lifted. Lifted in motion, it would start a fling:
// scrolling goes on by momentum.
const restBeforeLifting = 200 * time.Millisecond

// Swipe puts a finger on a point of the main frame's viewport, moves it along a path, and lifts it. Each move is
// awaited, so that the page sees it.
func Swipe(ctx context.Context, p *engine.Page, from engine.Point, path []engine.Point) error {
	move := func() error {
		for _, to := range path {
			if err := send(ctx, p, []cdp.Call{touch(p, "touchMove", time.Now(), to)}); err != nil {
				return err
			}
		}
		return nil
	}
	return whileTouching(ctx, p, from, move, func() time.Time { return time.Now().Add(restBeforeLifting) })
}

// whileTouching runs a function while a finger is on the page. When it fails the touch is canceled, so that no finger
// stays there.
func whileTouching(ctx context.Context, p *engine.Page, at engine.Point, do func() error, lift func() time.Time) error {
	err := send(ctx, p, []cdp.Call{touch(p, "touchStart", time.Now(), at)})
	if err == nil {
		err = do()
	}
	if err == nil {
		return send(ctx, p, []cdp.Call{touch(p, "touchEnd", lift())})
	}
	cleanUp(ctx, p, touch(p, "touchCancel", time.Now()))
	return err
}
