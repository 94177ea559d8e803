package showing

import (
	"cmp"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/diagnose"
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/actions/network"

	"github.com/skua-browser/skua/tool/traffic"
)

// How much of a log is shown.
const (
	requestRows = 40
	logRows     = 80
	bodyBytes   = 280
	errorBytes  = 220
)

// scope says what a log speaks of, so that old rows are not taken for the doing of the last command.
func (c *Command) scope() string {
	if c.Cleared {
		return "since it was cleared"
	}
	return "of the whole session, not only of this page"
}

// requestLine shows a row of a network log.
func requestLine(r *traffic.Request) string {
	line := cmp.Or(r.Method, "GET") + " " + clip(r.URL, 160)
	if r.ID != "" {
		line = "[" + r.ID + "] " + line
	}
	if r.Type != "" {
		line += " (" + r.Type + ")"
	}
	switch {
	case r.Status != 0:
		line += " " + number(r.Status)
	case r.Error != "":
		line += " failed: " + clip(r.Error, errorBytes)
	case r.Failed:
		line += " failed"
	default:
		line += " pending"
	}
	if r.Benign() {
		line += " (benign)"
	} else if r.Failed && r.Body != "" {
		line += "\n    " + clip(strings.Join(strings.Fields(r.Body), " "), bodyBytes)
	}
	return line
}

func requests(c *Command, v *View) bool {
	if isCleared(c.Data) {
		v.Summary, v.Text = "Network log cleared", "Network log cleared"
		return true
	}
	rows, ok := traffic.Log(c.Data)
	if !ok {
		return false
	}
	var shown []traffic.Request
	noise, bad, benign := 0, 0, 0
	for _, r := range rows {
		switch {
		case strings.HasPrefix(r.URL, "data:image"):
			noise++
			continue
		case r.Benign():
			benign++
		case r.Failed:
			bad++
		}
		shown = append(shown, r)
	}
	v.Summary = "Network requests: " + number(len(rows))
	lines := []string{v.Summary + " (" + c.scope() + ")"}
	if bad+benign > 0 {
		lines = append(lines, "Failed: "+number(bad)+" actionable, "+number(benign)+" benign")
	}
	preview := pick(shown, requestRows, func(r traffic.Request) bool { return r.Failed && !r.Benign() })
	for i := range preview {
		lines = append(lines, requestLine(&preview[i]))
	}
	if left := len(shown) - len(preview); left > 0 {
		lines = append(lines,
			"("+number(left)+" more not shown; narrow them with --filter, --type, --status or --current-page)")
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

// isCleared reports whether data says that a log was emptied.
func isCleared(data any) bool {
	switch d := actions.Own(data).(type) {
	case network.Cleared:
		return d.Cleared
	case diagnose.Cleared:
		return d.Cleared
	case map[string]any: // of another program
		return d["cleared"] == true
	}
	return false
}

func console(c *Command, v *View) bool {
	if log, ok := actions.Own(c.Data).(diagnose.Console); ok {
		rows := make([]logRow, 0, len(log.Messages))
		for i := range log.Messages {
			m := &log.Messages[i]
			rows = append(rows, logRow{kind: m.Type, text: m.Text, url: m.URL, line: m.Line})
		}
		return showLog(c, v, "Console messages", "console", rows)
	}
	return foreignLog(c, v, "Console messages", "Console cleared", "console", "messages", "logs", "entries")
}

func pageErrors(c *Command, v *View) bool {
	if log, ok := actions.Own(c.Data).(diagnose.Errors); ok {
		rows := make([]logRow, 0, len(log.Errors))
		for i := range log.Errors {
			e := &log.Errors[i]
			row := logRow{text: e.Text}
			if e.URL != nil {
				row.url = *e.URL
			}
			if e.Line != nil {
				row.line = *e.Line
			}
			rows = append(rows, row)
		}
		return showLog(c, v, "Page errors", "errors", rows)
	}
	return foreignLog(c, v, "Page errors", "Page errors cleared", "errors", "errors", "entries")
}

// logRow is a message of a log.
type logRow struct {
	kind, text, url string
	line            int // 0 means that it is not known
}

// foreignLog shows messages in a form of another program.
func foreignLog(c *Command, v *View, title, cleared, kind string, members ...string) bool {
	if isCleared(c.Data) {
		v.Summary, v.Text = cleared, cleared
		return true
	}
	data, _ := c.Data.(map[string]any)
	found, ok := list(data, members...)
	if !ok {
		return false
	}
	rows := make([]logRow, 0, len(found))
	for _, row := range found {
		m := fact.Read[struct {
			Type, Level, Text, Message, Error, Description, URL string
			Line                                                int
		}](row)
		text, isText := row.(string)
		if !isText {
			text = cmp.Or(m.Text, m.Message, m.Error, m.Description, strings.ReplaceAll(plain(row), "\n", ", "))
		}
		rows = append(rows, logRow{m.Type + m.Level, text, m.URL, m.Line})
	}
	return showLog(c, v, title, kind, rows)
}

// showLog shows messages: errors first in what is kept of many, in their order.
func showLog(c *Command, v *View, title, kind string, rows []logRow) bool {
	v.Summary = title + ": " + number(len(rows))
	lines := []string{v.Summary}
	if len(rows) > 0 {
		lines[0] += " (" + c.scope() + ")"
	}
	preview := pick(rows, logRows, func(r logRow) bool { return strings.Contains(strings.ToLower(r.kind), "error") })
	for _, row := range preview {
		lines = append(lines, row.shown())
	}
	if left := len(rows) - len(preview); left > 0 {
		lines = append(lines, "("+number(left)+" earlier ones not shown)")
		keepRest(c, v, kind, prettyJSON(c.Data))
	}
	v.Text = strings.Join(lines, "\n") + whereAll(v)
	return true
}

func (r logRow) shown() string {
	line := "- "
	if r.kind != "" {
		line = "[" + r.kind + "] "
	}
	line += clip(strings.TrimSpace(r.text), errorBytes)
	if at := r.url; at != "" {
		if r.line != 0 {
			at += ":" + number(r.line)
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
