package pointer_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/engine/input"
)

// BenchmarkClick measures a click by ref, from its words to its reply, beside the bare events of one: move, press and
// release, sent back to back. Each round has both, so that they share whatever else the machine does. The goal is a
// ratio of 1.5.
//
//	go test ./actions/pointer -run '^$' -bench BenchmarkClick -benchtime 300x
func BenchmarkClick(b *testing.B) {
	for _, page := range []struct {
		name string
		html string
	}{
		{"still", `<!doctype html><title>Bench</title><button id=b>Go</button>`},
		{
			"reacting",
			`<!doctype html><title>Bench</title><button id=b onclick="this.dataset.n=(this.dataset.n||0)-0+1">Go</button>`,
		},
		{"rows", benchPage(300)},
	} {
		b.Run(page.name, func(b *testing.B) { benchClick(b, page.html) })
	}
}

func benchClick(b *testing.B, html string) {
	path := site.Write(html)
	c := host.Opened(b, path)
	ref := c.Ref(`button "Go"`)
	browser, err := engine.Launch(b.Context(), chrome.Options{Headless: true})
	require.NoError(b, err)
	b.Cleanup(func() { browser.Close(b.Context()) })
	private, err := browser.NewContext(b.Context(), engine.ContextOptions{})
	require.NoError(b, err)
	page, err := private.NewPage(b.Context())
	require.NoError(b, err)
	_, err = page.Navigate(b.Context(), site.URL(path), engine.WaitLoad)
	require.NoError(b, err)

	var commands, bare []time.Duration
	click := func() {
		reply := c.Manager.Do(b.Context(), c.Request("", []string{"click", ref}))
		require.NoError(b, reply.Err)
	}
	events := func() {
		require.NoError(b, input.Click(b.Context(), page, engine.Point{X: 20, Y: 20}, input.ClickOptions{}))
	}
	timed := func(to *[]time.Duration, do func()) {
		began := time.Now()
		do()
		*to = append(*to, time.Since(began))
	}
	click()
	events()
	for b.Loop() {
		timed(&commands, click)
		timed(&bare, events)
	}
	b.ReportMetric(median(commands), "click-ms")
	b.ReportMetric(median(bare), "bare-ms")
	b.ReportMetric(median(commands)/median(bare), "ratio")
}

// median is in milliseconds.
func median(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)/2].Microseconds()) / 1000
}
