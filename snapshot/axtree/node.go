package axtree

// IsSeen reports whether a person who looks at the page may see the node's text.
func (n *Node) IsSeen() bool { return n.Visibility == Seen || n.Visibility == PartSeen }

// MessageKind returns the kind of message that a text is a part of, or "".
func (n *Node) MessageKind() string {
	if n.More == nil {
		return ""
	}
	return n.More.Says
}

// ExactName returns the name as the page has it, for programs that compare it: accname 1.2 (section 4.3.1) keeps spaces
// that break no line, and other white space than that of HTML. Name, which is read, has plain spaces there.
func (n *Node) ExactName() string {
	if n.More == nil || n.More.Exact == "" {
		return n.Name
	}
	return n.More.Exact
}

// IsRoleless reports whether a node has no role that says what it is.
func (n *Node) IsRoleless() bool { return n.Role == RoleGeneric || n.Role == RoleNone }

// IsPointed reports whether clicking is all that is known about a node, which has no interactive role.
func (n *Node) IsPointed() bool { return n.Hints&(Pointer|OnClick|Listener) != 0 }

// IsTitle reports whether a node is a heading of one of HTML's levels.
func (n *Node) IsTitle() bool {
	return n.Role == RoleHeading && 0 < n.Level && int(n.Level) <= titleLevels
}

// titleLevels is how many levels of headings HTML has.
const titleLevels = 6

// IsReachable reports whether a control can be clicked as it is.
func (n *Node) IsReachable() bool {
	return !n.Disabled && !n.Visibility.IsHidden() && (n.More == nil || !n.More.Covered)
}

// HasText reports whether a text that is known of a node is one of those.
func (n *Node) HasText(is func(text string) bool) bool {
	for _, text := range [...]string{n.Name, n.Value, n.Placeholder, n.URL} {
		if text != "" && is(text) {
			return true
		}
	}
	return n.More != nil && (is(n.More.Description) || is(n.More.Exact))
}

// Key is an element of the tree.
type Key struct {
	Doc   int32
	Token int64
}

// Key returns the key of the node.
func (n *Node) Key() Key { return Key{n.Doc, n.Token} }

// KeyOf returns the key of another element of the node's document.
func (n *Node) KeyOf(token int64) Key { return Key{n.Doc, token} }

// RefsOf finds the refs of elements by their tokens.
func RefsOf(nodes []Node) map[Key]uint32 {
	refs := map[Key]uint32{}
	for i := range nodes {
		if n := &nodes[i]; n.Ref != 0 {
			refs[n.Key()] = n.Ref
		}
	}
	return refs
}
