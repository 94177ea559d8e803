package snapshot

import (
	"math"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/addressee"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/snapshot/axtree"
	"github.com/skua-browser/skua/snapshot/phrase"
)

// maxIndent is the deepest level that still indents its lines. Nested deeper, a page could make a snapshot that is
// mostly spaces.
const maxIndent = 200

// Words of a digest for elements without a role.
const (
	wordClickable = "clickable"
	wordText      = "text"
	wordCanvas    = "canvas "
)

// render writes the nodes as lines:
//
//	<2 spaces a level>- <role>[ "<name>"][ @<ref>][ [attributes]][ <kind> [<hints>]][: <value>]
//
// With [Options.Upstream] the ref is an attribute, as in agent-browser: [level=1, ref=e2].
//
// Names are JSON strings. Values and addresses are plain text in which control characters are escaped. Lines in
// parentheses are not nodes: they say what is folded or left out.
func render(nodes []axtree.Node, o Options) string { return newView(nodes, o).text() }

func (v *view) appendLine(b []byte, n *axtree.Node, level int) []byte {
	b = append(appendIndent(b, level), v.word(n)...)
	label := v.label(n)
	if name := v.nameOf(n); name != "" && label == "" {
		b = append(b, ' ')
		b = appendQuoted(b, name)
	}
	told := telling(0)
	if v.o.isDigest() {
		told |= toldUnchecked
		if n.IsTitle() || label != "" {
			told |= toldLevel
		}
	}
	if n.Ref != 0 && !v.o.Upstream {
		b = axtree.AppendRef(append(b, ' '), n.Ref)
	}
	b = v.appendAttributes(b, n, told)
	switch {
	case n.Hints == 0:
	case !v.o.isDigest():
		b = appendHints(b, n)
	case !n.IsRoleless() && !isControlRole(n):
		b = append(append(b, ' '), hintWord(n)...)
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

// titleWords are what a digest calls headings.
var titleWords = [...]string{"h1", "h2", "h3", "h4", "h5", "h6"}

// telling says which attributes of a node need no word, since the line tells them elsewhere.
type telling uint8

const (
	toldLevel telling = 1 << iota
	toldVisibility
	toldUnchecked
	toldCovered
)

// word returns what a line calls a node: its role. A digest says of an element without a role that it is a text, or
// what can be done with it, and calls headings h1 to h6.
func (v *view) word(n *axtree.Node) string {
	switch {
	case !v.o.isDigest():
	case n.Role == axtree.RoleStaticText && n.MessageKind() != "":
		return n.MessageKind()
	case n.Role == axtree.RoleStaticText:
		return wordText
	case n.IsTitle():
		return titleWords[n.Level-1]
	case n.IsRoleless() && n.Hints != 0:
		return hintWord(n)
	}
	return n.Role
}

// label returns the texts of a row, a card or an announcement. Few views have such, and few lines.
func (v *view) label(n *axtree.Node) string {
	if len(v.labels) == 0 || !grouping[n.Role] && !announcing[n.Role] {
		return ""
	}
	return v.labels[n]
}

// remark returns what a line says of what it leaves out: the options of a closed list, or texts.
func (v *view) remark(n *axtree.Node) string {
	if len(v.remarks) == 0 {
		return ""
	}
	return v.remarks[n]
}

// nameOf returns the name as the line has it. That of a clickable element around others is made of theirs: its
// beginning tells which one it is, unless the next line begins so, too.
func (v *view) nameOf(n *axtree.Node) string {
	name := n.Name
	if v.o.Seen && n.Visibility == axtree.NameUnseen {
		return ""
	}
	if !v.o.Upstream || v.o.isDigest() {
		name = phrase.WithoutGlyphs(name)
	}
	switch v.around[n] {
	case namedByParts:
		return wording.ClipBytes(name, longestAround)
	case namedByNext:
		return ""
	}
	return v.clip(name)
}

// clip cuts a text that is too long for the budget.
func (v *view) clip(s string) string {
	if v.clipAt == 0 {
		return s
	}
	if at, end := v.wanted.Index(s); at >= 0 && end > v.clipAt && at < len(s) {
		return "…" + wording.ClipBytes(strings.ToValidUTF8(s[max(at-v.clipAt/2, 0):], ""), v.clipAt)
	}
	return wording.ClipBytes(s, v.clipAt)
}

// appendAttributes writes those that agent-browser prints as it does, and those that it leaves out between them. Told
// are those that need none.
func (v *view) appendAttributes(b []byte, n *axtree.Node, told telling) []byte {
	start := len(b)
	if n.Level != 0 && told&toldLevel == 0 {
		b = strconv.AppendInt(append(b, ", level="...), int64(n.Level), 10)
	}
	if n.Checked != axtree.Unset && (n.Checked != axtree.False || told&toldUnchecked == 0) {
		b = append(append(b, ", checked="...), n.Checked.String()...)
	}
	switch {
	case n.Expanded == axtree.Unset:
	case n.Expanded == axtree.False && v.remark(n) != "" && n.Role == "combobox":
		// a list whose options are counted is closed
	case n.Expanded == axtree.False && v.o.isDigest():
		b = append(b, ", collapsed"...)
	default:
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
	if n.Pressed != axtree.Unset {
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
	if n.Placeholder != "" && n.Value == "" && (n.Placeholder != n.Name || !v.o.isDigest()) {
		b = appendQuoted(append(b, ", placeholder="...), v.clip(n.Placeholder))
	}
	if n.More != nil {
		b = v.described.Append(appendProperties(b, n.More, n.Role), n)
	}
	if n.Ref != 0 && v.o.Upstream {
		b = axtree.AppendRefID(append(b, ", ref="...), n.Ref)
	}
	if remark := v.remark(n); remark != "" {
		b = appendPlain(append(b, ", "...), remark)
	}
	b = v.appendPlace(b, n, told)
	if v.o.URLs && n.URL != "" {
		b = appendPlain(append(b, ", url="...), n.URL)
	}
	if len(b) == start {
		return b
	}
	b[start], b[start+1] = ' ', '[' // in place of the first comma
	return append(b, ']')
}

// appendProperties writes the rare ones that an agent decides by. The others are in the JSON form.
func appendProperties(b []byte, p *axtree.Properties, role string) []byte {
	switch {
	case p.Inferred == "":
	case p.Inferred == role:
		b = append(b, ", inferred"...) // from how it looks
	default:
		b = appendQuoted(append(b, ", inferred="...), p.Inferred)
	}
	if p.Looks != "" {
		b = append(append(b, ", looks "...), p.Looks...)
	}
	if p.Needs != "" {
		b = appendQuoted(append(b, ", needs="...), wording.ClipBytes(p.Needs, longText))
	}
	if p.Unsaved {
		b = append(b, ", unsaved"...)
	}
	if p.Current != "" {
		b = append(append(b, ", current="...), p.Current...)
	}
	if p.Awaited {
		b = append(b, ", not loaded yet"...)
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
	return b
}

func appendVisibility(b []byte, v axtree.Visibility) []byte {
	if mark := v.Mark(); mark != "" {
		b = append(append(b, ", "...), mark...)
	}
	return b
}

// appendPlace appends whether the element is unseen, speaks to agents or is covered, and its position.
func (v *view) appendPlace(b []byte, n *axtree.Node, told telling) []byte {
	if told&toldVisibility == 0 {
		b = appendVisibility(b, n.Visibility)
	}
	if v.saysToAgents(n) {
		b = append(append(b, ", "...), addressee.Mark...)
	}
	if told&toldCovered == 0 {
		b = coverOf(v, n).append(b)
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

// cover is what lies over an element: nothing, something, or an element with a ref.
type cover struct {
	over bool
	ref  uint32
}

// coverOf leaves out what cannot be seen anyway: the field of an editor lies behind what the editor draws.
func coverOf(v *view, n *axtree.Node) cover {
	if !isCovered(n) || n.Visibility.IsHidden() {
		return cover{}
	}
	return cover{true, v.refs()[n.KeyOf(n.More.CoveredBy)]}
}

func (c cover) append(b []byte) []byte {
	if c.over {
		b = append(b, ", covered"...)
	}
	if c.ref != 0 {
		b = axtree.AppendRef(append(b, " by "...), c.ref)
	}
	return b
}

// saysToAgents reports whether a line has a text that speaks to agents: its node's, those of a row that it tells, or
// the options of a closed list.
func (v *view) saysToAgents(n *axtree.Node) bool {
	return n.SaysToAgents() || addressee.Speaks(v.label(n)) || addressee.Speaks(v.remark(n))
}

// refs finds the refs of elements.
func (v *view) refs() map[axtree.Key]uint32 {
	if v.refOf == nil {
		v.refOf = axtree.RefsOf(v.nodes)
	}
	return v.refOf
}

// hintWord says what can be done with an element without an interactive role.
func hintWord(n *axtree.Node) string {
	switch {
	case n.IsPointed():
		return wordClickable
	case n.Hints&axtree.Editable != 0:
		return "editable"
	}
	return "focusable"
}

// appendHints says why an element without an interactive role can be acted on.
func appendHints(b []byte, n *axtree.Node) []byte {
	b = append(append(append(b, ' '), hintWord(n)...), " ["...)
	return append(n.Hints.AppendNames(b, "", ", "), ']')
}
