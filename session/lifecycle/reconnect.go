package lifecycle

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
	"github.com/skua-browser/skua/session/lease"
)

// A lost browser may answer again soon, when it is restarted or its network returns. There is no event for that.
const (
	reconnectPatience = 2 * time.Second
	reconnectPause    = 50 * time.Millisecond
	reconnectAttempt  = 8 * time.Second // of one attempt, for an endpoint that accepts connections and does not answer
)

// Reconnect attaches again to the connected browser after its connection ended. If that fails, the session keeps what
// it knows of the browser, so that the next command tries again: no other browser replaces one that the user chose.
func (u *Use) Reconnect(ctx context.Context) error {
	if u.lostConnection() == nil {
		return nil
	}
	u.starting.Lock()
	defer u.starting.Unlock()
	return u.reconnectLocked(ctx)
}

// lostConnection returns the lease of a connected browser whose connection ended, or nil.
func (u *Use) lostConnection() *lease.Lease {
	lease := u.Lease()
	if lease == nil || lease.Launch.Connect == nil || lease.Browser.Err() == nil {
		return nil
	}
	return lease
}

// reconnectLocked is Reconnect for a caller that holds starting.
func (u *Use) reconnectLocked(ctx context.Context) error {
	lost := u.lostConnection()
	if lost == nil {
		return nil
	}
	fresh, pages, err := u.reattach(ctx, lost)
	if err != nil && !lost.Launch.UserBrowser() {
		return nil // reap reports it
	}
	if err != nil {
		return reconnectFailed(ctx, lost, err)
	}
	u.States.End("the connection to the browser was lost")
	note := u.adoptReconnected(ctx, lost, fresh, pages)
	lost.Disconnect(context.WithoutCancel(ctx))
	u.Notices.Add(note)
	u.Log.Info("connected again", "session", u.Session, "at", lost.Launch.Connect.Name)
	return nil
}

// reattach tries to attach to the lost browser until reconnectPatience has passed.
func (u *Use) reattach(ctx context.Context, lost *lease.Lease) (*lease.Lease, []*engine.Page, error) {
	began := time.Now()
	try := func(at launch.Endpoint) (*lease.Lease, []*engine.Page, error) {
		attempt, cancel := ctx, context.CancelFunc(func() {})
		if !at.Consent {
			attempt, cancel = context.WithTimeout(ctx, reconnectAttempt)
		}
		defer cancel()
		return u.Attach(attempt, lost.Launch, at, lost.Context)
	}
	for {
		fresh, pages, err := try(lost.At)
		if err == nil || lost.Launch.App != nil || ctx.Err() != nil {
			return fresh, pages, err
		}
		if lost.Launch.Connect.Searches {
			if at, notFound := lost.Launch.Connect.Find(ctx); notFound == nil {
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
func reconnectFailed(ctx context.Context, lost *lease.Lease, err error) error {
	if cause := context.Cause(ctx); errors.Is(cause, context.Canceled) || fault.Is(cause, fault.PageGone) {
		return cause
	}
	name := lost.Launch.Connect.Name
	if lost.Launch.Connect.Searches {
		name = lost.At.About
	}
	return fault.New(fault.ConnectFailed,
		"the connection to the browser of this session (%s) was lost and cannot be restored: %w", name,
		fault.WithoutHint(err)).
		About(name).With("endpoint", endpoint.ShownAddress(lost.Endpoint)).
		WithHint(
			"Start the browser again and repeat the command, `connect` to another one, or `close` the session: after that it " +
				"starts a browser of its own.")
}

// adoptReconnected makes a reconnected browser the session's. Tabs that still exist keep their ids and labels. The note
// says what was kept and lost.
func (u *Use) adoptReconnected(ctx context.Context, lost, fresh *lease.Lease, pages []*engine.Page) (note string) {
	var kept, gone []string
	u.mu.Lock()
	before, active, pinned := u.tabs.list, u.tabs.active, u.tabs.pinned
	u.tabs.list, u.tabs.active = nil, nil
	activeKept := false
	for _, t := range before {
		u.tabs.refs.CloseTab(t.ID)
		i := slices.IndexFunc(pages, func(p *engine.Page) bool { return p.ID() == t.Page.ID() })
		if i < 0 {
			gone = append(gone, t.ID+" ("+t.Page.URL()+")")
			u.tabs.remember(t)
			continue
		}
		page := pages[i]
		u.tabs.list = append(u.tabs.list, &actions.Tab{ID: t.ID, Label: t.Label, Page: page})
		kept = append(kept, t.ID)
		if t == active { // the last one becomes the active one
			activeKept = true
			pages = append(slices.Delete(slices.Clone(pages), i, i+1), page)
		}
	}
	u.mu.Unlock()
	u.adopt(ctx, fresh, pages)
	u.mu.Lock()
	if active != nil && !activeKept && pinned {
		u.tabs.active, u.tabs.lost = nil, u.tabs.goneError(active.ID)
	}
	now := u.tabs.active
	u.mu.Unlock()

	parts := []string{"the connection to " + lost.Launch.Connect.Name + " was lost and is restored"}
	if len(kept) > 0 {
		parts = append(parts, "kept: "+strings.Join(kept, ", "))
	} else if len(before) > 0 {
		parts[0] = "the browser at " + lost.Launch.Connect.Name +
			" was lost, and another one answers there now, or none of its tabs is left"
	}
	if len(gone) > 0 {
		parts = append(parts, "gone: "+strings.Join(gone, ", "))
	}
	if active != nil && !activeKept && now != nil {
		parts = append(parts, "the active tab is now "+now.ID)
	}
	if len(fresh.Overrides) > 0 {
		parts = append(parts, "applied again: "+strings.Join(fresh.Overrides, ", "))
	}
	if len(fresh.Lost) > 0 {
		parts = append(parts, "lost: "+strings.Join(fresh.Lost, ", "))
	}
	return strings.Join(parts, "; ") + ". Refs of earlier snapshots are gone; take a new one"
}
