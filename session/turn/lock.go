package turn

import (
	"crypto/rand"
	"crypto/subtle"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
)

// Lock reserves a session for the caller with its token. Other callers fail, or wait if they ask to. It exists in the
// host's memory until its time is over or the session closes.
type Lock struct {
	mu    sync.Mutex
	name  string // of the holder, for messages
	token string
	until time.Time
	freed chan struct{} // closed when the lock ends early; nil means that there is no lock
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

// expireLocked ends an expired lock.
func (l *Lock) expireLocked() {
	if l.freed != nil && !time.Now().Before(l.until) {
		l.releaseLocked()
	}
}

// Holder returns who has locked the session and for how long, or nil.
func (l *Lock) Holder() *actions.LockHolder {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.expireLocked(); l.freed == nil {
		return nil
	}
	return &actions.LockHolder{Name: l.name, Until: l.until.UnixMilli(), RemainingMS: time.Until(l.until).Milliseconds()}
}

// BlockedBy returns the lock that blocks a caller with this token: a channel that is closed when it ends early, its
// latest end, and its holder. The channel is nil if the caller may work in the session.
func (l *Lock) BlockedBy(token string) (freed <-chan struct{}, until time.Time, name string) {
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

// Take locks the session for the caller with the token, or renews its lock. It creates a token if that is empty, and
// returns false if another caller has locked the session.
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
