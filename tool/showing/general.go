package showing

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/plainjson"
)

// bookkeeping are members of data that say how a program keeps its books, and nothing about the page.
var bookkeeping = map[string]bool{
	"lifecycle": true, "targetId": true, "launchHash": true, "activeTargetId": true,
	"removedRefs": true, "effect": true,
}

// general shows a command without a family: its own text, else what its data says.
func general(c *Command, v *View) {
	if c.Text != "" {
		v.Text = c.Text
		return
	}
	v.Text = plain(c.Data)
	if v.Text == "" {
		v.Text = "Done."
	}
}

// plain writes data as lines of `name: value`.
func plain(data any) string {
	m := object(data)
	if m == nil {
		return inline(data)
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if bookkeeping[name] || m[name] == nil {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(name + ": " + inline(m[name]))
	}
	return b.String()
}

// inline writes a value as text: strings as they are, everything else as JSON.
func inline(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return compactJSON(v)
}

func compactJSON(v any) string { return encoded(v, "") }

func prettyJSON(v any) string { return encoded(v, "  ") }

func encoded(v any, indent string) string {
	text, _ := plainjson.Sorted(v, indent) // what cannot be shown is shown as nothing
	return string(text)
}

// envelope is the answer as JSON, in agent-browser's form.
func envelope(c *Command, data any) string {
	e := struct {
		Success bool `json:"success"`
		Data    any  `json:"data"`
		Error   any  `json:"error"`
	}{Success: c.Success, Data: data}
	if !c.Success {
		e.Data, e.Error = nil, c.Error
	}
	return compactJSON(e)
}
