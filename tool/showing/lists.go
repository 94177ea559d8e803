package showing

import (
	"maps"
	"strings"

	"github.com/skua-browser/skua/actions/trait"
)

func tabs(c *Command, v *View) bool {
	m := object(c.Data)
	if rows, ok := list(m, "tabs"); ok {
		v.Summary = "Tabs: " + number(len(rows))
		lines := []string{v.Summary}
		for _, row := range rows {
			lines = append(lines, tabLine(object(row)))
		}
		v.Text = strings.Join(lines, "\n")
		return true
	}
	id := str(m, "tabId")
	if m["closed"] == true {
		v.Summary = "Tab closed: " + id
		v.Text = v.Summary
		if active := str(m, "activeTabId"); active != "" {
			v.Text += "\nActive now: " + active + shownPlace(c)
		}
		return true
	}
	if id == "" {
		return false
	}
	said := "Tab: "
	if c.Words.Does(trait.OpensTab) {
		said = "Tab opened: "
	}
	v.Summary = said + id
	v.Text = v.Summary
	if label := str(m, "label"); label != "" {
		v.Text += " (" + label + ")"
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
func tabLine(m map[string]any) string {
	line := "  "
	if m["active"] == true {
		line = "→ "
	}
	line += "[" + str(m, "tabId") + "]"
	if label := str(m, "label"); label != "" {
		line += " " + label + ":"
	}
	if title := str(m, "title"); title != "" {
		line += " " + clip(title, 100) + " —"
	}
	return line + " " + clip(str(m, "url"), 200)
}

// cookies are shown by name and where they belong; their values are secrets.
func cookies(c *Command, v *View) bool {
	m := object(c.Data)
	if m["cleared"] == true {
		v.Summary, v.Text = "Cookies cleared", "Cookies cleared"
		return true
	}
	if m["set"] == true {
		v.Summary = "Cookie set: " + c.Words.Positional(0)
		v.Text = v.Summary
		return true
	}
	rows, ok := list(m, "cookies")
	if !ok {
		return false
	}
	v.Summary = "Cookies: " + number(len(rows))
	lines := []string{v.Summary}
	for _, row := range rows {
		cookie := object(row)
		var line strings.Builder
		line.WriteString("- " + clip(str(cookie, "name"), 100) + " (" + str(cookie, "domain") + str(cookie, "path"))
		for _, attribute := range [...]string{"httpOnly", "secure", "session"} {
			if cookie[attribute] == true {
				line.WriteString(", " + attribute)
			}
		}
		lines = append(lines, line.String()+")")
	}
	if len(rows) > 0 {
		lines = append(lines, "Values are not shown.")
	}
	v.Text = strings.Join(lines, "\n")
	return true
}

func storage(c *Command, v *View) bool {
	m := object(c.Data)
	key := str(m, "key")
	switch {
	case m["cleared"] == true:
		v.Summary, v.Text = "Storage cleared", "Storage cleared"
		return true
	case m["set"] == true:
		if key == "" {
			key = c.Words.Positional(0)
		}
		v.Summary = "Storage set: " + key
		v.Text = v.Summary
		return true
	}
	if key != "" {
		value, found := m["value"]
		v.Summary = "Storage: " + key
		switch {
		case !found || value == nil:
			v.Text = key + ": (not there)"
		default:
			v.Text = key + ": " + inline(value)
		}
		if reason := str(m, "valueRedactionReason"); reason != "" {
			v.Text += "\n(Not shown: " + reason + ".)"
		}
		return true
	}
	entries, ok := m["data"].(map[string]any)
	if !ok {
		return false
	}
	v.Summary = "Storage entries: " + number(len(entries))
	v.Text = v.Summary
	if len(entries) > 0 {
		var b strings.Builder
		for _, name := range sortedNames(entries) {
			b.WriteString("\n" + name + ": " + clip(inline(entries[name]), 300))
		}
		v.Text += b.String()
	}
	if m["valueRedacted"] == true {
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

// states lists saved states, except for those that the tool keeps for its sessions.
func states(c *Command, v *View) bool {
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

func doctor(c *Command, v *View) bool {
	m := object(c.Data)
	status := str(m, "status")
	if status == "" {
		if summary := object(m["summary"]); summary != nil {
			status = strings.ReplaceAll(plain(summary), "\n", ", ")
		} else if ok, found := m["ok"].(bool); found {
			status = map[bool]string{true: "ok", false: "problems found"}[ok]
		}
	}
	if status == "" {
		return false
	}
	v.Summary = "Doctor: " + status
	lines := []string{v.Summary}
	for _, group := range [...]string{"checks", "fixes", "fixed"} {
		rows, _ := list(m, group)
		for _, row := range rows {
			lines = append(lines, "- "+clip(strings.ReplaceAll(plain(row), "\n", ", "), 300))
		}
	}
	v.Text = strings.Join(lines, "\n")
	return true
}
