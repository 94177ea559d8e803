package session

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
)

// wakeAttached attaches to the page of a tab that a command is for. Those of a browser which we attached to wait for that.
func (s *Session) wakeAttached(ctx context.Context, tab *actions.Tab) error {
	err := tab.Page.Attach(ctx)
	if !fault.Is(err, fault.TabHung) {
		return err
	}
	f, _ := errors.AsType[*fault.Error](err)
	return fault.New(fault.TabHung, "tab %s (%s): %w", tab.ID, tab.Page.URL(), err).About(tab.ID).WithHint("%s", f.Hint).With("tabId", tab.ID)
}

// maxSilent is how many tabs that give no sign of life are named in a note.
const maxSilent = 10

// rouse makes the page that was used last, and gives a sign of life, the active tab. The last of pages is the one used last.
func (s *Session) rouse(ctx context.Context, l *lease, pages []*engine.Page) {
	alive, silent, err := l.context.Rouse(ctx, pages)
	if err != nil {
		s.manager.log.Info("no tab was looked for", "session", s.name, "err", err)
		return
	}
	s.mu.Lock()
	var names []string
	for _, t := range s.tabs {
		if t.Page == alive {
			s.active, s.lostTab = t, nil
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
	note := "tab " + names[0] + " gave no sign of life and is left alone"
	if len(names) > 1 {
		more := ""
		if n := len(names) - maxSilent; n > 0 {
			names, more = names[:maxSilent], fmt.Sprintf(" and %d more", n)
		}
		note = "tabs " + strings.Join(names, ", ") + more + " gave no sign of life and are left alone"
	}
	if alive == nil {
		note += "; no other tab does, and the next command that needs one opens a new one"
	}
	s.tell(note)
}
