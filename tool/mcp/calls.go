package mcp

import (
	"context"
	"slices"
	"sync"
	"time"
)

// calls are the calls of a connection that go on without a request. The zero value has none.
type calls struct {
	mu   sync.Mutex
	list []*running // the oldest first
	over bool
}

const (
	mostCalls = 32        // of one connection that are kept
	callKept  = time.Hour // since it began
)

// keep keeps a call for an hour. It makes room by the oldest that has ended, and reports false if none has.
func (c *calls) keep(r *running) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over {
		return false
	}
	if slices.Contains(c.list, r) {
		return true
	}
	if len(c.list) >= mostCalls && !c.makeRoom() {
		return false
	}
	c.list = append(c.list, r)
	time.AfterFunc(time.Until(r.made.Add(callKept)), func() {
		r.cancel()
		c.drop(r)
	})
	return true
}

// makeRoom takes away the oldest that has ended. The mutex is held.
func (c *calls) makeRoom() bool {
	i := slices.IndexFunc(c.list, (*running).over)
	if i < 0 {
		return false
	}
	c.list = slices.Delete(c.list, i, i+1)
	return true
}

// drop takes a call away.
func (c *calls) drop(r *running) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = slices.DeleteFunc(c.list, func(kept *running) bool { return kept == r })
}

// find returns the call with an id, or nil.
func (c *calls) find(id string) *running {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.list {
		if r.id == id {
			return r
		}
	}
	return nil
}

// end cancels all, and waits for them until the time for that is over.
func (c *calls) end() {
	c.mu.Lock()
	c.over = true
	list := c.list
	c.list = nil
	c.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), releaseLimit)
	defer cancel()
	for _, r := range list {
		r.cancel()
		select {
		case <-r.ended:
		case <-ctx.Done():
		}
	}
}
