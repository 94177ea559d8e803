package conversation

import (
	"context"
	"sync"
)

// Turn is a lock that is waited for no longer than a context lasts.
type Turn chan struct{}

func newTurn() Turn { return make(Turn, 1) }

// Take waits until the turn is free, and returns what gives it back.
func (t Turn) Take(ctx context.Context) (leave func(), err error) {
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

// Gate lets calls of a namespace in side by side, and one that is about all its sessions alone. Who waits to be alone
// goes before those who come later.
type Gate struct {
	mu     sync.Mutex
	inside int  // calls side by side
	alone  bool // one is
	wanted int  // that wait to be alone
	moved  chan struct{}
}

func newGate() *Gate { return &Gate{moved: make(chan struct{})} }

// Enter waits until the call may go in, alone or beside others, and returns what lets it out.
func (g *Gate) Enter(ctx context.Context, alone bool) (leave func(), err error) {
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

func (g *Gate) free(alone bool) bool {
	if alone {
		return !g.alone && g.inside == 0
	}
	return !g.alone && g.wanted == 0
}

func (g *Gate) leave(alone bool) {
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
func (g *Gate) move() {
	close(g.moved)
	g.moved = make(chan struct{})
}
