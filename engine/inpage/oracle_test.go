package inpage_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/inpage"
)

// row is one node of a tree in the form in which the walk and Chrome's accessibility tree are compared.
type row struct {
	role, name string
	states     []string // key=value, sorted
	hinted     bool     // the walk gave a nameless element that reacts to clicks its text as a name
	anyName    bool     // Chrome's tree has a message of the browser in place of a name
	unsaid     []string // states of which Chrome's tree says nothing here, not even that they are not so
}

func (r row) String() string {
	return fmt.Sprintf("%s %q %s", r.role, r.name, strings.Join(r.states, " "))
}

// agrees reports whether the walk's row r says the same as Chrome's.
func (r row) agrees(chrome row) bool {
	states := slices.DeleteFunc(slices.Clone(r.states), func(s string) bool { return slices.Contains(chrome.unsaid, s) })
	if r.role != chrome.role || !slices.Equal(states, chrome.states) {
		return false
	}
	return r.name == chrome.name || chrome.anyName || (r.hinted && chrome.name == "")
}

// spare reports whether Chrome's tree may lack such a row: it does not tell which elements react to clicks.
func (r row) spare() bool {
	switch r.role {
	case "generic", "paragraph", "image", "group", "graphics-symbol", "graphics-object", "Canvas":
		return r.hinted
	}
	return false
}

// weight makes required rows match before optional ones.
func (r row) weight() int {
	if r.spare() {
		return 1
	}
	return 2
}

// ours is a node of the walk's answer.
type ours struct {
	depth      int
	role, name string
	token      string
	keys       map[string]string
}

// walk calls the op and reads its lines.
func (p *testPage) walk(t testing.TB, arg object) []ours {
	t.Helper()
	arg["urls"] = true
	var wire any
	p.op(t, "walk", arg, &wire)
	text, ok := wire.(string)
	require.True(t, ok, "the walk failed: %v", wire)
	return parseWalk(t, text)
}

func parseWalk(t testing.TB, text string) []ours {
	t.Helper()
	var nodes []ours
	if text == "" {
		return nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		fields := strings.Split(line, "\t")
		require.GreaterOrEqual(t, len(fields), 4, "line %q", line)
		depth, err := strconv.Atoi(fields[0])
		require.NoError(t, err, "line %q", line)
		n := ours{depth: depth, role: fields[1], token: fields[2], name: fields[3], keys: map[string]string{}}
		for _, f := range fields[4:] {
			key, value, ok := strings.Cut(f, "=")
			require.True(t, ok, "field %q of line %q", f, line)
			n.keys[key] = value
		}
		nodes = append(nodes, n)
	}
	return nodes
}

// comparedStates are the keys that both sides know. Chrome's protocol tells nothing of aria-current, and of
// aria-valuetext only that there is some text.
var comparedStates = []string{
	"active", "busy", "checked", "description", "disabled", "expanded", "focused", "haspopup", "invalid", "level", "modal",
	"multiselectable",
	"orientation", "pressed", "readonly", "required", "selected", "url", "value", "valuemax", "valuemin",
}

// rows brings the walk's nodes into the form that is compared.
func rows(nodes []ours) []row {
	var out []row
	for _, n := range nodes {
		r := row{role: strings.Replace(n.role, "PluginObject", "Iframe", 1), name: n.name, hinted: n.keys["hints"] != ""}
		if skipRole(r.role) || r.role == "paragraph" || (r.name == "" && r.role == "generic") {
			continue
		}
		for _, key := range comparedStates {
			v, ok := n.keys[key]
			if v = comparedValue(key, v); !ok || v == "" ||
				(n.role == "spinbutton" && v == "0" && strings.HasPrefix(key, "value") && key != "value") {
				continue
			}
			r.states = append(r.states, key+"="+v)
		}
		out = append(out, r)
	}
	return out
}

// skipRole tells which nodes say nothing on their own, or are left out of the walk on purpose.
func skipRole(role string) bool {
	switch role {
	case "StaticText", "InlineTextBox", "LineBreak", "ListMarker", "MenuListPopup", "RootWebArea", "none":
		return true
	}
	return strings.HasPrefix(role, "LayoutTable") || strings.HasPrefix(role, "MathML") && role != "MathMLMath"
}

func comparedValue(key, v string) string {
	switch key {
	case "value", "valuemin", "valuemax", "description":
	default:
		return v
	}
	// Chrome computes ranges with 32 bits.
	if f, err := strconv.ParseFloat(v, 64); err == nil {
		return strconv.FormatFloat(float64(float32(f)), 'g', 7, 64)
	}
	return squeeze(strings.NewReplacer(`\n`, " ", `\t`, " ", `\r`, " ", `\\`, `\`).Replace(v))
}

func squeeze(s string) string {
	s = strings.Map(func(r rune) rune {
		switch r {
		case '\u200b', '\u2060', '\ufeff', '\u00ad':
			return -1
		case '\u00a0':
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

type axValue struct {
	Value   any `json:"value"`
	Related []struct {
		BackendID int64 `json:"backendDOMNodeId"`
	} `json:"relatedNodes"`
}

type axNode struct {
	NodeID      string   `json:"nodeId"`
	Ignored     bool     `json:"ignored"`
	Role        axValue  `json:"role"`
	Name        axValue  `json:"name"`
	Description *axValue `json:"description"`
	Value       *axValue `json:"value"`
	ChildIDs    []string `json:"childIds"`
	BackendID   int64    `json:"backendDOMNodeId"`
	Properties  []struct {
		Name  string  `json:"name"`
		Value axValue `json:"value"`
	} `json:"properties"`
}

// chromeRows is the page's tree as Chrome's accessibility tree has it, without what is in the browser's own shadow
// trees.
func (p *testPage) chromeRows(t testing.TB) []row {
	t.Helper()
	internal := p.userAgentNodes(t)
	var res struct {
		Nodes []axNode `json:"nodes"`
	}
	call(t, p.sess, "Accessibility.getFullAXTree", object{"frameId": p.frame}, &res)
	byID := make(map[string]*axNode, len(res.Nodes))
	for i := range res.Nodes {
		byID[res.Nodes[i].NodeID] = &res.Nodes[i]
	}
	var out []row
	var add func(id string)
	add = func(id string) {
		n := byID[id]
		if n == nil {
			return
		}
		role := fmt.Sprint(n.Role.Value)
		if !n.Ignored && !internal[n.BackendID] && !skipRole(role) && role != "paragraph" {
			r := n.row(role, p.tokenOfNode(t))
			r.anyName = r.anyName || nameless[role]
			if role != "generic" || r.name != "" {
				out = append(out, r)
			}
		}
		for _, child := range n.ChildIDs {
			add(child)
		}
	}
	if len(res.Nodes) > 0 {
		add(res.Nodes[0].NodeID)
	}
	return out
}

// nameless are roles that cannot be named (ARIA 1.2, 5.2.8.6). Chrome keeps a name that ARIA gives them; the walk has
// none of them unless they can be focused.
var nameless = map[string]bool{
	"caption": true, "code": true, "definition": true, "deletion": true, "emphasis": true, "insertion": true, "mark": true,
	"strong": true, "subscript": true, "suggestion": true, "superscript": true, "time": true,
}

// tokenOfNode returns the function that says which token the script has given to a node.
func (p *testPage) tokenOfNode(t testing.TB) func(backendID int64) string {
	return func(backendID int64) string {
		var node struct {
			Object struct {
				ObjectID string `json:"objectId"`
			} `json:"object"`
		}
		call(t, p.sess, "DOM.resolveNode", object{"backendNodeId": backendID, "executionContextId": p.world}, &node)
		var token struct {
			Result axValue `json:"result"`
		}
		tokenOf := "function(){return (" + inpage.IdentifyFunction + ")(this).tokens[0]}"
		call(t, p.sess, "Runtime.callFunctionOn", object{"objectId": node.Object.ObjectID, "functionDeclaration": tokenOf},
			&token)
		return fmt.Sprint(token.Result.Value)
	}
}

// row is the node in the form that is compared; token says which token an element has.
func (n *axNode) row(role string, token func(backendID int64) string) row {
	if role == "IframePresentational" || role == "PluginObject" {
		role = "Iframe"
	}
	name, _ := n.Name.Value.(string)
	r := row{role: role, name: squeeze(name), unsaid: []string{"readonly=true", "required=true"}}
	if r.name == "Unable to play media." {
		r.anyName = true
		return r
	}
	states := map[string]string{}
	for _, prop := range n.Properties {
		v := fmt.Sprint(prop.Value.Value)
		switch prop.Name {
		case "checked", "expanded", "pressed", "level":
			states[prop.Name] = v
		case "required", "readonly":
			r.unsaid = slices.DeleteFunc(r.unsaid, func(s string) bool { return s == prop.Name+"=true" })
			if v == "true" {
				states[prop.Name] = v
			}
		case "disabled", "selected", "focused", "modal", "multiselectable":
			if v == "true" {
				states[prop.Name] = v
			}
		case "busy":
			states[prop.Name] = "true" // it is only there when it is so
		case "hasPopup":
			states["haspopup"] = v
		case "orientation":
			states[prop.Name] = v
		case "valuemin", "valuemax":
			// Of a number field without bounds it says 0.
			if v = comparedValue(prop.Name, v); role != "spinbutton" || v != "0" {
				states[prop.Name] = v
			}
		case "activedescendant":
			for _, related := range prop.Value.Related {
				states["active"] = token(related.BackendID)
			}
		case "invalid":
			if v != "false" {
				states[prop.Name] = "true"
			}
		case "url":
			if role == "link" && v != "" {
				states[prop.Name] = v
			}
		}
	}
	if n.Description != nil {
		if v := squeeze(fmt.Sprint(n.Description.Value)); v != "" {
			states["description"] = v
		}
	}
	if n.Value != nil {
		v := comparedValue("value", squeeze(fmt.Sprint(n.Value.Value)))
		if v != "" && strings.Trim(v, "•") != "" {
			states["value"] = v
		}
	}
	for _, key := range comparedStates {
		if v, ok := states[key]; ok {
			r.states = append(r.states, key+"="+v)
		}
	}
	return r
}

// userAgentNodes are the nodes of the browser's own shadow trees, such as the text inside a field.
func (p *testPage) userAgentNodes(t testing.TB) map[int64]bool {
	t.Helper()
	type node struct {
		BackendID  int64           `json:"backendNodeId"`
		LocalName  string          `json:"localName"`
		Children   json.RawMessage `json:"children"`
		Shadows    json.RawMessage `json:"shadowRoots"`
		ShadowType string          `json:"shadowRootType"`
		Content    json.RawMessage `json:"contentDocument"`
	}
	var res struct {
		Root json.RawMessage `json:"root"`
	}
	call(t, p.sess, "DOM.getDocument", object{"depth": -1, "pierce": true}, &res)
	found := map[int64]bool{}
	var add func(raw json.RawMessage, inside bool)
	each := func(raw json.RawMessage, inside bool) {
		if raw == nil {
			return
		}
		var list []json.RawMessage
		require.NoError(t, json.Unmarshal(raw, &list))
		for _, child := range list {
			add(child, inside)
		}
	}
	add = func(raw json.RawMessage, inside bool) {
		var n node
		require.NoError(t, json.Unmarshal(raw, &n))
		inside = inside || n.ShadowType == "user-agent"
		if inside {
			found[n.BackendID] = true
		}
		each(n.Children, inside)
		if n.LocalName != "use" { // its shadow tree is a copy of what it draws
			each(n.Shadows, inside)
		}
	}
	add(res.Root, false)
	return found
}

// agreement compares two lists of rows: how many of them agree in the same order, and what does not.
func agreement(walk, chrome []row) (same int, diff []string) {
	// What is equal at both ends needs no table, which would be too large for long pages.
	for len(walk) > 0 && len(chrome) > 0 && walk[0].agrees(chrome[0]) {
		same++
		walk, chrome = walk[1:], chrome[1:]
	}
	for len(walk) > 0 && len(chrome) > 0 && walk[len(walk)-1].agrees(chrome[len(chrome)-1]) {
		same++
		walk, chrome = walk[:len(walk)-1], chrome[:len(chrome)-1]
	}
	// The classic table of longest common subsequences.
	best := make([][]int, len(walk)+1)
	for i := range best {
		best[i] = make([]int, len(chrome)+1)
	}
	for i, w := range slices.Backward(walk) {
		for j := len(chrome) - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1])
			if w.agrees(chrome[j]) {
				best[i][j] = max(best[i][j], best[i+1][j+1]+w.weight())
			}
		}
	}
	i, j := 0, 0
	for i < len(walk) || j < len(chrome) {
		switch {
		case i < len(walk) && j < len(chrome) && walk[i].agrees(chrome[j]) && best[i][j] == best[i+1][j+1]+walk[i].weight():
			same++
			i++
			j++
		case j == len(chrome) || (i < len(walk) && best[i+1][j] >= best[i][j+1]):
			if !walk[i].spare() {
				diff = append(diff, "walk:   "+walk[i].String())
			} else {
				same++
			}
			i++
		default:
			diff = append(diff, "chrome: "+chrome[j].String())
			j++
		}
	}
	return same, diff
}
