package inpage_test

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// middleOf is a function of the page's script: the middle of an element's box.
const middleOf = `(el => { const r = el.getBoundingClientRect(); return {x: r.x + r.width / 2, y: r.y + r.height / 2} })`

// topmost tells which element a point of the page hits, by id.
func topmost(t *testing.T, p *testPage, x, y any) any {
	t.Helper()
	var id any
	p.evaluate(t, 0,
		"((x, y) => { let e = document.elementFromPoint(x, y); while (e?.shadowRoot?.elementFromPoint(x, y)) "+
			"{ const i = e.shadowRoot.elementFromPoint(x, y); if (i === e) break; e = i } return "+
			"e?.closest('[id]')?.id ?? '' })("+
			number(x)+","+number(y)+")", &id)
	return id
}

func TestActingAimReaches(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		html   string
		checks string // default: pointer
		more   object // more arguments
		hits   string // id of what the point hits
		facts  object // of the answer
	}{
		{
			name: "plain", html: `<button id=b>Go</button>`, hits: "b",
			facts: object{"tag": "button", "role": "button", "name": "Go", "count": 1.0, "disabled": false, "checked": nil},
		},
		{name: "below the fold", html: `<div style="height:3000px"></div><button id=b>Go</button>`, hits: "b"},
		{
			name: "in a scroll container in a scroll container",
			html: `<div style="height:200px;overflow:auto"><div style="height:900px"></div><div style="height:150px;overflow:auto">` +
				`<div style="height:700px"></div><button id=b>Go</button></div></div>`, hits: "b",
		},
		{
			name: "far to the right", html: `<div style="width:5000px;text-align:right"><button id=b>Go</button></div>`,
			hits: "b",
		},
		{name: "taller than the screen", html: `<button id=b style="height:5000px">Go</button>`, hits: "b"},
		{
			name: "behind a fixed header after scrolling",
			html: `<body style="margin:0"><header style="position:fixed;inset:0 0 auto;height:420px;background:red">h</header>` +
				`<div style="height:3000px"></div><button id=b>Go</button><div style="height:3000px"></div>`, hits: "b",
		},
		{
			name: "below a sticky header",
			html: `<body style="margin:0;height:3000px"><header id=h style="position:sticky;top:0;height:50px;background:red">h</header>` +
				`<div style="height:400px"></div><button id=b>Go</button><script>scrollTo(0, 410)</script>`, hits: "b",
		},
		{name: "half covered", html: `<button id=b style="width:200px;height:40px">Go</button>` +
			`<div style="position:absolute;left:60px;top:0;width:400px;height:90px;background:red"></div>`, hits: "b"},
		{
			name: "inline, broken over lines",
			html: `<p style="width:120px">some words before <a id=b href="#x">the link is here</a> and after`, hits: "b",
			facts: object{"href": "about:blank#x"},
		},
		{
			name: "inside a link", html: `<a href="#y"><span id=b>Go</span></a>`, hits: "b",
			facts: object{"href": "about:blank#y"},
		},
		{
			name: "icon that lets the pointer through to its button",
			html: `<button id=btn><span id=b style="pointer-events:none">Go</span></button>`, hits: "btn",
		},
		{name: "a child takes the pointer", html: `<div id=b><i id=child style="display:block">x</i></div>`, hits: "child"},
		{
			name: "in a shadow tree",
			html: `<div id=host></div><script>host.attachShadow({mode:'open'}).innerHTML='<button id=b>Go</button>'</script>`,
			hits: "b",
		},
		{
			name: "a host whose shadow tree takes the pointer",
			html: `<div id=b style="display:inline-block"></div><script>b.attachShadow({mode:'open'}).innerHTML='<button id=inner>Go</button>'</script>`, hits: "inner",
		},
		{
			name: "display contents", html: `<div id=b style="display:contents"><button id=inner>Go</button></div>`,
			hits: "inner",
		},
		{
			name: "link around a float", html: `<a id=b href="#"><span id=inner style="float:left">Go</span></a>`,
			hits: "inner",
		},
		{name: "svg", html: `<svg width=100 height=100><rect id=b x=10 y=10 width=50 height=50 /></svg>`, hits: "b"},
		{
			name: "image map",
			html: `<img usemap="#m" width=200 height=200 src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">` +
				`<map name=m><area id=b shape=rect coords="10,10,90,90" href="#z"></map>`, hits: "b",
			facts: object{"href": "about:blank#z"},
		},
		{name: "opacity 0", html: `<button id=b style="opacity:0">Go</button>`, hits: "b"},
		{
			name: "aria-disabled", html: `<button id=b aria-disabled=true>Go</button>`, hits: "b",
			facts: object{"disabled": true},
		},
		{
			name: "checkbox without a box, through its label",
			html: `<label for=b id=lab>Agree</label><input id=b type=checkbox style="display:none">`,
			hits: "lab", facts: object{"viaLabel": true, "checked": "false", "tag": "input"},
		},
		{
			name: "checkbox clipped away, through its label",
			html: `<label id=lab><input id=b type=checkbox checked style="position:absolute;opacity:0;width:1px;height:1px;clip-path:inset(50%)">` +
				`<span id=face>Agree</span></label>`, hits: "face", facts: object{"checked": "true"},
		},
		{
			name: "through a label with a link in its middle",
			html: `<label id=lab for=b>a <a href="#t" id=terms style="padding:0 300px">terms</a> b</label><input id=b type=checkbox hidden>`,
			hits: "lab", facts: object{"viaLabel": true},
		},
		{name: "a label over its control", html: `<div style="position:relative"><input id=b type=checkbox>` +
			`<label id=lab for=b style="position:absolute;inset:0;background:#fff">Agree</label></div>`, hits: "lab"},
		{
			name: "position", html: `<button id=b style="width:200px;height:100px">Go</button>`,
			more: object{"position": object{"x": 5, "y": 7}}, hits: "b",
			facts: object{"x": 13.0, "y": 15.0},
		},
		{
			name: "disabled, hover only", html: `<button id=b disabled>Go</button>`, checks: "hover", hits: "b",
			facts: object{"disabled": true},
		},
		{
			name: "covered, without checks", html: `<button id=b>Go</button><div id=ov style="position:fixed;inset:0"></div>`,
			checks: "none", hits: "ov",
		},
		{name: "disabled, without checks", html: `<button id=b disabled>Go</button>`, checks: "none", hits: "b"},
		{
			name: "below the fold, without checks", html: `<div style="height:3000px"></div><button id=b>Go</button>`,
			checks: "none", hits: "b",
		},
		{
			name: "colors that change forever",
			html: `<style>@keyframes k{50%{background:red}}</style><button id=b style="animation:k .3s infinite">Go</button>`,
			hits: "b",
		},
		{name: "quirks mode", html: `<!--quirks--><button id=b>Go</button>`, hits: "b"},
		{
			name: "in a disabled fieldset's legend",
			html: `<fieldset disabled><legend><button id=b>Go</button></legend></fieldset>`, hits: "b",
		},
		{name: "a link in a disabled fieldset", html: `<fieldset disabled><a id=b href="#">Go</a></fieldset>`, hits: "b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, tt.html)
			arg := object{"target": css("#b"), "checks": "pointer", "patience": 5000}
			if tt.checks != "" {
				arg["checks"] = tt.checks
			}
			maps.Copy(arg, tt.more)
			res := p.result(t, "aim", arg)
			require.Equal(t, tt.hits, topmost(t, p, res["x"], res["y"]))
			for k, want := range tt.facts {
				require.Empty(t, cmp.Diff(want, res[k]), k)
			}
		})
	}
}

func TestActingAimFails(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		html   string
		checks string
		code   string
		facts  object // those named here must be so
	}{
		{name: "missing", html: `x`, code: "selector-not-found", facts: object{"count": 0.0}},
		{
			name: "display none", html: `<button id=b style="display:none">Go</button>`, code: "target-hidden",
			facts: object{"reason": "display:none", "tag": "button", "by": nil},
		},
		{
			name: "in something hidden", html: `<div class="box old" hidden><button id=b>Go</button></div>`,
			code:  "target-hidden",
			facts: object{"reason": "display:none", "by": "div.box.old"},
		},
		{
			name: "visibility", html: `<button id=b style="visibility:hidden">Go</button>`, code: "target-hidden",
			facts: object{"reason": "visibility:hidden"},
		},
		{
			name: "closed details", html: `<details id=d><summary id=s>More</summary><button id=b>Go</button></details>`,
			code:  "target-hidden",
			facts: object{"reason": "closed details", "by": "details#d"},
		},
		{name: "empty box", html: `<div id=b></div>`, code: "target-hidden", facts: object{"reason": "empty box"}},
		{
			name: "collapsed box", html: `<div id=b style="height:0;overflow:hidden"><button>Go</button></div>`,
			code:  "target-hidden",
			facts: object{"reason": "empty box"},
		},
		{name: "hidden, for hover", html: `<button id=b hidden>Go</button>`, checks: "hover", code: "target-hidden"},
		{name: "hidden, without checks", html: `<button id=b hidden>Go</button>`, checks: "none", code: "target-hidden"},
		{
			name: "disabled", html: `<button id=b disabled>Go</button>`, code: "target-disabled",
			facts: object{"role": "button", "name": "Go"},
		},
		{
			name: "in a disabled fieldset", html: `<fieldset disabled><button id=b>Go</button></fieldset>`,
			code: "target-disabled",
		},
		{name: "text in a disabled button", html: `<button disabled><span id=b>Go</span></button>`, code: "target-disabled"},
		{
			name: "under an overlay", html: `<button id=b>Go</button><div id=ov style="position:fixed;inset:0"></div>`,
			code:  "target-covered",
			facts: object{"by": "div#ov", "name": "Go"},
		},
		{
			name: "under a dialog that can be closed",
			html: `<button id=b>Go</button><div role=dialog style="position:fixed;inset:0"><p id=msg style="margin:0;height:100%">Cookies!</p>` +
				`<button id=ok style="position:absolute;right:0;bottom:0">Accept all</button></div>`,
			code: "target-covered", facts: object{"by": "p#msg"},
		},
		{
			name: "under an overlay, for hover",
			html: `<button id=b>Go</button><div id=ov style="position:fixed;inset:0"></div>`, checks: "hover",
			code: "target-covered", facts: object{"by": "div#ov"},
		},
		{
			name: "under an element of a shadow tree",
			html: `<button id=b>Go</button><div id=host></div><script>host.attachShadow({mode:'open'}).innerHTML=` +
				`'<div id=in style="position:fixed;inset:0"></div>'</script>`, code: "target-covered",
			facts: object{"by": "div#in"},
		},
		{
			name: "lets the pointer through", html: `<main id=m><button id=b style="pointer-events:none">Go</button></main>`,
			code:  "target-covered",
			facts: object{"by": "main#m", "ancestor": true, "pointerEvents": "none"},
		},
		{
			name: "lets the pointer through to a sibling",
			html: `<div id=low style="position:absolute;inset:0 0 auto;height:200px"></div><button id=b style="position:relative;pointer-events:none">Go</button>`,
			code: "target-covered", facts: object{"by": "div#low", "pointerEvents": "none"},
		},
		{
			name: "an option of a closed list", html: `<select id=s><option>x<option id=b>y</select>`, code: "target-hidden",
			facts: object{"reason": "option of a closed select", "by": "select#s"},
		},
		{
			name: "under something without an id",
			html: `<button id=b>Go</button><div id=shade><p class="veil" style="position:fixed;inset:0;margin:0">x</p></div>`,
			code: "target-covered", facts: object{"by": "p.veil", "byInside": "div#shade"},
		},
		{
			name: "outside of a modal dialog",
			html: `<button id=b>Go</button><dialog id=d>x</dialog><script>d.showModal()</script>`, code: "target-covered",
			facts: object{"by": "dialog#d", "byRole": "dialog"},
		},
		{
			name: "inert", html: `<main id=m inert><button id=b>Go</button></main>`, code: "target-covered",
			facts: object{"inert": true},
		},
		{
			name: "left of everything", html: `<button id=b style="position:absolute;left:-900px">Go</button>`,
			code: "target-outside",
		},
		{name: "fixed outside", html: `<button id=b style="position:fixed;top:2000px">Go</button>`, code: "target-outside"},
		{
			name:  "clipped away",
			html:  `<div id=clip style="height:0;overflow:hidden;width:100px"><button id=b>Go</button></div>`,
			code:  "target-outside",
			facts: object{"clippedBy": "div#clip"},
		},
		{
			name: "moving",
			html: `<style>@keyframes k{from{transform:translateX(500px)}}</style><button id=b style="animation:k 1s linear">Go</button>`,
			code: "target-unstable",
		},
		{name: "a ref that is gone", html: `x`, code: "ref-stale"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, tt.html)
			target := css("#b")
			if tt.code == "ref-stale" {
				target = object{"ref": object{"token": 99, "role": "button", "name": "Go", "nth": 0}}
			}
			checks := tt.checks
			if checks == "" {
				checks = "pointer"
			}
			code, facts := p.failure(t, "aim", object{"target": target, "checks": checks, "patience": 0})
			require.Equal(t, tt.code, code, "%v", facts)
			for k, want := range tt.facts {
				require.Empty(t, cmp.Diff(want, facts[k]), k)
			}
		})
	}
}

func TestActingAimNamesWhatCovers(t *testing.T) {
	t.Parallel()
	p := newPage(t, `<button id=b>Go</button><div role=dialog style="position:fixed;inset:0"><button id=x `+
		`style="position:absolute;inset:auto 0 0 auto">Accept all</button></div>`)
	code, facts := p.failure(t, "aim", object{"target": css("#b"), "checks": "pointer"})
	require.Equal(t, "target-covered", code)
	require.Equal(t, "dialog", facts["byRole"])
	dismiss := facts["dismiss"].(object)
	require.Empty(t, cmp.Diff(object{"role": "button", "name": "Accept all"}, pick(dismiss, "role", "name")))
	// The token is the way to the button.
	ref := object{"ref": object{"token": dismiss["token"], "role": "button", "name": "Accept all", "nth": 0}}
	id, _ := idOf(t, p, ref)
	require.Equal(t, "x", id)
}

// Each change happens while the op waits.
func TestActingAimWaits(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		html   string
		change string
		hits   string
	}{
		{name: "to exist", html: ``, change: `document.body.innerHTML = '<button id=b>Go</button>'`, hits: "b"},
		{
			name: "to exist in a shadow tree", html: `<div id=host></div>`,
			change: `host.attachShadow({mode: 'open'}).innerHTML = '<button id=b>Go</button>'`, hits: "b",
		},
		{name: "to be shown", html: `<button id=b hidden>Go</button>`, change: `b.hidden = false`, hits: "b"},
		{
			name: "to be shown by a stylesheet", html: `<style id=s>#b{display:none}</style><button id=b>Go</button>`,
			change: `s.sheet.deleteRule(0)`, hits: "b",
		},
		{name: "to be enabled", html: `<button id=b disabled>Go</button>`, change: `b.disabled = false`, hits: "b"},
		{
			name: "to be uncovered", html: `<button id=b>Go</button><div id=ov style="position:fixed;inset:0"></div>`,
			change: `ov.remove()`, hits: "b",
		},
		{
			name: "to take the pointer", html: `<style id=s>#b{pointer-events:none}</style><button id=b>Go</button>`,
			change: `s.sheet.deleteRule(0)`, hits: "b",
		},
		{
			name: "to be replaced by an enabled one", html: `<div id=p><button id=b disabled>Go</button></div>`,
			change: `p.innerHTML = '<button id=b>Go</button>'`, hits: "b",
		},
		{
			name: "to come back into view", html: `<button id=b style="position:fixed;left:-500px">Go</button>`,
			change: `b.style.left = '10px'`, hits: "b",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, tt.html)
			result := p.start(t, "aim", object{"target": css("#b"), "checks": "pointer", "patience": 10000})
			// The op was looked at before the change: what the page evaluates comes after it.
			p.js(t, "new Promise(done => requestAnimationFrame(() => setTimeout(() => { "+tt.change+"; done(0) })))")
			res := result()
			require.NotContains(t, res, "error")
			require.Equal(t, tt.hits, topmost(t, p, res["x"], res["y"]))
		})
	}
}

func TestActingAimAtRest(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		html string
		rest bool // the point is that of the end of the movement
	}{
		{
			"an animation that ends",
			`<style>@keyframes k{from{transform:translateX(600px)}}</style><button id=b style="animation:k .3s ease-in">Go</button>`, true,
		},
		{
			"a transition of an ancestor",
			`<style>#d{position:relative;left:500px;transition:left .3s ease-in}</style><div id=d><button id=b>Go</button></div>` +
				`<script>d.getBoundingClientRect(); d.style.left = '0'</script>`, true,
		},
		{"an animation in a shadow tree", `<div id=host></div><script>host.attachShadow({mode:'open'}).innerHTML=` +
			`'<style>@keyframes k{from{transform:translateX(600px)}}</style><button id=b style="animation:k .3s ease-in">Go</button>'</script>`, true},
		{
			"a pulse that never ends",
			`<style>@keyframes k{50%{transform:scale(1.05)}}</style><button id=b style="animation:k .4s infinite">Go</button>`,
			false,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, tt.html)
			res := p.result(t, "aim", object{"target": css("#b"), "checks": "pointer", "patience": 10000})
			if tt.rest {
				var at object
				p.evaluate(t, p.world,
					middleOf+"(document.querySelector('#b') ?? document.querySelector('#host').shadowRoot.querySelector('#b'))", &at)
				require.InDelta(t, at["x"], res["x"], 1)
			}
			require.Equal(t, "b", topmost(t, p, res["x"], res["y"]))
		})
	}
}

func TestActingAimIsOneLookOnAStillPage(t *testing.T) {
	t.Parallel()
	p := newPage(t, `<button id=b>Go</button>`)
	// A promise would be an object of its own; the value itself says that no frame was awaited.
	var sync bool
	p.evaluate(t, p.world,
		`!(globalThis.__skua.ops.aim({target: {css: '#b'}, checks: 'pointer', patience: 5000, arm: ['click']}) instanceof Promise)`, &sync)
	require.True(t, sync)
}
