package lifecycle

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/engine/webauthn"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/lease"
	"github.com/skua-browser/skua/session/ledger"
)

// How a session recovers from the crash of its browser, its host or a page. Tabs keep their ids, labels, order and
// scroll positions. They load when they are used, by a plain request for their URL: nothing is sent to a server twice.

const (
	maxRecoveries = 3                // browsers that one command may start
	maxCrashes    = 2                // consecutive browser crashes, after which the page is not loaded by itself
	maxReloads    = 2                // consecutive reloads of a page that crashes alone
	reloadLimit   = 10 * time.Second // for a reload, which continues after it
)

// Recovery says how a command recovers what a crash took from its session.
type Recovery struct {
	OpensURL bool // the command opens a URL in the active tab, so that the old one is not loaded
	Reloads  bool // the command reloads the tab's page itself, however often it crashed
	Blank    bool // nothing is restored
}

// lost returns what the session has lost and not restored, or nil.
func (b *Browser) lost() *loss {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.loss
}

// resume applies the overrides and cookies of the browser that ended to the new one, before it has pages. It returns
// what was applied again and what is lost, in words.
func (lost *loss) resume(
	ctx context.Context, l *lease.Lease, how Recovery, log *slog.Logger,
) (applied, ended []string) {
	if lost == nil || how.Blank || l.Launch.Connect != nil {
		return nil, nil
	}
	if lost.before != nil {
		applied, ended = l.Context.Resume(lost.before)
		switch had, err := webauthn.Resume(ctx, l.Context, lost.before); {
		case err != nil:
			log.Warn("passkeys not restored", "code", fault.CodeOf(err))
			ended = append(ended, "passkeys")
		case had:
			applied = append(applied, "passkeys")
		}
	}
	if len(lost.cookies) > 0 {
		refused, err := storage.SetCookies(ctx, l.Context, lost.cookies)
		if err := errors.Join(append(refused, err)...); err != nil {
			log.Warn("cookies not restored", "err", err)
			ended = append(ended, "cookies")
		} else {
			applied = append(applied, "cookies")
		}
	}
	return applied, ended
}

// restoreTabs restores the session's tabs without loading them, and queues a note about it.
func (b *Browser) restoreTabs(l *lease.Lease, how Recovery, applied, ended []string) {
	b.mu.Lock()
	lost := b.loss
	b.loss = nil
	if lost == nil {
		b.mu.Unlock()
		return
	}
	if l.Launch.Connect != nil { // it already has its own tabs
		how.Blank = true
	}
	var restored []string
	var gone []string
	for _, k := range lost.tabs {
		active := k.ID == lost.active
		switch {
		case how.Blank:
			gone = appendURL(active, gone, k)
			continue
		case b.crashes.browsers[k.URL] >= maxCrashes:
			lost.leftOut = append(lost.leftOut, k.URL)
			if !active {
				continue
			}
			k.URL, k.Address, k.Title = ledger.BlankPage, "", ""
		case active && how.OpensURL:
			gone = appendURL(true, gone, k)
		case !k.Empty():
			restored = append(restored, k.String())
		}
		tab := &actions.Tab{ID: k.ID, Label: k.Label, Page: l.Context.Unloaded(k.FullURL(), k.Title)}
		b.tabs.scrolled(k)
		b.tabs.list = append(b.tabs.list, tab)
		if active {
			b.tabs.activate(tab)
		}
	}
	if b.tabs.active == nil && len(b.tabs.list) > 0 {
		b.tabs.active = b.tabs.list[len(b.tabs.list)-1]
	}
	b.mu.Unlock()
	b.Notices.Add(lost.note(b.Session, restored, gone, applied, ended))
	b.Changed()
}

// appendURL adds a tab's URL to a list, at the front if the tab was active.
func appendURL(front bool, list []string, k ledger.Tab) []string {
	switch {
	case k.Empty():
		return list
	case front:
		return slices.Insert(list, 0, k.URL)
	}
	return append(list, k.URL)
}
