package session

import (
	"slices"
	"sync"
	"sync/atomic"
)

// bell tells those who listen that something may have changed. It may be rung with any lock held and on the reader of a browser's connection:
// who listens must not block. Nobody listens most of the time, and then it costs next to nothing.
type bell struct {
	listeners atomic.Pointer[[]*func()] // replaced under mu, read without
	mu        sync.Mutex
}

func (b *bell) ring() {
	if list := b.listeners.Load(); list != nil {
		for _, fn := range *list {
			(*fn)()
		}
	}
}

// listen has fn called at each ring until stop is called. A call that is under way then is not waited for.
func (b *bell) listen(fn func()) (stop func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	entry := &fn
	b.replaceLocked(append(b.listLocked(), entry))
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.replaceLocked(slices.DeleteFunc(b.listLocked(), func(other *func()) bool { return other == entry }))
	}
}

func (b *bell) listLocked() []*func() {
	if list := b.listeners.Load(); list != nil {
		return slices.Clone(*list)
	}
	return nil
}

func (b *bell) replaceLocked(list []*func()) {
	if len(list) == 0 {
		b.listeners.Store(nil)
		return
	}
	b.listeners.Store(&list)
}
