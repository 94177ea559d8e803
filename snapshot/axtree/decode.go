package axtree

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// Decode reads the answer of a walk: a line a node, in document order,
//
//	depth TAB role TAB token TAB name { TAB key=value }
//
// The nodes' strings are parts of wire, which must not be written to afterwards. Depth, End and Doc are those of a lone
// document. iframes holds the indexes of the Iframe nodes.
func Decode(wire []byte) (nodes []Node, iframes []int32, err error) {
	// A page can contain lone surrogates, which not every consumer of snapshots accepts: from here on all text is valid
	// UTF-8.
	if !utf8.Valid(wire) {
		wire = bytes.ToValidUTF8(wire, []byte("\uFFFD"))
	}
	// The bytes were handed over for good, so that no copy is needed to call them a string.
	s := unsafe.String(unsafe.SliceData(wire), len(wire))
	nodes = make([]Node, 0, strings.Count(s, "\n")+1)
	open := make([]int32, 0, 32)
	for line := 1; s != ""; line++ {
		var l string
		l, s, _ = strings.Cut(s, "\n")
		nodes = append(nodes, Node{})
		i := len(nodes) - 1
		n := &nodes[i]
		if fail := decodeLine(n, l); fail != "" {
			return nil, nil, malformed(line, fail, l)
		}
		if n.Depth > int32(len(open)) {
			return nil, nil, malformed(line, "the node is deeper than a child of the one before", l)
		}
		open = append(closeTo(nodes, open, n.Depth, int32(i)), int32(i))
		if n.Role == RoleIframe {
			iframes = append(iframes, int32(i))
		}
	}
	closeTo(nodes, open, 0, int32(len(nodes)))
	return nodes, iframes, nil
}

func malformed(line int, fail, text string) error {
	return fault.New(fault.Internal, "the walk of the page is malformed in line %d: %s (%q)", line, fail,
		wording.ClipBytes(text, 80)).With("line", line)
}

// decodeLine reads one line into n and returns what is wrong with it, or "".
func decodeLine(n *Node, l string) string {
	field, rest, more := cutTab(l)
	depth, ok := number(field, math.MaxInt32-1)
	if !ok {
		return "the depth is not a number"
	}
	n.Depth = int32(depth)
	if !more {
		return "the role is missing"
	}
	if n.Role, rest, more = cutTab(rest); n.Role == "" {
		return "the role is empty"
	}
	if !more {
		return "the token is missing"
	}
	if field, rest, more = cutTab(rest); field != "" {
		token, ok := number(field, math.MaxInt64)
		if !ok || token == 0 {
			return "the token is not a positive number"
		}
		n.Token = token
	}
	if !more {
		return "the name is missing"
	}
	n.Name, rest, more = cutTab(rest)
	for more {
		field, rest, more = cutTab(rest)
		key, value, ok := strings.Cut(field, "=")
		if !ok || key == "" {
			return "an attribute is not key=value"
		}
		if fail := n.set(key, value); fail != "" {
			return fail
		}
	}
	return ""
}

// set takes one attribute. A key that it does not know is left out.
func (n *Node) set(key, value string) (fail string) {
	ok := true
	switch key {
	case "level":
		var level int64
		level, ok = number(value, math.MaxInt32)
		n.Level = int32(level)
	case "nth":
		var nth int64
		nth, ok = number(value, math.MaxUint32)
		n.Nth = uint32(nth)
	case "checked":
		n.Checked, ok = state(value)
	case "expanded":
		n.Expanded, ok = state(value)
	case "pressed":
		n.Pressed, ok = state(value)
	case "selected":
		n.Selected, ok = boolean(value)
	case "disabled":
		n.Disabled, ok = boolean(value)
	case "required":
		n.Required, ok = boolean(value)
	case "readonly":
		n.Readonly, ok = boolean(value)
	case "invalid":
		n.Invalid = value != "false" // aria-invalid also knows "grammar" and "spelling"
	case "focused":
		n.Focused, ok = boolean(value)
	case "secret":
		n.Secret, ok = boolean(value)
	case "url":
		n.URL, ok = unescape(value)
	case "value":
		n.Value, ok = unescape(value)
	case "placeholder":
		n.Placeholder, ok = unescape(value)
	case "hints":
		n.Hints = hints(value)
	case "long":
		n.Long, ok = boolean(value)
	case "spare":
		n.Spare, ok = boolean(value)
	case "inview":
		n.InView, ok = boolean(value)
	case "unseen":
		n.Visibility = visibilityOf(value)
	case "box":
		n.Box, ok = box(value)
	default:
		ok = n.setMore(key, value)
	}
	if !ok {
		return "the value of " + key + " is not understood"
	}
	return ""
}

// setMore takes one of the attributes that few nodes have. It reports false for a value that it does not understand.
func (n *Node) setMore(key, value string) (ok bool) {
	more := n.More
	if more == nil {
		more = &Properties{}
	}
	ok = true
	switch key {
	case "exact":
		more.Exact, ok = unescape(value)
	case "inferred":
		more.Inferred = value
	case "looks":
		if !slices.Contains(looks[:], value) {
			return true
		}
		more.Looks = value
	case "needs":
		more.Needs, ok = unescape(value)
	case "says":
		if !slices.Contains(messages[:], value) {
			return true
		}
		more.Says = value
	case "awaited":
		more.Awaited, ok = boolean(value)
	case "unsaved":
		more.Unsaved, ok = boolean(value)
	case "clicks":
		more.Clicks, ok = number(value, math.MaxInt64)
	case "opens":
		more.Opens, ok = number(value, math.MaxInt64)
	case "description":
		more.Description, ok = unescape(value)
	case "current":
		more.Current = value
	case "haspopup":
		more.HasPopup = value
	case "orientation":
		more.Orientation = value
	case "valuetext":
		more.ValueText, ok = unescape(value)
	case "valuemin":
		more.ValueMin = value
	case "valuemax":
		more.ValueMax = value
	case "busy":
		more.Busy, ok = boolean(value)
	case "multiselectable":
		more.Multiselectable, ok = boolean(value)
	case "modal":
		more.Modal, ok = boolean(value)
	case "active":
		more.Active, ok = number(value, math.MaxInt64)
	case "covered":
		more.Covered = true
		more.CoveredBy, ok = number(value, math.MaxInt64)
	default:
		return true
	}
	n.More = more
	return ok
}

// looks are the states that paint may tell.
var looks = [...]string{"selected", "current", "disabled"}

// messages are the kinds of messages of a page.
var messages = [...]string{MessageError, "warning", "success", "notice"}

// MessageError is the kind of message that says what is wrong.
const MessageError = "error"

// veil reads why a text is not to be seen; a reason that it does not know is still one.
func visibilityOf(reason string) Visibility {
	if i := slices.Index(visibilityNames[:], reason); i > 0 {
		return Visibility(i)
	}
	return Transparent
}

// box reads x,y,width,height.
func box(s string) (*Box, bool) {
	var sides [4]float64
	for i := range sides {
		field, rest, more := strings.Cut(s, ",")
		f, err := strconv.ParseFloat(field, 64)
		if err != nil || more != (i < len(sides)-1) {
			return nil, false
		}
		sides[i], s = f, rest
	}
	return &Box{X: sides[0], Y: sides[1], Width: sides[2], Height: sides[3]}, true
}

func cutTab(s string) (field, rest string, more bool) {
	// Most fields are a few bytes long, where a call of Cut costs more than the loop.
	for i := 0; i < len(s) && i < 16; i++ {
		if s[i] == '\t' {
			return s[:i], s[i+1:], true
		}
	}
	return strings.Cut(s, "\t")
}

// number reads a decimal number from 0 to limit.
func number(s string, limit int64) (int64, bool) {
	if s == "" || len(s) > 19 {
		return 0, false
	}
	var n uint64
	for i := 0; i < len(s); i++ {
		c := s[i] - '0'
		if c > 9 {
			return 0, false
		}
		n = n*10 + uint64(c)
	}
	if n > uint64(limit) {
		return 0, false
	}
	return int64(n), true
}

func boolean(s string) (value, ok bool) { return s == "true", s == "true" || s == "false" }

func state(s string) (State, bool) {
	switch s {
	case "true":
		return True, true
	case "false":
		return False, true
	case "mixed":
		return Mixed, true
	}
	return Unset, false
}

func hints(list string) (h Hint) {
	for list != "" {
		var hint string
		hint, list, _ = strings.Cut(list, ",")
		switch hint {
		case "cursor:pointer":
			h |= Pointer
		case "onclick":
			h |= OnClick
		case "tabindex":
			h |= Tabbable
		case "contenteditable":
			h |= Editable
		case "listener":
			h |= Listener
		}
	}
	return h
}

// unescape takes back the escapes of values: \\ \t \n \r.
func unescape(s string) (string, bool) {
	at := strings.IndexByte(s, '\\')
	if at < 0 {
		return s, true
	}
	b := make([]byte, 0, len(s))
	for ; at >= 0; at = strings.IndexByte(s, '\\') {
		b = append(b, s[:at]...)
		if at+1 == len(s) {
			return "", false
		}
		switch s[at+1] {
		case '\\':
			b = append(b, '\\')
		case 't':
			b = append(b, '\t')
		case 'n':
			b = append(b, '\n')
		case 'r':
			b = append(b, '\r')
		default:
			return "", false
		}
		s = s[at+2:]
	}
	return string(append(b, s...)), true
}
