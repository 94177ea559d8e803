package routine_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// jobsPage has what repetitive work is done on: a table of fifty rows with buttons, a form that adds records, pages of
// a list, and details to open.
const jobsPage = `<!doctype html><title>Jobs</title>
<table id=t></table><form id=f><input id=a><input id=b><select id=k><option>new<option>used</select><button>Add</button></form><ol id=out></ol>
<section><ul id=list></ul><button id=next>Next</button></section><div id=d></div><script>
for (let i = 1; i <= 50; i++) {
	const r = t.insertRow(); r.innerHTML = "<td class=name>Item " + i + "<td class=n>" + i * 7 % 10 + "<td><button>Pick</button>"
	r.querySelector("button").onclick = () => { r.className = "picked" }
	d.insertAdjacentHTML("beforeend", "<details><summary>More " + i + "</summary><p>Detail " + i + "</p></details>")
}
f.onsubmit = e => { e.preventDefault(); out.insertAdjacentHTML("beforeend", "<li>" + a.value + "/" + b.value + "/" + k.value); f.reset() }
let shown = 0; const show = () => { shown++; list.innerHTML = ""; for (let i = 0; i < 10; i++) list.insertAdjacentHTML("beforeend", "<li>Entry " + shown + "." + i) }
next.onclick = show; show()
</script>`

// job is repetitive work in two ways: a command line for each step, as an agent sends them one by one, and one program.
// Done is an expression of the page that says whether it was done.
type job struct {
	name    string
	lines   [][]string
	program string
	done    string
}

func jobs() []job {
	var read, pick, add, pages, details [][]string
	for i := 1; i <= 50; i++ {
		row := "#t tr:nth-child(" + strconv.Itoa(i) + ")"
		read = append(read, []string{"get", "text", row + " .name"}, []string{"get", "text", row + " .n"})
		pick = append(pick, []string{"get", "text", row + " .n"})
		if i*7%10 > 4 {
			pick = append(pick, []string{"click", row + " button"})
		}
		if i <= 20 {
			add = append(add, []string{"fill", "#a", fmt.Sprint("first ", i)}, []string{"fill", "#b", fmt.Sprint("second ", i)},
				[]string{"select", "#k", "used"}, []string{"click", "#f button"})
			nth := "#d details:nth-child(" + strconv.Itoa(i) + ")"
			details = append(details, []string{"click", nth + " summary"}, []string{"get", "text", nth + " p"})
		}
		if i <= 10 {
			pages = append(pages, []string{"get", "text", "#list"}, []string{"click", "#next"})
		}
	}
	return []job{
		{"read 50 rows", read, `const rows = []
for (let i = 1; i <= 50; i++) rows.push([(await page.getText("#t tr:nth-child(" + i + ") .name")).text, (await page.getText("#t tr:nth-child(" + i + ") .n")).text])
return rows`, `document.title === "Jobs"`},
		{"press 25 of 50 buttons", pick, `for (let i = 1; i <= 50; i++) {
  const row = "#t tr:nth-child(" + i + ")"
  if (Number((await page.getText(row + " .n")).text) > 4) await page.click(row + " button")
}`, `document.querySelectorAll(".picked").length === 25`},
		{"add 20 records", add, `for (let i = 1; i <= 20; i++) {
  await page.fill("#a", "first " + i); await page.fill("#b", "second " + i); await page.select("#k", "used"); await page.click("#f button")
}`, `out.children.length === 20 && out.lastChild.textContent === "first 20/second 20/used"`},
		{"read 10 pages", pages, `const seen = []
for (let i = 0; i < 10; i++) { seen.push((await page.getText("#list")).text); await page.click("#next") }
return seen`, `shown === 11`},
		{"open 20 details", details, `const texts = []
for (let i = 1; i <= 20; i++) {
  const at = "#d details:nth-child(" + i + ")"
  await page.click(at + " summary"); texts.push((await page.getText(at + " p")).text)
}
return texts`, `document.querySelectorAll("details[open]").length === 20`},
	}
}

// BenchmarkRunAgainstCalls does five repetitive jobs call by call and by `run`. Bytes are those of the command lines
// and replies; the time has none of the model's, which a call costs besides.
func BenchmarkRunAgainstCalls(b *testing.B) {
	for _, j := range jobs() {
		for _, way := range []struct {
			name  string
			lines [][]string
		}{{"call by call", j.lines}, {"run", [][]string{{"run", "--code", j.program}}}} {
			b.Run(j.name+"/"+way.name, func(b *testing.B) {
				c := host.Opened(b, site.Write(jobsPage))
				bytes := 0
				for b.Loop() {
					b.StopTimer()
					c.Do("reload")
					b.StartTimer()
					for _, line := range way.lines {
						reply := c.Try(line...)
						require.NoError(b, reply.Err)
						bytes += len(strings.Join(line, " ")) + len(reply.Result.Text)
					}
					b.StopTimer()
					require.Equal(b, true, c.Page(j.done))
					b.StartTimer()
				}
				b.ReportMetric(float64(bytes)/float64(b.N), "bytes/job")
				b.ReportMetric(float64(len(way.lines)), "calls/job")
			})
		}
	}
}
