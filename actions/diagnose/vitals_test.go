package diagnose_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

func TestVitals(t *testing.T) {
	t.Parallel()
	path := site.Write(`<title>V</title><h1 id=big style="font-size: 60px">Largest</h1><p>small</p>`)
	c := host.NewClient(t)
	reply := c.Do("vitals", site.URL(path))
	lines := strings.Split(reply.Result.Text, "\n")
	require.Len(t, lines, 4, reply.Result.Text)
	require.Equal(t, "url: "+site.URL(path), lines[0])
	require.Regexp(t, `^ttfb: [\d.]+ms  fcp: [\d.]+ms  lcp: [\d.]+ms  cls: 0  inp: -$`, lines[1])
	require.Equal(t, "lcp: element: h1", lines[2])
	require.Equal(t, "hydration: -  phases: 0  hydratedComponents: 0", lines[3])
	data := sessiontest.WithoutEffect(t, reply)
	lcp := data["lcp"].(object)
	require.Equal(t, []any{"h1", "big", nil}, []any{lcp["element"], lcp["id"], lcp["url"]})
	require.Greater(t, lcp["size"], 0.0)
	require.InDelta(t, c.Page(`performance.getEntriesByName("first-contentful-paint")[0].startTime`), data["fcp"], 0.01)
	require.InDelta(t, c.Page(`performance.getEntriesByType("navigation")[0].responseStart`), data["ttfb"], 0.01)
	require.Equal(t, []any{nil, nil, []any{}, []any{}},
		[]any{data["inp"], data["hydration"], data["phases"], data["hydratedComponents"]})
	require.Equal(t, object{"score": 0.0, "entries": []any{}}, data["cls"])
	require.Equal(t, "V", c.Page("document.title"))

	c.Page("window.mark = 1, 0")
	c.Do("vitals", "--no-reload")
	require.Equal(t, 1.0, c.Page("mark"), "the page is the same")
	c.Do("vitals")
	require.Equal(t, "undefined", c.Page("typeof mark"), "the page was loaded again")
	require.Equal(t, "undefined", c.Page("typeof vitals"), "nothing of it is in the page's world")
}

func TestVitalsOfShifts(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	data := c.Data("vitals", site.URL(site.Write(`<div id=top></div><div style="height: 300px; background: red">moved</div>
		<script>setTimeout(() => document.querySelector("#top").style.height = "200px", 100)</script>`)))
	cls := data["cls"].(object)
	require.Greater(t, cls["score"], 0.0)
	require.NotEmpty(t, cls["entries"])
	require.Contains(t, cls["entries"].([]any)[0].(object)["sources"], "div")
}

func TestVitalsOfInteractions(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<button onclick="const end = performance.now() + 150; while (performance.now() < end);">Slow</button>`)
	require.Nil(t, c.Data("vitals", "--no-reload")["inp"], "there was no input")
	c.Do("click", "button")
	var data object
	c.Until("the interaction", func() bool {
		data = c.Data("vitals", "--no-reload")
		return data["inp"] != nil
	})
	require.GreaterOrEqual(t, data["inp"], 140.0)
	require.Equal(t, 1.0, data["interactions"])
	require.Regexp(t, `inp: \d+ms`, c.Do("vitals", "--no-reload").Result.Text)
	require.Nil(t, c.Data("vitals")["inp"], "a page that was just loaded")
}

// What React's builds tell of their work by console.timeStamp, and Next.js by a measure.
func TestVitalsOfHydration(t *testing.T) {
	t.Parallel()
	react := `<p>x</p><script>console.timeStamp("plain"); console.timeStamp("Hydrated", 10, 35.5, "Idle", "Scheduler ⚛");
		console.timeStamp("Small", 11, 12, "Components ⚛"); console.timeStamp("App", 10, 30, "Components ⚛")</script>`
	c := host.NewClient(t)
	reply := c.Do("vitals", site.URL(site.Write(react)))
	require.True(t, strings.HasSuffix(reply.Result.Text, "\nhydration: 25.5ms  phases: 1  hydratedComponents: 2"),
		reply.Result.Text)
	data := sessiontest.Decode[object](t, reply.Result.Data)
	require.Equal(t, object{"startTime": 10.0, "endTime": 35.5, "duration": 25.5}, data["hydration"])
	require.Equal(t, object{"name": "App", "startTime": 10.0, "endTime": 30.0, "duration": 20.0},
		data["hydratedComponents"].([]any)[0])
	next := `<p>x</p><script>performance.mark("a"); performance.measure("Next.js-hydration", {start: 5, end: 9})</script>`
	data = c.Data("vitals", site.URL(site.Write(next)))
	require.Equal(t, object{"startTime": 5.0, "endTime": 9.0, "duration": 4.0}, data["hydration"])
}

func TestVitalsOfAnImage(t *testing.T) {
	t.Parallel()
	svg := `<!-- ` + strings.Repeat("an image of few bytes does not count ", 1000) +
		` --><svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><rect width="600" height="400" fill="teal"/><text y="50">x</text></svg>`
	folder := site.Answering(func(w http.ResponseWriter, r *http.Request) {
		if r.PathValue("rest") == "image.svg" {
			w.Header().Set("Content-Type", "image/svg+xml")
			_, _ = w.Write([]byte(svg))
			return
		}
		time.Sleep(30 * time.Millisecond) // what is measured
		sessiontest.WritePage(w, "<p>small</p><img src=image.svg>")
	})
	c := host.NewClient(t)
	data := c.Data("vitals", site.URL(folder))
	require.Equal(t, site.URL(folder+"image.svg"), data["lcp"].(object)["url"])
	require.GreaterOrEqual(t, data["ttfb"], 30.0)
}

func TestVitalsMistakes(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	require.Contains(t, c.Fails(fault.Usage, "vitals", "about:blank", "--no-reload").Error(), "leave out the address")
	c.Fails(fault.NavigationFailed, "vitals", "http://127.0.0.1:1/")
	require.Contains(t, c.Fails(fault.NavigationFailed, "vitals", site.URL("/download")).Error(), "is a download")
	text := c.Do("vitals", "about:blank").Result.Text
	require.Contains(t, text, "ttfb: -  fcp: -  lcp: -  cls: 0  inp: -", text)
}

// Elements with ids that skua uses do not interfere.
func TestDiagnosisOfAHostilePage(t *testing.T) {
	t.Parallel()
	c := auditing(t,
		`<!doctype html><html lang=en><title>T</title><script>log = []; Element.prototype.animate = () => { throw "mine" };
		performance.getEntriesByType = PerformanceObserver = JSON.stringify = Promise.prototype.then = null</script>
		<main><h1>x</h1><p id=vitals>v</p><p id=highlights>h</p><p id=axe>a</p><form id=f style="font-size: 80px"><input name=id aria-label=a> LARGE</form></main>`)
	c.Until("the form is painted", func() bool { // the heading may be painted before it
		lcp, _ := c.Data("vitals", "--no-reload")["lcp"].(object)
		return lcp["element"] == "form"
	})
	require.Regexp(t, `lcp: [\d.]+ms`, c.Do("vitals").Result.Text)
	c.Do("highlight", "#highlights")
	require.Contains(t, c.Do("screenshot", "shot.png").Result.Text, "saved")
	c.Do("highlight", "--clear")
	require.Contains(t, c.Do("a11y").Result.Text, "axe-core: 4.12.1  violations: ")
	require.Empty(t, c.Do("errors").Result.Text)
}
