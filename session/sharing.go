package session

import (
	"context"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/fault"
)

// unlocked waits, as long as --wait-lock says, until nobody else holds the session. What only tells of the session is never held up.
func (r *runner) unlocked(ctx context.Context, in *actions.Input) error {
	e := in.Command().Effect
	if e.Has(actions.NoBrowser) && !e.Has(actions.Closes) && !e.Has(actions.Mutates) || in.Bool("all") && e.Has(actions.Closes) {
		return nil // `close --all` sees to each session by itself
	}
	return r.session.awaitUnlocked(ctx, in)
}

func (s *Session) awaitUnlocked(ctx context.Context, in *actions.Input) error {
	freed, until, name := s.lock.Against(in.String("lock"))
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
		freed, until, name = s.lock.Against(in.String("lock"))
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
func (s *Session) LockedBy() *actions.LockHolder { return s.lock.Holder() }

// Lock holds the session for who has the token, or renews that.
func (s *inCall) Lock(ctx context.Context, in *actions.Input, name string, last time.Duration) (token string, err error) {
	for {
		if err := s.awaitUnlocked(ctx, in); err != nil {
			return "", err
		}
		if token, ok := s.lock.Take(in.String("lock"), name, last); ok {
			s.changed()
			return token, nil
		}
	}
}

// Unlock ends the lock of who has the token; with force, anybody's. It returns who held the session, or nil.
func (s *inCall) Unlock(token string, force bool) (*actions.LockHolder, error) {
	was := s.lock.Holder()
	if freed, until, name := s.lock.Against(token); freed != nil && !force {
		return nil, s.locked("session unlock", name, until)
	}
	s.lock.Release()
	s.changed()
	return was, nil
}
