package description

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/snapshot/axtree"
	"github.com/skua-browser/skua/snapshot/phrase"
)

// keyHint is the shortcut at the end of a tooltip: "Random page [alt-shift-x]", "Bold (Ctrl+B)", "Undo (⌘Z)", "Sitemap
// [x]".
var keyHint = regexp.MustCompile(
	`(?i)\s*[\[(](?:(?:ctrl|control|alt|altgr|option|opt|shift|cmd|command|meta|super|win)\s*[-+]\s*|[⌘⌥⇧⌃]\s*[-+]?\s*)+[^\s\])]{1,12}[\])]$|\s*\[[a-z0-9]\]$`)

// Of returns what the description of a node says besides the name and the value on its line.
func Of(n *axtree.Node) string {
	if n.More == nil || n.More.Description == "" {
		return ""
	}
	text := strings.TrimSpace(keyHint.ReplaceAllString(phrase.WithoutGlyphs(n.More.Description), ""))
	if bare := strings.TrimFunc(text, isNoLetter); bare != "" &&
		(strings.EqualFold(bare, bareName(n.Name)) || strings.EqualFold(bare, bareName(n.Value))) {
		return ""
	}
	return text
}

func bareName(name string) string { return strings.TrimFunc(phrase.WithoutGlyphs(name), isNoLetter) }

func isNoLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// Counts maps a node to the number of lines that have its description, for the first of these lines, and to 0 for the
// others. A node whose description is unique is not in it.
type Counts map[*axtree.Node]int

// Count finds the descriptions that several of the lines have; keep says which nodes have lines. Those of fields stay
// with each: they say what has to be typed there.
func Count(nodes []axtree.Node, keep []bool) Counts {
	counts, first := Counts(nil), map[string]*axtree.Node{}
	for i := range nodes {
		n := &nodes[i]
		if !keep[i] || isField[n.Role] || n.Hints&axtree.Editable != 0 {
			continue
		}
		text := Of(n)
		if text == "" {
			continue
		}
		before, again := first[text]
		if !again {
			first[text] = n
			continue
		}
		if counts == nil {
			counts = Counts{}
		}
		counts[before] = max(counts[before], 1) + 1
		counts[n] = 0
	}
	return counts
}

// isField are the roles of what takes a value.
var isField = map[string]bool{
	"textbox": true, "searchbox": true, "combobox": true, "listbox": true, "spinbutton": true, "slider": true,
	"checkbox": true, "radio": true,
	"switch": true, "radiogroup": true, "group": true, "Date": true, "DateTime": true, "InputTime": true,
	"ColorWell": true,
}

// Repeats reports whether a line before has the description of the node.
func (c Counts) Repeats(n *axtree.Node) bool {
	count, several := c[n]
	return several && count == 0
}

// longest is where a description is cut, in bytes.
const longest = 300

// Append appends the description of a node as an attribute, with the number of lines that have it, unless an earlier
// line has it.
func (c Counts) Append(b []byte, n *axtree.Node) []byte {
	text := Of(n)
	if text == "" || c.Repeats(n) {
		return b
	}
	b = phrase.Quoted(append(b, ", description="...), wording.ClipBytes(text, longest))
	if count := c[n]; count > 1 {
		b = strconv.AppendInt(append(b, " ×"...), int64(count), 10)
	}
	return b
}
