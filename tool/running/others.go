package running

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/actions/tabs"

	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/planning"
)

// hideOthers takes the sessions of other tools out of lists of sessions.
func (a *Answer) hideOthers(p *planning.Plan) {
	if a.ResultFacts.Sessions != nil {
		a.Data, a.Text = withoutOthers(p.Sessions, a.Data, a.Text)
	}
	for i := range a.Rows {
		if row := &a.Rows[i]; row.ResultFacts.Sessions != nil {
			row.Result, row.Text = withoutOthers(p.Sessions, row.Result, row.Text)
		}
	}
}

// withoutOthers returns the data of a list and its text without the sessions of other tools.
func withoutOthers(sessions *conversation.Sessions, data any, text string) (shown any, lines string) {
	switch list := data.(type) {
	case tabs.SessionsResult:
		list.Sessions = without(list.Sessions, sessions.Hides)
		list.Details = without(list.Details, func(entry actions.SessionEntry) bool { return sessions.Hides(entry.Name) })
		data = list
	case map[string]any: // of another program
		list = maps.Clone(list)
		for _, name := range []string{"sessions", "details"} {
			if rows, ok := list[name].([]any); ok {
				list[name] = without(rows, func(row any) bool { return sessions.Hides(sessionOf(row)) })
			}
		}
		data = list
	default:
		return data, text
	}
	var kept []string
	for line := range strings.SplitSeq(text, "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || !sessions.Hides(fields[len(fields)-1]) {
			kept = append(kept, line)
		}
	}
	return data, strings.Join(kept, "\n")
}

// without returns a list of its own without some of the rows.
func without[T any](rows []T, hides func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(rows), hides)
}

// sessionOf is the name in a row of a list of sessions, which is a name or says more than that.
func sessionOf(row any) string {
	if name, ok := row.(string); ok {
		return name
	}
	about := fact.Read[struct{ Name, Session string }](row)
	return cmp.Or(about.Name, about.Session)
}
