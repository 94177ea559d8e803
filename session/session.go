package session

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/session/handoff"
	"github.com/skua-browser/skua/session/journal"
	"github.com/skua-browser/skua/session/lease"
	"github.com/skua-browser/skua/session/ledger"
	"github.com/skua-browser/skua/session/lifecycle"
	"github.com/skua-browser/skua/session/notices"
	"github.com/skua-browser/skua/session/restore"
	"github.com/skua-browser/skua/session/rules"
	"github.com/skua-browser/skua/session/turn"
)

// Session is a named browser with its tabs, and what outlives a command in it.
type Session struct {
	manager *Manager
	name    string
	queue   *turn.Queue
	browser *lifecycle.Browser

	callers atomic.Int32 // running commands, counted from when they asked for the session

	notices  notices.Queue // for the next reply
	stream   liveStream
	takeover turn.Takeover
	handoffs handoff.Desk
	lock     turn.Lock

	refused    policy.Log
	log        journal.Log
	ruling     *rules.Set
	pending    pendingCommands
	flows      flows
	states     actions.States
	inspection inspection

	mu            sync.Mutex
	configNotices []string      // the notes about configuration files that were shown
	owner         actions.Owner // the first caller
	othersNoted   bool          // the note about other sessions was shown
	lastUsed      time.Time     // by a command
	recheck       time.Time     // when InUse is rechecked
}

func newSession(m *Manager, name string) *Session {
	s := &Session{manager: m, name: name, queue: turn.NewQueue(), ruling: rules.New(m.owner, m.registry, m.vocabulary)}
	s.log.Limit(journalLimits())
	s.browser = lifecycle.New(lifecycle.Options{
		Starter: lease.Starter{
			Session: name,
			Owner: fmt.Sprintf("%p",
				m),
			Browsers: m.browsers,
			Rules:    s.ruling,
			Refused:  &s.refused,
			Notices:  &s.notices,
			Resolver: m.options.Resolver,
			Log:      m.log,
		},
		Ledger:  m.journal,
		Metrics: m.metrics,
		States:  &s.states,
		Brief:   m.options.Brief,
		Busy:    s.queue.Busy,
		Changed: s.changed,
		Waits:   s.waits,
	})
	return s
}

// waits returns the handoff of a session that waits for a person; nil means that it waits for none.
func (s *Session) waits() *ledger.Handoff {
	h := s.handoffs.Current()
	if h == nil || h.End != actions.HandoffWaiting {
		return nil
	}
	return &ledger.Handoff{ID: h.ID, Text: h.Text, Begun: h.Begun.Round(0)}
}

// recover takes over what an earlier host had open for the session.
func (s *Session) recover(lost *ledger.Session) {
	if w := lost.Handoff; w != nil {
		s.handoffs.Lose(actions.Handoff{ID: w.ID, Text: w.Text, Begun: w.Begun})
	}
	s.browser.Recover(lost)
}

// addNotice queues a notice for the session's next reply.
func (s *Session) addNotice(note string) {
	s.notices.Add(note)
}

// close ends the session's browser and everything that runs in it. It fails if the session's state, downloads or video
// are lost with it; the session is closed all the same.
func (s *Session) close(ctx context.Context) error {
	s.states.End("the session was closed")
	lost := s.states.Lost()
	s.browser.Lifetime.End()
	s.manager.tasks.EndSession(s.name, lifecycle.Closed())
	s.stream.close()
	s.inspection.close()
	s.takeover.Release()
	s.handoffs.Close("the session was closed")
	s.lock.Release()
	s.pending.forget()
	s.flows.forget()
	return restore.AlsoClosedWithout(s.browser.Close(ctx), lost)
}
