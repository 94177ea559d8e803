package actions

import (
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/wording"
)

// nothing reports whether no effect was seen. That what is clicked takes the focus says nothing, unless it is a field.
func (e *Effects) nothing() bool {
	return e.Navigation == nil && len(e.Tabs) == 0 && !e.TabClosed && e.Dialog == nil && len(e.Answered) == 0 && len(e.State) == 0 &&
		len(e.Secret) == 0 && (e.Focus == nil || e.Focus.Self && !e.Focus.editable) && len(e.Appeared) == 0 && len(e.Closed) == 0 &&
		len(e.Downloads) == 0 && e.DOM == nil && e.Title == nil && e.Scrolled == nil && len(e.Requests) == 0
}

// done is how the text of an action begins that says nothing but that it was done.
const done = "✓ Done"

// tell adds the effects to the line of text, or, where that says something else, the ones that a caller must not miss to the notes.
func (c *Call) tell(res *Result) {
	e := &c.acting.effect
	if first, rest, _ := strings.Cut(res.Text, "\n"); strings.HasPrefix(first, done) {
		res.Text = first
		if lines := c.acting.lines(c.Session.Active()); len(lines) > 0 {
			res.Text += " · " + strings.Join(lines, "; ")
		}
		if rest != "" {
			res.Text += "\n" + rest
		}
		return
	}
	if !c.acting.asked {
		c.notes = append(c.notes, e.departures(c.Session.Active())...)
	}
}

// departures are the effects after which other commands meet another page or tab.
func (e *Effects) departures(active *Tab) []string {
	var said []string
	if n := e.Navigation; n != nil && n.To != n.From {
		said = append(said, "the page is now "+n.To+status(n.Status))
	} else if n != nil && !n.SameDocument {
		said = append(said, "the page was loaded anew"+status(n.Status))
	}
	for _, t := range e.Tabs {
		if t.Active {
			said = append(said, "a new tab was opened and is active now: "+t.ID+" "+t.URL)
			continue
		}
		words := "a new tab was opened: " + t.ID + " " + t.URL
		if active != nil {
			words += "; the active tab is still " + active.ID
		}
		said = append(said, words)
	}
	return said
}

func status(code int) string {
	if code < 400 {
		return ""
	}
	return " (HTTP " + strconv.Itoa(code) + ")"
}

// lines are the effects of the action in words.
func (a *acting) lines(active *Tab) []string {
	said := a.effect.lines(a.tab, active)
	switch {
	case len(said) > 0 || !a.effect.None:
		return said
	case a.waited:
		return []string{"no effect seen"}
	}
	return []string{"no effect seen yet"}
}

// lines are the effects in words, the weightiest first.
func (e *Effects) lines(tab, active *Tab) []string {
	said := e.departures(active)
	add := func(words string) { said = append(said, words) }
	if e.TabClosed {
		add("the tab " + tab.ID + " was closed")
	}
	if e.Dialog != nil {
		add(e.Dialog.Type + " dialog opened")
	}
	for _, d := range e.Downloads {
		if d.Path != "" {
			add("downloaded: " + d.Path)
		} else {
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
	if e.Title != nil {
		add("title: " + stateWord(e.Title.From) + " → " + stateWord(e.Title.To))
	}
	if len(e.Appeared) > 0 {
		add("appeared: " + strings.Join(e.Appeared, ", "))
	}
	if len(e.Closed) > 0 {
		add("closed: " + strings.Join(e.Closed, ", "))
	}
	if e.DOM != nil && len(e.Appeared)+len(e.Closed) == 0 {
		add(e.DOM.words())
	}
	if e.Scrolled != nil {
		add("scrolled")
	}
	if f := e.Focus; f != nil && !f.Self {
		add(strings.TrimSpace("focus on " + elementName(&Located{Role: f.Role, Name: f.Name}) + " " + f.Ref))
	}
	if n := len(e.Requests); n > 0 {
		add(wording.Plural(n, "request") + " (" + e.Requests[0].Method + " " + shortAddress(e.Requests[0].URL) + ")")
	}
	if len(said) == 0 && e.Focus != nil && !e.None {
		add("focused")
	}
	return said
}

// stateKeys are the states of a control in the order in which they are told.
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

// words says how much changed, and whether beside the target.
func (m *Mutated) words() string {
	var parts []string
	for _, part := range []struct {
		n    int
		word string
	}{{m.Added, "added"}, {m.Removed, "removed"}, {m.Changed, "changed"}} {
		if part.n > 0 {
			parts = append(parts, strconv.Itoa(part.n)+" "+part.word)
		}
	}
	if len(parts) == 0 {
		return "it left the page"
	}
	where := " elsewhere on the page"
	if m.Near {
		where = " beside it"
	}
	return "elements " + strings.Join(parts, ", ") + where
}

// shortAddress is an address without its query, cut to what fits a line.
func shortAddress(url string) string {
	url, _, _ = strings.Cut(url, "?")
	if r := []rune(url); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return url
}
