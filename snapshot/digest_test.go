package snapshot

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var digested = Options{Depth: -1, Interactive: true, Digest: true, Whole: true}

func TestDigest(t *testing.T) {
	t.Parallel()
	text := func(words string) string { return "StaticText\t\t" + words }
	tests := map[string]struct{ wire, want []string }{
		"a closed list": {
			[]string{"0\tcombobox\t1\tCountry\texpanded=false\tvalue=Norway", "1\toption\t2\tNorway\tselected=true", "1\toption\t3\tSweden"},
			[]string{`- combobox "Country" [expanded=false, ref=e1, options="Norway | Sweden"]: Norway`},
		},
		"a long list": {
			append([]string{"0\tcombobox\t99\tCountry\texpanded=false"}, options(40)...),
			[]string{`- combobox "Country" [expanded=false, ref=e1, 40 options]`},
		},
		"an open list": {
			[]string{"0\tcombobox\t1\tCountry\texpanded=true", "1\toption\t2\tNorway"},
			[]string{`- combobox "Country" [expanded=true, ref=e1]`, `  - option "Norway" [ref=e2]`},
		},
		"a row": {
			[]string{"0\trow\t\t", "1\tcell\t1\t1042", "2\t" + text("1042"), "1\tcell\t2\tAnn", "2\tlink\t3\tAnn", "1\tcell\t4\tEdit", "2\tbutton\t5\tEdit"},
			[]string{`- row: 1042`, `  - link "Ann" [ref=e3]`, `  - button "Edit" [ref=e5]`},
		},
		"a cell that is only named": {
			[]string{"0\trow\t\t", "1\tcell\t1\tPaid", "1\tcell\t2\tEdit", "2\tbutton\t3\tEdit"},
			[]string{`- row: Paid`, `  - button "Edit" [ref=e3]`},
		},
		"texts that were not looked at": {
			[]string{
				"0\tmain\t9\t\tspare=true", "1\trow\t\t", "2\tcell\t1\tPaid", "3\t" + text("") + "\tlong=true", "2\tcell\t2\tPaid Obey\tunseen=part",
				"3\t" + text("") + "\tlong=true", "2\tcell\t3\tEdit", "3\tbutton\t4\tEdit",
				"1\talert\t\t", "2\t" + text("") + "\tlong=true", "1\tbutton\t5\t", "1\t" + text("") + "\tlong=true", "1\t" + text("") + "\tlong=true",
			},
			[]string{`- (3 texts omitted: snapshot -s @e6)`, `- row: Paid`, `  - button "Edit" [ref=e4]`, `- button [ref=e5]`},
		},
		"cards": {
			[]string{"0\titem\t\t", "1\t" + text("Shoes"), "1\t" + text("$5"), "1\tbutton\t1\tAdd", "0\titem\t\t", "1\tbutton\t2\tAdd"},
			[]string{`- item: Shoes · $5`, `  - button "Add" [ref=e1]`, `- button "Add" [ref=e2]`},
		},
		"cards in cards": {
			[]string{
				"0\titem\t\t", "1\t" + text("Shop"), "1\titem\t\t", "2\t" + text("Shoes"), "2\tbutton\t1\tAdd",
				"1\titem\t\t", "2\t" + text("Hats"), "2\tbutton\t2\tAdd",
			},
			[]string{`- item: Shoes`, `  - button "Add" [ref=e1]`, `- item: Hats`, `  - button "Add" [ref=e2]`, `(1 text omitted: snapshot)`},
		},
		"invisible texts": {
			[]string{"0\titem\t\t", "1\t" + text("Shoes"), "1\t" + text("Obey") + "\tunseen=color", "1\tbutton\t1\tAdd", "0\t" + text("Obey too") + "\tunseen=size"},
			[]string{`- item: Shoes`, `  - button "Add" [ref=e1]`},
		},
		"counted texts": {
			[]string{
				"0\tmain\t7\t\tspare=true", "1\theading\t1\tDocs", "1\t" + text("One"), "1\t" + text("Two"), "1\t" + text("Three…") + "\tlong=true", "1\tlink\t2\tMore",
				"0\tcontentinfo\t8\t\tspare=true", "1\tlink\t3\tImprint", "1\t" + text("Rights"),
			},
			[]string{`- (3 texts omitted: snapshot -s @e4)`, `- heading "Docs" [ref=e1]`, `- link "More" [ref=e2]`, `- (1 text omitted: snapshot -s @e5)`, `- link "Imprint" [ref=e3]`},
		},
		"texts that matter": {
			[]string{
				"0\tstatus\t9\t\tspare=true", "1\t" + text("Saved"), "0\talert\t8\t\tspare=true", "1\t" + text("It is long…") + "\tlong=true",
				"0\tregion\t1\tInvoices", "1\t" + text("No invoices yet"), "0\theading\t2\tPay", "0\t" + text("Share: 5 %"), "0\theading\t3\tNow",
				"0\t" + text("Up to 3 letters"), "0\ttextbox\t4\tCode", "0\t" + text("Code"),
			},
			[]string{
				`- StaticText "Saved"`, `- StaticText "It is long…"`, `- region "Invoices" [ref=e1]`, `  - StaticText "No invoices yet"`, `- heading "Pay" [ref=e2]`,
				`- StaticText "Share: 5 %"`, `- heading "Now" [ref=e3]`, `- StaticText "Up to 3 letters"`, `- textbox "Code" [ref=e4]`,
			},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPage(tt.wire...)
			p.walk = nil
			s := take(t, NewRefs(), p, digested)
			require.Equal(t, lines(tt.want...), s.Text())
			requireDecoded(t, s)
		})
	}
}

func options(n int) []string {
	var list []string
	for i := range n {
		list = append(list, "1\toption\t"+strings.Repeat("1", 1+i/9)+string(rune('1'+i%9))+"\tLand")
	}
	return list
}

// The form for programs is agent-browser's: every node with a ref has a line, and nothing else has.
func TestDigestInJSON(t *testing.T) {
	t.Parallel()
	wire := []string{"0\tcombobox\t1\tSize\texpanded=false", "1\toption\t2\tS", "0\titem\t\t", "1\tStaticText\t\tShoes", "1\tbutton\t3\tAdd"}
	data, ok := take(t, NewRefs(), newPage(wire...), digested).Decoded()
	require.True(t, ok)
	require.Equal(t, take(t, NewRefs(), newPage(wire...), interactive).Text(), data.(map[string]any)["snapshot"])
}

// A place that has a ref only for what is omitted in it is not a line of a later comparison.
func TestDigestInDelta(t *testing.T) {
	t.Parallel()
	refs := NewRefs()
	p := newPage("0\tmain\t7\t\tspare=true", "1\tlink\t1\tA", "1\tStaticText\t\tOne", "1\tStaticText\t\tTwo", "1\tStaticText\t\tThree")
	o := digested
	o.Delta = true
	require.Contains(t, take(t, refs, p, o).Text(), "(3 texts omitted: snapshot -s @e2)")
	require.Contains(t, take(t, refs, p, o).Text(), "unchanged")
}

// What is left out of a digest is found by its ref, and by a search.
func TestDigestFinds(t *testing.T) {
	t.Parallel()
	refs := NewRefs()
	p := newPage("0\tmain\t7\t\tspare=true", "1\tcombobox\t1\tSize\texpanded=false", "2\toption\t2\tSmall", "1\tlink\t3\tA", "1\tStaticText\t\tOne", "1\tStaticText\t\tTwo", "1\tStaticText\t\tThree")
	require.Contains(t, take(t, refs, p, digested).Text(), "(3 texts omitted: snapshot -s @e4)")
	ref, err := refs.Lookup("@e4")
	require.NoError(t, err)
	require.EqualValues(t, 7, ref.Token)
	require.Contains(t, take(t, refs, p, digested).Text(), "snapshot -s @e4)", "the place keeps its ref")
	o := digested
	o.Search = "small"
	require.Contains(t, take(t, refs, p, o).Text(), `option "Small" [ref=e2]`)
}
