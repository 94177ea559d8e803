package run

import (
	"slices"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/actions"
)

// reportMatched adds to the data which of several matches was taken, of the first target under "matched", of the others
// under "alsoMatched".
func reportMatched(c *actions.Call, res *actions.Result) {
	if len(state(c).matched) > 0 {
		first := state(c).matched[0]
		res.Report(func(r *fact.Reports) { r.Matched = &first })
		res.Facts.Matches, res.Facts.Match = first.Count, first.Index
	}
	if len(state(c).matched) > 1 {
		res.Report(func(r *fact.Reports) { r.AlsoMatched = state(c).matched[1:] })
	}
}

// reportRefs adds the changes of refs to the data, if there are any.
func reportRefs(c *actions.Call, res *actions.Result) {
	if res.Data == nil {
		return
	}
	reportMatched(c, res)
	if len(state(c).healed)+len(state(c).changed) > 0 {
		res.Report(func(r *fact.Reports) { r.Healed, r.Changed = state(c).healed, state(c).changed })
	}
}

// ReportHealed says in the data of the reply that a ref names an equal element now.
func ReportHealed(c *actions.Call, r fact.RefReport) { state(c).healed = append(state(c).healed, r) }

// ReportChanged says in the data of the reply that a ref's element is not quite what the caller saw. It reports whether
// this is the first time that the command says so.
func ReportChanged(c *actions.Call, report fact.RefReport) bool {
	if slices.ContainsFunc(state(c).changed, func(r fact.RefReport) bool { return r.Ref == report.Ref }) {
		return false
	}
	state(c).changed = append(state(c).changed, report)
	return true
}

// ReportMatched says in the data of the reply which of several elements was taken. It reports whether this is the first
// time that the command says so.
func ReportMatched(c *actions.Call, report fact.MatchedReport) bool {
	if slices.ContainsFunc(state(c).matched, func(m fact.MatchedReport) bool { return m.Selector == report.Selector }) {
		return false
	}
	state(c).matched = append(state(c).matched, report)
	return true
}
