package axtree

import (
	"math"
	"strings"
	"unicode"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
)

// axValue is Accessibility.AXValue of the protocol, the parts that we use. The value's kind depends on the property.
type axValue struct {
	Value   jsonv2.Value `json:"value"`
	Related []struct {
		BackendID int64 `json:"backendDOMNodeId"`
	} `json:"relatedNodes"`
}

// axNode is Accessibility.AXNode of the protocol, the parts that we use.
type axNode struct {
	ID          string   `json:"nodeId"`
	Ignored     bool     `json:"ignored"`
	Role        axValue  `json:"role"`
	Name        axValue  `json:"name"`
	Description axValue  `json:"description"`
	Value       axValue  `json:"value"`
	Children    []string `json:"childIds"`
	BackendID   int64    `json:"backendDOMNodeId"`
	Properties  []struct {
		Name  string  `json:"name"`
		Value axValue `json:"value"`
	} `json:"properties"`
}

// axItem is a node of the browser's accessibility tree that gets a node of the snapshot. What only the page can tell of
// it is still to be asked.
type axItem struct {
	Node
	id       int64 // backend id of its DOM node; 0 for none
	active   int64 // backend id of its active descendant; 0 for none
	children []*axItem
}

// DecodeAX reads the answer of Accessibility.getFullAXTree. inside limits it to the nodes with one of these backend
// ids, and what is below them; nil stands for all. The items are in document order, with their depths.
func DecodeAX(reply []byte, inside map[int64]bool) ([]*axItem, error) {
	var res struct {
		Nodes []axNode `json:"nodes"`
	}
	if err := jsonv2.Unmarshal(reply, &res,
		jsonv2.JoinOptions(jsonv2.DefaultOptionsV2(), jsonv2.AllowInvalidUTF8(true))); err != nil {
		return nil, fault.New(fault.Protocol, "the browser's accessibility tree cannot be read: %w", err)
	}
	if len(res.Nodes) == 0 {
		return nil, nil
	}
	r := axReader{byID: make(map[string]*axNode, len(res.Nodes)), inside: inside, counts: map[axName]uint32{}}
	for i := range res.Nodes {
		r.byID[res.Nodes[i].ID] = &res.Nodes[i]
	}
	top := joined(r.add(nil, &res.Nodes[0], inside == nil)) // the root comes first
	return flat(make([]*axItem, 0, len(res.Nodes)), top, 0), nil
}

// axReader makes a tree of nodes that name their children by id.
type axReader struct {
	byID   map[string]*axNode
	inside map[int64]bool
	counts map[axName]uint32 // how often a name has been seen
}

// axName is what nodes are told apart by.
type axName struct{ role, name string }

// add appends the item of a node to those of its siblings. Nodes that say nothing themselves vanish, and what is in
// them takes their place.
func (r *axReader) add(siblings []*axItem, a *axNode, in bool) []*axItem {
	delete(r.byID, a.ID) // no node may stand in the tree twice
	in = in || r.inside[a.BackendID]
	role := cdp.Words(a.Role.Value)
	if role == roleInlineText {
		return siblings
	}
	item := &axItem{}
	item.set(role, a)
	vanishes := a.Ignored || role == RoleRoot || role == "" || role == RoleNone && item.Name == ""
	if !vanishes {
		if item.isRefWorthy() {
			item.Nth = r.counts[axName{item.Role, item.Name}]
			r.counts[axName{item.Role, item.Name}]++
		}
	}
	vanishes = vanishes || !in
	for _, id := range a.Children {
		child := r.byID[id]
		switch {
		case child == nil:
		case vanishes:
			siblings = r.add(siblings, child, in)
		default:
			item.children = r.add(item.children, child, in)
		}
	}
	if vanishes {
		return siblings
	}
	item.children = joined(item.children)
	if c := item.children; len(c) == 1 && c[0].Role == RoleStaticText &&
		(c[0].Name == item.Name || c[0].Name == tidy(item.Value)) {
		item.children = c[0].children
	}
	return append(siblings, item)
}

// joined makes one of texts that stand side by side, and leaves out those that are blank or only break a line.
func joined(items []*axItem) []*axItem {
	kept := items[:0]
	var last *axItem // the text before, which the next one goes on
	end := func() {
		if last == nil {
			return
		}
		if last.Name = tidy(last.Name); last.Name == "" {
			kept = kept[:len(kept)-1]
		}
		last = nil
	}
	for _, item := range items {
		switch {
		case item.Role == roleLineBreak:
			end()
		case item.Role != RoleStaticText:
			end()
			kept = append(kept, item)
		case last != nil:
			last.Name += item.Name
			last.children = append(last.children, item.children...)
		default:
			kept = append(kept, item)
			last = item
		}
	}
	end()
	return kept
}

// flat appends items and what is in them, in document order.
func flat(list, items []*axItem, depth int32) []*axItem {
	for _, item := range items {
		item.Depth = depth
		list = flat(append(list, item), item.children, depth+1)
	}
	return list
}

// Roles whose nodes always get a ref, and those whose nodes get one when they have a name: the same as in the walk
// (included.js).
var (
	refRoles = roleSet("button", "link", "textbox", "checkbox", "radio", "combobox", "listbox", "menuitem",
		"menuitemcheckbox", "menuitemradio",
		"option", "searchbox", "slider", "spinbutton", "switch", "tab", "treeitem", RoleIframe, "DisclosureTriangle",
		"DisclosureTriangleGrouped", "ColorWell", "Date", "DateTime", "InputTime")
	namedRefRoles = roleSet("heading", "cell", "gridcell", "columnheader", "rowheader", "listitem", "article", "region",
		"main", "navigation")
)

func roleSet(roles ...string) map[string]bool {
	set := make(map[string]bool, len(roles))
	for _, role := range roles {
		set[role] = true
	}
	return set
}

func (n *axItem) isRefWorthy() bool { return refRoles[n.Role] || n.Name != "" && namedRefRoles[n.Role] }

// set takes over what the browser says of the node.
func (n *axItem) set(role string, a *axNode) {
	if role == "IframePresentational" {
		role = RoleIframe
	}
	n.Role, n.Name, n.id = role, cdp.Words(a.Name.Value), a.BackendID
	var more Properties
	if role != RoleStaticText { // texts are tidied when they are joined
		exact := exactName(n.Name)
		if n.Name = tidy(n.Name); n.Name != "" {
			more.Exact = exact
		}
	}
	n.Value = cdp.Words(a.Value.Value)
	more.Description = tidy(cdp.Words(a.Description.Value))
	for i := range a.Properties {
		p := &a.Properties[i]
		value := cdp.Words(p.Value.Value)
		switch p.Name {
		case "checked":
			n.Checked, _ = state(value)
		case "expanded":
			n.Expanded, _ = state(value)
		case "pressed":
			n.Pressed, _ = state(value)
		case "level":
			level, _ := number(value, math.MaxInt32)
			n.Level = int32(level)
		case "selected":
			n.Selected = value == "true"
		case "disabled":
			n.Disabled = value == "true"
		case "required":
			n.Required = value == "true"
		case "readonly":
			n.Readonly = value == "true"
		case "invalid":
			n.Invalid = value != "" && value != "false"
		case "focused":
			n.Focused = value == "true"
		case "url":
			if n.Role == "link" {
				n.URL = value
			}
		case "hasPopup":
			if value != "false" {
				more.HasPopup = value
			}
		case "orientation":
			more.Orientation = value
		case "valuetext":
			more.ValueText = tidy(value)
		case "valuemin":
			more.ValueMin = value
		case "valuemax":
			more.ValueMax = value
		case "busy":
			more.Busy = value == "true"
		case "multiselectable":
			more.Multiselectable = value == "true"
		case "modal":
			more.Modal = value == "true"
		case "activedescendant":
			if len(p.Value.Related) > 0 {
				n.active = p.Value.Related[0].BackendID
			}
		}
	}
	if more.ValueText == tidy(n.Value) {
		more.ValueText = ""
	}
	if n.Role == "spinbutton" { // of which it tells a bound of 0 where there is none
		for _, bound := range []*string{&more.ValueMin, &more.ValueMax} {
			if *bound == "0" {
				*bound = ""
			}
		}
	}
	if more != (Properties{}) {
		n.More = &more
	}
}

// tidy returns a text as the walk writes it: white space collapsed and trimmed, zero-width characters taken out, except
// for joiners where a word or an emoji has them.
func tidy(s string) string {
	if strings.ContainsFunc(s, isZeroWidth) {
		all := []rune(s)
		kept := make([]rune, 0, len(all))
		for i, c := range all {
			isJoiner := (c == '\u200c' || c == '\u200d') && i > 0 && i+1 < len(all) && isJoined(all[i-1]) && isJoined(all[i+1])
			if isJoiner || !isZeroWidth(c) {
				kept = append(kept, c)
			}
		}
		s = string(kept)
	}
	return strings.Join(strings.Fields(s), " ")
}

// exactName returns what [Properties] has of a name, or "" where it is the one that is read.
func exactName(s string) string {
	if !strings.ContainsFunc(s, func(c rune) bool { return unicode.IsSpace(c) && !isCollapsed(c) }) {
		return ""
	}
	return strings.Join(strings.FieldsFunc(strings.Map(func(c rune) rune {
		if isZeroWidth(c) && c != '\u200c' && c != '\u200d' {
			return -1
		}
		return c
	}, s), isCollapsed), " ")
}

// isCollapsed reports whether a character is white space that accname 1.2 (section 4.3.1, flat string) collapses.
func isCollapsed(c rune) bool { return strings.ContainsRune(" \t\n\f\r", c) }

// isJoined reports whether a character is a letter of a script that is written with joiners, or a part of an emoji.
func isJoined(c rune) bool {
	return c == '\ufe0f' || c >= 0x1F3FB && c <= 0x1F3FF || unicode.Is(unicode.So, c) ||
		unicode.In(c, unicode.Arabic, unicode.Syriac, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati,
			unicode.Oriya, unicode.Tamil,
			unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Mongolian)
}

func isZeroWidth(c rune) bool {
	switch c {
	case '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad':
		return true
	}
	return false
}
