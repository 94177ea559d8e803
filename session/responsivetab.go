package session

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
)

// ensureAttached attaches to a tab's page. Pages of a connected browser are attached on first use.
func (s *Session) ensureAttached(ctx context.Context, tab *actions.Tab) error {
	err := tab.Page.Attach(ctx)
	if !fault.Is(err, fault.TabHung) {
		return err
	}
	f, _ := errors.AsType[*fault.Error](err)
	return fault.New(fault.TabHung, "tab %s (%s): %w", tab.ID, tab.Page.URL(), err).About(tab.ID).WithHint("%s", f.Hint).With("tabId", tab.ID)
}

// maxSilent is how many unresponsive tabs a note names.
const maxSilent = 10

// findResponsiveTab activates the last used tab that responds. pages is sorted by use, the last used last.
func (s *Session) findResponsiveTab(ctx context.Context, l *lease, pages []*engine.Page) {
	alive, silent, err := l.context.AttachResponsive(ctx, pages)
	if err != nil {
		s.manager.log.Info("no tab was searched for", "session", s.name, "err", err)
		return
	}
	s.mu.Lock()
	var names []string
	for _, t := range s.tabs {
		if t.Page == alive {
			s.active, s.lostTabErr = t, nil
		}
	}
	for _, p := range silent {
		for _, t := range s.tabs {
			if t.Page == p {
				names = append(names, t.ID+" ("+p.URL()+")")
			}
		}
	}
	s.mu.Unlock()
	s.changed()
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
	if alive == nil {
		note += "; no other tab responds, and the next command that needs a tab opens a new one"
	}
	s.addNotice(note)
}
