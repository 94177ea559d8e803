package snapshot

import (
	"math"
	"strconv"

	"github.com/skua-browser/skua/internal/wording"
)

// maxIndent is the deepest level that still indents its lines. Nested deeper, a page could make a snapshot that is mostly spaces.
const maxIndent = 200

// render writes the nodes in agent-browser's line format:
//
//	<2 spaces a level>- <role>[ "<name>"][ [attributes]][ <kind> [<hints>]][: <value>]
//
// Names are JSON strings. Values and addresses are plain text in which control characters are escaped. Lines in parentheses are not nodes:
// they say what is folded or left out.
func render(nodes []Node, o Options) string { return newView(nodes, o).text() }

func (v *view) appendLine(b []byte, n *Node, level int) []byte {
	for range min(level, maxIndent) {
		b = append(b, "  "...)
	}
	b = append(b, "- "...)
	b = append(b, n.Role...)
	label := v.label(n)
	if n.Name != "" && label == "" {
		b = append(b, ' ')
		b = appendQuoted(b, v.clip(n.Name))
	}
	b = v.appendAttributes(b, n)
	if n.Hints != 0 {
		b = appendHints(b, n.Hints)
	}
	switch {
	case label != "":
		b = appendPlain(append(b, ": "...), label)
	case n.Value != "" && n.Value != n.Name:
		b = append(b, ": "...)
		b = appendPlain(b, v.clip(n.Value))
	}
	return append(b, '\n')
}

// label returns the texts of a row or card, and optionsOf what is said of the options of a closed list. Few views have such, and few lines.
func (v *view) label(n *Node) string {
	if len(v.labels) == 0 || !grouping[n.Role] {
		return ""
	}
	return v.labels[n]
}

func (v *view) optionsOf(n *Node) string {
	if len(v.options) == 0 || n.Role != "combobox" {
		return ""
	}
	return v.options[n]
}

// clip cuts a text that is too long for the budget.
func (v *view) clip(s string) string {
	if v.clipAt == 0 {
		return s
	}
	return wording.ClipBytes(s, v.clipAt)
}

// appendAttributes writes those that agent-browser prints as it does, and those that it leaves out between them.
func (v *view) appendAttributes(b []byte, n *Node) []byte {
	start := len(b)
	if n.Level != 0 {
		b = strconv.AppendInt(append(b, ", level="...), int64(n.Level), 10)
	}
	if n.Checked != Unset {
		b = append(append(b, ", checked="...), n.Checked.String()...)
	}
	if n.Expanded != Unset {
		b = append(append(b, ", expanded="...), n.Expanded.String()...)
	}
	if n.Selected {
		b = append(b, ", selected"...)
	}
	if n.Disabled {
		b = append(b, ", disabled"...)
	}
	if n.Required {
		b = append(b, ", required"...)
	}
	if n.Pressed != Unset {
		b = append(append(b, ", pressed="...), n.Pressed.String()...)
	}
	if n.Readonly {
		b = append(b, ", readonly"...)
	}
	if n.Invalid {
		b = append(b, ", invalid"...)
	}
	if n.Focused {
		b = append(b, ", focused"...)
	}
	if n.Placeholder != "" && n.Value == "" {
		b = appendQuoted(append(b, ", placeholder="...), v.clip(n.Placeholder))
	}
	if n.More != nil {
		b = n.More.appendAttributes(b, n.Name)
	}
	if n.Ref != 0 {
		b = appendRefID(append(b, ", ref="...), n.Ref)
	}
	if options := v.optionsOf(n); options != "" {
		b = appendPlain(append(b, ", "...), options)
	}
	b = v.appendPlace(b, n)
	if v.o.URLs && n.URL != "" {
		b = appendPlain(append(b, ", url="...), n.URL)
	}
	if len(b) == start {
		return b
	}
	b[start], b[start+1] = ' ', '[' // in place of the first comma
	return append(b, ']')
}

// appendAttributes writes the rare ones that an agent decides by. The others are in the JSON form.
func (p *Properties) appendAttributes(b []byte, name string) []byte {
	if p.Inferred != "" {
		b = appendQuoted(append(b, ", inferred="...), p.Inferred)
	}
	if p.Current != "" {
		b = append(append(b, ", current="...), p.Current...)
	}
	if p.Busy {
		b = append(b, ", busy"...)
	}
	if p.Modal {
		b = append(b, ", modal"...)
	}
	if p.ValueText != "" {
		b = appendQuoted(append(b, ", valuetext="...), wording.ClipBytes(p.ValueText, longText))
	}
	if p.Description != "" && p.Description != name {
		b = appendQuoted(append(b, ", description="...), wording.ClipBytes(p.Description, longText))
	}
	return b
}

// appendPlace appends whether the element is unseen or covered, and its position.
func (v *view) appendPlace(b []byte, n *Node) []byte {
	switch n.Veil {
	case Seen:
	case PartSeen:
		b = append(b, ", partly unseen"...)
	default:
		b = append(b, ", unseen"...)
	}
	if n.More != nil && n.More.Covered {
		b = append(b, ", covered"...)
		if by := v.refs()[elementKey{n.Doc, n.More.CoveredBy}]; by != 0 {
			b = appendRefID(append(b, " by "...), by)
		}
	}
	if n.Box != nil && v.o.Boxes {
		b = append(b, ", box="...)
		for i, side := range [...]float64{n.Box.X, n.Box.Y, n.Box.Width, n.Box.Height} {
			if i > 0 {
				b = append(b, ' ')
			}
			b = strconv.AppendFloat(b, math.Round(side), 'f', -1, 64)
		}
	}
	return b
}

// refs finds the refs of elements.
func (v *view) refs() map[elementKey]uint32 {
	if v.refOf == nil {
		v.refOf = refsOf(v.nodes)
	}
	return v.refOf
}

// appendHints says why an element without an interactive role can be acted on.
func appendHints(b []byte, h Hint) []byte {
	switch {
	case h&(Pointer|OnClick|Listener) != 0:
		b = append(b, " clickable ["...)
	case h&Editable != 0:
		b = append(b, " editable ["...)
	default:
		b = append(b, " focusable ["...)
	}
	return append(appendHintNames(b, h, "", ", "), ']')
}

// appendHintNames appends the names of hints, the first after open, the others after between.
func appendHintNames(b []byte, h Hint, open, between string) []byte {
	b = append(b, open...)
	start := len(b)
	for i, name := range [...]string{"cursor:pointer", "onclick", "tabindex", "contenteditable", "listener"} {
		if h&(1<<i) != 0 {
			if len(b) > start {
				b = append(b, between...)
			}
			b = append(b, name...)
		}
	}
	return b
}
