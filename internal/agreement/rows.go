package agreement

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Row is one node of a snapshot's tree in the form in which two snapshots of the same page are compared, one of skua's
// walk and one of Chrome's accessibility tree.
type Row struct {
	role, name string
	ref        string
	states     map[string]string
	hinted     bool // the walk found that it reacts to clicks, and gave it its text as a name where it had none
	parent     int  // index of the row that it lies in; -1 for none
}

// String is its role and name.
func (r *Row) String() string {
	if r.name == "" {
		return r.role
	}
	return r.role + " " + strconv.Quote(r.name)
}

// says is all that is compared of a row, apart from where it lies.
func (r *Row) says() string {
	words := []string{r.role, strconv.Quote(r.name)}
	for _, key := range slices.Sorted(maps.Keys(r.states)) {
		words = append(words, key+"="+r.states[key])
	}
	return strings.Join(words, " ")
}

// uncompared are members of a node that only one side can tell, or that do not describe the page.
var uncompared = map[string]bool{
	"role": true, "name": true, "ref": true, "children": true,
	"hints": true, "secret": true, "box": true,
	"current":     true, // not in Chrome's protocol
	"placeholder": true, // nor is this
	"inView":      true, // nor what a person sees of the node
	"unseen":      true,
	"covered":     true,
	"coveredBy":   true,
	"valuetext":   true, // nor what aria-valuetext says
}

// RowsOf lists the nodes of a tree that are compared: named, interactive and structural ones. Texts, and what is there
// for layout only, say nothing on their own.
func RowsOf(tree []any) []Row {
	var rows []Row
	var add func(nodes []any, parent int)
	add = func(nodes []any, parent int) {
		for _, n := range nodes {
			node := n.(map[string]any)
			r := rowOf(node)
			inner := parent
			if !r.isSkipped() {
				r.parent = parent
				rows = append(rows, r)
				inner = len(rows) - 1
			}
			if children, ok := node["children"].([]any); ok && !hasOwnParts[r.role] {
				add(children, inner)
			}
		}
	}
	add(tree, -1)
	return rows
}

func rowOf(node map[string]any) Row {
	text := func(key string) string { s, _ := node[key].(string); return s }
	r := Row{
		role:   text("role"),
		name:   text("name"),
		ref:    text("ref"),
		hinted: node["hints"] != nil,
		states: map[string]string{},
	}
	for key, v := range node {
		if !uncompared[key] {
			r.states[key] = comparedValue(v)
		}
	}
	return r
}

// hasOwnParts are the controls in which Chrome's tree shows parts of the browser's own, which are not of the page.
var hasOwnParts = map[string]bool{"ColorWell": true, "meter": true, "progressbar": true}

func (r *Row) isSkipped() bool {
	switch r.role {
	case "StaticText", "ListMarker", "MenuListPopup":
		return true
	case "generic", "paragraph":
		return r.name == ""
	}
	return strings.HasPrefix(r.role, "LayoutTable") || strings.HasPrefix(r.role, "MathML") && r.role != "MathMLMath"
}

// spare reports whether Chrome's tree may lack such a row: it does not tell which elements react to clicks.
func (r *Row) spare() bool {
	switch r.role {
	case "generic", "none", "paragraph", "image", "group", "graphics-symbol", "graphics-object", "Canvas":
		return r.hinted
	}
	return false
}

// comparedValue writes values alike: Chrome computes with 32 bits, and its texts are not tidied.
func comparedValue(v any) string {
	s := strings.Join(strings.Fields(fmt.Sprint(v)), " ")
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return strconv.FormatFloat(float64(float32(f)), 'g', 7, 64)
	}
	return s
}

// Roles of which Chrome's tree says whether a value is required, or cannot be changed.
var (
	tellsRequired = map[string]bool{"listbox": true, "radiogroup": true, "spinbutton": true, "textbox": true, "tree": true}
	tellsReadonly = map[string]bool{
		"textbox": true, "grid": true, "treegrid": true, "gridcell": true, "columnheader": true, "rowheader": true,
	}
)

// isUntold reports whether Chrome's tree would not say a state that skua's row has.
func isUntold(skua *Row, key string) bool {
	switch key {
	case "busy": // it tells so of live regions only
		return true
	case "required":
		return !tellsRequired[skua.role]
	case "readonly":
		return !tellsReadonly[skua.role]
	case "valuemin", "valuemax": // 0 is what it says of a field without bounds
		return skua.role == "spinbutton" && skua.states[key] == "0"
	}
	return false
}

// unplayable is the name of a player without a video.
const unplayable = "Unable to play media."

func sameName(chrome, skua *Row) bool {
	return skua.name == chrome.name || chrome.name == unplayable || skua.hinted && chrome.name == ""
}

// differences are the states in which skua's row differs from Chrome's, as the two say them.
func differences(chrome, skua *Row) (ofChrome, ofSkua []string) {
	if !sameName(chrome, skua) {
		ofChrome, ofSkua = append(ofChrome, strconv.Quote(chrome.name)), append(ofSkua, strconv.Quote(skua.name))
	}
	if chrome.name == unplayable {
		return ofChrome, ofSkua // without a video it is different
	}
	keys := map[string]bool{}
	for key := range chrome.states {
		keys[key] = true
	}
	for key := range skua.states {
		keys[key] = true
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		c, s := chrome.states[key], skua.states[key]
		if c == s || c == "" && isUntold(skua, key) {
			continue
		}
		if c != "" {
			ofChrome = append(ofChrome, key+"="+c)
		}
		if s != "" {
			ofSkua = append(ofSkua, key+"="+s)
		}
	}
	if skua.ref != chrome.ref && !skua.hinted && !(chrome.ref == "" && isFoldable[skua.role]) {
		ofChrome, ofSkua = append(ofChrome, refWord(chrome)), append(ofSkua, refWord(skua))
	}
	return ofChrome, ofSkua
}

// isFoldable are the roles whose nodes the walk gives refs also where they need none to act: a list that is folded is
// opened by them.
var isFoldable = map[string]bool{"row": true, "listitem": true, "article": true}

func refWord(r *Row) string {
	if r.ref == "" {
		return "no ref"
	}
	return "a ref"
}

func agree(chrome, skua *Row) bool {
	if chrome.role != skua.role || !sameName(chrome, skua) {
		return false
	}
	c, s := differences(chrome, skua)
	return len(c)+len(s) == 0
}

// Disagreement is a node that the two sides do not see alike. A side that does not have it says "-".
type Disagreement struct{ Node, Chrome, Skua string }

// Compare compares two trees of the same page. nodes counts what either has to show.
func Compare(chrome, skua []Row) (nodes int, found []Disagreement) {
	pairs := pairUp(chrome, skua)
	m := newMates(pairs)
	for _, p := range pairs {
		switch {
		case p.skua < 0:
			found = append(found, Disagreement{chrome[p.chrome].String(), chrome[p.chrome].says(), "-"})
		case p.chrome < 0 && skua[p.skua].spare():
			continue
		case p.chrome < 0:
			found = append(found, Disagreement{skua[p.skua].String(), "-", skua[p.skua].says()})
		default:
			c, s := &chrome[p.chrome], &skua[p.skua]
			ofChrome, ofSkua := differences(c, s)
			switch {
			case c.role == "LabelText" && isBox[s.role]:
				ofChrome, ofSkua = nil, nil
			case c.role != s.role:
				ofChrome, ofSkua = []string{c.says()}, []string{s.says()}
			}
			if inChrome, inSkua, same := m.places(chrome, skua, p); !same {
				ofChrome, ofSkua = append(ofChrome, "in "+inChrome), append(ofSkua, "in "+inSkua)
			}
			if len(ofChrome)+len(ofSkua) > 0 {
				found = append(found, Disagreement{s.String(), said(ofChrome), said(ofSkua)})
			}
		}
		nodes++
	}
	return nodes, found
}

func said(words []string) string {
	if len(words) == 0 {
		return "-"
	}
	return strings.Join(words, " ")
}

// mates are the pairs that have both halves.
type mates struct {
	ofSkua map[int]int // Chrome's rows by skua's
	chrome map[int]bool
}

func newMates(pairs []pair) mates {
	m := mates{ofSkua: map[int]int{}, chrome: map[int]bool{}}
	for _, p := range pairs {
		if p.chrome >= 0 && p.skua >= 0 {
			m.ofSkua[p.skua], m.chrome[p.chrome] = p.chrome, true
		}
	}
	return m
}

// places compares in what the two rows of a pair lie: the nearest row around them that both sides have.
func (m mates) places(chrome, skua []Row, p pair) (inChrome, inSkua string, same bool) {
	s := skua[p.skua].parent
	want, paired := m.ofSkua[s]
	for s >= 0 && !paired {
		s = skua[s].parent
		want, paired = m.ofSkua[s]
	}
	if !paired {
		want = -1
	}
	c := chrome[p.chrome].parent
	for c >= 0 && !m.chrome[c] {
		c = chrome[c].parent
	}
	return placeName(chrome, c), placeName(skua, s), c == want
}

func placeName(rows []Row, i int) string {
	if i < 0 {
		return "the page"
	}
	return rows[i].String()
}
