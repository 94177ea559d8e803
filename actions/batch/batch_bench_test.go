package batch_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/engine/input"
)

// formFlow is a form of ten steps as rows of a batch.
var formFlow = [][]string{
	{"fill", "#first", "Ada"},
	{"fill", "#last", "Lovelace"},
	{"fill", "#email", "ada@example.com"},
	{"select", "#room", "Large"},
	{"fill", "#nights", "3"},
	{"check", "#breakfast"},
	{"check", "#early"},
	{"fill", "#remarks", "quiet"},
	{"click", "#book"},
	{"get", "text", "#out"},
}

// bareFlow does the same with the minimum of calls: to click, one that finds the point, the three pointer events sent
// back to back, and one that reads the result; to fill, one that selects the contents, the text, and one that reads the
// value.
func bareFlow(b *testing.B, page *engine.Page) {
	ctx := b.Context()
	evaluate := func(script string, into any) {
		v, err := page.Evaluate(ctx, script)
		require.NoError(b, err)
		if into != nil {
			require.NoError(b, json.Unmarshal(v.JSON, into))
		}
	}
	for _, step := range formFlow {
		element := fmt.Sprintf("document.querySelector(%q)", step[1])
		switch step[0] {
		case "fill":
			evaluate("(e => { e.scrollIntoViewIfNeeded(); e.focus(); e.select(); })("+element+")", nil)
			require.NoError(b, input.InsertText(ctx, page, step[2]))
			var value string
			evaluate(element+".value", &value)
			require.Equal(b, step[2], value)
		case "select":
			evaluate(
				fmt.Sprintf(
					"(e => { e.value = %q; e.dispatchEvent(new Event('input')); e.dispatchEvent(new Event('change')) })(%s)", step[2],
					element), nil)
		case "check", "click":
			var at struct{ X, Y float64 }
			evaluate(
				"(e => { e.scrollIntoViewIfNeeded(); const r = e.getBoundingClientRect(); return {x: r.x + r.width / 2, y: r.y + "+
					"r.height / 2} })("+
					element+")", &at)
			require.NoError(b, input.Click(ctx, page, engine.Point(at), input.ClickOptions{}))
			evaluate(element+".checked", nil)
		default:
			evaluate("document.querySelector('#out').innerText", nil)
		}
	}
}

// BenchmarkBatch measures a form of ten steps as a batch beside the bare calls that it needs, one round each in turn,
// so that they share whatever else the machine does. Both open the page again before each round, which is not counted.
//
//	go test ./actions/batch -run '^$' -bench BenchmarkBatch -benchtime 30x
func BenchmarkBatch(b *testing.B) {
	browser, err := engine.Launch(b.Context(), chrome.Options{Headless: true})
	require.NoError(b, err)
	b.Cleanup(func() { browser.Close(b.Context()) })
	private, err := browser.NewContext(b.Context(),
		engine.ContextOptions{Width: chrome.DefaultWidth, Height: chrome.DefaultHeight})
	require.NoError(b, err)
	page, err := private.NewPage(b.Context())
	require.NoError(b, err)
	const path = "/pages/acting-batch-form.html"
	c := host.Opened(b, path)
	rows, err := json.Marshal(formFlow)
	require.NoError(b, err)

	var bare, batch []time.Duration
	steps := map[string]time.Duration{}
	for b.Loop() {
		_, err := page.Navigate(b.Context(), site.URL(path), engine.WaitLoad)
		require.NoError(b, err)
		c.Do("open", site.URL(path))
		start := time.Now()
		bareFlow(b, page)
		bare = append(bare, time.Since(start))
		start = time.Now()
		reply := c.Manager.Do(b.Context(), c.Request(string(rows), cmd("batch")))
		batch = append(batch, time.Since(start))
		require.NoError(b, reply.Err)
		require.False(b, reply.Result.Failed, reply.Result.ErrText)
		for i, row := range sessiontest.Decode[[]sessiontest.RowReply](b, reply.Result.Data) {
			steps[fmt.Sprintf("%02d-%s", i, row.Command[0])] += time.Duration(*row.MS * float64(time.Millisecond))
		}
	}
	slices.Sort(bare)
	slices.Sort(batch)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(ms(bare[len(bare)/2]), "bare-ms")
	b.ReportMetric(ms(batch[len(batch)/2]), "batch-ms")
	b.ReportMetric(float64(batch[len(batch)/2])/float64(bare[len(bare)/2]), "ratio")
	for name, took := range steps {
		b.ReportMetric(ms(took)/float64(len(batch)), name+"-ms")
	}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
