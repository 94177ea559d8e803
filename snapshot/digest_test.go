package snapshot

import (
	"strconv"
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
			[]string{
				"0\tcombobox\t1\tCountry\texpanded=false\tvalue=Norway", "1\toption\t2\tNorway\tselected=true",
				"1\toption\t3\tSweden",
			},
			[]string{`- combobox "Country" @e1 [options="Norway | Sweden"]: Norway`},
		},
		"a long list": {
			append([]string{"0\tcombobox\t99\tCountry\texpanded=false"}, options(40)...),
			[]string{`- combobox "Country" @e1 [40 options]`},
		},
		"an open list": {
			[]string{"0\tcombobox\t1\tCountry\texpanded=true", "1\toption\t2\tNorway"},
			[]string{`- combobox "Country" @e1 [expanded=true]`, `  - option "Norway" @e2`},
		},
		"covered controls": {
			[]string{
				"0\tbutton\t1\tSave\tcovered=9", "0\tbutton\t2\t\tinferred=plus\tcovered=9",
				"0\tbutton\t3\tUndo\tdisabled=true\tcovered=9", "0\tbutton\t4\tHelp",
				"0\tbutton\t5\tClose\tcovered=8", "0\tbutton\t9\tOver all",
				"0\ttextbox\t7\tEditor content\tunseen=size\tcovered=9", "0\ttextbox\t10\tRest\tunseen=part\tcovered=9",
			},
			[]string{
				`- buttons [covered by @e6]: "Save" @e1, @e2 [inferred="plus"], "Undo" @e3 [disabled]`, `- button "Help" @e4`,
				`- button "Close" @e5 [covered]`, `- button "Over all" @e6`,
				`- textbox "Editor content" @e7 [unseen]`, `- textbox "Rest" @e8 [partly unseen, covered by @e6]`,
			},
		},
		"a row": {
			[]string{
				"0\trow\t\t", "1\tcell\t1\t1042", "2\t" + text("1042"), "1\tcell\t2\tAnn", "2\tlink\t3\tAnn",
				"1\tcell\t4\tEdit", "2\tbutton\t5\tEdit",
			},
			[]string{`- row: 1042`, `  - link "Ann" @e3`, `  - button "Edit" @e5`},
		},
		"cells that say more than what is in them": {
			[]string{
				"0\trow\t\t", "1\tgridcell\t1\tMay 1, 2026", "1\tgridcell\t2\tMay 2, 2026", "2\tbutton\t3\tMeet Ann",
				"3\t" + text("Meet Ann"),
				"0\trow\t\t", "1\tgridcell\t4\t3", "2\tbutton\t5\t3", "1\tgridcell\t6\t4", "2\tbutton\t7\t4",
			},
			[]string{
				`- row: Meet Ann`, `  - gridcell "May 1, 2026" @e1`, `  - gridcell "May 2, 2026" @e2`,
				`    - button "Meet Ann" @e3`, `- buttons: "3" @e5, "4" @e7`,
			},
		},
		"cells that hold something to click with the same name": {
			[]string{
				"0\trow\t\t", "1\tcolumnheader\t1\tID", "2\tgeneric\t2\tID\thints=cursor:pointer", "3\t" + text("ID"),
				"1\tcolumnheader\t3\tPrice", "2\t" + text("Price"),
			},
			[]string{`- row: ID · Price`, `  - clickable "ID" @e2`},
		},
		"a cell that is only named": {
			[]string{"0\trow\t\t", "1\tcell\t1\tPaid", "1\tcell\t2\tEdit", "2\tbutton\t3\tEdit"},
			[]string{`- row: Paid`, `  - button "Edit" @e3`},
		},
		"texts that were not looked at": {
			[]string{
				"0\tmain\t9\t\tspare=true", "1\trow\t\t", "2\tcell\t1\tPaid", "3\t" + text("") + "\tlong=true",
				"2\tcell\t2\tPaid Obey\tunseen=part",
				"3\t" + text("") + "\tlong=true", "2\tcell\t3\tEdit", "3\tbutton\t4\tEdit",
				"1\talert\t\t", "2\t" + text("") + "\tlong=true", "1\tbutton\t5\t", "1\t" + text("") + "\tlong=true",
				"1\t" + text("") + "\tlong=true",
			},
			[]string{`- (3 texts omitted: snapshot -s @e6)`, `- row: Paid`, `  - button "Edit" @e4`, `- button @e5`},
		},
		"cards": {
			[]string{
				"0\titem\t\t", "1\t" + text("Shoes"), "1\t" + text("$5"), "1\tbutton\t1\tAdd", "0\titem\t\t",
				"1\tbutton\t2\tAdd",
			},
			[]string{`- item: Shoes · $5`, `  - button "Add" @e1`, `- button "Add" @e2`},
		},
		"cards in cards": {
			[]string{
				"0\titem\t\t", "1\t" + text("Shop"), "1\titem\t\t", "2\t" + text("Shoes"), "2\tbutton\t1\tAdd",
				"1\titem\t\t", "2\t" + text("Hats"), "2\tbutton\t2\tAdd",
			},
			[]string{`- text: Shop`, `- item: Shoes`, `  - button "Add" @e1`, `- item: Hats`, `  - button "Add" @e2`},
		},
		"lines that are joined": {
			[]string{
				"0\tlink\t1\tHome", "0\tlink\t2\tSay \"hi\"\tcurrent=page", "0\tbutton\t3\tGo", "0\tradio\t4\tA\tchecked=true",
				"0\tradio\t5\tB\tchecked=false",
				"0\theading\t6\tOne\tlevel=2", "0\theading\t7\tTwo\tlevel=2", "0\theading\t8\tThree\tlevel=3",
				"0\tgeneric\t9\tCard\thints=onclick",
				"0\tnone\t10\t\thints=listener", "0\ttab\t11\tOld\tlooks=selected", "0\ttab\t12\tNew\tlooks=hacked",
				"0\ttextbox\t13\tCode", "0\ttextbox\t14\tName",
			},
			[]string{
				`- links: "Home" @e1, "Say \"hi\"" @e2 [current=page]`, `- button "Go" @e3`,
				`- radios: "A" @e4 [checked=true], "B" @e5`,
				`- h2: "One" @e6, "Two" @e7`, `- h3 "Three" @e8`, `- clickable: "Card" @e9, @e10`,
				`- tabs: "Old" @e11 [looks selected], "New" @e12`,
				`- textbox "Code" @e13`, `- textbox "Name" @e14`,
			},
		},
		"lines that are not joined": {
			[]string{
				"0\tnavigation\t90\t\tspare=true", "1\tlink\t1\tHome", "0\tlink\t2\tNews", "0\tlink\t3\tUnder\tcovered=0",
				"0\tlink\t4\tHidden\tunseen=size",
				"0\tlink\t5\t" + strings.TrimSpace(strings.Repeat("long ", 20)), "0\tlink\t6\tWith", "1\tbutton\t7\tInner",
				"0\tlink\t8\tLast",
			},
			[]string{
				`- link "Home" @e1`, `- link "News" @e2`, `- link "Under" @e3 [covered]`, `- link "Hidden" @e4 [unseen]`,
				`- link "` + strings.TrimSpace(strings.Repeat("long ", 20)) + `" @e5`, `- link "With" @e6`,
				`  - button "Inner" @e7`, `- link "Last" @e8`,
			},
		},
		"what only repeats a control": {
			[]string{
				"0\tgeneric\t1\tSave\thints=listener", "1\tbutton\t2\tSave", "0\tgeneric\t3\tSave all\thints=listener",
				"1\ttextbox\t4\tSave",
				"0\tgeneric\t5\tGone\thints=listener", "1\tbutton\t6\tGone\tdisabled=true", "0\tlink\t7\tThe news of today",
				"1\theading\t8\tThe news\tlevel=3",
			},
			[]string{
				`- button "Save" @e2`, `- clickable "Save all" @e3`, `  - textbox "Save" @e4`, `- clickable "Gone" @e5`,
				`  - button "Gone" @e6 [disabled]`,
				`- link "The news of today" @e7`,
			},
		},
		"a canvas": {
			[]string{"0\tpicture\t1\tSales by month\tspare=true", "0\tlink\t2\tMore"},
			[]string{`- (canvas "Sales by month", a picture: screenshot @e2)`, `- link "More" @e1`},
		},
		"a menu": {
			[]string{
				"0\tbutton\t1\tOptions\texpanded=true\topens=7", "0\tbutton\t2\tHelp\texpanded=true\topens=99",
				"0\tmenu\t7\tOptions\tspare=true",
				"1\tmenuitem\t3\tRename",
			},
			[]string{
				`- menu "Options" @e4 [opened by @e1]`, `  - menuitem "Rename" @e3`, `(beside the popup:)`,
				`- buttons: "Options" @e1 [expanded=true, opens @e4], "Help" @e2 [expanded=true]`,
			},
		},
		"what a dialog covers": {
			[]string{
				"0\tnavigation\t90\t\tspare=true", "1\tlink\t1\tHome", "0\t" + text("Some"), "0\trow\t\t", "1\t" + text("1042"),
				"1\tbutton\t2\tEdit", "0\tdialog\t7\tSure?\tspare=true",
				"1\tbutton\t3\tYes", "0\talert\t8\t\tspare=true", "1\t" + text("Failed"), "0\tbehind\t7\t2\tspare=true",
			},
			[]string{`- alert: Failed`, `- button "Yes" @e3`, "(2 controls behind the modal dialog: covered until it closes)"},
		},
		"what a dialog that is gone covers": {
			[]string{"0\tlink\t1\tHome", "0\tbehind\t7\t2\tspare=true"},
			[]string{`- link "Home" @e1`},
		},
		"controls that assistive technology does not get": {
			[]string{
				"0\tlink\t1\tHome", "0\tunheard\t\t5", "1\tbutton\t7\tClear\tspare=true",
				"1\tgeneric\t8\t\tspare=true\thints=listener", "1\tlink\t9\tMore\tspare=true",
				"0\tunheard\t\t1", "1\tbutton\t10\tIn a frame\tspare=true",
			},
			[]string{
				`- link "Home" @e1`,
				`(6 controls hidden from assistive technology: button "Clear" @e2, clickable @e3, link "More" @e4, button "In a frame" @e5, 2 others)`,
			},
		},
		"players": {
			[]string{
				"0\tvideo\t7\tTour\tspare=true", "1\tbutton\t1\tplay", "0\taudio\t8\t\tspare=true", "1\tbutton\t2\tplay",
				"0\tvideo\t9\t\tspare=true", "1\t" + text("No sound"),
			},
			[]string{`- video "Tour"`, `  - button "play" @e1`, `- audio`, `  - button "play" @e2`, "- text: No sound"},
		},
		"messages": {
			[]string{
				"0\tmain\t7\t\tspare=true", "1\t" + text("One"), "1\t" + text("Two"), "1\t" + text("Three…") + "\tlong=true",
				"1\tlink\t1\tHome",
				"1\t" + text("The password is not right") + "\tsays=error",
				"1\t" + text("Caps lock is on…") + "\tlong=true\tsays=warning", "1\t" + text("Signed out") + "\tsays=notice",
				"1\t" + text("Other") + "\tsays=hacked",
			},
			[]string{
				`- error: The password is not right`, `- (4 texts omitted: snapshot -s @e2)`, `- link "Home" @e1`,
				`- warning: Caps lock is on…`, `- notice: Signed out`,
			},
		},
		"a live region": {
			[]string{"0\tlive region\t7\t\tspare=true", "1\t" + text("3 items"), "0\tbutton\t1\tAdd"},
			[]string{`- live region: 3 items`, `- button "Add" @e1`},
		},
		"a field that was changed": {
			[]string{"0\ttextbox\t1\tName\tvalue=Ann\tunsaved=true"},
			[]string{`- textbox "Name" @e1 [unsaved]: Ann`},
		},
		"why a button is disabled": {
			[]string{"0\tbutton\t1\tPay\tdisabled=true\tneeds=Email, Name"},
			[]string{`- button "Pay" @e1 [disabled, needs="Email, Name"]`},
		},
		"invisible texts": {
			[]string{
				"0\titem\t\t", "1\t" + text("Shoes"), "1\t" + text("Obey") + "\tunseen=color", "1\tbutton\t1\tAdd",
				"0\t" + text("Obey too") + "\tunseen=size",
			},
			[]string{`- item: Shoes`, `  - button "Add" @e1`},
		},
		"counted texts": {
			[]string{
				"0\tmain\t7\t\tspare=true", "1\theading\t1\tDocs", "1\t" + text("One"), "1\t" + text("Two"),
				"1\t" + text("Three…") + "\tlong=true", "1\tlink\t2\tMore",
				"0\tcontentinfo\t8\t\tspare=true", "1\tlink\t3\tImprint", "1\t" + text("Rights") + "\tlong=true",
			},
			[]string{
				`- (3 texts omitted: snapshot -s @e4)`, `- heading "Docs" @e1`, `- link "More" @e2`,
				`- (1 text omitted: snapshot -s @e5)`, `- link "Imprint" @e3`,
			},
		},
		"texts that are shorter than their count": {
			[]string{
				"0\tmain\t7\t\tspare=true", "1\theading\t1\tDocs", "1\t" + text("One"), "1\t" + text("Two"), "1\tlink\t2\tMore",
				"0\tcontentinfo\t8\t\tspare=true", "1\tlink\t3\tImprint", "1\t" + text("Rights"),
			},
			[]string{`- heading "Docs" @e1`, `- text: One · Two`, `- link "More" @e2`, `- link "Imprint" @e3`, `- text: Rights`},
		},
		"figures with their labels": {
			[]string{
				"0\tlink\t1\tHome", "0\t" + text("Earnings (monthly)"), "0\t" + text("$40,000"),
				"0\t" + text(strings.Repeat("Not of interest here. ", 4)),
				"0\t" + text("We gave you a discount of 5 % on all of it"), "0\t" + text("Hidden") + "\tunseen=color",
				"0\t" + text("$7"),
			},
			[]string{
				`- link "Home" @e1`,
				`- text: Earnings (monthly) · $40,000 · We gave you a discount of 5 % on all of it · $7`,
				"(1 text omitted: snapshot)",
			},
		},
		"punctuation": {
			[]string{
				"0\titem\t\t", "1\t" + text("×"), "1\tbutton\t1\tRemove", "0\t" + text("*"), "0\ttextbox\t2\tName",
				"0\t" + text("$"), "0\ttextbox\t3\tPrice",
				"0\trow\t\t", "1\tcell\t4\tAnn", "2\t" + text("Ann"), "1\tcell\t5\t–", "2\t" + text("–"), "1\tcell\t6\tEdit",
				"2\tbutton\t7\tEdit",
			},
			[]string{
				`- button "Remove" @e1`, `- textbox "Name" @e2`, `- text: $`, `- textbox "Price" @e3`, `- row: Ann · –`,
				`  - button "Edit" @e7`,
			},
		},
		"cells to act on": {
			[]string{
				"0\trow\t\t", "1\tcolumnheader\t1\tName: sort\thints=onclick", "2\t" + text("↑ Name ↓"),
				"1\tcolumnheader\t2\tAge: sort\thints=onclick", "2\t" + text("Age"),
				"0\trow\t\t", "1\tgridcell\t3\tAnn", "2\t" + text("Ann"), "1\tgridcell\t4\t42", "2\t" + text("42"),
				"0\trow\t\t", "1\tgridcell\t5\tBob", "2\t" + text("Bob"), "1\tcell\t6\tnew", "2\t" + text("new"),
			},
			[]string{
				`- row`, `  - columnheaders [clickable]: "Name: sort" @e1, "Age: sort" @e2`, `- row`,
				`  - gridcells: "Ann" @e3, "42" @e4`, `- row: new`, `  - gridcell "Bob" @e5`,
			},
		},
		"rows that take the click": {
			[]string{
				"0\trow\t1\t1042 Ann $5\thints=onclick", "1\tcell\t2\t1042", "1\tcell\t3\tAnn", "1\tcell\t4\t$5",
				"0\trow\t5\t1043 Bob Edit own sly\thints=cursor:pointer", "1\tcell\t6\t1043", "1\tcell\t7\tBob Edit",
				"2\t" + text("Bob"), "2\tbutton\t8\tEdit",
				"1\tcell\t9\town\thints=onclick", "1\tcell\t10\tsly\tunseen=color", "1\tgridcell\t11\tplain",
				"1\tgridcell\t12\tchosen\tselected=true",
				"0\trow\t13\tBy keys\thints=tabindex", "1\tgridcell\t14\tBy keys",
				"0\trow\t15\t\thints=onclick", "1\tcell\t16\t", "2\tcheckbox\t17\tAll",
			},
			[]string{
				`- row @e1 clickable: 1042 · Ann · $5`, `- row @e5 clickable: 1043 · Bob · plain`, `  - button "Edit" @e8`,
				`  - cell "own" @e9 clickable`,
				`  - cell "sly" @e10 [unseen]`, `  - gridcell "chosen" @e12 [selected]`, `- row "By keys" @e13 focusable`,
				`  - gridcell "By keys" @e14`,
				`- row @e15 clickable`, `  - cell @e16`, `    - checkbox "All" @e17`,
			},
		},
		"items that take the click": {
			[]string{
				"0\tlistitem\t1\tMail 1 From Ann Tomorrow\tlevel=1\thints=onclick", "1\t" + text("Mail 1"),
				"1\t" + text("From Ann") + "\tunseen=size", "1\t" + text("Tomorrow"),
				"0\tlistitem\t2\tMail 2 Del\tlevel=1\thints=onclick", "1\t" + text("Mail 2"), "1\tbutton\t3\tDel",
			},
			[]string{`- listitem @e1 clickable: Mail 1 · Tomorrow`, `- listitem @e2 clickable: Mail 2`, `  - button "Del" @e3`},
		},
		"cells that take the click": {
			[]string{
				"0\trow\t\t", "1\trowheader\t1\tNo\thints=onclick", "1\tcell\t2\t1042\thints=onclick",
				"1\tcell\t3\tAnn\thints=onclick",
			},
			[]string{`- row`, `  - rowheader "No" @e1 clickable`, `  - cells [clickable]: "1042" @e2, "Ann" @e3`},
		},
		"what all controls of a line have": {
			[]string{
				"0\tbutton\t1\tFile\texpanded=false", "0\tbutton\t2\tEdit\texpanded=false",
				"0\tlink\t3\tOne\tunseen=size\tcurrent=page", "0\tlink\t4\tTwo\tunseen=size\tcurrent=page",
				"0\tbutton\t5\tUndo\tdisabled=true", "0\tbutton\t6\tRedo",
			},
			[]string{
				`- buttons [collapsed]: "File" @e1, "Edit" @e2`, `- links [current=page, unseen]: "One" @e3, "Two" @e4`,
				`- buttons: "Undo" @e5 [disabled], "Redo" @e6`,
			},
		},
		"characters of icon fonts": {
			[]string{
				"0\tlink\t1\t\uf015 Home \uf107", "0\tbutton\t2\t\uf0c9\tinferred=menu", "0\t" + text("\uf002"),
				"0\ttextbox\t3\tSearch", "0\t" + text("Right \uf054"), "0\ttextbox\t4\tOther",
			},
			[]string{
				`- link "Home" @e1`, `- button @e2 [inferred="menu"]`, `- textbox "Search" @e3`, `- text: Right`,
				`- textbox "Other" @e4`,
			},
		},
		"what repeats the lines in it": {
			[]string{
				"0\tlink\t1\tOn exploration What is next", "1\theading\t2\tOn exploration\tlevel=2",
				"1\theading\t3\tWhat is next\tlevel=3",
				"0\tgeneric\t4\tGET /orders List orders Copy path to clipboard\thints=listener",
				"1\tbutton\t5\tGET /orders List orders", "1\tbutton\t6\tCopy path to clipboard",
				"0\tgeneric\t7\tA Aigars Silkalns Admin And more Profile More options\thints=listener",
				"1\tbutton\t8\tAigars Silkalns Admin And more Profile", "1\tbutton\t9\tMore options",
				"0\tlist\t10\tNew message from Laura 13 minutes ago New album by Tra\thints=listener",
				"1\tlink\t11\tNew message from Laura 13 minutes ago", "1\tlink\t12\tNew album by Travis Scott",
				"0\tradio\t13\tSmall\tchecked=true", "1\tgeneric\t14\tSmall\thints=cursor:pointer",
				"0\tradio\t15\tLarge\tdisabled=true", "1\tgeneric\t16\tLarge\thints=cursor:pointer",
				"0\ttab\t17\tGeneral", "1\tgeneric\t18\t\thints=onclick", "0\tgeneric\t19\tTerms\thints=cursor:pointer",
				"1\tcheckbox\t20\t\tinferred=terms",
				"0\tlist\t21\tItem 1 Item 2\thints=listener", "1\t" + text("Item 1"), "1\t" + text("Item 2"),
			},
			[]string{
				`- link "On exploration What is next" @e1`, `- clickable @e4`,
				`  - buttons: "GET /orders List orders" @e5, "Copy path to clipboard" @e6`,
				`- clickable "A Aigars Silkalns Admin And more Profile…" @e7`,
				`  - buttons: "Aigars Silkalns Admin And more Profile" @e8, "More options" @e9`,
				`- list @e10 clickable`,
				`  - links: "New message from Laura 13 minutes ago" @e11, "New album by Travis Scott" @e12`,
				`- radio "Small" @e13 [checked=true]`, `- radio "Large" @e15 [disabled]`, `  - clickable "Large" @e16`,
				`- tab "General" @e17`, `  - clickable @e18`, `- checkbox @e20 [inferred="terms"]`,
				`- list "Item 1 Item 2" @e21 clickable`,
			},
		},
		"what only clicks a labeled control": {
			[]string{
				"0\tLabelText\t1\tTeam\tclicks=2\thints=cursor:pointer", "1\tradio\t2\tTeam\tchecked=true",
				"1\tgeneric\t3\t\tclicks=2\thints=cursor:pointer",
				"0\tLabelText\t4\tPublic\tclicks=5\thints=cursor:pointer", "1\tradio\t5\tPublic\tcovered=0",
				"0\tLabelText\t6\tFile\tclicks=99\thints=cursor:pointer",
				"0\tLabelText\t7\tAll\tclicks=8\thints=onclick", "1\tcheckbox\t8\tAll\tchecked=false",
			},
			[]string{
				`- radio "Team" @e2 [checked=true]`, `- LabelText "Public" @e4 clickable`, `  - radio "Public" @e5 [covered]`,
				`- LabelText "File" @e6 clickable`,
				`- LabelText "All" @e7 clickable`, `  - checkbox "All" @e8`,
			},
		},
		"parts of dates": {
			[]string{
				"0\tDate\t1\tStart", "1\tspinbutton\t2\tMonth\tvalue=0", "1\tspinbutton\t3\tDay\tvalue=0",
				"1\tbutton\t4\tShow date picker",
				"0\tDate\t5\tEnd", "1\tspinbutton\t6\tMonth\tvalue=2", "1\tspinbutton\t7\tDay\tvalue=0",
				"0\tDate\t8\tDue\tvalue=2026-02-03", "1\tspinbutton\t9\tMonth\tvalue=2", "1\tspinbutton\t10\tDay\tvalue=3",
			},
			[]string{
				`- Date "Start" @e1 [3 parts]`, `- Date "End" @e5`, `  - spinbutton "Month" @e6: 2`, `  - spinbutton "Day" @e7: 0`,
				`- Date "Due" @e8 [2 parts]: 2026-02-03`,
			},
		},
		"headings that are links": {
			[]string{
				"0\theading\t1\tAuthor\tlevel=4", "1\tlink\t2\tAuthor", "0\tlink\t3\tReply", "0\theading\t4\tBy Ann\tlevel=3",
				"1\tlink\t5\tAnn",
			},
			[]string{`- links: "Author" @e2 [h4], "Reply" @e3`, `- h3 "By Ann" @e4`, `  - link "Ann" @e5`},
		},
		"texts that matter": {
			[]string{
				"0\tstatus\t9\t\tspare=true", "1\t" + text("Saved"), "0\talert\t8\t\tspare=true",
				"1\t" + text("It is long…") + "\tlong=true",
				"0\tregion\t1\tInvoices", "1\t" + text("No invoices yet"), "0\theading\t2\tPay", "0\t" + text("Share: 5 %"),
				"0\theading\t3\tNow",
				"0\t" + text("Up to 3 letters"), "0\ttextbox\t4\tCode", "0\t" + text("Code"),
			},
			[]string{
				`- alert: It is long…`, `- status: Saved`, `- region "Invoices" @e1`, `  - text: No invoices yet`,
				`- heading "Pay" @e2`,
				`- text: Share: 5 %`, `- heading "Now" @e3`, `- text: Up to 3 letters`, `- textbox "Code" @e4`,
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
			requireTyped(t, s)
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
	wire := []string{
		"0\tcombobox\t1\tSize\texpanded=false", "1\toption\t2\tS", "0\titem\t\t", "1\tStaticText\t\tShoes",
		"1\tbutton\t3\tAdd",
	}
	data := take(t, NewRefs(), newPage(wire...), digested).Typed().(Data)
	require.Equal(t, take(t, NewRefs(), newPage(wire...), interactive).Text(), data.Snapshot)
}

// A place that has a ref only for what is omitted in it is not a line of a later comparison.
func TestDigestInDelta(t *testing.T) {
	t.Parallel()
	refs := NewRefs()
	p := newPage("0\tmain\t7\t\tspare=true", "1\tlink\t1\tA", "1\tStaticText\t\tOne", "1\tStaticText\t\tTwo",
		"1\tStaticText\t\tThree…\tlong=true")
	o := digested
	o.Delta = true
	require.Contains(t, take(t, refs, p, o).Text(), "(3 texts omitted: snapshot -s @e2)")
	require.Contains(t, take(t, refs, p, o).Text(), "unchanged")
}

// What is left out of a digest is found by its ref, and by a search.
func TestDigestFinds(t *testing.T) {
	t.Parallel()
	refs := NewRefs()
	p := newPage("0\tmain\t7\t\tspare=true", "1\tcombobox\t1\tSize\texpanded=false", "2\toption\t2\tSmall",
		"1\tlink\t3\tA", "1\tStaticText\t\tOne", "1\tStaticText\t\tTwo", "1\tStaticText\t\tThree…\tlong=true")
	require.Contains(t, take(t, refs, p, digested).Text(), "(3 texts omitted: snapshot -s @e4)")
	ref, err := refs.Lookup("@e4")
	require.NoError(t, err)
	require.EqualValues(t, 7, ref.Token)
	require.Contains(t, take(t, refs, p, digested).Text(), "snapshot -s @e4)", "the place keeps its ref")
	o := digested
	o.Search.Text = "small"
	require.Contains(t, take(t, refs, p, o).Text(), `option "Small" @e2`)
}

// A navigation that a digest of another document has shown is one line.
func TestDigestOfKnownParts(t *testing.T) {
	t.Parallel()
	refs := NewRefs()
	nav := []string{"0\tnavigation\t90\t\tspare=true"}
	for i := range 6 {
		nav = append(nav, "1\tlink\t"+strconv.Itoa(i+1)+"\tPart "+strconv.Itoa(i+1))
	}
	shop := newPage(append(nav, "0\theading\t50\tShop\tlevel=1")...)
	require.Contains(t, take(t, refs, shop, digested).Text(), `"Part 6" @e6`)
	require.Contains(t, take(t, refs, shop, digested).Text(), `"Part 6" @e6`, "again in full, of the same document")

	orders := newPage(append(nav, "0\theading\t50\tOrders\tlevel=1")...)
	orders.doc, orders.url = "d2", "https://a.test/orders"
	require.Equal(t, lines("- (same 6 links as on /: snapshot -i -s @e15)", `- h1 "Orders" @e14`),
		take(t, refs, orders, digested).Text())
	require.Contains(t, take(t, refs, orders, digested).Text(), "same 6 links as on /:")

	other := newPage(append(nav[:6:6], "1\tlink\t7\tNew", "0\theading\t50\tOther\tlevel=1")...)
	other.doc = "d3"
	require.Contains(t, take(t, refs, other, digested).Text(), `"New" @`)

	form := newPage(append(nav, "1\tsearchbox\t60\tSearch")...)
	for _, doc := range []string{"d4", "d5"} {
		form.doc = doc
		require.Contains(t, take(t, refs, form, digested).Text(), `searchbox "Search"`, "what has a field is always shown")
	}
}

// A navigation that did not fit into the budget was not shown, so it is not what a later digest refers to.
func TestDigestOfKnownPartsThatWereCut(t *testing.T) {
	t.Parallel()
	refs := NewRefs()
	wire := []string{"0\tmain\t70\t\tspare=true"}
	for i := range 40 {
		wire = append(wire, "1\ttextbox\t"+strconv.Itoa(100+i)+"\tField "+strconv.Itoa(i))
	}
	wire = append(wire, "0\tnavigation\t90\t\tspare=true")
	for i := range 30 {
		wire = append(wire, "1\tlink\t"+strconv.Itoa(i+1)+"\tPart "+strconv.Itoa(i+1))
	}
	small := digested
	small.MaxTokens = 300
	require.NotContains(t, take(t, refs, newPage(wire...), small).Text(), `"Part 30" @`)
	next := newPage(wire...)
	next.doc = "d2"
	require.Contains(t, take(t, refs, next, digested).Text(), `"Part 30" @`)
	next.doc = "d3"
	require.Contains(t, take(t, refs, next, digested).Text(), `same 30 links as on`)
}

// What has announced something since the last look comes first.
func TestDigestOfAnnouncements(t *testing.T) {
	t.Parallel()
	refs := NewRefs()
	with := func(status, alert string) *page {
		wire := []string{"0\tlink\t1\tHome", "0\tstatus\t8\t\tspare=true"}
		if status != "" {
			wire = append(wire, "1\tStaticText\t\t"+status)
		}
		wire = append(wire, "0\tlink\t2\tMore", "0\talert\t9\t\tspare=true")
		if alert != "" {
			wire = append(wire, "1\tStaticText\t\t"+alert)
		}
		return newPage(append(wire, "0\tbutton\t3\tSave")...)
	}
	for _, step := range []struct {
		status, alert string
		want          []string
	}{
		{"2 items", "", []string{`- link "Home" @e1`, `- status: 2 items`, `- link "More" @e2`, `- button "Save" @e3`}},
		{"3 items", "", []string{`- status: 3 items`, `- link "Home" @e1`, `- link "More" @e2`, `- button "Save" @e3`}},
		{
			"3 items", "No room",
			[]string{`- alert: No room`, `- link "Home" @e1`, `- status: 3 items`, `- link "More" @e2`, `- button "Save" @e3`},
		},
		{
			"3 items", "No room",
			[]string{`- link "Home" @e1`, `- status: 3 items`, `- link "More" @e2`, `- alert: No room`, `- button "Save" @e3`},
		},
	} {
		require.Equal(t, lines(step.want...), take(t, refs, with(step.status, step.alert), digested).Text())
	}
	fresh := with("", "No room")
	fresh.doc = "d2"
	require.True(t, strings.HasPrefix(take(t, refs, fresh, digested).Text(), "- alert: No room\n"))
}
