package showing

import (
	"maps"
	"slices"
	"strings"

	"github.com/skua-browser/skua/tool/traffic"
)

// How much of a log is shown.
const (
	requestRows = 40
	logRows     = 80
	bodyBytes   = 280
	errorBytes  = 220
)

func sortedNames(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// scope says what a log speaks of, so that old rows are not taken for the doing of the last command.
func (c *Command) scope() string {
	if c.Cleared {
		return "since it was cleared"
	}
	return "of the whole session, not only of this page"
}

// request is a row of a network log.
type request struct {
	row    map[string]any
	status int
	failed bool
	benign bool
}

func readRequest(row map[string]any) request {
	t := traffic.Read(row)
	return request{row: row, status: t.Status, failed: t.Failed, benign: t.Benign()}
}

func (r *request) line() string {
	method := str(r.row, "method")
	if method == "" {
		method = "GET"
	}
	line := method + " " + clip(str(r.row, "url"), 160)
	if id := str(r.row, "requestId"); id != "" {
		line = "[" + id + "] " + line
	}
	if kind := str(r.row, "resourceType"); kind != "" {
		line += " (" + kind + ")"
	}
	switch reason := str(r.row, "error") + str(r.row, "failure"); {
	case r.status != 0:
		line += " " + number(r.status)
	case reason != "":
		line += " failed: " + clip(reason, errorBytes)
	case r.failed:
		line += " failed"
	default:
		line += " pending"
	}
	if r.benign {
		line += " (benign)"
	}
	if r.failed && !r.benign {
		for _, body := range [...]string{"responseBody", "body"} {
			if text := str(r.row, body); text != "" {
				line += "\n    " + clip(strings.Join(strings.Fields(text), " "), bodyBytes)
				break
			}
		}
	}
	return line
}

func requests(c *Command, v *View) bool {
	m := object(c.Data)
	if m["cleared"] == true {
		v.Summary, v.Text = "Network log cleared", "Network log cleared"
		return true
	}
	rows, ok := list(m, "requests", "items", "entries")
	if !ok {
		return false
	}
	var shown []request
	noise, bad, benign := 0, 0, 0
	for _, row := range rows {
		r := readRequest(object(row))
		switch {
		case strings.HasPrefix(str(r.row, "url"), "data:image"):
			noise++
			continue
		case r.benign:
			benign++
		case r.failed:
			bad++
		}
		shown = append(shown, r)
	}
	v.Summary = "Network requests: " + number(len(rows))
	lines := []string{v.Summary + " (" + c.scope() + ")"}
	if bad+benign > 0 {
		lines = append(lines, "Failed: "+number(bad)+" actionable, "+number(benign)+" benign")
	}
	preview := pick(shown, requestRows, func(r request) bool { return r.failed && !r.benign })
	for _, r := range preview {
		lines = append(lines, r.line())
	}
	if left := len(shown) - len(preview); left > 0 {
		lines = append(lines, "("+number(left)+" more not shown; narrow them with --filter, --type, --status or --current-page)")
		keepRest(c, v, "network", prettyJSON(c.Data))
	}
	if noise > 0 {
		lines = append(lines, "Diagnostic noise hidden from preview: "+number(noise))
	}
	v.Text = strings.Join(lines, "\n") + whereAll(v)
	return true
}

// pick chooses at most some rows, in their order: those that must be seen, and the latest of the others.
func pick[T any](rows []T, most int, must func(T) bool) []T {
	if len(rows) <= most {
		return rows
	}
	needed := 0
	for _, r := range rows {
		if must(r) {
			needed++
		}
	}
	needed = min(needed, most)
	others := most - needed
	out := make([]T, 0, most)
	for _, row := range slices.Backward(rows) {
		if must(row) {
			if needed > 0 {
				out = append(out, row)
				needed--
			}
		} else if others > 0 {
			out = append(out, row)
			others--
		}
	}
	slices.Reverse(out)
	return out
}

func console(c *Command, v *View) bool {
	return log(c, v, "Console messages", "Console cleared", "console", "messages", "logs", "entries")
}

func pageErrors(c *Command, v *View) bool {
	return log(c, v, "Page errors", "Page errors cleared", "errors", "errors", "entries")
}

// log shows messages: errors first in what is kept of many, in their order.
func log(c *Command, v *View, title, cleared, kind string, members ...string) bool {
	m := object(c.Data)
	rows, ok := list(m, members...)
	if !ok {
		if m["cleared"] == true {
			v.Summary, v.Text = cleared, cleared
			return true
		}
		return false
	}
	v.Summary = title + ": " + number(len(rows))
	lines := []string{v.Summary}
	if len(rows) > 0 {
		lines[0] += " (" + c.scope() + ")"
	}
	preview := pick(rows, logRows, func(row any) bool { return isError(object(row)) })
	for _, row := range preview {
		lines = append(lines, logLine(row))
	}
	if left := len(rows) - len(preview); left > 0 {
		lines = append(lines, "("+number(left)+" earlier ones not shown)")
		keepRest(c, v, kind, prettyJSON(c.Data))
	}
	v.Text = strings.Join(lines, "\n") + whereAll(v)
	return true
}

func isError(row map[string]any) bool {
	return strings.Contains(strings.ToLower(str(row, "type")+str(row, "level")), "error")
}

func logLine(row any) string {
	m, ok := row.(map[string]any)
	if !ok {
		return "- " + clip(inline(row), errorBytes)
	}
	text := str(m, "text")
	for _, member := range [...]string{"message", "error", "description"} {
		if text == "" {
			text = str(m, member)
		}
	}
	if text == "" {
		text = strings.ReplaceAll(plain(m), "\n", ", ")
	}
	line := "- "
	if kind := str(m, "type") + str(m, "level"); kind != "" {
		line = "[" + kind + "] "
	}
	line += clip(strings.TrimSpace(text), errorBytes)
	if at := str(m, "url"); at != "" {
		if n, ok := m["line"].(float64); ok {
			at += ":" + inline(n)
		}
		line += " (" + clip(at, 120) + ")"
	}
	return line
}

// keepRest puts all of what a preview shows a part of on disk.
func keepRest(c *Command, v *View, kind, text string) {
	path, err := c.Keep(kind, ".json", text)
	if err != nil {
		v.KeepError = err.Error()
		return
	}
	v.FullOutput = path
}

// whereAll says where the whole of a preview is.
func whereAll(v *View) string {
	switch {
	case v.FullOutput != "":
		return "\nFull output path: " + v.FullOutput
	case v.KeepError != "":
		return "\nFull output unavailable: " + v.KeepError
	}
	return ""
}
