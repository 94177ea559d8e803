package snapshot

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/skua-browser/skua/snapshot/axtree"
	"github.com/stretchr/testify/require"
)

// numbered decodes a walk in which every token is also the ref's number.
func numbered(t *testing.T, wire string) []axtree.Node {
	t.Helper()
	nodes, _, err := axtree.Decode([]byte(wire))
	require.NoError(t, err)
	for i := range nodes {
		nodes[i].Ref = uint32(nodes[i].Token)
	}
	return nodes
}

// lines joins the lines of a walk or a text.
func lines(l ...string) string { return strings.Join(l, "\n") }

// TestRenderUpstream holds the line format against what agent-browser 0.41.2 printed for a real page.
func TestRenderUpstream(t *testing.T) {
	t.Parallel()
	nodes := numbered(t, lines(
		"0\tRootWebArea\t\tSample",
		"1\tbanner\t\t",
		"2\tnavigation\t1\tMain",
		"3\tlist\t\t",
		"4\tlistitem\t\t\tlevel=1",
		"5\tListMarker\t\t• ",
		"5\tlink\t50\tPage Two\turl=https://a.test/two",
		"1\tmain\t\t",
		"2\theading\t2\tHello World\tlevel=1",
		"2\tform\t\t",
		"3\tLabelText\t\t",
		"4\tStaticText\t\tName",
		"3\ttextbox\t20\tName\trequired=true",
		"3\tcheckbox\t24\tAgreed\tchecked=true",
		"3\tcombobox\t27\tColor\texpanded=false\tvalue=Green",
		"4\tMenuListPopup\t\t",
		"5\toption\t53\tGreen\tselected=true",
		"5\toption\t54\tBlue\tdisabled=true",
		"2\tgeneric\t4\t\thints=cursor:pointer,onclick",
		"3\tStaticText\t\tClickable div",
	))
	want := strings.TrimSpace(`
- banner
  - navigation "Main" [ref=e1]
    - list
      - listitem [level=1]
        - ListMarker "• "
        - link "Page Two" [ref=e50]
- main
  - heading "Hello World" [level=1, ref=e2]
  - form
    - LabelText
      - StaticText "Name"
    - textbox "Name" [required, ref=e20]
    - checkbox "Agreed" [checked=true, ref=e24]
    - combobox "Color" [expanded=false, ref=e27]: Green
      - MenuListPopup
        - option "Green" [selected, ref=e53]
        - option "Blue" [disabled, ref=e54]
  - generic [ref=e4] clickable [cursor:pointer, onclick]
    - StaticText "Clickable div"`)
	if diff := cmp.Diff(want, render(nodes, Options{Depth: -1, Upstream: true})); diff != "" {
		t.Error(diff)
	}
}

func TestRenderLine(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		wire string
		urls bool
		want string
	}{
		{name: "bare", wire: "separator\t\t", want: `- separator`},
		{name: "name", wire: "image\t\tA \"b\" \\ c", want: `- image "A \"b\" \\ c"`},
		{name: "characters beyond ASCII", wire: "image\t\té 🙂 \u2028", want: "- image \"é 🙂 \u2028\""},
		{
			name: "all attributes in order",
			wire: "treeitem\t7\tA\tlevel=2\tchecked=mixed\texpanded=true\tselected=true\tdisabled=true\trequired=true\t" +
				"pressed=true\turl=https://a.test/",
			urls: true,
			want: `- treeitem "A" @e7 [level=2, checked=mixed, expanded=true, selected, disabled, required, pressed=true, url=https://a.test/]`,
		},
		{
			name: "both values of a state", wire: "checkbox\t7\t\tchecked=false\texpanded=false",
			want: `- checkbox @e7 [checked=false, expanded=false]`,
		},
		{name: "no address unless asked for", wire: "link\t7\tA\turl=https://a.test/", want: `- link "A" @e7`},
		{
			name: "address", wire: "link\t7\tA\turl=https://a.test/?q=1\\n", urls: true,
			want: `- link "A" @e7 [url=https://a.test/?q=1\n]`,
		},
		{name: "value", wire: "textbox\t7\tva: x\tvalue=  sp: x ", want: `- textbox "va: x" @e7:   sp: x `},
		{name: "value equal to the name", wire: "combobox\t7\tGreen\tvalue=Green", want: `- combobox "Green" @e7`},
		{
			name: "value that would write lines", wire: "textbox\t7\tT\tvalue=a\\n- button \"x\" @e1",
			want: `- textbox "T" @e7: a\n- button "x" @e1`,
		},
		{name: "value without a name", wire: "textbox\t7\t\tvalue=C:\\\\x", want: `- textbox @e7: C:\x`},
		{
			name: "editable", wire: "generic\t8\ted\tvalue=ed\thints=tabindex,contenteditable",
			want: `- generic "ed" @e8 editable [tabindex, contenteditable]`,
		},
		{name: "focusable", wire: "generic\t9\tfoc\thints=tabindex", want: `- generic "foc" @e9 focusable [tabindex]`},
		{
			name: "clickable goes before editable", wire: "generic\t9\t\thints=onclick,contenteditable",
			want: `- generic @e9 clickable [onclick, contenteditable]`,
		},
		{
			name: "hints before the value",
			wire: "generic\t9\tx\thints=cursor:pointer,onclick,tabindex,contenteditable\tvalue=v",
			want: `- generic "x" @e9 clickable [cursor:pointer, onclick, tabindex, contenteditable]: v`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, render(numbered(t, "0\t"+tt.wire), Options{Depth: -1, URLs: tt.urls}))
		})
	}
}

func TestRenderOptions(t *testing.T) {
	t.Parallel()
	page := lines(
		"0\tmain\t\t",
		"1\theading\t1\tHead\tlevel=1",
		"1\tgeneric\t\t",
		"2\tStaticText\t\tone",
		"1\tgeneric\t\t",
		"2\tparagraph\t\t",
		"3\tStaticText\t\ta",
		"2\tparagraph\t\t",
		"1\tparagraph\t\t",
		"1\timage\t\t",
		"1\tlist\t\t",
		"2\tlistitem\t\t\tlevel=1",
		"3\tlink\t2\tA\turl=https://a.test/",
		"1\tprogressbar\t\t\tvalue=3",
	)
	tests := []struct {
		name string
		wire string
		o    Options
		want string
	}{
		{
			name: "full", wire: page, o: Options{Depth: -1},
			want: lines(
				`- main`,
				`  - heading "Head" @e1 [level=1]`,
				`  - StaticText "one"`,
				`  - generic`,
				`    - paragraph`,
				`      - StaticText "a"`,
				`    - paragraph`,
				`  - paragraph`,
				`  - image`,
				`  - list`,
				`    - listitem [level=1]`,
				`      - link "A" @e2`,
				`  - progressbar: 3`,
			),
		},
		{
			name: "interactive", wire: page, o: Options{Interactive: true, Depth: -1, URLs: true},
			want: lines(`- heading "Head" @e1 [level=1]`, `- link "A" @e2 [url=https://a.test/]`),
		},
		{
			name: "compact", wire: page, o: Options{Compact: true, Depth: -1},
			want: lines(
				`- main`,
				`  - heading "Head" @e1 [level=1]`,
				`  - StaticText "one"`,
				`  - generic`,
				`    - paragraph`,
				`      - StaticText "a"`,
				`  - list`,
				`    - listitem [level=1]`,
				`      - link "A" @e2`,
				`  - progressbar: 3`,
			),
		},
		{name: "top level only", wire: page, o: Options{Depth: 0}, want: `- main`},
		{
			name: "depth counts lines", wire: page, o: Options{Depth: 1},
			want: lines(
				`- main`, `  - heading "Head" @e1 [level=1]`, `  - StaticText "one"`, `  - generic`, `  - paragraph`, `  - image`,
				`  - list`,
				`  - progressbar: 3`,
			),
		},
		{
			name: "compact looks at the lines that depth leaves", wire: page, o: Options{Compact: true, Depth: 1},
			want: lines(`- main`, `  - heading "Head" @e1 [level=1]`, `  - StaticText "one"`, `  - progressbar: 3`),
		},
		{
			name: "nested generics", wire: "0\tgeneric\t\t\n1\tgeneric\t\t\n2\tgeneric\t\t\n3\timage\t\tx",
			o: Options{Depth: -1}, want: `- image "x"`,
		},
		{name: "empty page", wire: "0\tRootWebArea\t\tTitle\n1\tgeneric\t\t", o: Options{Depth: -1}, want: "(empty page)"},
		{name: "blank text", wire: "0\tStaticText\t\t", o: Options{Depth: -1}, want: "(empty page)"},
		{
			name: "nothing to act on", wire: "0\tmain\t\t\n1\tStaticText\t\tx", o: Options{Interactive: true, Depth: -1},
			want: "(no interactive elements)",
		},
		{
			name: "interactive keeps ancestors", wire: "0\tregion\t1\tR\n1\tgroup\t\t\n2\tbutton\t2\tB\n0\tbutton\t3\tC",
			o:    Options{Interactive: true, Depth: -1},
			want: lines(`- region "R" @e1`, `  - button "B" @e2`, `- button "C" @e3`),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, render(numbered(t, tt.wire), tt.o)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A page that nests its elements thousands deep must not make a snapshot of mostly spaces.
func TestRenderDeep(t *testing.T) {
	t.Parallel()
	const deep = 20_000
	nodes := make([]axtree.Node, deep)
	for i := range nodes {
		nodes[i] = axtree.Node{Role: "group", Name: "x", Depth: int32(i)}
	}
	axtree.SetEnds(nodes)
	require.Less(t, len(render(nodes, Options{Depth: -1})), deep*(2*maxIndent+20))
	require.Len(t, strings.Split(render(nodes, Options{Depth: 9}), "\n"), 10)
}

// FuzzRender renders whatever can be decoded.
func FuzzRender(f *testing.F) {
	f.Add([]byte(
		"0\tlist\t\t\n1\tlistitem\t\ta\tlevel=1\n2\tlink\t5\tA\turl=x\\ny\n1\tIframe\t7\t\n0\tbutton\t6\tB\t" +
			"checked=mixed\tnth=2"))
	f.Add([]byte("0\ttextbox\t1\tname\tvalue=\\\\\\t\tsecret=true\thints=onclick,tabindex\n"))
	f.Fuzz(func(t *testing.T, wire []byte) {
		nodes, _, err := axtree.Decode(wire)
		if err != nil {
			return
		}
		for i := range nodes {
			if nodes[i].Token > 0 {
				nodes[i].Ref = uint32(i + 1)
			}
		}
		for _, o := range []Options{{Depth: -1, URLs: true}, {Interactive: true, Depth: 1}, {Compact: true, Depth: -1}} {
			text := render(nodes, o)
			require.True(t, utf8.ValidString(text))
			require.NotContains(t, text, "\n\n")
		}
	})
}
