package session

import (
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/pagetext"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/ring"
	"github.com/skua-browser/skua/session/dashboard"
	"github.com/skua-browser/skua/session/journal"
	"github.com/skua-browser/skua/snapshot"
)

// journalLimits bounds a journal. SKUA_JOURNAL_ENTRIES and SKUA_JOURNAL_BYTES in the host's environment change it.
var journalLimits = sync.OnceValue(func() ring.Limits {
	limits := ring.Limits{Count: 500, Bytes: 256 << 10}
	if n, err := strconv.Atoi(os.Getenv("SKUA_JOURNAL_ENTRIES")); err == nil && n > 0 {
		limits.Count = n
	}
	if n, err := strconv.ParseInt(os.Getenv("SKUA_JOURNAL_BYTES"), 10, 64); err == nil && n > 0 {
		limits.Bytes = n
	}
	return limits
})

// Journal returns the session's journal.
func (s *Session) Journal() *journal.Log { return &s.log }

// JournalOf returns the journal of another session of the host, or nil.
func (s *Session) JournalOf(name string) *journal.Log {
	if other := s.manager.existing(name); other != nil {
		return &other.log
	}
	return nil
}

// record adds a starting command to the journal; end adds its outcome.
func (s *Session) record(in *actions.Input, fixed string) (end func(actions.Result, error)) {
	if cmd := in.Command(); cmd.Effect.Has(actions.NoBrowser) && !cmd.Effect.Has(actions.Closes) && !cmd.Logged {
		begun := time.Now()
		return func(_ actions.Result, err error) {
			s.manager.metrics.Command(in.Command().Name, time.Since(begun), failureCode(err))
		}
	}
	tab := s.tabOf(in, fixed)
	entry, mask := in.Recorded(func(ref string) *journal.Target { return s.targetOf(ref, tab) })
	if tab != nil {
		entry.Tab, entry.From = tab.ID, tab.Page.URL()
	}
	begun := time.Now()
	done := s.log.Begin(entry)
	return func(res actions.Result, err error) {
		o := journal.Outcome{Effect: res.Effect, Secret: res.Secret, Named: namedTargets(&res)}
		if now := s.tabOf(in, fixed); now != nil {
			o.To = now.Page.URL()
		}
		if o.Code = failureCode(err); err != nil {
			o.Error = mask(err.Error())
		}
		done(o)
		took := time.Since(begun)
		s.manager.metrics.Command(in.Command().Name, took, o.Code)
		s.manager.log.Debug("command ran", "session", s.name, "command", in.Command().Name, "took", took, "code", o.Code,
			"tab", entry.Tab)
	}
}

// namedTargets are the elements that words of a command named without being selectors: the only match there is.
func namedTargets(res *actions.Result) map[string]*journal.Target {
	reported, ok := res.Data.(*actions.Reported)
	if !ok {
		return nil
	}
	named := map[string]*journal.Target{}
	add := func(m fact.MatchedReport) {
		if m.Count == 1 {
			named[m.Selector] = &journal.Target{Ref: m.Selector, Role: m.Role, Name: pagetext.Bounded(m.Name, pagetext.MaxTitle)}
		}
	}
	if first := reported.Reports.Matched; first != nil {
		add(*first)
	}
	for _, other := range reported.Reports.AlsoMatched {
		add(other)
	}
	return named
}

// tabOf returns the tab that a command works in: that of --tab or the one that it is fixed to, else the active one.
func (s *Session) tabOf(in *actions.Input, fixed string) *actions.Tab {
	name := fixed
	if in.Has("tab") && in.Command().OneTab() {
		name = in.String("tab")
	}
	return s.browser.TabOr(name)
}

// failureCode returns the code of an error; "" for nil.
func failureCode(err error) string {
	if err == nil {
		return ""
	}
	return string(fault.CodeOf(err))
}

// targetOf describes the element of a ref; nil means that the word is not a ref.
func (s *Session) targetOf(ref string, tab *actions.Tab) *journal.Target {
	if !snapshot.IsRef(ref) {
		return nil
	}
	r, err := s.browser.Refs().Lookup(ref)
	if err != nil {
		return &journal.Target{Ref: ref}
	}
	t := &journal.Target{Ref: "@" + r.ID(), Role: r.Role, Name: pagetext.Bounded(r.Name, pagetext.MaxTitle), Nth: r.Nth}
	if tab != nil {
		t.Frame = framePath(tab.Page.Frames().ByID(r.FrameID))
	}
	return t
}

// framePath returns the names, or else the addresses, of the frames from below the main frame down to f.
func framePath(f *engine.Frame) []string {
	if f == nil || f.Parent() == nil {
		return nil
	}
	name := f.Name()
	if name == "" {
		name = f.URL()
	}
	return append(framePath(f.Parent()), name)
}

// dashboardEntries returns the newest entries for the dashboard, oldest first, and how many older ones there are.
func dashboardEntries(log *journal.Log, most int) ([]dashboard.Command, int) {
	entries, dropped := log.Entries(most)
	list := make([]dashboard.Command, len(entries))
	for i, e := range entries {
		list[i] = dashboard.Command{
			ID:    e.ID,
			Line:  e.Shown,
			Begun: e.Begun.UnixMilli(),
			MS:    e.MS,
			State: string(e.State),
			Code:  e.Code,
			Error: e.Error,
			Tab:   e.Tab,
			URL:   e.To,
		}
	}
	return list, dropped
}
