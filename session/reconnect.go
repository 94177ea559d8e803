package session

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/endpoint"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/pause"
	"github.com/skua-browser/skua/session/launch"
)

// A lost browser may answer again soon, when it is restarted or its network returns. There is no event for that.
const (
	reconnectPatience = 2 * time.Second
	reconnectPause    = 50 * time.Millisecond
	reconnectAttempt  = 8 * time.Second // of one attempt, for an endpoint that accepts connections and does not answer
)

// reconnect attaches again to the connected browser after its connection ended. If that fails, the session keeps what it knows of the browser, so
// that the next command tries again: no other browser replaces one that the user chose.
func (s *Session) reconnect(ctx context.Context) error {
	if s.lostConnection() == nil {
		return nil
	}
	s.starting.Lock()
	defer s.starting.Unlock()
	return s.reconnectLocked(ctx)
}

// lostConnection returns the lease of a connected browser whose connection ended, or nil.
func (s *Session) lostConnection() *lease {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lease == nil || s.lease.launch.Connect == nil || s.lease.browser.Err() == nil {
		return nil
	}
	return s.lease
}

// reconnectLocked is reconnect for a caller that holds s.starting.
func (s *Session) reconnectLocked(ctx context.Context) error {
	lost := s.lostConnection()
	if lost == nil {
		return nil
	}
	fresh, pages, err := s.reattach(ctx, lost)
	if err != nil && !lost.launch.UserBrowser() {
		return nil // reap reports it
	}
	if err != nil {
		return reconnectFailed(ctx, lost, err)
	}
	s.states.End("the connection to the browser was lost")
	note := s.adoptReconnected(ctx, lost, fresh, pages)
	lost.disconnect(context.WithoutCancel(ctx))
	s.addNotice(note)
	s.manager.log.Info("connected again", "session", s.name, "at", lost.launch.Connect.Name)
	return nil
}

// reattach tries to attach to the lost browser until reconnectPatience has passed.
func (s *Session) reattach(ctx context.Context, lost *lease) (*lease, []*engine.Page, error) {
	began := time.Now()
	try := func(at launch.Endpoint) (*lease, []*engine.Page, error) {
		if !at.Consent {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, reconnectAttempt)
			defer cancel()
		}
		return s.attachFirst(ctx, lost.launch, at, lost.context)
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

// reconnectFailed is the error of a browser that stays lost.
func reconnectFailed(ctx context.Context, lost *lease, err error) error {
	if cause := context.Cause(ctx); errors.Is(cause, context.Canceled) || fault.Is(cause, fault.PageGone) {
		return cause
	}
	name := lost.launch.Connect.Name
	if lost.launch.Connect.Searches {
		name = lost.at.About
	}
	return fault.New(fault.ConnectFailed, "the connection to the browser of this session (%s) was lost and cannot be restored: %w", name, fault.WithoutHint(err)).
		About(name).With("endpoint", endpoint.ShownAddress(lost.endpoint)).
		WithHint("Start the browser again and repeat the command, `connect` to another one, or `close` the session: after that it starts a browser of its own.")
}

// adoptReconnected makes a reconnected browser the session's. Tabs that still exist keep their ids and labels. The note says what was kept and lost.
func (s *Session) adoptReconnected(ctx context.Context, lost, fresh *lease, pages []*engine.Page) (note string) {
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
	s.adopt(ctx, fresh, pages)
	s.mu.Lock()
	if active != nil && !activeKept && pinned {
		s.active, s.lostTabErr = nil, tabGone(active.ID, s.gone[active.ID])
	}
	now := s.active
	s.mu.Unlock()

	parts := []string{"the connection to " + lost.launch.Connect.Name + " was lost and is restored"}
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
	if len(fresh.overrides) > 0 {
		parts = append(parts, "applied again: "+strings.Join(fresh.overrides, ", "))
	}
	if len(fresh.lost) > 0 {
		parts = append(parts, "lost: "+strings.Join(fresh.lost, ", "))
	}
	return strings.Join(parts, "; ") + ". Refs of earlier snapshots are gone; take a new one"
}
