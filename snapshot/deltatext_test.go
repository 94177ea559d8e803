package snapshot

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// shopBehind are the links of a shop, covered by the element with a token; 0 for nothing.
func shopBehind(by int) (wire []string) {
	for i := range 30 {
		line := "0\tlink\t" + strconv.Itoa(i+1) + "\tOrder " + strconv.Itoa(i+1)
		if by != 0 {
			line += "\tcovered=" + strconv.Itoa(by)
		}
		wire = append(wire, line)
	}
	return wire
}

// What lies over the page comes first, with what is in it. That the page is behind it is one line, and so is that it is
// within reach again.
func TestDeltaOfADialog(t *testing.T) {
	t.Parallel()
	dialog := []string{"0\tdialog\t90\tEdit order", "1\ttextbox\t91\tName", "1\tbutton\t92\tSave", "1\tbutton\t93\tCancel"}
	for _, tt := range []struct {
		name   string
		o      Options
		opened string
		closed string
	}{
		{
			"full", interactive,
			lines(
				"(+ 4 appeared, ~ 1 changed since revision 1, now revision 2)",
				`+ dialog "Edit order" @e31`, `  + textbox "Name" @e32`, `  + button "Save" @e33`, `  + button "Cancel" @e34`,
				`~ 30 controls are behind dialog "Edit order" @e31`,
			),
			lines("(~ 1 changed, - 1 gone since revision 2, now revision 3)", "~ 30 controls are within reach again",
				`- dialog "Edit order" @e31`, "(and 3 in what is gone)"),
		},
		{
			"digest", digested,
			lines(
				"(+ 3 appeared, ~ 1 changed since revision 1, now revision 2)",
				`+ dialog "Edit order" @e31`, `  + textbox "Name" @e32`, `  + buttons: "Save" @e33, "Cancel" @e34`,
				`~ 30 controls are behind dialog "Edit order" @e31`,
			),
			lines("(~ 1 changed, - 1 gone since revision 2, now revision 3)", "~ 30 controls are within reach again",
				`- dialog "Edit order" @e31`, "(and 3 in what is gone)"),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			refs := NewRefs()
			p := newPage(shopBehind(0)...)
			take(t, refs, p, tt.o)
			o := tt.o
			o.Delta = true
			p.wire = lines(append(shopBehind(90), dialog...)...)
			require.Equal(t, tt.opened, take(t, refs, p, o).Text())
			p.wire = lines(shopBehind(0)...)
			require.Equal(t, tt.closed, take(t, refs, p, o).Text())
		})
	}
}

// A modal dialog of the browser makes the page inert: nothing went, and nothing came back with the dialog's end.
func TestDeltaOfAModalDialog(t *testing.T) {
	t.Parallel()
	refs := NewRefs()
	p := newPage(shopBehind(0)...)
	take(t, refs, p, digested)
	o := digested
	o.Delta = true
	p.wire = lines("0\tbehind\t\t30", "0\tdialog\t90\tSure?\tmodal=true", "1\tbutton\t91\tYes",
		"1\tStaticText\t\tThis cannot be undone.")
	require.Equal(t, lines(
		"(+ 3 appeared, ~ 1 changed since revision 1, now revision 2)",
		`+ dialog "Sure?" @e31 [modal]`, `  + button "Yes" @e32`, "  + text: This cannot be undone.",
		"~ 30 controls are behind the modal dialog: inert until it closes",
	), take(t, refs, p, o).Text())
	p.wire = lines(append(shopBehind(0), "0\tbutton\t95\tUndo")...)
	require.Equal(t, lines(
		"(+ 1 appeared, ~ 1 changed, - 1 gone since revision 2, now revision 3)",
		`+ button "Undo" @e33`, "~ 30 controls are within reach again", `- dialog "Sure?" @e31 [modal]`,
		"(and 1 in what is gone)",
	), take(t, refs, p, o).Text())
}

// What appeared is never folded, however little room there is: the caller acts on it next.
func TestDeltaKeepsWhatCame(t *testing.T) {
	t.Parallel()
	refs := NewRefs()
	p := newPage(shopBehind(0)...)
	take(t, refs, p, digested)
	o := digested
	o.Delta, o.MaxTokens = true, 40
	var form []string
	for i := range 15 {
		form = append(form, "0\ttextbox\t"+strconv.Itoa(100+i)+"\tField "+strconv.Itoa(i))
	}
	p.wire = lines(append(append(form, "0\tlink\t1\tOther 1", "0\tlink\t2\tOther 2"), shopBehind(0)[2:]...)...)
	text := take(t, refs, p, o).Text()
	require.Contains(t, text, `+ textbox "Field 14" @`)
	require.Contains(t, text, `~ link "Other 1" @e1 (was: link "Order 1" @e1)`)
}

// A search, or a look at a part, does not take the place of the last snapshot of the page.
func TestDeltaAfterASearch(t *testing.T) {
	t.Parallel()
	refs := NewRefs()
	p := newPage(shopBehind(0)...)
	take(t, refs, p, digested)
	search := digested
	search.Search.Text = "Order 7"
	require.Contains(t, take(t, refs, p, search).Text(), `"Order 7"`)
	last, ok := refs.Last("t1", digested)
	require.True(t, ok)
	require.Empty(t, last.Search)
	p.wire = lines(append(shopBehind(0), "0\tbutton\t95\tUndo")...)
	o := digested
	o.Delta = true
	require.Contains(t, take(t, refs, p, o).Text(), `+ button "Undo" @`)
	search.Delta = true
	require.Contains(t, take(t, refs, p, search).Text(), "unchanged", "the same search again")
}

// A change of a control that is also behind something now is one line without that, and the control is counted with the
// others.
func TestDeltaOfACoveredControlThatChanged(t *testing.T) {
	t.Parallel()
	refs := NewRefs()
	p := newPage(append([]string{
		"0\ttextbox\t95\tSearch\tfocused=true\tvalue=lamp",
		"0\tcheckbox\t96\tPaid\tchecked=true",
	}, shopBehind(0)...)...)
	take(t, refs, p, digested)
	o := digested
	o.Delta = true
	p.wire = lines(append(append([]string{
		"0\ttextbox\t95\tSearch\tvalue=lamp\tcovered=90",
		"0\tcheckbox\t96\tPaid\tchecked=false\tcovered=90",
	}, shopBehind(90)...),
		"0\tdialog\t90\tSure?", "1\tbutton\t91\tYes")...)
	require.Equal(t, lines(
		"(+ 2 appeared, ~ 3 changed since revision 1, now revision 2)",
		`+ dialog "Sure?" @e33`, `  + button "Yes" @e34`,
		`~ textbox "Search" @e1: lamp (was: textbox "Search" @e1 [focused]: lamp)`,
		`~ checkbox "Paid" @e2 (was: checkbox "Paid" @e2 [checked=true])`,
		`~ 32 controls are behind dialog "Sure?" @e33`,
	), take(t, refs, p, o).Text())
	p.wire = strings.ReplaceAll(p.wire, "covered=90", "covered=91")
	require.Equal(t, lines("(~ 1 changed since revision 2, now revision 3)", `~ 32 controls are behind button "Yes" @e34`),
		take(t, refs, p, o).Text(), "another cover")
}

// What went is told in as few lines as it was shown in.
func TestDeltaJoinsWhatWent(t *testing.T) {
	t.Parallel()
	refs := NewRefs()
	form := []string{
		"0\tlink\t91\tClipboard", "0\tlink\t92\tLocal", "0\tlink\t93\tExamples", "0\ttextbox\t94\tText\tcovered=98",
		"0\tbutton\t95\tCancel", "0\tbutton\t96\tImport\tdisabled=true",
		"0\tbutton\t97\t\tinferred=caret", "0\tgeneric\t98\t\thints=onclick",
	}
	p := newPage(append(shopBehind(0), form...)...)
	take(t, refs, p, digested)
	o := digested
	o.Delta = true
	p.wire = lines(shopBehind(0)...)
	require.Equal(t, lines(
		"(- 4 gone since revision 1, now revision 2)",
		`- links: "Clipboard" @e31, "Local" @e32, "Examples" @e33`, `- textbox "Text" @e34`,
		`- buttons: "Cancel" @e35, "Import" @e36, @e37 [inferred="caret"]`, "- clickable @e38",
	), take(t, refs, p, o).Text())
}

// A panel that opens is told alone, when that takes clearly fewer words than the page with it, however much of the page
// it is.
func TestDeltaOfALargePanel(t *testing.T) {
	t.Parallel()
	refs := NewRefs()
	p := newPage(shopBehind(0)...)
	take(t, refs, p, digested)
	o := digested
	o.Delta = true
	editor := []string{"0\tregion\t100\tEditor"}
	for i := range 40 {
		editor = append(editor, "1\tbutton\t"+strconv.Itoa(101+i)+"\tTool "+strconv.Itoa(i))
	}
	p.wire = lines(append(shopBehind(0), editor...)...)
	text := take(t, refs, p, o).Text()
	require.Contains(t, text, `+ region "Editor" @`)
	require.NotContains(t, text, "Order 1")
	require.NotContains(t, text, "whole page")
}

// A part that the page draws again as it was is one line with the new refs, and a cell that a digest does not show has
// no line.
func TestDeltaOfWhatIsDrawnAgain(t *testing.T) {
	t.Parallel()
	panel := func(from int, more ...string) []string {
		token := func(n int) string { return strconv.Itoa(from + n) }
		return append([]string{
			"0\tregion\t1\tDevices", "1\tbutton\t" + token(1) + "\tvm",
			"1\trow\t" + token(2) + "\t", "2\trowheader\t" + token(3) + "\tRate", "3\tStaticText\t\tRate",
			"2\tcell\t" + token(4) + "\t0 B/s", "3\tlink\t" + token(5) + "\t0 B/s",
			"1\trow\t" + token(6) + "\t", "2\trowheader\t" + token(7) + "\tUptime", "3\tStaticText\t\tUptime",
			"2\tcell\t" + token(8) + "\t32m", "3\tStaticText\t\t32m",
		}, more...)
	}
	refs := NewRefs()
	p := newPage(panel(10)...)
	take(t, refs, p, digested)
	o := digested
	o.Delta = true
	p.wire = lines(panel(20)...)
	require.Equal(t, lines("(~ 1 changed since revision 1, now revision 2)",
		`~ drawn again as before, with new refs: button "vm" @e10 (was @e2), link "0 B/s" @e14 (was @e6)`),
		take(t, refs, p, o).Text())

	p.wire = lines(panel(30, "0\tbutton\t90\tUndo")...)
	require.Equal(t, lines("(+ 1 appeared, ~ 1 changed since revision 2, now revision 3)", `+ button "Undo" @e26`,
		`~ drawn again as before, with new refs: button "vm" @e18 (was @e10), link "0 B/s" @e22 (was @e14)`),
		take(t, refs, p, o).Text())

	// The value of a row is another one.
	again := panel(40, "0\tbutton\t90\tUndo")
	p.wire = strings.ReplaceAll(lines(again...), "32m", "33m")
	require.NotContains(t, take(t, refs, p, o).Text(), "\n- ")

	// What is in a part that is new is told with it.
	p.wire = lines("0\tregion\t91\tNew", "1\tbutton\t92\tvm")
	require.Contains(t, take(t, refs, p, o).Text(), "+ region \"New\" @e35\n  + button \"vm\" @e36")
}

// Buttons with one name in rows are those of the rows with the same texts, wherever the page puts these. Where none of
// the rows is left, what came is told with its row.
func TestDeltaOfRowsThatAreSorted(t *testing.T) {
	t.Parallel()
	table := func(from int, names ...string) (all []string) {
		for i, name := range names {
			token := strconv.Itoa(from + 10*i)
			all = append(all, "0\trow\t"+token+"0\t", "1\tcell\t"+token+"1\t"+name, "2\tStaticText\t\t"+name,
				"1\tcell\t"+token+"2\tMenu", "2\tbutton\t"+token+"3\tMenu")
		}
		return all
	}
	refs := NewRefs()
	p := newPage(table(100, "Ann", "Bob", "Cy")...)
	take(t, refs, p, digested)
	o := digested
	o.Delta = true
	p.wire = lines(table(200, "Cy", "Ann", "Bob")...)
	require.Contains(t, take(t, refs, p, o).Text(), `button "Menu" @e16 (was @e12), button "Menu" @e20 (was @e4)`)
	p.wire = lines(table(300, "Dee", "Eve", "Flo")...)
	text := take(t, refs, p, o).Text()
	require.NotContains(t, text, "drawn again")
	require.Contains(t, text, "Dee")
}

// A delta lists the first lines of what was removed, and counts the rest.
func TestDeltaOfALongEnd(t *testing.T) {
	t.Parallel()
	refs := NewRefs()
	all := []string{"0\tbutton\t1\tOpen"}
	for i := range 40 {
		all[0] += "\n0\tbutton\t" + strconv.Itoa(100+i) + "\tTool " + strconv.Itoa(i)
	}
	for i := range 30 {
		all = append(all, "0\t"+[]string{"textbox", "button"}[i%2]+"\t"+strconv.Itoa(10+i)+"\tPart "+strconv.Itoa(i))
	}
	p := newPage(all...)
	take(t, refs, p, digested)
	o := digested
	o.Delta = true
	p.wire = all[0]
	text := take(t, refs, p, o).Text()
	require.Equal(t, 10, strings.Count(text, "\n")+1, text)
	require.Contains(t, text, "- and 22 more lines of what is gone")
}

// The effect of an action says what has the focus now: what lost it needs no line.
func TestDeltaOfTheFocus(t *testing.T) {
	t.Parallel()
	refs := NewRefs()
	p := newPage("0\ttextbox\t1\tName\tfocused=true", "0\ttextbox\t2\tMail")
	take(t, refs, p, digested)
	o := digested
	o.Delta = true
	p.wire = lines("0\ttextbox\t1\tName", "0\ttextbox\t2\tMail\tfocused=true")
	require.Equal(t,
		lines("(~ 1 changed since revision 1, now revision 2)", `~ textbox "Mail" @e2 [focused] (was: textbox "Mail" @e2)`),
		take(t, refs, p, o).Text())
	p.wire = lines("0\ttextbox\t1\tName", "0\ttextbox\t2\tMail")
	require.Equal(t, "(only the focus moved since revision 2, now revision 3)", take(t, refs, p, o).Text())
}
