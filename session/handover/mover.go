package handover

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/skua-browser/skua/internal/fault"
)

// Sessions are the sessions of a host.
type Sessions interface {
	// Retire ends what only the host has, and saves nothing any longer. It calls begin with the sessions that have to be
	// handed over while no command can begin, and returns them and those that came from an older host and were not used.
	Retire(begin func(open []string)) (open []string, unused []Moved)
	// Idle calls claim if no command of the session is under way, and returns its result. No command begins meanwhile.
	Idle(session string, claim func() bool) bool
	// Close closes a session and returns what it leaves.
	Close(ctx context.Context, session string) Moved
	// Arrive takes a session that an older host has left.
	Arrive(m Moved)
}

// Mover moves the sessions of a host to its successor, and those of older hosts here. It implements the daemon's
// Handover.
type Mover struct {
	departure Departure
	arrivals  Arrivals
	log       *slog.Logger
	sessions  Sessions
	closing   sync.WaitGroup
	ended     context.Context
	end       context.CancelFunc
}

// NewMover returns the mover of a host.
func NewMover(s Sessions, log *slog.Logger) *Mover {
	m := &Mover{sessions: s, log: log}
	m.ended, m.end = context.WithCancel(context.Background())
	return m
}

// Serves reports whether a session takes commands here.
func (m *Mover) Serves(session string) bool { return m.departure.Serves(session) }

// Coming reports whether sessions of older hosts will come.
func (m *Mover) Coming() bool { return m.arrivals.Any() }

// Caller is a command that has to do with a session, or with all of them.
type Caller struct {
	Command, Session string
	Limit            time.Duration
	Ends, All        bool // it closes the session; all sessions
}

// Await waits until the command's session is here, if it will come from an older host, at most as long as the command
// may take. One that closes the session does not wait for what is under way in it: that ends.
func (m *Mover) Await(ctx context.Context, c Caller) error {
	ctx, cancel := context.WithTimeout(ctx, c.Limit)
	defer cancel()
	sessions := []string{c.Session}
	if c.All {
		sessions = m.arrivals.Names()
	}
	for _, name := range sessions {
		if c.Ends {
			if err := m.arrivals.Demand(name); err != nil {
				return err
			}
		}
		switch err := m.arrivals.Wait(ctx, name); {
		case errors.Is(err, context.DeadlineExceeded):
			return fault.New(fault.Timeout,
				"session %s is still with the host of an older build, which finishes the commands that it has begun; `%s` "+
					"was not run",
				name, c.Command).About(name).WithHint("Send it again later, or `close` the session, which ends that command.")
		case err != nil:
			return err
		}
	}
	return nil
}

// Leave begins to hand the sessions over. The channel is closed when that is done.
func (m *Mover) Leave() (left <-chan struct{}) {
	open, unused := m.sessions.Retire(m.departure.Begin)
	for _, one := range unused {
		m.departure.Leave(one)
	}
	for _, name := range open {
		m.Freed(name)
	}
	done := make(chan struct{})
	go func() { // ends with the host
		defer close(done)
		m.departure.Await(m.ended)
		m.closing.Wait()
	}()
	return done
}

// closeLimit bounds the end of one session.
const closeLimit = 10 * time.Second

// Freed says that no command of a session is under way: if the host makes way, the session is closed and handed over.
func (m *Mover) Freed(session string) {
	if !m.departure.Begun() || !m.sessions.Idle(session, func() bool { return m.departure.Claim(session) }) {
		return
	}
	m.closing.Go(func() {
		ctx, cancel := context.WithTimeout(m.ended, closeLimit)
		defer cancel()
		m.departure.Leave(m.sessions.Close(ctx, session))
	})
}

// HandOver writes the sessions to the successor, or closes those of now at once.
func (m *Mover) HandOver(ctx context.Context, now []string, to io.Writer) error {
	if len(now) == 0 {
		return m.departure.Send(ctx, to)
	}
	for _, name := range now {
		if m.departure.Claim(name) {
			m.departure.Leave(m.sessions.Close(ctx, name))
		}
	}
	return nil
}

// TakeOver reads what HandOver of an older host writes.
func (m *Mover) TakeOver(from io.Reader, demand func(session string) error) (follow func()) {
	follow, err := m.arrivals.Read(from, demand, func(one Moved) {
		if m.departure.Begun() { // this host makes way as well
			m.departure.Leave(one)
			return
		}
		m.sessions.Arrive(one)
	})
	if err != nil {
		m.log.Warn("the sessions of an older host are not taken over", "err", err)
		return func() {}
	}
	return follow
}

// Close ends the handover with the host.
func (m *Mover) Close() {
	m.end()
	m.closing.Wait()
}
