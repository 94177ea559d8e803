package fact

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// Nothing reports whether no effect was seen. That what is clicked takes the focus says nothing, unless it is a field.
func (e *Effects) Nothing() bool {
	return e.Navigation == nil && len(e.Tabs) == 0 && !e.TabClosed && e.Dialog == nil && len(e.Answered) == 0 &&
		len(e.State)+len(e.Fields) == 0 &&
		len(e.Secret) == 0 && (e.Focus == nil || e.Focus.Self && !e.Focus.Editable) && !e.Unfocused && len(e.Appeared) == 0 &&
		len(e.Texts)+len(e.Gone) == 0 && len(e.Closed) == 0 && len(e.Messages) == 0 &&
		len(e.Downloads) == 0 && e.DOM == nil && e.Title == nil && (e.Scrolled == nil || e.Scrolled.Hiding != "") &&
		len(e.Requests) == 0
}

// Departures are the effects after which other commands meet another page or tab. Active is the id of the tab that
// commands go to, or empty.
func (e *Effects) Departures(active string) []string {
	var lines []string
	if n := e.Navigation; n != nil && n.Failed != "" {
		lines = append(lines, n.Failed)
	} else if n != nil && (n.To != n.From || n.Loading) {
		lines = append(lines, map[bool]string{
			true:  "the server has not answered yet; the page will be ",
			false: "the page is now ",
		}[n.Loading]+n.To+status(n.Status))
	} else if n != nil && !n.SameDocument {
		lines = append(lines, "the page was reloaded"+status(n.Status))
	}
	for _, t := range e.Tabs {
		if t.Active {
			lines = append(lines, "a new tab was opened and is active now: "+t.ID+" "+t.URL)
			continue
		}
		words := "a new tab was opened: " + t.ID + " " + t.URL
		if active != "" {
			words += "; the active tab is still " + active
		}
		lines = append(lines, words)
	}
	return lines
}

// pageSays returns the messages of the page, and that the form is there again which was sent, as a form is that a
// server refuses.
func (e *Effects) pageSays() string {
	form := e.Navigation != nil && e.Navigation.Form
	if len(e.Messages) == 0 {
		if form {
			return "the form is there again"
		}
		return ""
	}
	var texts, invalid []string
	refused := false
	for _, m := range e.Messages {
		if m.Kind == "invalid" {
			invalid = append(invalid, strconv.Quote(m.Text))
			continue
		}
		texts = append(texts, strconv.Quote(m.Text))
		refused = refused || m.Kind == "error" || m.Kind == "warning"
	}
	words := "the page says: " + strings.Join(texts, ", ")
	if form && refused {
		words = "the form is still there: " + strings.Join(texts, ", ")
	}
	switch notSent := "the form was not sent: " + strings.Join(invalid, ", "); {
	case len(invalid) == 0:
		return words
	case len(texts) == 0:
		return notSent
	default:
		return notSent + "; " + words
	}
}

func status(code int) string {
	if code < 400 {
		return ""
	}
	return " (HTTP " + strconv.Itoa(code) + ")"
}

// Lines are the effects in words, the weightiest first. Tab is the id of the one that was acted on.
func (e *Effects) Lines(tab, active string) []string {
	lines := e.Departures(active)
	add := func(words string) { lines = append(lines, words) }
	if words := e.pageSays(); words != "" {
		add(words)
	}
	if e.TabClosed {
		add("the tab " + tab + " was closed")
	}
	if e.Dialog != nil {
		add(e.Dialog.Type + " dialog opened")
	}
	for _, d := range e.Downloads {
		switch {
		case d.Path != "":
			add("downloaded: " + d.Path)
		case d.Err != nil:
			add(strings.TrimSuffix(fault.MessageOf(d.Err), "."))
		default:
			add("download started: " + wording.Quote(d.Name))
		}
	}
	for _, key := range stateKeys {
		if change, ok := e.State[key]; ok {
			add(key + ": " + stateWord(change.From) + " → " + stateWord(change.To))
		}
	}
	for _, key := range e.Secret {
		add(key + " changed")
	}
	for _, field := range e.Fields {
		what := ElementName(field.Role, field.Name, "input")
		if field.Secret {
			add(what + " changed")
		} else {
			add(what + ": " + wording.Quote(field.From) + " → " + wording.Quote(field.To))
		}
	}
	if e.Title != nil {
		add("title: " + stateWord(e.Title.From) + " → " + stateWord(e.Title.To))
	}
	if appeared := e.appeared(); len(appeared) > 0 {
		add("appeared: " + strings.Join(appeared, ", "))
	}
	if e.Loading != nil {
		add(e.Loading.words())
	}
	if len(e.Closed) > 0 {
		add("closed: " + strings.Join(e.Closed, ", "))
	}
	if len(e.Gone) > 0 {
		add("gone: " + strings.Join(e.Gone, ", "))
	}
	if e.DOM != nil && len(e.Appeared)+len(e.Texts)+len(e.Gone)+len(e.Closed) == 0 {
		add(e.DOM.words())
	}
	switch s := e.Scrolled; {
	case s != nil && s.Hiding != "":
		add(fmt.Sprintf(
			"to bring the target into view, %s, which hides what overflows, was scrolled from %g,%g to %g,%g and is still there",
			s.Hiding,
			s.From[0], s.From[1], s.To[0], s.To[1]))
	case s != nil:
		add("scrolled")
	}
	if f := e.Focus; f != nil && !f.Self {
		add(strings.TrimSpace("focus on " + ElementName(f.Role, f.Name, f.Tag) + " " + f.Ref))
	}
	if e.Unfocused {
		add("no element has the focus now")
	}
	if n := len(e.Requests); n > 0 {
		add(wording.Plural(n, "request") + " (" + e.Requests[0].Method + " " + shortAddress(e.Requests[0].URL) + ")")
	}
	if len(lines) == 0 && e.Focus != nil && !e.None {
		add("focused")
	}
	return lines
}

// appeared names the parts and the texts that came.
func (e *Effects) appeared() []string {
	all := slices.Clone(e.Appeared)
	for _, text := range e.Texts {
		all = append(all, "text "+wording.Quote(text))
	}
	return all
}

// stateKeys are the states of a control in the order in which the text lists them.
var stateKeys = []string{"value", "checked", "selected", "expanded", "pressed", "current", "disabled", "selection"}

func stateWord(v any) string {
	s, ok := v.(string)
	switch {
	case !ok:
		return "none"
	case s == "true", s == "false", s == "mixed":
		return s
	}
	return wording.Quote(s)
}

// words says what to do until what was to come is there.
func (l *Loading) words() string {
	if l.Gone {
		return wording.Quote(l.Text) + " is gone again"
	}
	return "until that is over: `wait --text " + wording.Quote(l.Text) + " --state hidden`"
}

// words says how much changed, and whether beside the target.
func (m *Mutated) words() string {
	var parts []string
	for _, part := range []struct {
		n    int
		word string
	}{{m.Added, "added"}, {m.Removed, "removed"}, {m.Changed, "changed"}} {
		switch {
		case part.n == 0:
		case len(parts) > 0:
			parts = append(parts, strconv.Itoa(part.n)+" "+part.word)
		case part.n == 1:
			parts = append(parts, "1 element "+part.word)
		default:
			parts = append(parts, strconv.Itoa(part.n)+" elements "+part.word)
		}
	}
	if len(parts) == 0 {
		return "it left the page"
	}
	where := " elsewhere on the page"
	if m.Near {
		where = " beside it"
	}
	return strings.Join(parts, ", ") + where
}

// shortAddress is an address without its query, cut to what fits a line.
func shortAddress(url string) string {
	url, _, _ = strings.Cut(url, "?")
	return wording.Clip(url, 80)
}

// ElementName is what an element is called in a sentence: button "Save". One without a role is called by its tag.
func ElementName(role, name, tag string) string {
	if role == "" || role == "generic" {
		role = "<" + tag + ">"
	}
	if name != "" {
		role += " " + wording.Quote(name)
	}
	return role
}

// Sentence says which dialog it was and how it was answered.
func (s *ShownDialog) Sentence() string {
	text := "a JavaScript " + s.Type
	if s.Tab != "" {
		text += " in tab " + s.Tab
	}
	text += " was " + s.Answer
	if s.Text != nil {
		text += " with " + wording.Quote(*s.Text)
	}
	return text + ": " + wording.Quote(s.Message)
}
