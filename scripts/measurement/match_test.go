//go:build linux

package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseSnapshot(t *testing.T) {
	t.Parallel()
	lines := parseSnapshot(
		"- link \"Say \\\"hi\\\"\" [expanded=true, ref=e12]: value\n  - button [ref=e3] clickable [listener]\n\n(3 lines " +
			"left out)\n")
	require.Len(t, lines, 3)
	require.Equal(t, []string{"link", `Say "hi"`, "e12", " [expanded=true]: value"},
		[]string{lines[0].role, lines[0].name, lines[0].ref, lines[0].rest})
	require.Equal(t, []string{"button", "", "e3"}, []string{lines[1].role, lines[1].name, lines[1].ref})
	require.Equal(t, []string{"", "(3 lines left out)"}, []string{lines[2].role, lines[2].rest})
}

func TestParseJoined(t *testing.T) {
	t.Parallel()
	lines := parseSnapshot(`- links: "Home" @e1, "Say \"a, b\"" @e2 [current=page], @e3 [inferred="cart"]` +
		"\n- clickable: \"A\" @e4, \"B\" @e5\n- clickable \"C\" [ref=e6]\n- text: a @e9\n")
	var got []string
	for _, l := range lines {
		got = append(got, l.role+"|"+l.name+"|"+l.ref)
	}
	require.Equal(t,
		[]string{"link|Home|e1", `link|Say "a, b"|e2`, "link||e3", "generic|A|e4", "generic|B|e5", "generic|C|e6", "text||"},
		got)
}

func TestCounted(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, line      string
		controls, texts int
	}{
		{"texts that are omitted", "(12 texts omitted: snapshot -s @e4)", 0, 12},
		{"controls of aria-hidden", `(2 controls hidden from assistive technology: button "Up" @e4, button @e5)`, 2, 2},
		{"a fold", "- (… 1,204 rows folded: snapshot -i -s @e9 shows them)", 1204, 1204},
		{"the same links", "same 38 links as on the page before: snapshot -s @e2", 38, 38},
		{"options of a select", `- combobox "Country" [ref=e3]: France, 249 options`, 249, 249},
		{"a list that is not whole", `- list "Orders" [ref=e3] 25 rows rendered of about 237`, 25, 25},
		{"the page's own words", `- link "12 more items" [ref=e3]`, 0, 0},
		{"a number without a word", "(the page has 12 texts)", 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			controls, texts := counted(parseSnapshot(tt.line))
			require.Equal(t, []int{tt.controls, tt.texts}, []int{controls, texts})
		})
	}
}

func TestRecallOfControls(t *testing.T) {
	t.Parallel()
	button := func(names ...string) control { return control{Kind: "native", Role: "button", Names: names} }
	for _, tt := range []struct {
		name     string
		controls []control
		snapshot string
		missing  int
	}{
		{"by its name", []control{button("Save")}, `- button "Save" [ref=e1]`, 0},
		{"by another of its names", []control{button("icon", "Save the page")}, `- button "Save the page" [ref=e1]`, 0},
		{"without an icon's letter", []control{button("Save")}, "- button \"\uf0f3 Save\" [ref=e1]", 0},
		{"by its description", []control{button("Move up")}, `- button "" [description="Move up", ref=e1]`, 0},
		{"with a cut name", []control{button("A name that goes on and on")}, `- button "A name that goes…" [ref=e1]`, 0},
		{"a text, not a control", []control{button("Save")}, `- text: Save`, 1},
		{"no ref", []control{button("Save")}, `- button "Save"`, 1},
		{
			"another name, another place",
			[]control{button("Save"), {Role: "link", Names: []string{"Home"}}},
			"- link \"Home\" [ref=e1]\n- button \"Send\" [ref=e2]", 1,
		},
		{"one line for two controls", []control{button("Edit"), button("Edit")}, `- button "Edit" [ref=e1]`, 1},
		{
			"two lines for two controls",
			[]control{button("Edit"), button("Edit")},
			"- button \"Edit\" [ref=e1]\n- button \"Edit\" [ref=e2]", 0,
		},
		{"without a name", []control{button()}, `- button [ref=e1]`, 0},
		{"with an inferred name", []control{button()}, `- button [ref=e1] looks like "trash"`, 0},
		{
			"by its place",
			[]control{{Role: "link", Names: []string{"Home"}}, button("computed"), {Role: "link", Names: []string{"End"}}},
			"- link \"Home\" [ref=e1]\n- button \"other\" [ref=e2]\n- link \"End\" [ref=e3]", 0,
		},
		{
			"what reacts to clicks",
			[]control{{Role: "link", Names: []string{"Home"}}, {Kind: "listener", Role: "generic", Names: []string{"+"}}},
			"- link \"Home\" [ref=e1]\n- none [ref=e2] clickable [listener]", 0,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Len(t, recallOf(sight{Controls: tt.controls}, tt.snapshot).MissingControls, tt.missing)
		})
	}
}

func TestRecallOfTexts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long words ", 10)
	for _, tt := range []struct {
		name, text, snapshot string
		missing              int
	}{
		{"a name", "Total", `- heading "Total" [level=1, ref=e1]`, 0},
		{"a part of a name", "three items", `- link "Cart, three items" [ref=e1]`, 0},
		{"a text", "Total: $4", `- paragraph: Total: $4`, 0},
		{"a value", "Ada", `- textbox "Name" [ref=e1]: Ada`, 0},
		{"a placeholder", "Search for…", `- textbox "Search" [placeholder="Search for…", ref=e1]`, 0},
		{"in other letters and spaces", "TOTAL  of all", `- text: Total of all`, 0},
		{"split by elements", "Total", `- text: Tot al`, 0},
		{"cut, and said so", long, `- text: ` + long[:40] + `…`, 0},
		{"nowhere", "Total", `- button "Save" [ref=e1]`, 1},
		{"a ref, not a text", "e12", `- button "Save" [ref=e12]`, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Len(t, recallOf(sight{Texts: []text{{Text: tt.text}}}, tt.snapshot).MissingTexts, tt.missing)
		})
	}
}

func TestCountsMakeUpForWhatIsMissing(t *testing.T) {
	t.Parallel()
	seen := sight{Texts: []text{{Text: "one thing"}, {Text: "another"}, {Text: "a third"}}}
	r := recallOf(seen, "- text: one thing\n(1 text omitted: snapshot -s @e4)")
	require.Equal(t, []int{3, 1, 1}, []int{r.Texts, r.ShownTexts, r.CountedTexts})
	paragraph := sight{Texts: []text{{Text: "press", Block: 1}, {Text: "Enter", Block: 1}, {Text: "another", Block: 2}}}
	require.Equal(t, 2, recallOf(paragraph, "(1 text omitted: snapshot)").CountedTexts,
		"the pieces of a paragraph are counted as one")
	require.Equal(t, "66.7", share(r.ShownTexts+r.CountedTexts, r.Texts))
	require.Equal(t, "99.9", share(9999, 10000), "what is missing is never rounded away")
	require.Equal(t, "100", share(0, 0))
}

func TestMarkedThoughItIsSeen(t *testing.T) {
	t.Parallel()
	seen := sight{
		Controls: []control{
			{Role: "button", Names: []string{"Save"}},
			{Role: "button", Names: []string{"Send"}},
			{Role: "link", Names: []string{"Home"}},
			{Role: "link", Names: []string{"Skip"}},
		},
		Texts: []text{{Text: "Three orders"}, {Text: "Two returns"}, {Text: "Save"}},
	}
	r := recallOf(seen, strings.Join([]string{
		`- buttons [collapsed, unseen]: "Save" @e1, "Send" @e2`, `- link "Home" @e3 [partly unseen]`,
		`- link "Three orders" @e4 [unseen]`, `- text: Two returns`,
		`- heading "Save" @e5`, `- link "Skip to the orders" @e6 [unseen]`,
	}, "\n"))
	require.Empty(t, r.MissingControls)
	require.Equal(t, []string{"button Save", "button Send", "Three orders"}, r.Marked)
}
