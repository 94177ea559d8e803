package snapshot

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/snapshot/axtree"
)

// axReply writes the answer of Accessibility.getFullAXTree for a tree given as an indented list, a node a line:
//
//	role "name" member=JSON …
//
// A member with a small letter is a property; Value, Description and Ignored are those of the node. Backend ids count
// the lines from 1; the ids of nodes are others.
func axReply(t testing.TB, list string) string {
	t.Helper()
	var nodes []map[string]any
	var open []map[string]any
	for i, line := range strings.Split(strings.Trim(list, "\n"), "\n") {
		text := strings.TrimLeft(line, " ")
		depth := (len(line) - len(text)) / 2
		node := map[string]any{"nodeId": "n" + strconv.Itoa(i), "backendDOMNodeId": i + 1, "ignored": false}
		role, rest, _ := strings.Cut(text, " ")
		node["role"] = map[string]any{"type": "role", "value": role}
		var properties []any
		for rest != "" {
			if rest[0] == '"' {
				quoted, err := strconv.QuotedPrefix(rest)
				require.NoError(t, err, line)
				name, err := strconv.Unquote(quoted)
				require.NoError(t, err, line)
				node["name"] = map[string]any{"type": "computedString", "value": name}
				rest = strings.TrimLeft(rest[len(quoted):], " ")
				continue
			}
			var member string
			member, rest, _ = strings.Cut(rest, " ")
			key, raw, _ := strings.Cut(member, "=")
			value := map[string]any{"value": json.RawMessage(raw)}
			switch key {
			case "Value", "Description":
				node[strings.ToLower(key)] = value
			case "Ignored":
				node["ignored"] = true
			case "activedescendant":
				properties = append(properties, map[string]any{"name": key, "value": map[string]any{
					"type": "idref", "relatedNodes": []any{map[string]any{"backendDOMNodeId": json.RawMessage(raw)}},
				}})
			default:
				properties = append(properties, map[string]any{"name": key, "value": value})
			}
		}
		node["properties"] = properties
		if open = open[:depth]; depth > 0 {
			parent := open[depth-1]
			children, _ := parent["childIds"].([]string)
			parent["childIds"] = append(children, node["nodeId"].(string))
		}
		open = append(open, node)
		nodes = append(nodes, node)
	}
	raw, err := json.Marshal(map[string]any{"nodes": nodes})
	require.NoError(t, err)
	return string(raw)
}

// axPage is a main frame whose browser has this tree.
func axPage(t testing.TB, list string) *page {
	t.Helper()
	p := newPage()
	p.ax = axReply(t, list)
	return p
}

var fromAX = Options{Depth: -1, Source: axtree.AX}

func TestAX(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name        string
		tree        string
		full        string
		interactive string
	}{
		{
			name:        "an empty page",
			tree:        `RootWebArea`,
			full:        `(empty page)`,
			interactive: `(no interactive elements)`,
		},
		{
			name: "ignored nodes vanish, and what is in them moves up",
			tree: `
RootWebArea "Title"
  none Ignored=true
    main
      none Ignored=true
        button "A"
        none
          button "B"
      InlineTextBox "A"
        button "C"`,
			full:        "- main\n  - button \"A\" @e1\n  - button \"B\" @e2",
			interactive: "- button \"A\" @e1\n- button \"B\" @e2",
		},
		{
			name: "texts are joined, and dropped where they only repeat the name",
			tree: `
RootWebArea
  paragraph
    StaticText "One "
      InlineTextBox "One "
    none Ignored=true
      StaticText "two "
    StaticText "three"
    LineBreak "\n"
    StaticText "four"
    StaticText " \u200b "
    link "five"
      StaticText "fi"
      StaticText "ve"
    link "six"
      StaticText "si"
    StaticText " "`,
			full: `- paragraph
  - StaticText "One two three"
  - StaticText "four"
  - link "five" @e1
  - link "six" @e2
    - StaticText "si"`,
			interactive: "- link \"five\" @e1\n- link \"six\" @e2",
		},
		{
			name: "names are tidied as the walk does",
			tree: `
RootWebArea
  heading "  A\u00a0\u200bheading \n here" level=2
  cell ""
  cell "\u200b"
  cell "C"`,
			full:        "- heading \"A heading here\" @e1 [level=2]\n- cell\n- cell\n- cell \"C\" @e2",
			interactive: "- heading \"A heading here\" @e1 [level=2]\n- cell \"C\" @e2",
		},
		{
			name: "states and values",
			tree: `
RootWebArea url="https://a.test/"
  checkbox "a" checked="mixed" disabled=true focusable=true
  button "b" expanded=false pressed="true"
  textbox "c" required=true Value="x\ty"
  slider "d" Value=0.6000000238418579
  option "e" selected=true
  link "f" url="https://a.test/f"
  checkbox "g" checked=7 expanded={} level="x" unheard=["of"]`,
			full: `- checkbox "a" @e1 [checked=mixed, disabled]
- button "b" @e2 [expanded=false, pressed=true]
- textbox "c" @e3 [required]: x\ty
- slider "d" @e4: 0.6
- option "e" @e5 [selected]
- link "f" @e6
- checkbox "g" @e7`,
			interactive: `- checkbox "a" @e1 [checked=mixed, disabled]
- button "b" @e2 [expanded=false, pressed=true]
- textbox "c" @e3 [required]: x\ty
- slider "d" @e4: 0.6
- option "e" @e5 [selected]
- link "f" @e6
- checkbox "g" @e7`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := axPage(t, tt.tree)
			require.Equal(t, tt.full, take(t, NewRefs(), p, fromAX).Text())
			require.Equal(t, tt.interactive,
				take(t, NewRefs(), p, Options{Depth: -1, Source: axtree.AX, Interactive: true}).Text())
		})
	}
}

func TestAXProperties(t *testing.T) {
	t.Parallel()
	p := axPage(t, `
RootWebArea
  combobox "Color" hasPopup="listbox" activedescendant=4 focused=true readonly=true invalid="spelling" Description="which\none"
  listbox "Colors" orientation="vertical" multiselectable=true busy=true
    option "Red"
  slider "Size" orientation="horizontal" valuemin=1 valuemax=9.5 valuetext="big" Value=3
  spinbutton "Count" valuemin=0 valuemax=0 valuetext="3" Value=3
  dialog "Ask" modal=true invalid="false" hasPopup="false"
  button "Send"`)
	tree := take(t, NewRefs(), p, fromAX).Tree
	want := []axtree.Node{
		{
			Role: "combobox", Name: "Color", Token: 2, Ref: 1, End: 1,
			States: axtree.States{Focused: true, Readonly: true, Invalid: true},
			More:   &axtree.Properties{HasPopup: "listbox", Active: 4, Description: "which one"},
		},
		{
			Role: "listbox", Name: "Colors", Token: 3, Ref: 2, End: 3,
			More: &axtree.Properties{Orientation: "vertical", Multiselectable: true, Busy: true},
		},
		{Role: "option", Name: "Red", Token: 4, Ref: 3, Depth: 1, End: 3},
		{
			Role: "slider", Name: "Size", Token: 5, Ref: 4, End: 4, Value: "3",
			More: &axtree.Properties{Orientation: "horizontal", ValueMin: "1", ValueMax: "9.5", ValueText: "big"},
		},
		{Role: "spinbutton", Name: "Count", Token: 6, Ref: 5, End: 5, Value: "3"},
		{Role: "dialog", Name: "Ask", End: 6, More: &axtree.Properties{Modal: true}},
		{Role: "button", Name: "Send", Token: 8, Ref: 6, End: 7},
	}
	require.Empty(t, cmp.Diff(want, tree.Nodes))
}

// Texts and parts of a field come from the browser; only the parts that can be acted on are kept. The value of a
// password field is never shown, not even its length.
func TestAXFields(t *testing.T) {
	t.Parallel()
	p := axPage(t, `
RootWebArea
  Date "Day" Value="2020-02-03"
    generic
      spinbutton "Day Day" Value=3
        StaticText "03"
      StaticText "/"
    button "Show date picker Show date picker"
  textbox "Password" Value="•••"
    generic
      StaticText "•••"
  button "After"
    image`)
	p.fields = map[int64]bool{2: true, 8: true}
	p.secrets = map[int64]bool{8: true}
	s := take(t, NewRefs(), p, fromAX)
	require.Equal(t, `- Date "Day" @e1: 2020-02-03
  - spinbutton "Day" @e2: 3
  - button "Show date picker" @e3
- textbox "Password" @e4
- button "After" @e5
  - image`, s.Text())
	require.True(t, s.Tree.Nodes[3].Secret)
}

func TestAXScope(t *testing.T) {
	t.Parallel()
	p := axPage(t, `
RootWebArea
  button "Same"
  main
    none Ignored=true
      button "Same"
      paragraph
        link "In"
  button "Out"`)
	p.inside = map[int64]bool{4: true, 5: true, 6: true, 7: true}
	refs := NewRefs()
	s := take(t, refs, p, Options{Depth: -1, Source: axtree.AX, Scope: []byte(`{"css":"div"}`)})
	require.Equal(t, lines(`- button "Same" @e1`, `- paragraph`, `  - link "In" @e2`), s.Text())
	ref, err := refs.Lookup("e1")
	require.NoError(t, err)
	require.Equal(t, 1, ref.Nth, "the one outside is counted")
}

func TestAXFrames(t *testing.T) {
	t.Parallel()
	p := axPage(t, `
RootWebArea
  Iframe "outer"
  IframePresentational
  PluginObject
  PluginObject "film"
  button "After"`)
	p.frames = map[int64]bool{2: true, 3: true, 4: true}
	for i, token := range []int64{2, 3, 4} {
		p.child("f"+strconv.Itoa(i), token).ax = axReply(t, "RootWebArea\n  link \""+strconv.Itoa(i)+`"`)
	}
	require.Equal(t, `- Iframe "outer" @e1
  - link "0" @e2
- Iframe @e3
  - link "1" @e4
- Iframe @e5
  - link "2" @e6
- PluginObject "film"
- button "After" @e7`, take(t, NewRefs(), p, fromAX).Text())
}

// An element that went away since the tree was read cannot be acted on.
func TestAXGoneElement(t *testing.T) {
	t.Parallel()
	p := axPage(t, "RootWebArea\n  button \"Here\"\n  button \"Gone\"")
	p.gone = map[int64]bool{3: true}
	require.Equal(t, lines(`- button "Here" @e1`, `- button "Gone"`), take(t, NewRefs(), p, fromAX).Text())
}

func TestAXFails(t *testing.T) {
	t.Parallel()
	refused := fault.New(fault.Protocol, "the browser does not give its accessibility tree")
	tests := []struct {
		name  string
		spoil func(p *page)
		says  string
	}{
		{"the browser refuses", func(p *page) { p.axErr = refused }, "does not give"},
		{"the page does not describe its elements", func(p *page) { p.told = refused }, "does not give"},
		{"no JSON", func(p *page) { p.ax = "{" }, "cannot be read"},
		{"nodes that are not a list", func(p *page) { p.ax = `{"nodes":{}}` }, "cannot be read"},
		{"a document without identity", func(p *page) { p.doc = "" }, "did not say which document"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := axPage(t, "RootWebArea\n  button \"A\"")
			tt.spoil(p)
			_, err := Take(t.Context(), "t1", p, NewRefs(), fromAX)
			require.ErrorContains(t, err, tt.says)

			outer := axPage(t, "RootWebArea\n  Iframe \"f\"\n  button \"B\"")
			inner := outer.child("f", 2)
			inner.ax = p.ax
			tt.spoil(inner)
			text := take(t, NewRefs(), outer, fromAX).Text()
			require.Contains(t, text, "  - unreadable \"this frame could not be read: ")
			require.Contains(t, text, `- button "B"`)
		})
	}
}

func TestAXTolerance(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, reply, want string
	}{
		{"nothing", `{}`, "(empty page)"},
		{"null", `{"nodes":null}`, "(empty page)"},
		{"a node without anything", `{"nodes":[{}]}`, "(empty page)"},
		{
			"what a newer browser says",
			`{"nodes":[{"nodeId":"1","role":{"value":"mood"},"mood":[1],"name":{"value":"good","sources":{}},"properties":[{}]}],"more":1}`,
			`- mood "good"`,
		},
		{"a child that is missing", `{"nodes":[{"nodeId":"1","role":{"value":"main"},"childIds":["2","3"]}]}`, `- main`},
		{
			"a node that is its own grandchild",
			`{"nodes":[{"nodeId":"1","role":{"value":"main"},"childIds":["2","2"]},{"nodeId":"2","role":{"value":"note"},"childIds":["1","2"]}]}`,
			"- main\n  - note",
		},
		{
			"a lone surrogate", `{"nodes":[{"nodeId":"1","role":{"value":"note"},"name":{"value":"a\ud800b"}}]}`,
			"- note \"a\uFFFDb\"",
		},
		{
			"a button without an element", `{"nodes":[{"nodeId":"1","role":{"value":"button"},"name":{"value":"b"}}]}`,
			`- button "b"`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage()
			p.ax = tt.reply
			require.Equal(t, tt.want, take(t, NewRefs(), p, fromAX).Text())
		})
	}
}

// A source tells nothing of what it never shows.
func TestAXRemovedRefs(t *testing.T) {
	t.Parallel()
	refs := NewRefs()
	p := axPage(t, "RootWebArea\n  button \"A\"\n  button \"Closed\"")
	p.wire = lines("0\tbutton\t2\tA", "0\tgeneric\t9\tCard\thints=onclick")
	require.Empty(t, take(t, refs, p, full).Removed)
	require.Empty(t, take(t, refs, p, fromAX).Removed)
	require.Empty(t, take(t, refs, p, full).Removed)
	p.ax, p.wire = axReply(t, "RootWebArea"), ""
	require.Equal(t, []uint32{1, 3}, take(t, refs, p, fromAX).Removed)
	require.Equal(t, []uint32{2}, take(t, refs, p, full).Removed)
}

// FuzzAX: whatever the browser says, the nodes are a tree whose texts can be printed.
func FuzzAX(f *testing.F) {
	f.Add([]byte(axReply(f,
		"RootWebArea\n  main\n    Iframe \"f\" focused=true\n      StaticText \"a\"\n      StaticText \"b\"\n  textbox "+
			"\"c\" Value=1e99")), true)
	f.Add([]byte(
		`{"nodes":[{"nodeId":"1","role":{"value":"button"},"backendDOMNodeId":3,"childIds":["2","1"]},{"nodeId":"2","ignored":true}]}`), false)
	f.Add([]byte(
		`{"nodes":[{"role":{"value":"link"},"name":{"value":"\ud83d"},"properties":[{"name":"url","value":{"value":"\u0000"}}]}]}`), true)
	f.Fuzz(func(t *testing.T, reply []byte, whole bool) {
		var inside map[int64]bool
		if !whole {
			inside = map[int64]bool{3: true}
		}
		items, err := axtree.DecodeAX(reply, inside)
		if err != nil {
			return
		}
		known := map[int64]axtree.Element{}
		for i, id := range axtree.AskedOf(items) {
			known[id] = axtree.Element{Token: id, Field: i%5 == 1, Secret: i%7 == 1, Frame: i%3 == 1}
		}
		for _, interactive := range []bool{false, true} {
			nodes, iframes := axtree.AxNodes(items, known, interactive)
			depth := int32(-1)
			var frames []int32
			for i := range nodes {
				require.LessOrEqual(t, nodes[i].Depth, depth+1)
				require.GreaterOrEqual(t, nodes[i].Depth, int32(0))
				require.True(t, !interactive || nodes[i].Token != 0)
				if depth = nodes[i].Depth; nodes[i].Role == axtree.RoleIframe {
					frames = append(frames, int32(i))
				}
			}
			require.Empty(t, cmp.Diff(frames, iframes, cmpopts.EquateEmpty()))
			require.True(t, utf8.ValidString(render(nodes, full)))
		}
	})
}
