package session

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/internal/pause"
	"github.com/skua-browser/skua/session/launch"
)

// A browser that was lost may answer again in a moment: somebody starts it anew, or restores the way to it. Nothing tells when.
const (
	reconnectPatience = 2 * time.Second
	reconnectPause    = 50 * time.Millisecond
	reconnectAttempt  = 8 * time.Second // of one attempt, at something that takes connections and does not answer
)

// reconnect attaches to the browser again that the session was attached to, when the connection to it has ended. What the session knows of the
// browser stays when that fails, so that the next command tries again: no other browser takes the place of one that people chose.
func (s *Session) reconnect(ctx context.Context) error {
	if s.lostLease() == nil {
		return nil
	}
	s.starting.Lock()
	defer s.starting.Unlock()
	return s.reconnectHeld(ctx)
}

// lostLease is the hold on a browser that the session was attached to and is not any more; nil: there is none.
func (s *Session) lostLease() *lease {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holds == nil || s.holds.launch.Connect == nil || s.holds.browser.Err() == nil {
		return nil
	}
	return s.holds
}

// reconnectHeld is reconnect for who holds s.starting.
func (s *Session) reconnectHeld(ctx context.Context) error {
	lost := s.lostLease()
	if lost == nil {
		return nil
	}
	fresh, pages, err := s.reachAgain(ctx, lost)
	if err != nil && !lost.launch.Chosen() {
		return nil // reap says what became of it
	}
	if err != nil {
		return notReached(ctx, lost, err)
	}
	s.states.End("the connection to the browser was lost")
	note := s.takeAgain(ctx, lost, fresh, pages)
	lost.leave(context.WithoutCancel(ctx))
	s.tell(note)
	s.manager.log.Info("connected again", "session", s.name, "at", lost.launch.Connect.Name)
	return nil
}

// reachAgain tries for a while to attach to the browser that was lost.
func (s *Session) reachAgain(ctx context.Context, lost *lease) (*lease, []*engine.Page, error) {
	began := time.Now()
	try := func(at launch.Endpoint) (*lease, []*engine.Page, error) {
		if !at.Consent {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, reconnectAttempt)
			defer cancel()
		}
		return s.reach(ctx, lost.launch, at, lost.context)
	}
	for {
		fresh, pages, err := try(lost.at)
		if err == nil || lost.launch.App != nil || ctx.Err() != nil {
			return fresh, pages, err
		}
		if lost.launch.Connect.Searches {
			if at, notFound := lost.launch.Connect.Find(ctx); notFound == nil {
				if fresh, pages, err = try(at); err == nil {
					return fresh, pages, nil
				}
			}
		}
		if time.Since(began) > reconnectPatience {
			return nil, nil, err
		}
		if pause.For(ctx, reconnectPause) != nil {
			return nil, nil, err
		}
	}
}

// notReached says that a browser which was lost stays lost.
func notReached(ctx context.Context, lost *lease, err error) error {
	if cause := context.Cause(ctx); errors.Is(cause, context.Canceled) || fault.Is(cause, fault.PageGone) {
		return cause
	}
	name := lost.launch.Connect.Name
	if lost.launch.Connect.Searches {
		name = lost.at.About
	}
	return fault.New(fault.ConnectFailed, "the connection to the browser of this session (%s) was lost, and it cannot be made again: %w", name, fault.WithoutHint(err)).
		About(name).With("endpoint", engine.ShownAddress(lost.endpoint)).
		WithHint("Start the browser again and repeat the command, `connect` to another one, or `close` the session: after that it starts a browser of its own.")
}

// takeAgain makes the browser the session's again. Tabs that are still there keep their ids and labels. It says what is kept.
func (s *Session) takeAgain(ctx context.Context, lost, fresh *lease, pages []*engine.Page) (note string) {
	var kept, gone []string
	s.mu.Lock()
	before, active, pinned := s.tabs, s.active, s.pinned
	s.tabs, s.active = nil, nil
	activeKept := false
	for _, t := range before {
		s.refs.CloseTab(t.ID)
		i := slices.IndexFunc(pages, func(p *engine.Page) bool { return p.ID() == t.Page.ID() })
		if i < 0 {
			gone = append(gone, t.ID+" ("+t.Page.URL()+")")
			s.rememberGoneLocked(t)
			continue
		}
		page := pages[i]
		s.tabs = append(s.tabs, &actions.Tab{ID: t.ID, Label: t.Label, Page: page})
		kept = append(kept, t.ID)
		if t == active { // the last one becomes the active one
			activeKept = true
			pages = append(slices.Delete(slices.Clone(pages), i, i+1), page)
		}
	}
	s.mu.Unlock()
	s.take(ctx, fresh, pages)
	s.mu.Lock()
	if active != nil && !activeKept && pinned {
		s.active, s.lostTab = nil, tabGone(active.ID, s.gone[active.ID])
	}
	now := s.active
	s.mu.Unlock()

	parts := []string{"the connection to " + lost.launch.Connect.Name + " was lost and has been made again"}
	if len(kept) > 0 {
		parts = append(parts, "kept: "+strings.Join(kept, ", "))
	} else if len(before) > 0 {
		parts[0] = "the browser at " + lost.launch.Connect.Name + " was lost, and another one answers there now, or none of its tabs is left"
	}
	if len(gone) > 0 {
		parts = append(parts, "gone: "+strings.Join(gone, ", "))
	}
	if active != nil && !activeKept && now != nil {
		parts = append(parts, "the active tab is now "+now.ID)
	}
	if len(fresh.stands) > 0 {
		parts = append(parts, "applied again: "+strings.Join(fresh.stands, ", "))
	}
	if len(fresh.ended) > 0 {
		parts = append(parts, "lost: "+strings.Join(fresh.ended, ", "))
	}
	return strings.Join(parts, "; ") + ". Refs of earlier snapshots are gone; take a new one"
}
