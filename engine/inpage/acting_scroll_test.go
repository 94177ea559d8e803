package inpage_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func TestActingScroll(t *testing.T) {
	t.Parallel()
	const inner = `<div id=b style="height:200px;overflow:auto"><div id=c style="height:900px;width:3000px">x</div></div>`
	tests := []struct {
		name string
		html string
		arg  object
		want object
		read string // expression for where it came to rest
		at   any
	}{
		{
			"the page", `<body style="height:3000px">`,
			object{"dy": 300},
			object{"moved": true, "x": 0.0, "y": 300.0},
			`scrollY`, 300.0,
		},
		{
			"the page, smooth by style", `<style>html{scroll-behavior:smooth}</style><body style="height:3000px">`,
			object{"dy": 300},
			object{"moved": true, "x": 0.0, "y": 300.0},
			`scrollY`, 300.0,
		},
		{
			"the page, sideways", `<body style="width:3000px">x`,
			object{"dx": 200},
			object{"moved": true, "x": 200.0, "y": 0.0},
			`scrollX`, 200.0,
		},
		{
			"up at the top", `<body style="height:3000px">`,
			object{"dy": -300},
			object{"moved": false, "x": 0.0, "y": 0.0},
			`scrollY`, 0.0,
		},
		{"nothing to scroll", `x`, object{"dy": 300}, object{"moved": false, "x": 0.0, "y": 0.0}, `scrollY`, 0.0},
		{
			"the container in a page that does not scroll",
			`<style>html,body{height:100%;margin:0;overflow:hidden}</style><div id=b style="height:100%;overflow:auto"><p style="height:3000px">x`,
			object{"dy": 300},
			object{"moved": true, "x": 0.0, "y": 300.0, "container": "div#b"},
			`b.scrollTop`, 300.0,
		},
		{
			"the dialog over a page that is held",
			`<body style="height:3000px;overflow:hidden"><div id=b style="position:fixed;inset:100px;overflow:auto"><p style="height:3000px">x`,
			object{"dy": 300},
			object{"moved": true, "x": 0.0, "y": 300.0, "container": "div#b"},
			`b.scrollTop`, 300.0,
		},
		{
			"the largest container when the middle has none",
			`<div style="position:absolute;left:0;top:0;width:50px;height:50px;overflow:auto"><p style="height:900px">x</p></div>` +
				`<div id=b style="position:absolute;left:0;top:60px;width:300px;height:90px;overflow:auto"><p style="height:900px">x</p></div>`,
			object{"dy": 30},
			object{"moved": true, "x": 0.0, "y": 30.0, "container": "div#b"},
			`b.scrollTop`, 30.0,
		},
		{
			"a target", inner,
			object{"target": css("#b"), "dy": 50},
			object{"moved": true, "x": 0.0, "y": 50.0, "container": "div#b"},
			`b.scrollTop`, 50.0,
		},
		{
			"both ways", inner,
			object{"target": css("#b"), "dx": 20, "dy": 50},
			object{"moved": true, "x": 20.0, "y": 50.0, "container": "div#b"},
			`b.scrollLeft`, 20.0,
		},
		{
			"a target inside a container", inner,
			object{"target": css("#c"), "dy": 50},
			object{"moved": true, "x": 0.0, "y": 50.0, "container": "div#b"},
			`b.scrollTop`, 50.0,
		},
		{
			"a target around a container", `<section id=s>` + inner + `</section>`,
			object{"target": css("#s"), "dy": 50},
			object{"moved": true, "x": 0.0, "y": 50.0, "container": "div#b"},
			`b.scrollTop`, 50.0,
		},
		{
			"a target at its end", inner + `<script>b.scrollTop = 9999</script><body style="height:3000px">`,
			object{"target": css("#b"), "dy": 50},
			object{"moved": false, "container": "div#b"},
			`scrollY`, 0.0,
		},
		{
			"past the end", `<body style="height:1000px;margin:0">`,
			object{"dy": 9000},
			object{"moved": true, "x": 0.0, "y": 280.0},
			`scrollY`, 280.0,
		},
		{
			"in a shadow tree",
			`<div id=host></div><script>host.attachShadow({mode:'open'}).innerHTML='<div id=b style="height:90px;overflow:auto"><p style="height:900px">x</p></div>'</script>`,
			object{"target": css("#b"), "dy": 50},
			object{"moved": true, "x": 0.0, "y": 50.0, "container": "div#b"},
			`host.shadowRoot.querySelector('#b').scrollTop`, 50.0,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, tt.html)
			res := p.result(t, "scroll", tt.arg)
			keys := []string{"moved", "x", "y", "container"}
			if _, ok := tt.want["x"]; !ok {
				keys = []string{"moved", "container"}
			}
			require.Empty(t, cmp.Diff(tt.want, pick(res, keys...)))
			require.Equal(t, tt.at, p.js(t, tt.read))
		})
	}
	t.Run("missing target", func(t *testing.T) {
		t.Parallel()
		code, _ := newPage(t, ``).failure(t, "scroll", object{"target": css("#b"), "dy": 50})
		require.Equal(t, "selector-not-found", code)
	})
}

func TestActingScrollIntoView(t *testing.T) {
	t.Parallel()
	const inView = `(r => r.top >= 0 && r.bottom <= innerHeight && r.left >= 0)(document.querySelector('#b').getBoundingClientRect())`
	tests := []struct {
		name  string
		html  string
		moved bool
	}{
		{"there already", `<p id=b>x</p>`, false},
		{"below", `<div style="height:3000px"></div><p id=b>x</p>`, true},
		{
			"in a container", `<div style="height:200px;overflow:auto"><div style="height:900px"></div><p id=b>x</p></div>`,
			true,
		},
		{"above", `<p id=b>x</p><div style="height:3000px"></div><script>scrollTo(0, 2000)</script>`, true},
		{"half in view", `<div style="height:710px"></div><p id=b style="height:50px">x</p>`, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, tt.html)
			res := p.result(t, "scrollIntoView", object{"target": css("#b")})
			require.Equal(t, tt.moved, res["moved"])
			require.Equal(t, true, p.js(t, inView))
		})
	}
	for _, tt := range []struct{ name, html, code string }{
		{"hidden", `<p id=b hidden>x</p>`, "target-hidden"},
		{"out of reach", `<p id=b style="position:absolute;top:-900px">x</p>`, "target-outside"},
		{"missing", ``, "selector-not-found"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			code, _ := newPage(t, tt.html).failure(t, "scrollIntoView", object{"target": css("#b")})
			require.Equal(t, tt.code, code)
		})
	}
}
