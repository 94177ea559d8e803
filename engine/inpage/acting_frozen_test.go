package inpage_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// frozenGrid is a table of 30 rows and 12 columns in a box that scrolls, with a row and columns that keep their places.
const frozenGrid = `<style>
	body { margin: 0 }
	#box { overflow: auto; width: 500px; height: 260px; margin: 40px }
	table { border-collapse: separate; border-spacing: 0 }
	td, th { min-width: 100px; height: 30px; padding: 0; background: #fff; box-sizing: border-box }
	.left { position: sticky; z-index: 1 } .right { position: sticky; right: 0; z-index: 1 }
	.top { position: sticky; top: 0; z-index: 2 } .bottom { position: sticky; bottom: 0; z-index: 2 }
	.left.top, .right.top { z-index: 3 }
</style><div id=box></div><script>
	function grid({ left = 0, right = 0, head = 0, foot = 0, columns = 12, rows = 30 }) {
		const cell = (row, column) => {
			const of = [row < head && 'top', rows - row <= foot && 'bottom', column < left && 'left', columns - column <= right && 'right'].filter(Boolean);
			const style = (column < left ? 'left:' + column * 100 + 'px;' : '') + (row < head ? 'top:' + row * 30 + 'px' : '');
			return '<td class="' + of.join(' ') + '" style="' + style + '"><button id=c' + row + '-' + column + '>' + row + ' ' + column + '</button></td>';
		};
		let html = '';
		for (let row = 0; row < rows; row++) {
			html += '<tr>';
			for (let column = 0; column < columns; column++) html += cell(row, column);
		}
		box.innerHTML = '<table>' + html + '</table>';
	}
</script>`

// following is a row with a frozen column in a box that no wheel scrolls: it shows what the box below it does.
const following = `<body style="margin:0"><div style="width:500px"><div id=follows style="overflow:hidden;width:500px"><div style="width:3000px;height:40px;position:relative">
	<div style="position:sticky;left:0;width:200px;height:40px;background:#eee;z-index:2">frozen</div><button id=b style="position:absolute;left:240px;top:5px">Go</button></div></div>
	<div id=box style="overflow:auto;width:500px;height:150px"><div style="width:3000px;height:900px"></div></div></div>
	<script>box.onscroll = () => { follows.scrollLeft = box.scrollLeft }; follows.scrollLeft = 110</script>`

// Where an element lies below what keeps its place: the page, the element, and what has to be done to get there.
var frozen = []struct {
	name string
	html string
	id   string
}{
	{"one frozen column", frozenGrid + `<script>grid({left: 1}); box.scrollLeft = 90</script>`, "c3-1"},
	{"two frozen columns", frozenGrid + `<script>grid({left: 2}); box.scrollLeft = 190</script>`, "c3-2"},
	{"frozen columns and a row", frozenGrid + `<script>grid({left: 2, head: 1}); box.scrollTo(190, 55)</script>`, "c2-2"},
	{"two frozen rows", frozenGrid + `<script>grid({head: 2}); box.scrollTo(0, 60)</script>`, "c2-3"},
	{
		"rows and columns on all sides",
		frozenGrid + `<script>grid({left: 1, right: 1, head: 1, foot: 1}); box.scrollTo(90, 30)</script>`, "c1-1",
	},
	{
		"a frozen column at the right", frozenGrid + `<script>grid({right: 2}); box.scrollLeft = 0</script>`, "c3-4",
	},
	{
		"a gap that is not in the middle", frozenGrid + `<script>grid({left: 3, right: 1}); box.scrollLeft = 180</script>`,
		"c3-3",
	},
	{
		"a box in a box",
		frozenGrid +
			`<style>#outer { overflow: auto; width: 400px; height: 200px } #side { position: sticky; left: 0; float: left; width: 130px; height: 200px;` +
			`margin-right: -130px; z-index: 9; background: #eee } #wide { width: 900px }</style><div id=outer><div id=side>side</div><div id=wide></div></div>` +
			`<script>wide.append(box); grid({left: 1}); box.scrollLeft = 0; outer.scrollLeft = 90</script>`, "c3-1",
	},
	{
		"a fixed side bar of a page that scrolls sideways",
		`<body style="margin:0;width:4000px;height:3000px"><nav style="position:fixed;inset:0 auto 0 0;width:300px;background:#eee">side</nav>` +
			`<button id=b style="position:absolute;left:900px;top:200px">Go</button><script>scrollTo(750, 0)</script>`, "b",
	},
	{
		"a layer beside the box that scrolls",
		`<div id=wrap style="position:relative;width:500px;height:200px"><div id=box style="overflow:auto;width:500px;height:200px">` +
			`<div style="width:3000px;height:900px;position:relative"><button id=b style="position:absolute;left:260px;top:90px">Go</button></div></div>` +
			`<div style="position:absolute;left:0;top:0;width:200px;height:180px;background:#eee">clone</div></div><script>box.scrollLeft = 150</script>`, "b",
	},
	{
		"a row in a box that follows the one that scrolls", following + `<script>box.scrollLeft = 110</script>`, "b",
	},
	{
		"a column in a box that follows the one that scrolls",
		`<body style="margin:0"><div style="display:flex;height:200px"><div id=follows style="overflow:hidden;width:120px;height:200px"><div style="height:2000px;position:relative">` +
			`<div style="position:sticky;top:0;height:80px;background:#eee;z-index:2">head</div><button id=b style="position:absolute;left:10px;top:130px">Go</button></div></div>` +
			`<div id=box style="overflow:auto;width:300px;height:200px"><div style="height:2000px"></div></div></div>` +
			`<script>box.onscroll = () => { follows.scrollTop = box.scrollTop }; box.scrollTop = follows.scrollTop = 100</script>`, "b",
	},
	{
		"a row in a box that follows, two levels away",
		`<body style="margin:0"><div style="width:500px"><div><div id=follows style="overflow:hidden;width:500px"><div style="width:3000px;height:40px;position:relative">` +
			`<div style="position:sticky;left:0;width:200px;height:40px;background:#eee;z-index:2">frozen</div><button id=b style="position:absolute;left:240px;top:5px">Go</button></div></div></div>` +
			`<div><div id=box style="overflow:auto;width:500px;height:150px"><div style="width:3000px;height:900px"></div></div></div></div>` +
			`<script>box.onscroll = () => { follows.scrollLeft = box.scrollLeft }; box.scrollLeft = follows.scrollLeft = 110</script>`, "b",
	},
	{
		"content that begins at the right", frozenGrid + `<style>.left { left: auto !important; right: 0 }</style>` +
			`<script>box.dir = 'rtl'; grid({left: 1}); box.scrollLeft = -90</script>`, "c3-1",
	},
	{
		"columns in a shadow tree",
		`<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML = '<style>.square { border: 0; border-radius: 0 }</style><div id=box style="overflow:auto;width:500px">` +
			`<div style="width:2000px;height:60px;position:relative"><div style="position:sticky;left:0;width:300px;height:60px;z-index:2;background:#eee">x</div>` +
			`<button id=b style="position:absolute;left:400px;top:10px">Go</button></div></div>';` +
			`host.shadowRoot.getElementById('box').scrollLeft = 250</script>`, "b",
	},
	{
		"a sticky header, wide element",
		`<body style="margin:0"><div style="position:sticky;top:0;height:300px;background:#eee">h</div>` +
			`<button id=b style="width:100%;height:700px;margin-top:50px">Go</button><div style="height:3000px"></div><script>scrollTo(0, 720)</script>`, "b",
	},
}

func TestActingAimBelowFrozen(t *testing.T) {
	t.Parallel()
	for _, tt := range frozen {
		for _, checks := range []string{"pointer", "hover"} {
			t.Run(tt.name+", "+checks, func(t *testing.T) {
				t.Parallel()
				p := newPage(t, tt.html)
				res := p.result(t, "aim", object{"target": css("#" + tt.id), "checks": checks, "patience": 5000})
				require.Equal(t, tt.id, topmost(t, p, res["x"], res["y"]))
			})
		}
	}
}

// A point of the element that the caller gives is brought out as well.
func TestActingAimAtPointBelowFrozen(t *testing.T) {
	t.Parallel()
	for _, tt := range frozen {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, tt.html)
			res := p.result(t, "aim",
				object{"target": css("#" + tt.id), "checks": "pointer", "patience": 5000, "position": object{"x": 3, "y": 4}})
			require.Equal(t, tt.id, topmost(t, p, res["x"], res["y"]))
		})
	}
}

func TestActingScrollIntoViewBelowFrozen(t *testing.T) {
	t.Parallel()
	// Whether each corner of what the element shows on the screen is its own.
	const whole = `(id => {
		const e = document.getElementById(id) ?? host.shadowRoot.getElementById(id), r = e.getBoundingClientRect();
		const at = (x, y) => { let h = document.elementFromPoint(x, y); if (h?.shadowRoot) h = h.shadowRoot.elementFromPoint(x, y); return e.contains(h) };
		return [1, r.width / 2, r.width - 1].every(x => [1, r.height / 2, r.height - 1].every(y => at(r.x + x, r.y + y) || r.height > 600)) })`
	for _, tt := range frozen {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, strings.ReplaceAll(tt.html, "<button", "<button class=square")+
				`<style>.square { appearance: none; border: 0; border-radius: 0 }</style>`)
			res := p.result(t, "scrollIntoView", object{"target": css("#" + tt.id), "patience": 5000})
			require.Equal(t, false, res["covered"])
			var seen bool
			p.evaluate(t, 0, whole+"('"+tt.id+"')", &seen)
			require.True(t, seen)
		})
	}
}

// What covers all ways out is named, and the boxes are where the element is in the middle.
func TestActingAimStaysBelowFrozen(t *testing.T) {
	t.Parallel()
	p := newPage(t,
		`<div id=box style="overflow:auto;width:500px;height:200px;position:relative"><div style="width:3000px;height:900px;position:relative">`+
			`<button id=b style="position:absolute;left:1260px;top:390px">Go</button></div></div>`+
			`<div id=over style="position:absolute;left:0;top:0;width:600px;height:280px;background:#eee">all of the box</div>`)
	code, facts := p.failure(t, "aim", object{"target": css("#b"), "checks": "pointer", "patience": 0})
	require.Equal(t, "target-covered", code)
	require.Equal(t, "div#over", facts["by"])
	var at []float64
	p.evaluate(t, 0, "[box.scrollLeft, box.scrollTop]", &at)
	require.InDelta(t, 794, at[0], 20, "as far as it takes to show it")
	require.InDelta(t, 301, at[1], 20)
}

// The box that leads goes with it, so that the page shows the same columns in both, also where the page sets them
// again.
func TestActingAimTakesTheLeadingBoxAlong(t *testing.T) {
	t.Parallel()
	p := newPage(t, following+`<script>box.scrollLeft = 110</script>`)
	p.result(t, "aim", object{"target": css("#b"), "checks": "pointer", "patience": 5000})
	var at []float64
	p.evaluate(t, 0, "[box.scrollLeft, follows.scrollLeft]", &at)
	require.Less(t, at[0], 110.0)
	require.InDelta(t, at[0], at[1], 1)
}
