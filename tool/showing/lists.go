package showing

import (
	"maps"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/actions/tabs"
	browserstorage "github.com/skua-browser/skua/engine/storage"
)

// tabData is what commands about tabs tell: all, the one that is active now, or one that was closed.
type tabData struct {
	Tabs        []tabs.TabEntry
	TabID       string
	Label       string
	ActiveTabID string
	Closed      bool
	Total       int // open tabs, of one that was opened
}

func showTabs(c *Command, v *View) bool {
	d := fact.Read[tabData](c.Data)
	if d.Tabs != nil {
		v.Summary = "Tabs: " + number(len(d.Tabs))
		lines := []string{v.Summary}
		for i := range d.Tabs {
			lines = append(lines, tabLine(&d.Tabs[i]))
		}
		v.Text = strings.Join(lines, "\n")
		return true
	}
	id := d.TabID
	if d.Closed {
		v.Summary = "Tab closed: " + id
		v.Text = v.Summary
		if d.ActiveTabID != "" {
			v.Text += "\nActive now: " + d.ActiveTabID + shownPlace(c)
		}
		return true
	}
	if id == "" {
		return false
	}
	text := "Tab: "
	if d.Total > 0 {
		text = "Tab opened: "
	}
	v.Summary = text + id
	v.Text = v.Summary
	if d.Label != "" {
		v.Text += " (" + d.Label + ")"
	}
	v.Text += shownPlace(c)
	return true
}

func shownPlace(c *Command) string {
	if n := c.page(); n != nil {
		return " " + place(n)
	}
	return ""
}

// tabLine is a tab: its mark when it is active, its stable id, its label, title and address.
func tabLine(t *tabs.TabEntry) string {
	line := "  "
	if t.Active {
		line = "→ "
	}
	line += "[" + t.TabID + "]"
	if t.Label != nil && *t.Label != "" {
		line += " " + *t.Label + ":"
	}
	if t.Title != "" {
		line += " " + clip(t.Title, 100) + " —"
	}
	return line + " " + clip(t.URL, 200)
}

// cookies are shown by name and where they belong; their values are secrets.
func cookies(c *Command, v *View) bool {
	d := fact.Read[struct {
		Cleared, Set bool
		Cookies      []browserstorage.Cookie
	}](c.Data)
	switch {
	case d.Cleared:
		v.Summary, v.Text = "Cookies cleared", "Cookies cleared"
		return true
	case d.Set:
		v.Summary = "Cookie set: " + c.Words.Positional(0)
		v.Text = v.Summary
		return true
	case d.Cookies == nil:
		return false
	}
	v.Summary = "Cookies: " + number(len(d.Cookies))
	lines := []string{v.Summary}
	for i := range d.Cookies {
		cookie := &d.Cookies[i]
		about := []string{cookie.Domain + cookie.Path}
		for _, attribute := range [...]struct {
			is   bool
			name string
		}{{cookie.HTTPOnly, "httpOnly"}, {cookie.Secure, "secure"}, {cookie.Session, "session"}} {
			if attribute.is {
				about = append(about, attribute.name)
			}
		}
		lines = append(lines, "- "+clip(cookie.Name, 100)+" ("+strings.Join(about, ", ")+")")
	}
	if len(d.Cookies) > 0 {
		lines = append(lines, "Values are not shown.")
	}
	v.Text = strings.Join(lines, "\n")
	return true
}

// storageData is what commands about web storage tell: an entry, all, or what was done to them. A script may have put
// any value there.
type storageData struct {
	Cleared, Set         bool
	Key                  string
	Value                any
	Data                 map[string]any
	ValueRedacted        bool
	ValueRedactionReason string
}

func showStorage(c *Command, v *View) bool {
	d := fact.Read[storageData](c.Data)
	key := d.Key
	switch {
	case d.Cleared:
		v.Summary, v.Text = "Storage cleared", "Storage cleared"
		return true
	case d.Set:
		if key == "" {
			key = c.Words.Positional(0)
		}
		v.Summary = "Storage set: " + key
		v.Text = v.Summary
		return true
	}
	if key != "" {
		v.Summary = "Storage: " + key
		switch {
		case d.Value == nil:
			v.Text = key + ": (not there)"
		default:
			v.Text = key + ": " + inline(d.Value)
		}
		if d.ValueRedactionReason != "" {
			v.Text += "\n(Not shown: " + d.ValueRedactionReason + ".)"
		}
		return true
	}
	if d.Data == nil {
		return false
	}
	v.Summary = "Storage entries: " + number(len(d.Data))
	v.Text = v.Summary
	if len(d.Data) > 0 {
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(d.Data)) {
			b.WriteString("\n" + name + ": " + clip(inline(d.Data[name]), 300))
		}
		v.Text += b.String()
	}
	if d.ValueRedacted {
		v.Text += "\n(Values that look like credentials are not shown.)"
	}
	return true
}

// ownSession reports whether a session is one that the tool keeps for some caller.
func ownSession(name string) bool { return strings.HasPrefix(name, "piab-") }

// sessions lists what sessions there are. Those that the tool keeps for other callers are out of the data before.
func sessions(c *Command, v *View) bool {
	rows, ok := list(object(c.Data), "sessions")
	if !ok {
		return false
	}
	v.Summary = "Sessions: " + number(len(rows))
	lines := []string{v.Summary}
	for _, row := range rows {
		if name, ok := row.(string); ok {
			lines = append(lines, "- "+name)
		} else {
			lines = append(lines, "- "+strings.ReplaceAll(plain(row), "\n", ", "))
		}
	}
	v.Text = strings.Join(lines, "\n")
	return true
}

// showStates lists saved states, except for those that the tool keeps for its sessions.
func showStates(c *Command, v *View) bool {
	m := object(c.Data)
	rows, ok := list(m, "files", "states")
	if !ok {
		return false
	}
	kept, hidden := visible(rows, func(row any) string {
		if name, ok := row.(string); ok {
			return name
		}
		r := object(row)
		return str(r, "filename") + str(r, "name")
	})
	field := "files"
	if _, ok := m[field]; !ok {
		field = "states"
	}
	v.Data = with(m, field, kept)
	v.Summary = "States: " + number(len(kept))
	lines := []string{v.Summary}
	for _, row := range kept {
		lines = append(lines, "- "+strings.ReplaceAll(plain(row), "\n", ", "))
	}
	v.Text = strings.Join(lines, "\n") + hiddenRows(hidden)
	return true
}

func visible(rows []any, nameOf func(any) string) (kept []any, hidden int) {
	kept = make([]any, 0, len(rows))
	for _, row := range rows {
		if ownSession(nameOf(row)) {
			hidden++
			continue
		}
		kept = append(kept, row)
	}
	return kept, hidden
}

func hiddenRows(n int) string {
	if n == 0 {
		return ""
	}
	return "\n(" + number(n) + " kept by the tool itself not shown)"
}

// with is a copy of an object with another member.
func with(m map[string]any, name string, value any) map[string]any {
	out := make(map[string]any, len(m)+1)
	maps.Copy(out, m)
	out[name] = value
	return out
}

func showDiagnosis(c *Command, v *View) bool {
	d := fact.Read[struct {
		Status               string
		Summary              any
		OK                   *bool
		Checks, Fixes, Fixed []any
	}](c.Data)
	status := d.Status
	if status == "" {
		if object(d.Summary) != nil {
			status = strings.ReplaceAll(plain(d.Summary), "\n", ", ")
		} else if d.OK != nil {
			status = map[bool]string{true: "ok", false: "problems found"}[*d.OK]
		}
	}
	if status == "" {
		return false
	}
	v.Summary = "Doctor: " + status
	lines := []string{v.Summary}
	for _, row := range slices.Concat(d.Checks, d.Fixes, d.Fixed) {
		lines = append(lines, "- "+clip(strings.ReplaceAll(plain(row), "\n", ", "), 300))
	}
	v.Text = strings.Join(lines, "\n")
	return true
}
