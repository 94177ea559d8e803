package backend

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/skua-browser/skua/tool/argv"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/internal/shape"
)

// FactsOf returns the facts of what agent-browser answered to a command: it is read into the type of the command's
// results that it is most like, which tells them. What the type does not have is looked for here. Cmd is nil for a
// command that skua does not have.
func FactsOf(cmd *actions.Command, data any) (f fact.Facts) {
	m := membersIn(data)
	f.Confirmation = pendingConfirmation(m)
	if cmd == nil || m == nil {
		return f
	}
	if likest := likestOf(cmd, m); likest != nil {
		fact.Add(m.as(likest), &f)
	}
	if f.Refs != nil && m.object("refs") == nil {
		if _, shows := m["snapshot"]; !shows {
			f.Refs = nil
		}
	}
	if cmd.Effect.Has(actions.NoBrowser) {
		f.Page = fact.Shown{} // the one that it reports is not shown for it
	} else if f.Page == (fact.Shown{}) && cmd.Effect.Has(actions.Navigates) {
		// agent-browser says here and there where a command led
		f.Page.Title, f.Page.URL = m.text("title"), m.text("url")
	}
	return f
}

// ReadFacts fills in the facts of an answer of the program to a command line: those of the answer from its data, those
// of a row from its result.
func (a *Answer) ReadFacts(line []string) {
	for i := range a.Rows {
		row := &a.Rows[i]
		row.ResultFacts = FactsOf(new(argv.Read(row.Command)).Entry, row.Result)
	}
	if a.Rows == nil {
		a.ResultFacts = FactsOf(new(argv.Read(line)).Entry, a.Data)
	}
}

// likestOf returns the type of the command's results that has the most of these members; nil means that none has any.
func likestOf(cmd *actions.Command, m members) reflect.Type {
	var best reflect.Type
	most := 0
	for _, result := range cmd.ResultTypes() {
		known, t := 0, shape.Of(result.Empty)
		for name := range m {
			if t.Has(name) {
				known++
			}
		}
		if known > most {
			best, most = reflect.TypeOf(result.Empty), known
		}
	}
	return best
}

// as is the object as a value of a type. Members of another form than the type's are zero.
func (m members) as(t reflect.Type) any {
	text, _ := json.Marshal(m) // its members are JSON
	v := reflect.New(t)
	_ = json.Unmarshal(text, v.Interface())
	return v.Elem().Interface()
}

// pendingConfirmation returns the id of the confirmation that the data asks for: a marker has to say that it is one,
// and the id must not be blank.
func pendingConfirmation(m members) string {
	if asksConfirmation(m) {
		if id := confirmationID(m); id != "" {
			return id
		}
	}
	for _, key := range []string{"confirmation", "pendingConfirmation", "pending_confirmation"} {
		inner := m.object(key)
		if inner == nil || !asksConfirmation(m) && !asksConfirmation(inner) {
			continue
		}
		if id := confirmationID(inner); id != "" {
			return id
		}
	}
	return ""
}

func asksConfirmation(m members) bool {
	if slices.ContainsFunc([]string{
		"confirmation_required", "confirmationRequired", "requires_confirmation",
		"requiresConfirmation",
	}, m.is) {
		return true
	}
	for _, key := range []string{"type", "status", "kind"} {
		if m.text(key) == "confirmation_required" {
			return true
		}
	}
	return false
}

func confirmationID(m members) string {
	for _, key := range []string{"confirmation_id", "confirmationId", "id"} {
		if id := strings.TrimSpace(m.text(key)); id != "" {
			return id
		}
	}
	return ""
}
