package snapshot

import "strconv"

// maxIndent is the deepest level that still indents its lines. Nested deeper, a page could make a snapshot that is mostly spaces.
const maxIndent = 200

// render writes the nodes in agent-browser's line format:
//
//	<2 spaces a level>- <role>[ "<name>"][ [attributes]][ <kind> [<hints>]][: <value>]
//
// Names are JSON strings. Values and addresses are plain text in which control characters are escaped.
func render(nodes []Node, o Options) string {
	levels := layout(nodes, o)
	if o.Compact {
		compact(nodes, levels)
	}
	b := make([]byte, 0, 48*len(nodes)+64)
	for i := range nodes {
		if level := levels[i]; level != dropped {
			b = appendLine(b, &nodes[i], int(level), o)
		}
	}
	if len(b) == 0 {
		if o.Interactive {
			return "(no interactive elements)"
		}
		return "(empty page)"
	}
	return string(b[:len(b)-1])
}

// dropped is the level of a node that gets no line.
const dropped = -1

// layout returns the level of each node's line. The children of a node without a line move up to its place.
func layout(nodes []Node, o Options) []int32 {
	levels := make([]int32, len(nodes))
	inner := make([]int32, 1, 32) // by depth of a node: the level that its line would have
	for i := range nodes {
		n := &nodes[i]
		level := inner[n.Depth]
		inner = inner[:n.Depth+1]
		if !shown(nodes, i, o.Interactive) {
			levels[i] = dropped
			inner = append(inner, level)
			continue
		}
		levels[i] = level
		if o.Depth >= 0 && int(level) > o.Depth {
			levels[i] = dropped
		}
		inner = append(inner, level+1)
	}
	return levels
}

// shown reports whether a node is worth a line.
func shown(nodes []Node, i int, interactive bool) bool {
	n := &nodes[i]
	if n.Ref != 0 || n.Role == roleUnreadable {
		return true
	}
	if interactive {
		return false
	}
	switch n.Role {
	case roleRoot:
		return false
	case roleStaticText:
		return n.Name != ""
	case roleGeneric:
		return hasChildren(nodes, i, 2)
	}
	return true
}

// compact drops the lines that say nothing themselves and have no line below them that does.
func compact(nodes []Node, levels []int32) {
	next := int32(len(nodes)) // the nearest node from here on whose line says something
	for i := int32(len(nodes)) - 1; i >= 0; i-- {
		if levels[i] == dropped {
			continue
		}
		n := &nodes[i]
		switch {
		case n.Ref != 0 || n.Name != "" || n.Value != "":
			next = i
		case next >= n.End:
			levels[i] = dropped
		}
	}
}

func appendLine(b []byte, n *Node, level int, o Options) []byte {
	for range min(level, maxIndent) {
		b = append(b, "  "...)
	}
	b = append(b, "- "...)
	b = append(b, n.Role...)
	if n.Name != "" {
		b = append(b, ' ')
		b = appendQuoted(b, n.Name)
	}
	b = appendAttributes(b, n, o.URLs)
	if n.Hints != 0 {
		b = appendHints(b, n.Hints)
	}
	if n.Value != "" && n.Value != n.Name {
		b = append(b, ": "...)
		b = appendPlain(b, n.Value)
	}
	return append(b, '\n')
}

func appendAttributes(b []byte, n *Node, urls bool) []byte {
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
	if n.Ref != 0 {
		b = appendRefID(append(b, ", ref="...), n.Ref)
	}
	if urls && n.URL != "" {
		b = appendPlain(append(b, ", url="...), n.URL)
	}
	if len(b) == start {
		return b
	}
	b[start], b[start+1] = ' ', '[' // in place of the first comma
	return append(b, ']')
}

// appendHints says why an element without an interactive role can be acted on.
func appendHints(b []byte, h Hint) []byte {
	switch {
	case h&(Pointer|OnClick) != 0:
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
	for i, name := range [...]string{"cursor:pointer", "onclick", "tabindex", "contenteditable"} {
		if h&(1<<i) != 0 {
			if len(b) > start {
				b = append(b, between...)
			}
			b = append(b, name...)
		}
	}
	return b
}
