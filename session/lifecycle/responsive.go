package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/lease"
)

// attached attaches to a tab's page. Pages of a connected browser are attached on first use.
func attached(ctx context.Context, tab *actions.Tab) error {
	err := tab.Page.Attach(ctx)
	if !fault.Is(err, fault.TabHung) {
		return err
	}
	f, _ := errors.AsType[*fault.Error](err)
	return fault.New(fault.TabHung, "tab %s (%s): %w", tab.ID, tab.Page.URL(), fault.WithoutHint(err)).About(tab.ID).
		WithHint("%s", f.Hint).
		With("tabId", tab.ID)
}

// maxSilent is how many unresponsive tabs a note names.
const maxSilent = 10

// findResponsiveTab activates the last used tab that responds. pages is sorted by use, the last used last.
func (b *Browser) findResponsiveTab(ctx context.Context, l *lease.Lease, pages []*engine.Page) {
	alive, silent, err := l.Context.AttachResponsive(ctx, pages)
	if err != nil {
		b.Log.Info("no tab was searched for", "session", b.Session, "err", err)
		return
	}
	b.mu.Lock()
	var names []string
	for _, t := range b.tabs.list {
		if t.Page == alive {
			b.tabs.activate(t)
		}
	}
	for _, p := range silent {
		for _, t := range b.tabs.list {
			if t.Page == p {
				names = append(names, t.ID+" ("+p.URL()+")")
			}
		}
	}
	b.mu.Unlock()
	b.Changed()
	if len(names) == 0 {
		return
	}
	note := "tab " + names[0] + " does not respond and is skipped"
	if len(names) > 1 {
		more := ""
		if n := len(names) - maxSilent; n > 0 {
			names, more = names[:maxSilent], fmt.Sprintf(" and %d more", n)
		}
		note = "tabs " + strings.Join(names, ", ") + more + " do not respond and are skipped"
	}
	switch {
	case alive == nil && l.InApp():
		note += "; no other window of the app responds, and `electron status` says what its main process does"
	case alive == nil:
		note += "; no other tab responds, and the next command that needs a tab opens a new one"
	}
	b.Notices.Add(note)
}
