package wait_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"testing"
	"time"
)

// BenchmarkWaitLateness tells how long after the moment when a condition became true the reply of a wait is there, in
// process: the median and the worst, in milliseconds. The page notes the moment by the clock that it shares with this
// process.
func BenchmarkWaitLateness(b *testing.B) {
	const in = `const at = () => { moment = performance.timeOrigin + performance.now() }; setTimeout(() => { `
	api := site.Answering(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "x") })
	benchmarks := []struct {
		name   string
		change string
		args   func(n int) []string
	}{
		{"selector", `at(); document.body.insertAdjacentHTML('beforeend', '<p id="p%[1]d">Here</p>')`, func(n int) []string {
			return []string{fmt.Sprintf("#p%d", n)}
		}},
		{"selector-hidden", `at(); gone.hidden = %[1]d >= 0`, func(int) []string {
			return []string{"#gone", "--state", "hidden"}
		}},
		{
			"role", `at(); document.body.insertAdjacentHTML('beforeend', '<button>Go %[1]d</button>')`,
			func(n int) []string { return []string{fmt.Sprintf(`role=button[name="Go %d"]`, n)} },
		},
		{"text", `at(); document.body.insertAdjacentHTML('beforeend', '<p>Saved %[1]d.</p>')`, func(n int) []string {
			return []string{"--text", fmt.Sprintf("Saved %d.", n)}
		}},
		{"fn", `at(); done = %[1]d`, func(n int) []string { return []string{"--fn", fmt.Sprintf("window.done === %d", n)} }},
		{"url", `at(); history.pushState(0, '', '?done=%[1]d.')`, func(n int) []string {
			return []string{"--url", fmt.Sprintf("done=%d.", n)}
		}},
		{"response", `fetch('` + api + `%[1]d.').then(at)`, func(n int) []string {
			return []string{"--response", fmt.Sprintf("%s%d.", api, n)}
		}},
	}
	for _, bm := range benchmarks {
		b.Run(bm.name, func(b *testing.B) {
			c := host.Opened(b, "/pages/acting-target-settings.html")
			c.Page("document.body.insertAdjacentHTML('beforeend', '<p id=gone>Gone</p>')")
			var late []float64
			for n := 0; b.Loop(); n++ {
				// The time is another one in each round, so that no rhythm of the page's or of ours hides.
				change := fmt.Sprintf(bm.change, n)
				c.Page(fmt.Sprintf("(() => { gone.hidden = false; moment = 0; %s%s }, %d) })()", in, change, 150+(n*37)%29))
				c.Do(append([]string{"wait"}, bm.args(n)...)...)
				now := float64(time.Now().UnixMicro()) / 1000
				c.Do("wait", "--fn", "window.moment") // the page may hear of a response after us
				late = append(late, now-c.Page("moment").(float64))
			}
			slices.Sort(late)
			b.ReportMetric(late[len(late)/2], "ms-late")
			b.ReportMetric(late[len(late)-1], "ms-late-worst")
			b.ReportMetric(0, "ns/op")
		})
	}
}
