package notifier

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Notifier calls its listeners when something may have changed. It may be called with locks held and on the reader of a
// browser's connection, so that listeners must not block. Without listeners, which is the usual case, it costs next to
// nothing.
type Notifier struct {
	listeners atomic.Pointer[[]*func()] // replaced under mu, read without
	mu        sync.Mutex
}

// Notify calls those who listen.
func (n *Notifier) Notify() {
	if list := n.listeners.Load(); list != nil {
		for _, fn := range *list {
			(*fn)()
		}
	}
}

// Listen has fn called at each Notify until stop is called. A call that is under way then is not waited for.
func (n *Notifier) Listen(fn func()) (stop func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	entry := &fn
	n.replaceLocked(append(n.listLocked(), entry))
	return func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.replaceLocked(slices.DeleteFunc(n.listLocked(), func(other *func()) bool { return other == entry }))
	}
}

func (n *Notifier) listLocked() []*func() {
	if list := n.listeners.Load(); list != nil {
		return slices.Clone(*list)
	}
	return nil
}

func (n *Notifier) replaceLocked(list []*func()) {
	if len(list) == 0 {
		n.listeners.Store(nil)
		return
	}
	n.listeners.Store(&list)
}
