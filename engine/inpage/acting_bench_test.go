package inpage_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/inpage"
)

// small is a page of about 30 elements; large one of about 10,000, with the same button at its end.
const small = `<h1>T</h1><ul><li><a href=#1>one</a><li><a href=#2>two</a><li><a href=#3>three</a></ul>` +
	`<form><label>N <input id=i></label><label>E <input type=email></label><select id=s><option>a<option>b</select></form>` +
	`<p>some <b>bold</b> and <i>slanted</i> words</p><button id=b>Send</button><p id=o></p>`

var large = strings.Repeat(
	`<tr><td>cell <b>one</b></td><td><a href=#>link</a></td><td><button>Edit</button></td><td><input></td></tr>`, 1000)

func benchmarkOp(b *testing.B, html, expression string) {
	b.Helper()
	p := newPage(b, html)
	var res object
	p.evaluate(b, p.world, expression, &res)
	require.NotContains(b, res, "error")
	b.ReportAllocs()
	for b.Loop() {
		p.evaluate(b, p.world, expression, nil)
	}
}

func BenchmarkActing(b *testing.B) {
	wide := `<table>` + large + `</table>` + small
	ref := func(name string) string {
		return `{"ref":{"token":987654,"role":"button","name":"` + name + `","nth":0}}`
	}
	for _, bm := range []struct{ name, html, expression string }{
		{"evaluate-1", small, `({})`},
		{
			"aim-css", small,
			inpage.Call("aim",
				[]byte(`{"target":{"css":"#b"},"checks":"pointer","patience":5000,"arm":["mousedown","click"]}`)),
		},
		{"fill", small, inpage.Call("fill", []byte(`{"target":{"css":"#i"},"value":"x","patience":5000}`))},
		{"find-role", small, inpage.Call("count", []byte(`{"find":{"by":"role","value":"button","name":"Send"}}`))},
		{"find-text", small, inpage.Call("count", []byte(`{"find":{"by":"text","value":"bold"}}`))},
		{"large/aim-css", wide, inpage.Call("aim", []byte(`{"target":{"css":"#b"},"checks":"pointer","patience":5000}`))},
		{"large/heal", wide, inpage.Call("read", []byte(`{"what":"text","target":`+ref("Send")+`}`))},
		{"large/find-role", wide, inpage.Call("count", []byte(`{"find":{"by":"role","value":"button","name":"Send"}}`))},
		{"large/find-text", wide, inpage.Call("count", []byte(`{"find":{"by":"text","value":"slanted"}}`))},
		{"large/find-label", wide, inpage.Call("count", []byte(`{"find":{"by":"label","value":"N"}}`))},
		{"large/text-that-is-not-there", wide, `(globalThis.__skua.ops.wait({"text":"nowhere"}), {})`},
	} {
		b.Run(bm.name, func(b *testing.B) { benchmarkOp(b, bm.html, bm.expression) })
	}
}

// How much later than the change a wait for a text ends, in milliseconds, as the page's own clock tells it.
func BenchmarkActingWaitLateness(b *testing.B) {
	for _, bm := range []struct{ name, html string }{{"small", small}, {"large", `<table>` + large + `</table>` + small}} {
		b.Run(bm.name, func(b *testing.B) {
			p := newPage(b, bm.html)
			var lates []float64
			for b.Loop() {
				var late float64
				p.evaluate(b, p.world, `(async () => {
					const out = document.querySelector('#o');
					out.textContent = '';
					let changed;
					setTimeout(() => { changed = performance.now(); out.textContent = 'Ready now'; }, 30);
					await globalThis.__skua.ops.wait({text: 'Ready now', patience: 5000});
					return performance.now() - changed;
				})()`, &late)
				lates = append(lates, late)
			}
			slices.Sort(lates)
			b.ReportMetric(lates[len(lates)/2], "ms-late-median")
			b.ReportMetric(lates[len(lates)*95/100], "ms-late-p95")
		})
	}
}
