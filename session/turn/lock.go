package turn

import (
	"crypto/rand"
	"crypto/subtle"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
)

// Lock is how one of several callers keeps a session for itself for a while. The others fail, or wait if they say so. Who has the token is the
// holder. It lasts in the host's memory, no longer than its time, and ends with the session.
type Lock struct {
	mu    sync.Mutex
	name  string // of the holder, for messages
	token string
	until time.Time
	freed chan struct{} // closed when the lock ends before its time; nil: there is none
}

// Release ends the lock.
func (l *Lock) Release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.releaseLocked()
}

func (l *Lock) releaseLocked() {
	if l.freed != nil {
		close(l.freed)
	}
	l.name, l.token, l.freed = "", "", nil
}

// expireLocked ends a lock whose time is over.
func (l *Lock) expireLocked() {
	if l.freed != nil && !time.Now().Before(l.until) {
		l.releaseLocked()
	}
}

// Holder tells who holds the session and for how long; nil: nobody.
func (l *Lock) Holder() *actions.LockHolder {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.expireLocked(); l.freed == nil {
		return nil
	}
	return &actions.LockHolder{Name: l.name, Until: l.until.UnixMilli(), RemainingMS: time.Until(l.until).Milliseconds()}
}

// Against returns what frees the session for a caller with this token, and when it ends at the latest; nil when he may work in it now.
func (l *Lock) Against(token string) (freed <-chan struct{}, until time.Time, name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.expireLocked(); l.freed == nil || sameToken(l.token, token) {
		return nil, time.Time{}, ""
	}
	return l.freed, l.until, l.name
}

func sameToken(a, b string) bool {
	return b != "" && subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1
}

// Take locks the session for who has the token, or renews his lock. An empty token is replaced by a new one. It reports false when somebody else
// holds the session.
func (l *Lock) Take(token, name string, last time.Duration) (string, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.expireLocked()
	if l.freed != nil && !sameToken(l.token, token) {
		return "", false
	}
	if token == "" {
		token = strings.ToLower(rand.Text())
	}
	if l.freed == nil {
		l.freed = make(chan struct{})
	}
	l.token, l.name, l.until = token, name, time.Now().Add(last)
	return token, true
}
