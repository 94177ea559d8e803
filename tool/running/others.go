package running

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/planning"
)

// hideOthers takes the sessions of other tools out of lists of sessions.
func (a *Answer) hideOthers(p *planning.Plan) {
	if p.Words.Does(trait.ListsSessions) {
		a.Text = withoutOthers(p.Sessions, a.Data, a.Text)
	}
	for i := range a.Rows {
		if row := &a.Rows[i]; len(row.Command) > 1 && new(argv.Read(row.Command)).Akin(trait.AboutSession) {
			row.Text = withoutOthers(p.Sessions, row.Result, row.Text)
		}
	}
}

// withoutOthers takes the sessions of other tools out of the data of a list, and returns its text without them.
func withoutOthers(sessions *conversation.Sessions, list any, text string) string {
	data, ok := list.(map[string]any)
	if !ok {
		return text
	}
	for _, list := range []string{"sessions", "details"} {
		if rows, ok := data[list].([]any); ok {
			data[list] = slices.DeleteFunc(rows, func(row any) bool { return sessions.Hides(sessionOf(row)) })
		}
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || !sessions.Hides(fields[len(fields)-1]) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// sessionOf is the name in a row of a list of sessions, which is a name or says more than that.
func sessionOf(row any) string {
	if name, ok := row.(string); ok {
		return name
	}
	about, _ := row.(map[string]any)
	for _, field := range []string{"name", "session"} {
		if name, ok := about[field].(string); ok {
			return name
		}
	}
	return ""
}
