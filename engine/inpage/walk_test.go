package inpage_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// outline writes nodes as an indented list; T stands for a token.
func outline(nodes []ours) string {
	var b strings.Builder
	for _, n := range nodes {
		b.WriteString(strings.Repeat("  ", n.depth))
		b.WriteString(n.role)
		if n.name != "" {
			fmt.Fprintf(&b, " %q", n.name)
		}
		if n.token != "" {
			b.WriteString(" T")
		}
		for _, key := range slices.Sorted(maps.Keys(n.keys)) {
			b.WriteString(" " + key + "=" + n.keys[key])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestWalk(t *testing.T) {
	tests := []struct {
		name        string
		html        string
		full        string
		interactive string
	}{
		{
			name: "an empty page",
			html: ``,
		},
		{
			name: "text runs are merged, blocks and lines keep them apart",
			html: `<div>One <span>two</span> <b>three</b></div><div>four</div>five<br>six <!-- --> seven<pre>a
  b</pre>`,
			full: `
StaticText "One two three"
StaticText "four"
StaticText "five"
StaticText "six seven"
StaticText "a b"
`,
		},
		{
			name: "a block that mixes text and elements is kept together",
			html: `<div>Read <a href="https://a.test/">the page</a> now</div><div><a href="https://b.test/">Alone</a></div>`,
			full: `
generic
  StaticText "Read"
  link "the page" T url=https://a.test/
  StaticText "now"
link "Alone" T url=https://b.test/
`,
			interactive: `
link "the page" T url=https://a.test/
link "Alone" T url=https://b.test/
`,
		},
		{
			name: "text that the name repeats is dropped, other text is not",
			html: `<button>Save</button><button aria-label="Close">x</button><h2>Big <b>news</b></h2>`,
			full: `
button "Save" T
button "Close" T
  StaticText "x"
heading "Big news" T level=2
`,
			interactive: `
button "Save" T
button "Close" T
heading "Big news" T level=2
`,
		},
		{
			name: "the value of a field is not repeated as text",
			html: `<textarea aria-label=a>one
two	\</textarea><div contenteditable aria-label=b>rich <a href="https://a.test/">link</a></div><input type=password aria-label=c value=secret><input placeholder=p value=v>`,
			full: `
textbox "a" T value=one\ntwo\t\\
generic "b" T hints=contenteditable value=rich link
  link "link" T url=https://a.test/
textbox "c" T secret=true
textbox "p" T value=v
`,
			interactive: `
textbox "a" T value=one\ntwo\t\\
generic "b" T hints=contenteditable value=rich link
  link "link" T url=https://a.test/
textbox "c" T secret=true
textbox "p" T value=v
`,
		},
		{
			name: "options stand below their select",
			html: `<select aria-label=s><option>A<optgroup label=G><option selected>B<option disabled>C</optgroup></select>`,
			full: `
combobox "s" T expanded=false haspopup=menu value=B
  option "A" T
  group "G"
    option "B" T selected=true
    option "C" T disabled=true
`,
			interactive: `
combobox "s" T expanded=false haspopup=menu value=B
  option "A" T
  option "B" T selected=true
  option "C" T disabled=true
`,
		},
		{
			name: "what reacts to clicks without a role is called by its text",
			html: `<div onclick="x()">Do <b>it</b></div><div style="cursor:pointer">Point <i style="cursor:pointer">inner</i></div><div tabindex=0></div><div tabindex=0 style="height:9px"></div><div tabindex=-1>no</div><p contenteditable=false>no</p>`,
			full: `
generic "Do it" T hints=onclick
generic "Point inner" T hints=cursor:pointer
generic T hints=tabindex
StaticText "no"
paragraph
  StaticText "no"
`,
			interactive: `
generic "Do it" T hints=onclick
generic "Point inner" T hints=cursor:pointer
generic T hints=tabindex
`,
		},
		{
			name: "a label stands for the box that it hides",
			html: `<style>.x{display:none}</style><label><input type=checkbox class=x checked disabled> Terms</label><div onclick="x()" tabindex=0><input type=radio class=x>Radio</div><label><input type=checkbox> Seen</label>`,
			full: `
checkbox "Terms" T checked=true disabled=true
radio "Radio" T checked=false hints=onclick,tabindex
checkbox "Seen" T checked=false
`,
			interactive: `
checkbox "Terms" T checked=true disabled=true
radio "Radio" T checked=false hints=onclick,tabindex
checkbox "Seen" T checked=false
`,
		},
		{
			name: "equal nodes are counted",
			html: `<button>A</button><button>B</button><button>A</button><a href="https://a.test/">A</a><button>A</button>`,
			full: `
button "A" T
button "B" T
button "A" T nth=1
link "A" T url=https://a.test/
button "A" T nth=2
`,
			interactive: `
button "A" T
button "B" T
button "A" T nth=1
link "A" T url=https://a.test/
button "A" T nth=2
`,
		},
		{
			name: "only what can be acted on, with the depth of what is kept",
			html: `<main aria-label=M><ul><li>one<li aria-label=two><section><h2>H</h2><p><a href="https://a.test/">L</a></p></section></ul><nav><button>N</button></nav></main><iframe title=F srcdoc="x"></iframe><details><summary>S</summary><button>hidden</button></details>`,
			full: `
main "M" T
  list
    listitem level=1
      StaticText "one"
    listitem "two" T level=1
      heading "H" T level=2
      paragraph
        link "L" T url=https://a.test/
  navigation
    button "N" T
Iframe "F" T
group
  DisclosureTriangle "S" T expanded=false
`,
			interactive: `
main "M" T
  list
    listitem level=1
    listitem "two" T level=1
      heading "H" T level=2
      link "L" T url=https://a.test/
  navigation
    button "N" T
Iframe "F" T
DisclosureTriangle "S" T expanded=false
`,
		},
		{
			name: "fields that are hidden",
			html: `<style>.out{display:none}.veiled{visibility:hidden}</style><input aria-label=A><input type=HIDDEN aria-label=B><input hidden aria-label=C>
<select class=out aria-label=D></select><textarea class=veiled aria-label=E></textarea><input type=image hidden alt=F><input style="display:none" aria-label=G>
<div hidden><input aria-label=H></div><textarea aria-label=I></textarea>`,
			full: `
textbox "A" T
textbox "I" T
`,
			interactive: `
textbox "A" T
textbox "I" T
`,
		},
		{
			name: "layout tables are not tables",
			html: `<table><tr><td>a<td><button>B</button></table>`,
			full: `
StaticText "a"
button "B" T
`,
			interactive: `
button "B" T
`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, tt.html)
			require.Empty(t, cmp.Diff(strings.TrimPrefix(tt.full, "\n"), outline(p.walk(t, object{}))), "full")
			require.Empty(t, cmp.Diff(strings.TrimPrefix(tt.interactive, "\n"), outline(p.walk(t, object{"interactive": true}))),
				"interactive")
		})
	}
}

func TestWalkAfterAShadowTreeCame(t *testing.T) {
	t.Parallel()
	p := newPage(t, `<div id=host><button>Light</button></div>`)
	require.Equal(t, "button \"Light\" T\n", outline(p.walk(t, object{"interactive": true})))
	p.js(t, `document.getElementById('host').attachShadow({mode:'open'}).innerHTML = '<button>Dark</button><slot></slot>'`)
	require.Equal(t, "button \"Dark\" T\nbutton \"Light\" T\n", outline(p.walk(t, object{"interactive": true})))
}

func TestWalkOfAScope(t *testing.T) {
	t.Parallel()
	p := newPage(t,
		`<button>A</button><section id=s><h2>H</h2><button>A</button><x-host></x-host></section><button>A</button>
<script>document.querySelector('x-host').attachShadow({mode:'open'}).innerHTML='<div id=in><button>A</button></div>'</script>`)
	tests := []struct {
		name        string
		arg         object
		full        string
		interactive string
	}{
		{"by selector", object{"css": "#s"}, `
heading "H" T level=2
button "A" T nth=1
button "A" T nth=2
`, `
heading "H" T level=2
button "A" T nth=1
button "A" T nth=2
`},
		{"in a shadow tree", object{"css": "#in"}, `
button "A" T nth=2
`, `
button "A" T nth=2
`},
		{"an element with a line of its own", object{"css": "h2"}, `
heading "H" T level=2
`, `
heading "H" T level=2
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Empty(t, cmp.Diff(strings.TrimPrefix(tt.full, "\n"), outline(p.walk(t, object{"scope": tt.arg}))))
			require.Empty(t,
				cmp.Diff(strings.TrimPrefix(tt.interactive, "\n"),
					outline(p.walk(t, object{"scope": tt.arg, "interactive": true}))))
		})
	}
	t.Run("nothing matches", func(t *testing.T) {
		code, _ := p.failure(t, "walk", object{"scope": object{"css": "#nope"}})
		require.Equal(t, "selector-not-found", code)
	})
	t.Run("no selector", func(t *testing.T) {
		code, _ := p.failure(t, "walk", object{"scope": object{"css": "#["}})
		require.Equal(t, "selector-invalid", code)
	})
}
