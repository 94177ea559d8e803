package look_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/internal/sessiontest"
)

// bareWalk is about the least that a walk can do: the role, the name and the visibility of every element, as text.
const bareWalk = `(() => {
  const ROLES = { A: 'link', BUTTON: 'button', INPUT: 'textbox', SELECT: 'combobox', H1: 'heading', TABLE: 'table', TR: 'row', TD: 'cell', TH: 'columnheader', NAV: 'navigation', MAIN: 'main' };
  const lines = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT);
  for (let el = walk.currentNode; el; el = walk.nextNode()) {
    if (!el.checkVisibility({ visibilityProperty: true })) continue;
    const role = el.getAttribute('role') ?? ROLES[el.tagName] ?? 'generic';
    const name = el.getAttribute('aria-label') ?? (el.firstElementChild ? '' : el.textContent.trim());
    lines.push(role + ' ' + JSON.stringify(name));
  }
  return lines.join('\n');
})()`

// BenchmarkPerception measures snapshots of pages of several sizes beside what they are made of: in each round every
// one of them once, so that they share whatever else the machine does. docs/performance.md has a table of it.
//
//	go test ./actions/look -run '^$' -bench BenchmarkPerception -benchtime 10x
func BenchmarkPerception(b *testing.B) {
	browser, err := engine.Launch(b.Context(), chrome.Options{Headless: true})
	require.NoError(b, err)
	b.Cleanup(func() { browser.Close(b.Context()) })
	for _, size := range []int{30, 1_000, 10_000, 50_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) { benchPerception(b, browser, size) })
	}
}

func benchPerception(b *testing.B, browser *engine.Browser, size int) {
	path := site.Write(sessiontest.ShopPage(size))
	c := host.Opened(b, path)
	private, err := browser.NewContext(b.Context(), engine.ContextOptions{})
	require.NoError(b, err)
	page, err := private.NewPage(b.Context())
	require.NoError(b, err)
	_, err = page.Navigate(b.Context(), site.URL(path), engine.WaitLoad)
	require.NoError(b, err)
	run := func(args ...string) {
		reply := c.Manager.Do(b.Context(), c.Request("", args))
		require.NoError(b, reply.Err)
	}
	changed := 0
	parts := []struct {
		name string
		do   func()
	}{
		{"interactive", func() { run("snapshot", "-i") }},
		{"delta", func() { run("snapshot", "-i", "--delta") }},
		{"full", func() { run("snapshot") }},
		{"capabilities", func() { run("capabilities", "--fresh") }},
		{"unchanged", func() { run("capabilities") }},
		{"complete", func() { run("snapshot", "--max-tokens", "0") }},
		{"bare-walk", func() {
			_, err := page.Evaluate(b.Context(), bareWalk)
			require.NoError(b, err)
		}},
		{"getFullAXTree", func() {
			_, _, err := page.Main().AXTree(b.Context())
			require.NoError(b, err)
		}},
	}
	best, sum := make([]float64, len(parts)), make([]float64, len(parts))
	for i := range best {
		best[i] = math.Inf(1)
		parts[i].do()
	}
	rounds := 0
	for b.Loop() {
		for i, part := range parts {
			if part.name == "delta" {
				changed++
				run("eval", fmt.Sprintf("document.querySelector('a').textContent = 'Home %d'", changed))
			}
			from := time.Now()
			part.do()
			took := float64(time.Since(from).Microseconds()) / 1000
			best[i], sum[i] = min(best[i], took), sum[i]+took
		}
		rounds++
	}
	b.ReportMetric(0, "ns/op")
	for i, part := range parts {
		b.ReportMetric(best[i], part.name+"-best-ms")
		b.ReportMetric(sum[i]/float64(rounds), part.name+"-ms")
	}
}
