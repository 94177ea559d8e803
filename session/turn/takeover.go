package turn

import (
	"sync"
	"time"
)

// Takeover is a person's work in a session: as long as it lasts, commands on its pages wait.
type Takeover struct {
	mu    sync.Mutex
	since time.Time
	freed chan struct{} // closed when the session is handed back; nil: nobody has taken it
}

// Take begins the work.
func (t *Takeover) Take() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.freed == nil {
		t.freed, t.since = make(chan struct{}), time.Now()
	}
}

// Release hands the session back.
func (t *Takeover) Release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.freed != nil {
		close(t.freed)
		t.freed = nil
	}
}

// Lasts returns a channel that is closed at the end; nil when the session is not taken.
func (t *Takeover) Lasts() (freed <-chan struct{}, since time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.freed, t.since
}

// Is reports whether a person works in the session.
func (t *Takeover) Is() bool {
	freed, _ := t.Lasts()
	return freed != nil
}
