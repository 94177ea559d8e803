package inpage_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// benchPage is a page of about n elements such as a shop's back office has: a menu, a form and a long table.
func benchPage(n int) string {
	var b strings.Builder
	b.WriteString(
		`<!doctype html><title>Orders</title><style>td{padding:2px}.act{cursor:pointer}.tag::before{content:"#"}tr:nth-child(even){background:#eee}</style>
<header><h1>Orders</h1><nav aria-label="Main"><a href="/a">Home</a><a href="/b">Orders</a></nav></header>
<form><label>Search <input name=q placeholder="Order"></label><select><option>All<option>Open</select><button>Find</button></form><main><table><thead><tr><th>No<th>Customer<th>State<th>Act</thead><tbody>`)
	for i, made := 0, 26; made < n; i++ {
		fmt.Fprintf(&b,
			`<tr class=row id=r%d><td>%d</td><td class=name><a href="/order/%d">Customer %d</a></td><td><span class=tag>open</span></td><td><button type=button class=act data-id=%d>Edit</button><input type=checkbox aria-label="Pick %d"></td></tr>`, i, i, i, i, i, i)
		made += 9
	}
	b.WriteString(`</table></main><footer>End</footer>`)
	return b.String()
}

// BenchmarkWalk reports the time of one walk in the page, and next to it that of the whole call and of Chrome's own
// tree.
func BenchmarkWalk(b *testing.B) {
	for _, n := range []int{30, 1000, 10000} {
		p := newPage(b, benchPage(n))
		count, ok := p.js(b, "document.querySelectorAll('*').length").(float64)
		require.True(b, ok)
		for _, mode := range []string{"interactive", "full"} {
			arg := fmt.Sprintf(`{"interactive":%t}`, mode == "interactive")
			b.Run(fmt.Sprintf("%d/%s/inpage", n, mode), func(b *testing.B) {
				times := max(1, 20000/n)
				expression := fmt.Sprintf(
					`(() => { const from = performance.now(); for (let i = 0; i < %d; i++) __skua.ops.walk(%s); return (performance.now() - from) / %[1]d })()`, times, arg)
				best := 1e9
				var sum float64
				runs := 0
				for b.Loop() {
					var ms float64
					p.evaluate(b, p.world, expression, &ms)
					best = min(best, ms)
					sum += ms
					runs++
				}
				b.ReportMetric(best, "ms/walk-best")
				b.ReportMetric(sum/float64(runs), "ms/walk")
				b.ReportMetric(best*1000/count, "µs/element")
			})
			b.Run(fmt.Sprintf("%d/%s/call", n, mode), func(b *testing.B) {
				var wire string
				for b.Loop() {
					p.op(b, "walk", object{"interactive": mode == "interactive"}, &wire)
				}
				b.ReportMetric(float64(len(wire)), "bytes")
			})
		}
		for _, mode := range []string{"fresh", "unchanged"} {
			b.Run(fmt.Sprintf("%d/capabilities/%s", n, mode), func(b *testing.B) {
				var told string
				p.op(b, "capabilities", object{"fresh": true}, &told)
				stamp, _, _ := strings.Cut(told, "\n")
				expression := fmt.Sprintf(
					`(() => { const from = performance.now(); for (let i = 0; i < %d; i++) __skua.ops.capabilities(%s); return (performance.now() - from) / %[1]d })()`,
					max(1, 20000/n), map[string]string{"fresh": `{"fresh":true}`, "unchanged": `{"have":` + stamp + `}`}[mode])
				best := 1e9
				for b.Loop() {
					var ms float64
					p.evaluate(b, p.world, expression, &ms)
					best = min(best, ms)
				}
				b.ReportMetric(best, "ms/walk-best")
			})
		}
		b.Run(fmt.Sprintf("%d/getFullAXTree", n), func(b *testing.B) {
			for b.Loop() {
				call(b, p.sess, "Accessibility.getFullAXTree", object{}, nil)
			}
		})
	}
}
