package refguard

import (
	"maps"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// The reasons of an invalidation.
const (
	NoActivePage   = "no-active-page"
	PageTransition = "page-transition"
)

// Snapshot reads the refs from the answer of a snapshot command; nil if the answer is not one.
func Snapshot(facts *fact.Facts, target contract.PageTarget) *contract.RefSnapshot {
	if facts.Refs == nil {
		return nil
	}
	rows := facts.Refs.Refs
	s := &contract.RefSnapshot{
		RefIDs: slices.AppendSeq(make([]string, 0, len(rows)), maps.Keys(rows)),
		Refs:   make(map[string]contract.Ref, len(rows)),
	}
	slices.Sort(s.RefIDs)
	for id, ref := range rows {
		s.Refs[id] = contract.Ref{Role: ref.Role, Name: ref.Name}
	}
	if origin := facts.Page.URL; origin != "" && target.URL != origin {
		target = contract.PageTarget{TabID: target.TabID, URL: origin}
	}
	if target != (contract.PageTarget{}) {
		s.Target = &target
	}
	return s
}

// Outcome is how a command ended, as far as refs are concerned.
type Outcome struct {
	Words   argv.Words
	Ran     bool
	Success bool
	Error   string
}

// Invalidation says why the refs of the last snapshot do not count any longer after a command of agent-browser's, nil
// when they do.
func Invalidation(o *Outcome) *contract.RefSnapshotInvalidation {
	w := &o.Words
	transition := func(summary string) *contract.RefSnapshotInvalidation {
		return &contract.RefSnapshotInvalidation{Reason: PageTransition, Summary: summary}
	}
	switch {
	case !o.Ran:
		return nil
	case w.Entry.HandsOutRefs() && !o.Success && strings.Contains(o.Error, "No active page"):
		return &contract.RefSnapshotInvalidation{
			Reason:  NoActivePage,
			Summary: "The latest snapshot for this session reported No active page.",
		}
	case w.Entry != nil && w.Entry.Refs.Why != "" && w.Entry.Refs.Stale(len(w.Positionals)):
		return transition(w.Entry.Refs.Why)
	case o.Success:
		return nil
	case MayLosePage(w):
		return transition("`" + w.Name() + "` failed, and the page may be another one than before.")
	}
	return nil
}

// MayLosePage reports whether the page may be another one after the command, even if it failed.
func MayLosePage(w *argv.Words) bool {
	return w.Does(trait.MayLosePage) && (w.Entry.Refs.Stale == nil || w.Entry.Refs.Stale(len(w.Positionals)))
}
