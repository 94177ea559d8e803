package look_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Dark pages, and the ways in which paint shows a text whose color is that of its background.
func TestLookPaint(t *testing.T) {
	t.Parallel()
	const white = `<body style="background:#fff">`
	for _, tt := range []struct {
		name, html string
		unseen     bool
	}{
		{
			"white on a canvas that metadata makes dark", `<meta name=color-scheme content=dark><p style="color:#fff">Words</p>`,
			false,
		},
		{
			"white on a canvas that is only dark",
			`<style>:root{color-scheme:only dark;color:#abc}</style><p style="color:#fff">Words</p>`, false,
		},
		{
			"white on a canvas that is dark for who prefers that",
			`<meta name=color-scheme content="light dark"><p style="color:#fff">Words</p>`, true,
		},
		{"nearly black on a dark canvas", `<meta name=color-scheme content=dark><p style="color:#141414">Words</p>`, true},
		{
			"white on white, on a dark canvas",
			`<meta name=color-scheme content=dark>` + white + `<p style="color:#fff">Words</p>`, true,
		},
		{"a dark body on a light canvas", `<body style="color-scheme:dark"><p style="color:#fff">Words</p>`, true},
		{
			"outlined letters without a color", white + `<p style="color:transparent;-webkit-text-stroke:2px #000">Words</p>`,
			false,
		},
		{
			"outlined letters of the color behind", white + `<p style="color:#fff;-webkit-text-stroke:1px #000">Words</p>`,
			false,
		},
		{"outlined in the color behind", white + `<p style="color:#fff;-webkit-text-stroke:1px #fff">Words</p>`, true},
		{
			"outlined without a color", white + `<p style="color:transparent;-webkit-text-stroke:1px transparent">Words</p>`,
			true,
		},
		{"mixed with what is behind", white + `<p style="color:#fff;mix-blend-mode:difference">Words</p>`, false},
		{
			"in a part that is mixed with what is behind",
			white + `<div style="mix-blend-mode:difference"><p style="color:#fff">Words</p></div>`, false,
		},
		{"inverted", white + `<div style="filter:invert(1)"><p style="color:#fff">Words</p></div>`, false},
		{
			"inverted with what is behind",
			white + `<div style="filter:invert(1);background:#fff"><p style="color:#fff">Words</p></div>`, true,
		},
		{
			"on an inverted backdrop", white + `<div style="backdrop-filter:invert(1)"><p style="color:#fff">Words</p></div>`,
			false,
		},
		{
			"in a box that an inset shadow fills",
			white + `<div style="background:#fff;box-shadow:inset 0 0 0 99px #06c"><p style="color:#fff">Words</p></div>`,
			false,
		},
		{
			"in a box that a shadow fills from above",
			white + `<div style="box-shadow:inset 0 99px #06c"><p style="color:#fff">Words</p></div>`, false,
		},
		{
			"in a box with the shadow of an edge",
			white + `<div style="box-shadow:inset 0 0 0 1px #06c"><p style="color:#fff">Words</p></div>`, true,
		},
		{
			"in a box that the picture of a border fills",
			white +
				`<div style="border:2px solid;border-image:linear-gradient(#111,#111) 1 fill"><p style="color:#fff">Words</p></div>`, false,
		},
		{
			"in front of a shape of a drawing",
			white +
				`<svg width=300 height=60><rect width=300 height=60 fill="#024"/><foreignObject width=300 height=60><p style="color:#fff">Words</p></foreignObject></svg>`, false,
		},
		{
			"in a drawing without a shape",
			white +
				`<svg width=300 height=60><foreignObject width=300 height=60><p style="color:#fff">Words</p></foreignObject></svg>`,
			true,
		},
		{"small print that is zoomed", white + `<div style="zoom:10"><p style="font-size:2px">Words</p></div>`, false},
		{
			"large print that is zoomed away",
			white + `<div style="zoom:.01"><p style="font-size:100px;width:3000px">Words</p></div>`, true,
		},
		{"a little opacity in a little", white + `<div style="opacity:.2"><p style="opacity:.2">Words</p></div>`, true},
		{"some opacity in some", white + `<div style="opacity:.5"><p style="opacity:.4">Words</p></div>`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, `<h1 style="color:red">Page</h1>`+tt.html)
			tree := lookAt(c)
			require.Contains(t, tree, `StaticText "Words"`)
			require.Equal(t, tt.unseen, strings.Contains(tree, `StaticText "Words" [unseen]`), tree)
			require.Equal(t, tt.unseen, !strings.Contains(lookAt(c, "-i"), "Words"))
			require.Empty(t, c.Page("document.adoptedStyleSheets.length || ''"), "asking for a color leaves nothing behind")
		})
	}
}

// The name of a field is beside it: what cannot be seen of one is its value.
func TestLookUnseenValue(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<body style="background:#fff"><input aria-label=Amount value=77 style="color:#fff;background:#fff"><input aria-label=Code style="color:transparent">
		<textarea aria-label=Note style="color:#fff;background:#fff">secret</textarea><button style="color:#fff;background:#fff;border:1px solid red">Buy</button>`)
	look := withoutRefs(lookAt(c, "-i"))
	require.Contains(t, look, `textbox "Amount" @eN [value unseen]: 77`)
	require.Contains(t, look, `textbox "Note" @eN [value unseen]: secret`)
	require.Contains(t, look, "- textbox \"Code\" @eN\n", "it has no value")
	require.Contains(t, look, `button "Buy" @eN [name unseen]`)
}
