package turn

import (
	"sync"
	"time"
)

// Takeover is a person's work in a session. Until it ends, commands on the session's pages wait.
type Takeover struct {
	mu    sync.Mutex
	since time.Time
	freed chan struct{} // closed when the session is handed back; nil means that there is no takeover
}

// Take starts the takeover.
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

// Ended returns a channel that is closed when the takeover ends, or nil.
func (t *Takeover) Ended() (freed <-chan struct{}, since time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.freed, t.since
}

// Active reports whether a person has taken over the session.
func (t *Takeover) Active() bool {
	freed, _ := t.Ended()
	return freed != nil
}
