package session

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/fault"
)

// holdLock is how one of several callers keeps a session for itself for a while. The others fail, or wait if they say so. Who has the token is the
// holder. It lasts in the host's memory, no longer than its time, and ends with the session.
type holdLock struct {
	mu    sync.Mutex
	name  string // of the holder, for messages
	token string
	until time.Time
	freed chan struct{} // closed when the lock ends before its time; nil: there is none
}

// release ends the lock.
func (l *holdLock) release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.releaseLocked()
}

func (l *holdLock) releaseLocked() {
	if l.freed != nil {
		close(l.freed)
	}
	l.name, l.token, l.freed = "", "", nil
}

// expireLocked ends a lock whose time is over.
func (l *holdLock) expireLocked() {
	if l.freed != nil && !time.Now().Before(l.until) {
		l.releaseLocked()
	}
}

// holder tells who holds the session and for how long; nil: nobody.
func (l *holdLock) holder() *actions.LockHolder {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.expireLocked(); l.freed == nil {
		return nil
	}
	return &actions.LockHolder{Name: l.name, Until: l.until.UnixMilli(), RemainingMS: time.Until(l.until).Milliseconds()}
}

// against returns what frees the session for a caller with this token, and when it ends at the latest; nil when he may work in it now.
func (l *holdLock) against(token string) (freed <-chan struct{}, until time.Time, name string) {
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

// take locks the session for who has the token, or renews his lock. An empty token is replaced by a new one. It reports false when somebody else
// holds the session.
func (l *holdLock) take(token, name string, last time.Duration) (string, bool) {
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

// unlocked waits, as long as --wait-lock says, until nobody else holds the session. What only tells of the session is never held up.
func (r *runner) unlocked(ctx context.Context, in *actions.Input) error {
	e := in.Command().Effect
	if e.Has(actions.NoBrowser) && !e.Has(actions.Closes) && !e.Has(actions.Mutates) || in.Bool("all") && e.Has(actions.Closes) {
		return nil // `close --all` sees to each session by itself
	}
	return r.session.awaitUnlocked(ctx, in)
}

func (s *Session) awaitUnlocked(ctx context.Context, in *actions.Input) error {
	freed, until, name := s.lock.against(in.String("lock"))
	if freed == nil {
		return nil
	}
	patience := time.NewTimer(in.Duration("wait-lock"))
	defer patience.Stop()
	for freed != nil {
		over := time.NewTimer(time.Until(until))
		select {
		case <-freed:
		case <-over.C:
		case <-patience.C:
			over.Stop()
			return s.locked(in.Name(), name, until)
		case <-ctx.Done():
			over.Stop()
			return context.Cause(ctx)
		}
		over.Stop()
		freed, until, name = s.lock.against(in.String("lock"))
	}
	return nil
}

// locked is the error of a command that came while somebody else held the session.
func (s *Session) locked(command, holder string, until time.Time) error {
	left := max(time.Until(until), 0).Round(time.Second)
	return fault.New(fault.SessionLocked, "session %s is locked by %s for another %s; `%s` was not run", s.name, holder, left, command).About(s.name).
		WithHint("Use another --session, wait with --wait-lock %dms, or give the lock's token as SKUA_LOCK if it is yours.",
			time.Until(until).Milliseconds()+1).
		With("holder", holder).With("remainingMs", max(time.Until(until).Milliseconds(), 0))
}

// LockedBy tells who holds the session for himself; nil: nobody.
func (s *Session) LockedBy() *actions.LockHolder { return s.lock.holder() }

// Lock holds the session for who has the token, or renews that.
func (s *inCall) Lock(ctx context.Context, in *actions.Input, name string, last time.Duration) (token string, err error) {
	for {
		if err := s.awaitUnlocked(ctx, in); err != nil {
			return "", err
		}
		if token, ok := s.lock.take(in.String("lock"), name, last); ok {
			s.changed()
			return token, nil
		}
	}
}

// Unlock ends the lock of who has the token; with force, anybody's. It returns who held the session, or nil.
func (s *inCall) Unlock(token string, force bool) (*actions.LockHolder, error) {
	was := s.lock.holder()
	if freed, until, name := s.lock.against(token); freed != nil && !force {
		return nil, s.locked("session unlock", name, until)
	}
	s.lock.release()
	s.changed()
	return was, nil
}
