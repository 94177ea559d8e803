package lifecycle

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/crash"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/ledger"
)

// ensureUsable prepares a tab for a command: it attaches to the page of a connected browser, or loads a page that was
// lost in a crash. The returned tab replaces the given one.
func (u *Use) ensureUsable(ctx context.Context, tab *actions.Tab, how Recovery) (*actions.Tab, error) {
	if !tab.Page.IsUnloaded() && !u.canReload(tab) {
		return tab, attached(ctx, tab)
	}
	u.starting.Lock()
	defer u.starting.Unlock()
	return u.ensureUsableLocked(ctx, tab, how)
}

// ensureUsableLocked is ensureUsable for a caller that holds u.starting.
func (u *Use) ensureUsableLocked(ctx context.Context, tab *actions.Tab, how Recovery) (*actions.Tab, error) {
	switch {
	case tab.Page.IsUnloaded():
		return u.loadTab(ctx, tab, how.OpensURL)
	case u.canReload(tab):
		if how.OpensURL || how.Reloads {
			return tab, nil // the command loads the page
		}
		return tab, u.reloadCrashed(ctx, tab)
	}
	u.mu.Lock()
	if !u.reloaded && tab.Page.Err() == nil { // it outlived the command that reloaded it
		u.crashes.forget(tab.Page.URL())
	}
	u.mu.Unlock()
	return tab, attached(ctx, tab)
}

// canReload reports whether the tab's page has crashed and the session may reload it.
func (u *Use) canReload(tab *actions.Tab) bool {
	if !fault.Is(tab.Page.Err(), fault.PageCrashed) {
		return false
	}
	lease := u.Lease()
	return lease != nil && lease.Launch.Connect == nil
}

// loadTab opens a page for an unloaded tab and loads what the tab showed before the crash.
func (u *Use) loadTab(ctx context.Context, tab *actions.Tab, opens bool) (*actions.Tab, error) {
	u.mu.Lock()
	lease := u.lease
	i := slices.IndexFunc(u.tabs.list, func(t *actions.Tab) bool { return t.ID == tab.ID })
	if i >= 0 && !u.tabs.list[i].Page.IsUnloaded() {
		tab = u.tabs.list[i] // another command loaded it
		u.mu.Unlock()
		return tab, nil
	}
	u.mu.Unlock()
	if i < 0 || lease == nil {
		return nil, fault.New(fault.PageGone, "the tab was closed").About(tab.ID)
	}
	page, err := u.openPage(ctx, lease, lease.Context.NewPage)
	if err != nil {
		return nil, err
	}
	if err := u.saved.loadSessions(ctx, lease, page); err != nil {
		return nil, err
	}
	fresh := &actions.Tab{ID: tab.ID, Label: tab.Label, Page: page}
	u.mu.Lock()
	found := u.tabs.replace(tab, fresh)
	u.reloaded = true
	offset := u.tabs.offsets[tab.ID].offset
	u.mu.Unlock()
	u.Changed()
	if !found { // closed in the meantime
		_ = page.Close(ctx)
		return nil, fault.New(fault.PageGone, "the tab was closed").About(tab.ID)
	}
	url := tab.Page.Address()
	if opens || url == "" || url == ledger.BlankPage {
		return fresh, nil
	}
	return fresh, u.reloadURL(ctx, fresh, url, offset)
}

// reloadCrashed reloads a crashed page, unless it has crashed too often.
func (u *Use) reloadCrashed(ctx context.Context, tab *actions.Tab) error {
	url := tab.Page.URL()
	u.mu.Lock()
	n := u.crashes.processes[url]
	if n <= maxReloads {
		n = countCrash(&u.crashes.processes, url)
	}
	u.reloaded = true
	at := u.tabs.offsets[tab.ID]
	u.mu.Unlock()
	if n > maxReloads || url == "" || strings.HasPrefix(url, "chrome://crash") {
		return tab.Page.Err()
	}
	if at.url != url {
		at.offset = ledger.Offset{}
	}
	if err := u.reloadURL(ctx, tab, url, at.offset); err != nil {
		if crash.HasNoProcess(err) { // no page was loaded that could have crashed
			u.mu.Lock()
			delete(u.crashes.processes, url)
			u.mu.Unlock()
			u.abandonFor(tab.Page.Err())
		}
		return err
	}
	u.Notices.Add("the page of tab " + tab.ID + " (" + url +
		") had crashed and was loaded again; refs of earlier snapshots and text typed into its forms are gone")
	return nil
}

// reloadURL loads a URL again. A failure becomes a note, not an error, as long as the tab is usable.
func (u *Use) reloadURL(ctx context.Context, tab *actions.Tab, url string, offset ledger.Offset) error {
	limit := reloadLimit
	if deadline, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(deadline)/2)
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if tab.Page.Err() == nil { // a crashed page has nothing to watch
		var stop func()
		limited, stop = tab.Page.Watch(limited, true)
		defer stop()
	}
	_, err := tab.Page.Navigate(limited, url, engine.WaitLoad)
	if err == nil && offset != (ledger.Offset{}) {
		err = offset.Scroll(limited, tab.Page)
	}
	switch {
	case err == nil, fault.Is(err, fault.DialogOpen): // the command reports the open dialog
		return nil
	case ctx.Err() != nil || tab.Page.Err() != nil:
		return err
	case fault.Is(err, fault.Timeout):
		u.Notices.Add("tab " + tab.ID + " is still loading " + url)
	default:
		u.Notices.Add(fmt.Sprintf("tab %s could not be loaded again: %v", tab.ID, fault.WithoutHint(err)))
	}
	return nil
}
