package session

import (
	"context"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/fault"
)

// awaitLock waits, for at most --wait-lock, until no other caller has locked the session. Commands that only report on
// the session do not wait.
func (r *runner) awaitLock(ctx context.Context, in *actions.Input) error {
	e := in.Command().Effect
	if e.Has(actions.NoBrowser) && !e.Has(actions.Closes) && !e.Has(actions.Mutates) ||
		in.Bool("all") && e.Has(actions.Closes) {
		return nil // `close --all` checks each session's lock
	}
	return r.session.awaitUnlocked(ctx, in)
}

func (s *Session) awaitUnlocked(ctx context.Context, in *actions.Input) error {
	freed, until, name := s.lock.BlockedBy(in.String("lock"))
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
		freed, until, name = s.lock.BlockedBy(in.String("lock"))
	}
	return nil
}

// locked is the error of a command in a session that another caller has locked.
func (s *Session) locked(command, holder string, until time.Time) error {
	left := max(time.Until(until), 0).Round(time.Second)
	return fault.New(fault.SessionLocked, "session %s is locked by %s for another %s; `%s` was not run", s.name, holder,
		left, command).About(s.name).
		WithHint("Use another --session, wait with --wait-lock %dms, or give the lock's token as SKUA_LOCK if it is yours.",
			time.Until(until).Milliseconds()+1).
		With("holder", holder).With("remainingMs", max(time.Until(until).Milliseconds(), 0))
}

// sessionLock is the session's lock as a call has it.
type sessionLock struct{ *callSession }

// Holder returns who has locked the session, or nil.
func (s sessionLock) Holder() *actions.LockHolder { return s.lock.Holder() }

// Take locks the session for the caller with the token, or renews the lock.
func (s sessionLock) Take(
	ctx context.Context, in *actions.Input, name string, last time.Duration,
) (token string, err error) {
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

// Release ends the lock of the caller with the token; with force, any lock. It returns who had locked the session, or
// nil.
func (s sessionLock) Release(token string, force bool) (*actions.LockHolder, error) {
	was := s.lock.Holder()
	if freed, until, name := s.lock.BlockedBy(token); freed != nil && !force {
		return nil, s.locked("session unlock", name, until)
	}
	s.lock.Release()
	s.changed()
	return was, nil
}
