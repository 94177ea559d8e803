package axtree

import "strconv"

// Roles that the package treats in a way of their own. Roles are spelled as in Chrome's accessibility tree.
const (
	RoleGeneric    = "generic"
	RoleHeading    = "heading"
	RoleIframe     = "Iframe"
	roleInlineText = "InlineTextBox"
	roleLineBreak  = "LineBreak"
	RoleNone       = "none"
	rolePlugin     = "PluginObject"
	RoleRoot       = "RootWebArea"
	RoleStaticText = "StaticText"
	// RoleCard is one of several equal siblings that have no role. It does not exist in Chrome.
	RoleCard = "item"
	// RolePart says which part of a list has elements. It does not exist in Chrome.
	RolePart = "part"
	// RolePicture is a canvas, which has nothing but what is painted. It does not exist in Chrome.
	RolePicture = "picture"
	// RoleBehind says how many controls a modal dialog makes inert, or covers. It does not exist in Chrome.
	RoleBehind = "behind"
	// RoleShutOut is a text that a search found on the screen and not in the tree: its value says why. It does not exist
	// in Chrome.
	RoleShutOut = "shut out"
	// RoleUnheard says how many controls aria-hidden keeps from assistive technology. It has the first ones in it, and
	// does not exist in Chrome.
	RoleUnheard = "unheard"
	// RoleAudio and roleVideo are around the controls of a player. Chrome spells them with a capital letter.
	RoleAudio = "audio"
	RoleVideo = "video"
	// RoleLive is an element without a role whose changes are announced (aria-live). It does not exist in Chrome.
	RoleLive = "live region"
	// RoleUnreadable does not exist in Chrome, so that no page can produce such a line.
	RoleUnreadable = "unreadable"
)

// State is a property that is absent, false, true or mixed.
type State uint8

// The values of State.
const (
	Unset State = iota
	False
	True
	Mixed
)

// String returns the state as it is printed; "" for Unset.
func (s State) String() string {
	switch s {
	case False:
		return "false"
	case True:
		return "true"
	case Mixed:
		return "mixed"
	}
	return ""
}

// Hint says why an element without an interactive role gets a ref. Hints are a set.
type Hint uint8

// The hints, in the order in which they are printed.
const (
	Pointer  Hint = 1 << iota // cursor:pointer that is not merely inherited
	OnClick                   // an onclick handler
	Tabbable                  // a tabindex
	Editable                  // contenteditable
	Listener                  // a script listens for clicks, where neither of the first two says so
)

// AppendNames appends the names of the hints, the first after open, the others after between.
func (h Hint) AppendNames(b []byte, open, between string) []byte {
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

// Node is one element or text of a page. The strings are substrings of the walk's answer: keeping one keeps all of it
// in memory.
type Node struct {
	Role        string
	Name        string
	Value       string // what a control holds; never a password
	URL         string // where a link leads
	Placeholder string
	Token       int64  // identity of the element within its document, for elements that get a ref; else 0
	Ref         uint32 // N of eN; 0 for none
	Nth         uint32 // index among the nodes of the same role and name in its document
	Depth       int32  // 0 at the top
	End         int32  // index in Tree.Nodes after the last descendant
	Doc         int32  // index in Tree.Docs
	Level       int32  // of a heading, list item, tree item; 0 for none
	States
	Hints  Hint
	Secret bool // a password field
	Spare  bool // Token is for folding: the element has no ref until it stands for others
	// a text of a walk with words, of which only the beginning is here, or nothing if it was not looked at whether it can
	// be seen
	Long       bool
	InView     bool       // its box meets the viewport of its document; known only where the walk was asked for it
	Visibility Visibility // why its name or text is not visible to a user
	More       *Properties
	Box        *Box // where it is, when the walk was asked for boxes
}

// States are what a control says of itself, in the words of ARIA.
type States struct {
	Checked  State
	Expanded State
	Pressed  State
	Selected bool
	Disabled bool
	Required bool
	Readonly bool
	Invalid  bool
	Focused  bool
}

// Properties are what few nodes have. A nil Node.More stands for none of them.
type Properties struct {
	// the name with the spaces of the page that break no line and the like, where it has any, see [Node.ExactName]
	Exact    string
	Inferred string // what an element without a name may be for; only in a walk with words
	Looks    string // selected, current or disabled: what only paint tells; only in a walk with words
	Needs    string // why a button is disabled: fields of its form; only in a walk with words
	Awaited  bool   // the document of a frame is not there yet; only in a walk with words
	Unsaved  bool   // it differs from what was loaded; only in a walk with words
	Opens    int64  // token of the popup that it has opened over the page; only in a walk with words
	Clicks   int64  // token of the labeled control that a click here is one on; only in a walk with words
	// error, warning, success or notice: the message that a text is a part of; only in a walk with words
	Says            string
	Description     string // accname 1.2, section 4.3.1
	Current         string // aria-current: page, step, location, date, time, true
	HasPopup        string // menu, listbox, tree, grid, dialog
	Orientation     string // horizontal, vertical
	ValueText       string // the value in words, where it differs from the number
	ValueMin        string
	ValueMax        string
	Busy            bool
	Multiselectable bool
	Modal           bool
	Active          int64 // token of the active descendant; 0 for none
	Covered         bool  // something else takes the pointer wherever it is on the screen
	CoveredBy       int64 // token of that, if the walk shows it; else 0
	SaysToAgents    bool  // a text of it speaks to agents
}

// Visibility says why a text is in the tree and not to be seen.
type Visibility uint8

// The values of Visibility.
const (
	Seen        Visibility = iota
	Transparent            // no opacity, no color
	Tiny                   // a pixel wide or high at most
	Outside                // where scrolling does not lead
	Clipped
	SameColor   // as its ground
	PartSeen    // some of it can be seen
	NameUnseen  // the control can be seen, and its name cannot
	ValueUnseen // the field can be seen, and its value cannot
	OnScroll    // the page shows it when it is scrolled to
	OnPress     // the page shows it when what opens it is pressed
	Later       // the page shows it by itself
	Covered     // something opaque lies over it
	Fallback    // a drawing is shown in its place
)

var visibilityNames = [...]string{
	"", "transparent", "size", "outside", "clipped", "color", "part", "name", "value",
	"scroll", "press", "later", "covered", "fallback",
}

// Mark returns what a line says of it, or "".
func (v Visibility) Mark() string {
	switch v {
	case Seen:
		return ""
	case PartSeen:
		return "partly unseen"
	case NameUnseen:
		return "name unseen"
	case ValueUnseen:
		return "value unseen"
	case OnScroll:
		return "appears on scroll"
	case OnPress:
		return "appears on press"
	case Later:
		return "appears later"
	default:
		return "unseen"
	}
}

// IsHidden reports whether a person who looks at the page sees neither the element nor its text.
func (v Visibility) IsHidden() bool {
	return v != Seen && v != PartSeen && v != NameUnseen && v != ValueUnseen
}

// IsComing reports whether the page brings in what cannot be seen: by scrolling, by a press or by itself. That is
// content, and not a text that is meant to stay out of sight.
func (v Visibility) IsComing() bool { return v == OnScroll || v == OnPress || v == Later }

// String returns the word that the walk and the JSON form have for it; "" for Seen.
func (v Visibility) String() string { return visibilityNames[v] }

// Box is a rectangle in CSS pixels, from the top left corner of the viewport of the node's document.
type Box struct{ X, Y, Width, Height float64 }

// Doc is one document of a tree.
type Doc struct {
	FrameID string
	DocID   string // empty when the document could not be read
	URL     string
}

// Tree is a page: the nodes of all its documents in document order, those of a child frame directly after their Iframe
// node.
type Tree struct {
	Nodes []Node
	Docs  []Doc // the first is the root's
	About About // of the root's document, where [WalkArg.About] asked for it
}

// HasChildren reports whether node i has at least n children, for n of 1 or 2.
func HasChildren(nodes []Node, i, n int) bool {
	first, end := int32(i)+1, nodes[i].End
	if first >= end {
		return false
	}
	return n == 1 || nodes[first].End < end
}

// SetEnds sets End of every node from the depths.
func SetEnds(nodes []Node) {
	var open []int32
	for i := range nodes {
		open = closeTo(nodes, open, nodes[i].Depth, int32(i))
		open = append(open, int32(i))
	}
	closeTo(nodes, open, 0, int32(len(nodes)))
}

// closeTo ends the open nodes at depth and below at index end. open holds the index of the open node of each depth.
func closeTo(nodes []Node, open []int32, depth, end int32) []int32 {
	for _, i := range open[depth:] {
		nodes[i].End = end
	}
	return open[:depth]
}

// RefID spells a ref's number.
func RefID(n uint32) string { return string(AppendRefID(nil, n)) }

// AppendRef appends a ref as commands take it: @e12.
func AppendRef(b []byte, n uint32) []byte { return AppendRefID(append(b, '@'), n) }

func AppendRefID(b []byte, n uint32) []byte {
	return strconv.AppendUint(append(b, 'e'), uint64(n), 10)
}
