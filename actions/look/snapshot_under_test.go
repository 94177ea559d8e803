package look_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A text under something opaque is not seen. What lies over it for a while leaves it content that comes later, and what
// is below it, lets it through or is scrolled away leaves it as it is.
func TestLookUnder(t *testing.T) {
	t.Parallel()
	const (
		over  = `position:absolute;inset:0;background:#fff`
		text  = `<p>Secret words</p>`
		place = `<div style="position:relative;width:400px;height:80px">`
		jpeg  = `data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=` // one white point
	)
	for _, tt := range []struct{ name, html, mark string }{
		{"a sibling", place + text + `<div style="` + over + `"></div></div>`, "unseen"},
		{"a sibling that takes no pointer", place + text + `<div style="` + over + `;pointer-events:none"></div></div>`, "unseen"},
		{"a cousin", place + `<section><div>` + text + `</div></section><aside><div style="` + over + `"></div></aside></div>`, "unseen"},
		{"a child", place + `<p>Secret words<span style="` + over + `"></span></p></div>`, "unseen"},
		{"a gradient", place + text + `<div style="position:absolute;inset:0;background:linear-gradient(red,#00f)"></div></div>`, "unseen"},
		{"a picture", place + text + `<img alt="" src="` + jpeg + `" style="position:absolute;inset:0;width:100%;height:100%"></div>`, "unseen"},
		{"a picture moved up", text + `<img alt="" src="` + jpeg + `" style="display:block;width:400px;height:80px;margin-top:-60px">`, "unseen"},
		{
			"::after", `<style>.a{position:relative}.a::after{content:"";` + over + `}</style><div class=a>` + text + `</div>`,
			"unseen",
		},
		{
			"::before with a z-index",
			`<style>.a{position:relative}.a::before{content:"";` + over + `;z-index:2}</style><div class=a>` + text + `</div>`,
			"unseen",
		},
		{"a cell of a grid", `<div style="display:grid"><p style="grid-area:1/1">Secret words</p><div style="grid-area:1/1;background:#fff"></div></div>`, "unseen"},
		{"what it is in, by a z-index", `<div style="background:#fff;padding:20px"><p style="position:relative;z-index:-1">Secret words</p></div>`, "unseen"},
		{"a section after it, by a z-index", `<p style="position:absolute;z-index:-1">Secret words</p><section style="background:#fff;height:90px"></section>`, "unseen"},
		{"a header that is fixed", `<style>body{margin:0}</style><p style="margin:0">Secret words</p><header style="position:fixed;top:0;left:0;right:0;height:60px;background:#fff"></header><div style="height:3000px"></div>`, "unseen"},
		{"a box moved by a transform", text + `<div style="transform:translateY(-60px);height:80px;background:#fff"></div>`, "unseen"},
		{"a page with content", `<div style="position:absolute;inset:0;background:#fff"><h1>Shop</h1><button>Buy</button></div>` + `<p style="position:absolute;z-index:-1">Secret words</p>`, "appears later"},
		{"a loader", text + `<div style="position:fixed;inset:0;background:#fff"></div>`, "appears later"},
		{"a menu that is open", place + text + `<ul style="margin:0;` + over + `"><li><a href=#>Item</a></ul></div>`, "appears later"},
		{"a face that moves away", place + text + `<div style="` + over + `;transition:transform .3s"></div></div>`, "appears on press"},
		{"nothing opaque", place + text + `<div style="position:absolute;inset:0;background:rgba(255,255,255,.5)"></div></div>`, ""},
		{"a veil of little opacity", place + text + `<div style="` + over + `;opacity:.3"></div></div>`, ""},
		{"a box below", place + `<div style="` + over + `"></div><p style="position:relative">Secret words</p></div>`, ""},
		{"a box below by a z-index", place + text + `<div style="` + over + `;z-index:-1"></div></div>`, ""},
		{"a block in the flow, moved up", text + `<div style="background:#fff;height:80px;margin-top:-60px"></div>`, ""},
		{"a half of it", place + `<p>Secret words that are long</p><div style="position:absolute;top:0;bottom:0;left:0;width:60px;background:#fff"></div></div>`, ""},
		{"a header that is fixed, further down", `<div style="height:40px"></div>` + strings.Repeat(`<br>`, 9) + text + `<header style="position:fixed;top:190px;left:0;right:0;height:110px;background:#fff"></header><div style="height:3000px"></div>`, ""},
		{"a footer that is fixed", text + `<div style="height:3000px"></div><footer style="position:fixed;top:0;left:0;right:0;bottom:0;background:#fff;top:20px"></footer>`, ""},
		{"its own ground", `<div style="position:relative;background:#fff">` + text + `</div>`, ""},
		{"its own ground and a z-index", `<div style="position:relative;z-index:0;background:#fff"><p style="position:relative;z-index:-1">Secret words</p></div>`, ""},
		{"a box that is hidden", place + text + `<div style="` + over + `;visibility:hidden"></div></div>`, ""},
		{"a box with a hole", place + text + `<div style="` + over + `;clip-path:circle(5px)"></div></div>`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, `<!doctype html>`+tt.html+`<h1>Page</h1>`)
			tree := lookAt(c)
			want := `StaticText "Secret words`
			require.Contains(t, tree, want)
			_, rest, _ := strings.Cut(tree, want)
			line, _, _ := strings.Cut(rest, "\n")
			_, mark, _ := strings.Cut(line, `"`)
			if tt.mark != "" {
				tt.mark = " [" + tt.mark + "]"
			}
			require.Equal(t, tt.mark, mark, tree)
		})
	}
}

// All commands that read a page mark it, in names, too.
func TestLookUnderInAll(t *testing.T) {
	t.Parallel()
	const over = `<div style="position:absolute;inset:0;background:#fff;pointer-events:none"></div></div>`
	c := host.Showing(t, `<p>Shop</p><div style="position:relative"><h2>Secret heading</h2><p>Secret words</p>`+over+
		`<div style="position:relative"><a href=#>Secret link</a>`+over)
	tree := withoutRefs(lookAt(c))
	require.Contains(t, tree, `heading "Secret heading" @eN [level=2, unseen]`)
	require.Contains(t, tree, `link "Secret link" @eN [unseen]`)
	require.NotContains(t, lookAt(c, "-i"), "Secret words")
	require.Contains(t, c.Do("read").Result.Text, "Secret words [unseen]")
	require.Contains(t, strings.Join(c.Do("get", "text", "body").Result.Notes, "\n"), "3 texts")
}

// The other ways in which a text is not painted.
func TestLookUnpainted(t *testing.T) {
	t.Parallel()
	const white = `<body style="background:#fff">`
	for _, tt := range []struct{ name, html, mark string }{
		{"white on a white gradient", `<div style="background:linear-gradient(#fff,#fefefe)"><p style="color:#fff">Secret words</p></div>`, "unseen"},
		{"white on a veil of white", white + `<div style="background:rgba(255,255,255,.8)"><p style="color:#fff">Secret words</p></div>`, "unseen"},
		{"white on a veil of a gradient", white + `<div style="background:linear-gradient(#fff8,#fff2)"><p style="color:#fff">Secret words</p></div>`, "unseen"},
		{"white on a dark gradient", `<div style="background:linear-gradient(#000,#00f)"><p style="color:#fff">Secret words</p></div>`, ""},
		{"white on a gradient of two colors", `<div style="background:linear-gradient(#fff,#00f)"><p style="color:#fff">Secret words</p></div>`, ""},
		{"white on a dark veil", white + `<div style="background:rgba(0,0,0,.7)"><p style="color:#fff">Secret words</p></div>`, ""},
		{"letters of a gradient", white + `<p style="background:linear-gradient(red,#00f);background-clip:text;color:transparent">Secret words</p>`, ""},
		{"letters of a transparent gradient", white + `<p style="background:linear-gradient(transparent,#fff0);background-clip:text;color:transparent">Secret words</p>`, "unseen"},
		{"letters of a gradient of the page's color", white + `<p style="background:linear-gradient(#fff,#fefefe);background-clip:text;color:transparent">Secret words</p>`, "unseen"},
		{"turned away", `<div style="transform:rotateY(180deg);backface-visibility:hidden"><p>Secret words</p></div>`, "unseen"},
		{"turned away by rotate", `<div style="rotate:x 180deg;backface-visibility:hidden"><p>Secret words</p></div>`, "unseen"},
		{"turned away in a turned one", `<div style="transform-style:preserve-3d;transform:rotateY(180deg)"><p style="backface-visibility:hidden">Secret words</p></div>`, "unseen"},
		{"the back of a card", `<div style="transform-style:preserve-3d;transition:transform .5s"><p style="transform:rotateY(180deg);backface-visibility:hidden">Secret words</p></div>`, "appears on press"},
		{"turned away twice", `<div style="transform-style:preserve-3d;transform:rotateY(180deg)"><p style="transform:rotateY(180deg);backface-visibility:hidden">Secret words</p></div>`, ""},
		{"a path without area", `<p style="clip-path:path('M0 0 L0 0 Z')">Secret words</p>`, "unseen"},
		{"a path elsewhere", `<p style="clip-path:path('M-50 -50 h10 v10 z')">Secret words</p>`, "unseen"},
		{"a polygon without area", `<p style="clip-path:polygon(0 0,100% 0,50% 0)">Secret words</p>`, "unseen"},
		{"an inset in pixels", `<p style="width:100px;clip-path:inset(0 60px)">Secret words</p>`, "unseen"},
		{"a circle elsewhere", `<p style="clip-path:circle(20px at -50px -50px)">Secret words</p>`, "unseen"},
		{"an empty clip of a drawing", `<svg width=0 height=0><clipPath id=c></clipPath></svg><p style="clip-path:url(#c)">Secret words</p>`, "unseen"},
		{"a polygon around it", `<p style="clip-path:polygon(0 0,100% 0,100% 100%,0 90%)">Secret words</p>`, ""},
		{"a circle in it", `<p style="clip-path:circle(40%)">Secret words</p>`, ""},
		{"a drawing's text without fill", `<svg width=300 height=60><text y=30 fill=none>Secret words</text></svg>`, "unseen"},
		{"a drawing's text of its ground", white + `<svg width=300 height=60><text y=30 fill="#fff">Secret words</text></svg>`, "unseen"},
		{"a drawing's text outside", `<svg viewBox="0 0 100 20" width=100 height=20><text x=300 y=300>Secret words</text></svg>`, "unseen"},
		{"a drawing's text without opacity", `<svg width=300 height=60><g opacity=".01"><text y=30>Secret words</text></g></svg>`, "unseen"},
		{"a drawing's text", `<svg width=300 height=60><text y=30>Secret words</text></svg>`, ""},
		{"a drawing's outlined text", `<svg width=300 height=60><text y=30 fill=none stroke=red>Secret words</text></svg>`, ""},
		{"a drawing's text on a shape", white + `<svg width=300 height=60><rect width=300 height=60 /><text y=30 fill="#fff">Secret words</text></svg>`, ""},
		{"what a canvas has besides", `<canvas>Secret words</canvas>`, "unseen"},
		{"::before off the page", `<style>p::before{content:"Secret words";position:absolute;left:-9999px}</style><p></p>`, "partly unseen"},
		{"::after of no size", `<style>p::after{content:"Secret words";display:block;height:0;overflow:hidden}</style><p></p>`, "partly unseen"},
		{"::before on the page", `<style>p::before{content:"Secret words";position:absolute;left:20px}</style><p></p>`, ""},
		{"a frame without opacity", `<iframe style="opacity:0" srcdoc="<p>Secret words"></iframe>`, "unseen"},
		{"a frame of a pixel", `<iframe width=1 height=1 srcdoc="<p>Secret words"></iframe>`, "unseen"},
		{"a frame off the page", `<iframe style="position:absolute;left:-9999px" srcdoc="<p>Secret words"></iframe>`, "unseen"},
		{"a frame under something", `<div style="position:relative"><iframe srcdoc="<p>Secret words"></iframe><div style="position:absolute;inset:0;background:#fff"></div></div>`, "unseen"},
		{"a frame", `<iframe srcdoc="<p>Secret words"></iframe>`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, `<!doctype html><meta charset=utf-8><h1 style="color:red">Page</h1>`+tt.html)
			tree := lookAt(c)
			want := `StaticText "Secret words"`
			require.Contains(t, tree, want)
			_, rest, _ := strings.Cut(tree, want)
			line, _, _ := strings.Cut(rest, "\n")
			if tt.mark != "" {
				tt.mark = " [" + tt.mark + "]"
			}
			require.Equal(t, tt.mark, line, tree)
			if tt.mark == " [unseen]" {
				require.Contains(t, c.Do("read").Result.Text, "Secret words [unseen]")
			}
		})
	}
}

// What turns has no other size than before, and what is scaled away has none.
func TestLookTurning(t *testing.T) {
	t.Parallel()
	tree := withoutRefs(lookAt(host.Showing(t,
		`<div role=progressbar aria-label=Loading style="transform:rotate(30deg)"></div>
		<div role=progressbar aria-label=Waiting style="transform:scale(0)"></div>`)))
	require.NotContains(t, lineWith(tree, "Loading"), "unseen", tree)
	require.Contains(t, lineWith(tree, "Waiting"), "unseen", tree)
}

// lineWith is the first line of a text that contains a word, or "".
func lineWith(text, word string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, word) {
			return line
		}
	}
	return ""
}
