package run

import (
	"slices"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/snapshot"
)

// Reports are the members that the data of a reply may have beside those of its command.
type Reports struct {
	Matched     *MatchedReport      `json:"matched,omitempty"`     // which of several elements was taken
	AlsoMatched []MatchedReport     `json:"alsoMatched,omitempty"` // the same of the command's other targets
	Healed      []RefReport         `json:"healed,omitempty"`      // refs that name an equal element now
	Changed     []RefReport         `json:"changed,omitempty"`     // refs whose element has another role or name than was shown
	Effect      *fact.Effects       `json:"effect,omitempty"`      // what the command led to
	Observed    *snapshot.DeltaData `json:"observed,omitempty"`    // with --observe: what has changed on the page
	Wall        *snapshot.Wall      `json:"wall,omitempty"`        // what keeps a visitor from the page that this led to
	InitScripts []InitScript        `json:"initScripts,omitempty"` // scripts that documents get from now on
}

// MatchedReport is what the data of a reply says of a selector that matches several elements: how many, and which of them was taken.
type MatchedReport struct {
	Selector string `json:"selector"`
	Count    int    `json:"count"`
	Index    int    `json:"index"` // from 0
	Role     string `json:"role"`
	Name     string `json:"name"`
}

// reportMatched adds to the data which of several matches was taken, of the first target under "matched", of the others under "alsoMatched".
func reportMatched(c *actions.Call, res *actions.Result) {
	if len(state(c).matched) > 0 {
		first := state(c).matched[0]
		res.Add("matched", first)
		res.Facts.Matches, res.Facts.Match = first.Count, first.Index
	}
	if len(state(c).matched) > 1 {
		res.Add("alsoMatched", state(c).matched[1:])
	}
}

// SeenAs is how an element was shown to the caller.
type SeenAs struct {
	Role string `json:"role"`
	Name string `json:"name"`
}

// AdjacentText is the first text beside an element, when the caller saw it and now.
type AdjacentText struct {
	Was string `json:"was"`
	Is  string `json:"is"`
}

// RefReport is what the data of a reply says of a ref that healed, or whose element has another role or name than the caller was shown.
type RefReport struct {
	Ref    string        `json:"ref"`
	Role   string        `json:"role"`
	Name   string        `json:"name"`
	Was    *SeenAs       `json:"was,omitempty"`
	Beside *AdjacentText `json:"beside,omitempty"`
}

// reportRefs adds the changes of refs to the data, if there are any.
func reportRefs(c *actions.Call, res *actions.Result) {
	if res.Data == nil {
		return
	}
	reportMatched(c, res)
	if len(state(c).healed) > 0 {
		res.Add("healed", state(c).healed)
	}
	if len(state(c).changed) > 0 {
		res.Add("changed", state(c).changed)
	}
}

// ReportHealed says in the data of the reply that a ref names an equal element now.
func ReportHealed(c *actions.Call, r RefReport) { state(c).healed = append(state(c).healed, r) }

// ReportChanged says in the data of the reply that a ref's element is not quite what the caller saw. It reports whether this is the first time
// that the command says so.
func ReportChanged(c *actions.Call, report RefReport) bool {
	if slices.ContainsFunc(state(c).changed, func(r RefReport) bool { return r.Ref == report.Ref }) {
		return false
	}
	state(c).changed = append(state(c).changed, report)
	return true
}

// ReportMatched says in the data of the reply which of several elements was taken. It reports whether this is the first time that the command
// says so.
func ReportMatched(c *actions.Call, report MatchedReport) bool {
	if slices.ContainsFunc(state(c).matched, func(m MatchedReport) bool { return m.Selector == report.Selector }) {
		return false
	}
	state(c).matched = append(state(c).matched, report)
	return true
}
