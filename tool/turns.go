package tool

import (
	"context"
	"sync"
)

// turn is a lock that is waited for no longer than a context lasts.
type turn chan struct{}

func newTurn() turn { return make(turn, 1) }

func (t turn) take(ctx context.Context) (leave func(), err error) {
	select {
	case t <- struct{}{}:
		return func() { <-t }, nil
	default:
	}
	select {
	case t <- struct{}{}:
		return func() { <-t }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// gate lets calls of a namespace in side by side, and one that is about all its sessions alone. Who waits to be alone goes before those who
// come later.
type gate struct {
	mu     sync.Mutex
	inside int  // calls side by side
	alone  bool // one is
	wanted int  // that wait to be alone
	moved  chan struct{}
}

func newGate() *gate { return &gate{moved: make(chan struct{})} }

func (g *gate) enter(ctx context.Context, alone bool) (leave func(), err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if alone {
		g.wanted++
		defer func() { g.wanted-- }()
	}
	for !g.free(alone) {
		moved := g.moved
		g.mu.Unlock()
		select {
		case <-moved:
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
		g.mu.Lock()
		if err != nil {
			g.move() // those who stood behind this one may go now
			return nil, err
		}
	}
	if alone {
		g.alone = true
	} else {
		g.inside++
	}
	return func() { g.leave(alone) }, nil
}

func (g *gate) free(alone bool) bool {
	if alone {
		return !g.alone && g.inside == 0
	}
	return !g.alone && g.wanted == 0
}

func (g *gate) leave(alone bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if alone {
		g.alone = false
	} else {
		g.inside--
	}
	g.move()
}

// move wakes those who wait.
func (g *gate) move() {
	close(g.moved)
	g.moved = make(chan struct{})
}
