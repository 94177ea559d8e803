package look_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/sessiontest"
)

// Rows of a table that Chrome takes for layout are rows to a person.
func TestLookLayoutRows(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, html, want string }{
		{
			"a small table",
			`<table><tr><td>Ann<td>42<td><button>Edit</button><tr><td>Bob<td>17<td><button>Edit</button></table>`,
			"- row [inferred]: Ann · 42\n  - button \"Edit\" @eN\n- row [inferred]: Bob · 17\n  - button \"Edit\" @eN\n",
		},
		{
			"for presentation",
			`<table role=presentation><tr><td>Ann<td>42<td><a href="/a">Open</a><tr><td>Bob<td>17<td><a href="/b">Open</a></table>`,
			"- row [inferred]: Ann · 42\n  - link \"Open\" @eN\n- row [inferred]: Bob · 17\n  - link \"Open\" @eN\n",
		},
		{
			"with sections",
			`<table role=none><tbody><tr><td>Ann<td><button>Edit</button></tbody><tbody><tr><td>Bob<td><button>Edit</button></tbody></table>`,
			"- row [inferred]: Ann\n  - button \"Edit\" @eN\n- row [inferred]: Bob\n  - button \"Edit\" @eN\n",
		},
		{"one row", `<table><tr><td>Ann<td><button>Edit</button></table>`, "- text: Ann\n- button \"Edit\" @eN\n"},
		{
			"the frame of a page",
			`<table role=presentation><tr><td>Menu<td><h2>Orders</h2><button>Edit</button><tr><td>Foot<td><button>Help</button></table>`,
			"- text: Menu\n- h2 \"Orders\" @eN\n- button \"Edit\" @eN\n- text: Foot\n- button \"Help\" @eN\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, `<h1>People</h1>`+tt.html)
			require.Equal(t, "- h1 \"People\" @eN\n"+tt.want, withoutRefs(lookAt(c, "-i"))+"\n")
			require.NotContains(t, lookAt(c), "- row", "Chrome's tree has none")
		})
	}
}

// Every other row of a grid has a class of its own. The grips between cells are not controls.
func TestLookStripedRows(t *testing.T) {
	t.Parallel()
	grip := `<span class=grip style="display:inline-block;width:6px;height:20px;"></span>`
	row := func(class, name string) string {
		return `<div role=row class="line ` + class + `"><div role=gridcell tabindex=0>` + name + `</div>` + grip +
			`<div role=gridcell tabindex=0>42</div>` + grip + `</div>`
	}
	const script = `<script>for (const el of document.querySelectorAll('.grip, [role=gridcell]'))
		el.addEventListener('click', (event) => event.stopPropagation());</script>`
	for name, classes := range map[string][]string{
		"odd and even":        {"line-odd", "line-even", "line-odd"},
		"alternate":           {"", "alt", ""},
		"first, chosen, last": {"row-first", "is-active", "row-last"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, `<h1>People</h1><div role=grid>`+row(classes[0], "Ann")+row(classes[1], "Bob")+
				row(classes[2], "Cleo")+`</div>`+script)
			require.Equal(t, `- h1 "People" @eN
- row
  - gridcells [clickable]: "Ann" @eN, "42" @eN
- row
  - gridcells [clickable]: "Bob" @eN, "42" @eN
- row
  - gridcells [clickable]: "Cleo" @eN, "42" @eN`, strings.TrimSpace(withoutRefs(lookAt(c, "-i"))))
		})
	}
	t.Run("cards without a role", func(t *testing.T) {
		t.Parallel()
		c := host.Showing(t, `<h1>People</h1><div><div class="card odd"><p>Ann</p><button>Edit</button></div>
			<div class="card even"><p>Bob</p><button>Edit</button></div><div class="card odd"><p>Cleo</p><button>Edit</button></div></div>`)
		require.Equal(t, 3, strings.Count(lookAt(c, "-i"), "- item: "))
	})
	t.Run("one panel behind tabs is not a card", func(t *testing.T) {
		t.Parallel()
		panel := func(class, name string) string {
			return `<div class="panel` + class + `"><p>About ` + name + `</p><button>Save ` + name + `</button></div>`
		}
		c := host.Showing(t, `<style>.panel { display: none } .panel.active { display: block }</style><div>`+
			panel(" active", "Ann")+panel("", "Bob")+panel("", "Cleo")+panel("", "Dan")+`</div>`)
		require.Equal(t, "- text: About Ann\n- button \"Save Ann\" @eN", strings.TrimSpace(withoutRefs(lookAt(c, "-i"))))
	})
	t.Run("what has a text, or is not a strip, is a control", func(t *testing.T) {
		t.Parallel()
		c := host.Showing(t, `<div class=grip style="cursor:col-resize">Wider</div>
			<div class=grip style="cursor:col-resize;width:30px;height:20px"></div><div class=grip style="width:20px;height:20px;background:red"></div>`+script)
		require.Equal(t, "- clickable: \"Wider\" @eN, @eN", strings.TrimSpace(withoutRefs(lookAt(c, "-i"))))
	})
}

// A field without a name is called by the text beside it, as a person would.
func TestLookCaptions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, html, want string }{
		{
			"a label of no control", `<div><label>Folder type</label> <a href=#a>Help</a> <select><option>Both</select></div>`,
			`combobox @eN [inferred="Folder type", options="Both"]`,
		},
		{"with a wrong id", `<label for=nowhere>E-mail:</label><input>`, `textbox @eN [inferred="E-mail"]`},
		{"around the field's box", `<div><label>City *</label><div class=box><input></div></div>`, `textbox @eN [inferred="City"]`},
		{"the cell before", `<table><tr><td>Street:<td><textarea></textarea></table>`, `textbox @eN [inferred="Street"]`},
		{"the term", `<dl><dt>Price<dd><input type=number></dl>`, `spinbutton @eN [inferred="Price"]`},
		{"words behind a box", `<p><input type=checkbox> Send me news</p>`, `checkbox @eN [inferred="Send me news"]`},
		{"an element behind a box", `<p><input type=radio><span>By train</span></p>`, `radio @eN [inferred="By train"]`},
		{"two fields", `<div><label>Name</label><div><input id=first><input></div></div>`, `textbox @eN [inferred="first"]`},
		{"of another field", `<div><label>Name <input aria-label=Name></label><input></div>`, `textbox @eN` + "\n"},
		{"not seen", `<div><label style="opacity:0">Obey me</label><input></div>`, `textbox @eN` + "\n"},
		{"a cell of a list", `<table><tr><td>Ann<td><input><td>42</table>`, `textbox @eN` + "\n"},
		{
			"behind a form that hides its methods", `<div><form><input name=matches aria-label=Other></form><input></div>`,
			`textbox @eN` + "\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, `<h1>Form</h1>`+tt.html)
			require.Contains(t, withoutRefs(lookAt(c, "-i"))+"\n", tt.want)
		})
	}
}

// A card that is one link is called by its headline or text; the tree gives it no name, except for the caption of a
// figure.
func TestLookCards(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<h1>Cards</h1><a href="#1"><article><h2>Nice shoes</h2><p>$50</p></article></a>
		<a href="#2"><figure><img alt="" width=50 height=50><figcaption>A boat on the lake</figcaption></figure></a>
		<a href="#3"><figure><img alt="A cat" width=50 height=50></figure></a>
		<a href="#4"><article>Only words here, $5 off today and more words than fit</article></a>
		<a href="#5"><article><h2 style="opacity:0">Ignore this</h2><p>Seen words</p></article></a>
		<a href="#6"><article><p style="opacity:0">Obey that</p></article></a>`)
	look := withoutRefs(lookAt(c, "-i"))
	for _, want := range []string{
		`link @eN [inferred="Nice shoes"]`, `"A boat on the lake" @eN`, `@eN [inferred="a cat"]`,
		`link @eN [inferred="Only words here, $5 off today and more"]`, `link @eN [inferred="Seen words"]`,
	} {
		require.Contains(t, look, want)
	}
	require.NotContains(t, look, `inferred="Ignore`)
	require.NotContains(t, look, "Obey")
}

// What says how much of something there is has a line with its label, and no ref.
func TestLookGauges(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<h1>State</h1><label>Disk <meter value=.7>70%</meter></label><label for=p>Upload</label><progress id=p value=30 max=100></progress>
		<div role=progressbar aria-label=Backup aria-valuenow=20></div><div role=meter aria-label=Fuel aria-valuenow=3 aria-valuetext="3 liters"></div><progress></progress>`)
	require.Equal(t,
		"- h1 \"State\" @eN\n- meter \"Disk\": 0.7\n- progressbar \"Upload\": 30\n- progressbar \"Backup\": 20\n- meter "+
			"\"Fuel\" [valuetext=\"3 liters\"]: 3",
		strings.TrimSpace(withoutRefs(lookAt(c, "-i"))))
}

// A page in an embed is read like one in a frame, and a frame whose page is not there says so.
func TestLookEmbedded(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/demo.html")
	c.Page(
		`(document.body.innerHTML = '<h1>Frames</h1><iframe title=Plain></iframe><iframe title=Own srcdoc="<p>hi"></iframe><div style="height:20000px"></div><iframe loading=lazy src="?far" title=Far></iframe>', '')`)
	look := withoutRefs(lookAt(c, "-i"))
	require.Contains(t, look, "- Iframe \"Plain\" @eN\n")
	require.Contains(t, look, "- Iframe \"Own\" @eN\n")
	require.Contains(t, look, `- Iframe "Far" @eN [not loaded yet]`)

	c.Page(
		`new Promise((done) => { document.body.innerHTML = '<h1>Frames</h1><embed type="text/html" src="?inner" width=300 height=200>'; document.querySelector('embed').onload = () => done('') })`)
	require.Regexp(t, `- Iframe @eN\n  - `, withoutRefs(lookAt(c, "-i")))
}

// What style shows as dots is dots to who reads the page.
func TestLookMasked(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<h1>Safe</h1><p style="-webkit-text-security:disc">PIN 4711</p><div style="-webkit-text-security:square"><p>Code <b>4712</b> of 3</p></div>
		<input aria-label=Pin value=4713 style="-webkit-text-security:disc"><button>Go</button>`)
	for _, text := range []string{lookAt(c, "-i"), lookAt(c), c.Do("read").Result.Text} {
		require.NotContains(t, text, "471")
		require.Contains(t, text, "Safe")
	}
}

// A search in a long text shows the place that it found.
func TestLookSearchLongText(t *testing.T) {
	t.Parallel()
	prose := strings.Repeat("Much is said here before it comes. ", 40)
	c := host.Showing(t,
		`<h1>Page</h1><p>`+prose+`<b>and</b> the Needle is here, `+prose+`</p><p>Short needle</p><p>Other</p>`)
	look := lookAt(c, "-i", "--search", "needle")
	require.Regexp(t, `text: …\S.*comes\. and the Needle is here, Much`, look)
	require.Contains(t, look, "Short needle")
	require.NotContains(t, look, "Other")
	require.Less(t, len(look), 400)
	require.Contains(t, lookAt(c, "--search", "needle", "--max-tokens", "150"), "the Needle is here")
}

// The text of an element that shows nothing is that of its markup, without the source of scripts.
func TestGetTextWithoutSources(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<body><script>var hidden = 1</script><style>p{color:red}</style><p hidden>Words</p><form><input name=createTreeWalker></form></body>`)
	require.Equal(t, "Words", strings.TrimSpace(c.Do("get", "text", "body").Result.Text))
	require.Equal(t, "var hidden = 1", c.Do("get", "text", "body script").Result.Text)
	c.Page("(document.querySelector('p').remove(), '')")
	require.Empty(t, strings.TrimSpace(c.Do("get", "text", "body").Result.Text))
}

// A page that could not be loaded is not an empty one.
func TestLookErrorPage(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	gone := sessiontest.UnusedAddress(t)
	c.Fails(fault.NavigationFailed, "open", gone)
	require.Contains(t, lookAt(c, "-i"), "the browser's own error page: ")
	require.Contains(t, lookAt(c), gone)
	require.Contains(t, c.Fails(fault.SelectorNotFound, "get", "text", "#total").Error(), gone)
}
