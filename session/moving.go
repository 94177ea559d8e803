package session

import (
	"context"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/session/daemon"
	"github.com/skua-browser/skua/session/handover"
)

// Handover returns what moves the sessions to the host of a newer build, and those of an older one here.
func (m *Manager) Handover() daemon.Handover { return m.moves }

// moving are a host's sessions for its [handover.Mover].
type moving struct{ *Manager }

// Retire implements [handover.Sessions]. The dashboard, streams and recordings do
// not keep a session here: they end as with the host.
func (m moving) Retire(begin func(open []string)) (open []string, unused []handover.Moved) {
	m.board.close()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.journal.Freeze()
	for name, s := range m.sessions {
		if s.callers.Load() > 0 || s.inUse() {
			open = append(open, name)
		}
	}
	for name, l := range m.lost {
		if l.Moved {
			unused = append(unused, handover.MovedOf(name, l))
		}
	}
	begin(open)
	return open, unused
}

// Idle implements [handover.Sessions].
func (m moving) Idle(session string, claim func() bool) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.sessions[session]
	return s != nil && s.callers.Load() == 0 && claim()
}

// Close implements [handover.Sessions].
func (m moving) Close(ctx context.Context, session string) handover.Moved {
	s := m.existing(session)
	s.browser.TakeCheckpoint()
	moved := handover.Moved{Name: session}
	switch open, kept := s.browser.Leave(); {
	case open != nil && !open.RulesOnly:
		moved = handover.MovedOf(session, open)
	default:
		moved.Open, moved.Kept = open, kept
	}
	s.states.End("a newer build of skua took over session " + session)
	moved.Notes = append(s.notices.Take(), s.states.TakeNotes()...)
	if err := s.close(ctx); err != nil {
		moved.Notes = append(moved.Notes, err.Error())
	}
	s.queue.Abandon()
	return moved
}

// Arrive implements [handover.Sessions].
func (m moving) Arrive(moved handover.Moved) {
	m.mu.Lock()
	m.loadLedgerLocked()
	if !moved.Kept {
		m.journal.Set(moved.Name, moved.Open)
	}
	open, s := moved.Entry(m.lost[moved.Name]), m.sessions[moved.Name]
	delete(m.lost, moved.Name)
	if open != nil && s == nil {
		m.lost[moved.Name] = open
	}
	m.mu.Unlock()
	if open != nil && s != nil { // made by a command that needs no browser
		s.recover(open)
	}
	m.changes.Notify()
}

// awaitArrival waits for a session that comes from an older host, see [handover.Mover.Await].
func (m *Manager) awaitArrival(
	ctx context.Context, in *actions.Input, session string,
) (waited time.Duration, err error) {
	ends := in.Command().EndsSession()
	if !m.moves.Coming() || in.Command().Sessionless != nil && !ends {
		return 0, nil
	}
	began := time.Now()
	err = m.moves.Await(ctx, handover.Caller{
		Command: in.Name(),
		Session: session,
		Limit:   timeLimit(in),
		Ends:    ends,
		All:     ends && in.Bool("all"),
	})
	return time.Since(began), err
}
