package axtree

import (
	"strconv"

	"github.com/skua-browser/skua/snapshot/phrase"
)

// NodeData is a node of the tree.
type NodeData struct {
	Role        string `json:"role"`
	Name        string `json:"name,omitempty"`
	Ref         string `json:"ref,omitempty"`
	Value       string `json:"value,omitempty"`
	URL         string `json:"url,omitempty"`
	Placeholder string `json:"placeholder,omitempty"`
	Level       int    `json:"level,omitempty"`
	StateData
	Secret bool   `json:"secret,omitempty"`
	InView bool   `json:"inView,omitempty"`
	Unseen string `json:"unseen,omitempty"` // why a sighted user does not see it
	PropertyData
	Hints    []string   `json:"hints,omitempty"`
	Box      *BoxData   `json:"box,omitempty"`
	Children []NodeData `json:"children,omitempty"`
}

// StateData are the [States] of a node.
type StateData struct {
	Checked  string `json:"checked,omitempty"`  // true, false or mixed
	Expanded string `json:"expanded,omitempty"` // true, false or mixed
	Pressed  string `json:"pressed,omitempty"`  // true, false or mixed
	Selected bool   `json:"selected,omitempty"`
	Disabled bool   `json:"disabled,omitempty"`
	Required bool   `json:"required,omitempty"`
	Readonly bool   `json:"readonly,omitempty"`
	Invalid  bool   `json:"invalid,omitempty"`
	Focused  bool   `json:"focused,omitempty"`
}

// PropertyData are the [Properties] of a node that are of use to a program.
type PropertyData struct {
	Description      string `json:"description,omitempty"`
	Current          string `json:"current,omitempty"`
	HasPopup         string `json:"haspopup,omitempty"`
	Orientation      string `json:"orientation,omitempty"`
	ValueText        string `json:"valuetext,omitempty"`
	ValueMin         string `json:"valuemin,omitempty"`
	ValueMax         string `json:"valuemax,omitempty"`
	Busy             bool   `json:"busy,omitempty"`
	Multiselectable  bool   `json:"multiselectable,omitempty"`
	Modal            bool   `json:"modal,omitempty"`
	Covered          bool   `json:"covered,omitempty"`
	CoveredBy        string `json:"coveredBy,omitempty"`        // a ref
	ActiveDescendant string `json:"activeDescendant,omitempty"` // a ref
	SaysToAgents     bool   `json:"saysToAgents,omitempty"`     // a text of it speaks to agents
}

// BoxData is where an element is, in CSS pixels.
type BoxData struct {
	Height float64 `json:"height"`
	Width  float64 `json:"width"`
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
}

// AppendJSON appends the tree: a list of nodes, {role, name, ref, …, children}. A member that says nothing is left out:
// an empty string, false, a state that is not there. An Iframe whose document was read has url, the address of that;
// checked, expanded and pressed are "true", "false" or "mixed".
func (t *Tree) AppendJSON(b []byte) []byte {
	return t.appendNodes(b, 0, int32(len(t.Nodes)), RefsOf(t.Nodes))
}

func (t *Tree) appendNodes(b []byte, from, end int32, refs map[Key]uint32) []byte {
	b = append(b, '[')
	for i := from; i < end; i = t.Nodes[i].End {
		if i > from {
			b = append(b, ',')
		}
		b = t.appendNode(b, i, refs)
	}
	return append(b, ']')
}

func (t *Tree) appendNode(b []byte, i int32, refs map[Key]uint32) []byte {
	n := &t.Nodes[i]
	b = append(b, `{"role":`...)
	b = phrase.Quoted(b, n.Role)
	b = phrase.Member(b, "name", n.ExactName())
	if n.Ref != 0 {
		b = append(AppendRefID(append(b, `,"ref":"`...), n.Ref), '"')
	}
	b = phrase.Member(b, "value", n.Value)
	url := n.URL
	if n.Role == RoleIframe && i+1 < n.End {
		url = t.Docs[t.Nodes[i+1].Doc].URL
	}
	b = phrase.Member(b, "url", url)
	b = phrase.Member(b, "placeholder", n.Placeholder)
	if n.Level != 0 {
		b = strconv.AppendInt(append(b, `,"level":`...), int64(n.Level), 10)
	}
	b = n.AppendStates(b)
	if n.Secret {
		b = appendTrue(b, "secret")
	}
	if n.InView {
		b = appendTrue(b, "inView")
	}
	b = phrase.Member(b, "unseen", n.Visibility.String())
	if n.More != nil {
		b = n.More.appendMembers(b, n.Doc, refs)
	}
	if n.Hints != 0 {
		b = append(b, `,"hints":[`...)
		b = append(n.Hints.AppendNames(b, `"`, `","`), `"]`...)
	}
	b = n.AppendBox(b)
	if n.End > i+1 {
		b = append(b, `,"children":`...)
		b = t.appendNodes(b, i+1, n.End, refs)
	}
	return append(b, '}')
}

// AppendStates appends the members of [StateData], each after a comma.
func (n *Node) AppendStates(b []byte) []byte {
	b = phrase.Member(b, "checked", n.Checked.String())
	b = phrase.Member(b, "expanded", n.Expanded.String())
	b = phrase.Member(b, "pressed", n.Pressed.String())
	for _, flag := range [...]struct {
		name string
		set  bool
	}{
		{"selected", n.Selected},
		{"disabled", n.Disabled},
		{"required", n.Required},
		{"readonly", n.Readonly},
		{"invalid", n.Invalid},
		{"focused", n.Focused},
	} {
		if flag.set {
			b = appendTrue(b, flag.name)
		}
	}
	return b
}

// AppendBox appends the member box after a comma, where it is known where the element is.
func (n *Node) AppendBox(b []byte) []byte {
	if n.Box == nil {
		return b
	}
	return n.Box.appendJSON(append(b, `,"box":`...))
}

func (p *Properties) appendMembers(b []byte, doc int32, refs map[Key]uint32) []byte {
	b = phrase.Member(b, "description", p.Description)
	b = phrase.Member(b, "current", p.Current)
	b = phrase.Member(b, "haspopup", p.HasPopup)
	b = phrase.Member(b, "orientation", p.Orientation)
	b = phrase.Member(b, "valuetext", p.ValueText)
	b = phrase.Member(b, "valuemin", p.ValueMin)
	b = phrase.Member(b, "valuemax", p.ValueMax)
	if p.Busy {
		b = appendTrue(b, "busy")
	}
	if p.Multiselectable {
		b = appendTrue(b, "multiselectable")
	}
	if p.Modal {
		b = appendTrue(b, "modal")
	}
	if p.Covered {
		b = appendTrue(b, "covered")
	}
	if p.SaysToAgents {
		b = appendTrue(b, "saysToAgents")
	}
	if ref := refs[Key{doc, p.CoveredBy}]; p.CoveredBy != 0 && ref != 0 {
		b = append(AppendRefID(append(b, `,"coveredBy":"`...), ref), '"')
	}
	if ref := refs[Key{doc, p.Active}]; p.Active != 0 && ref != 0 {
		b = append(AppendRefID(append(b, `,"activeDescendant":"`...), ref), '"')
	}
	return b
}

func (x *Box) appendJSON(b []byte) []byte {
	for i, side := range [...]struct {
		name string
		of   float64
	}{{"x", x.X}, {"y", x.Y}, {"width", x.Width}, {"height", x.Height}} {
		b = append(b, "{,,,"[i], '"')
		b = append(append(b, side.name...), '"', ':')
		b = strconv.AppendFloat(b, side.of, 'f', -1, 64)
	}
	return append(b, '}')
}

func appendTrue(b []byte, name string) []byte {
	return append(append(append(b, `,"`...), name...), `":true`...)
}
