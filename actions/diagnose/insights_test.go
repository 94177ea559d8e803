package diagnose_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/insights"
)

// slowPage has a task of 300 ms in a named function, and an element that pushes another one down.
const slowPage = `<title>Slow</title><button id=work>Work</button><button id=show>Show</button><div id=slot></div>
	<p id=pushed class="text lead" style="height:300px;background:#ddd">This moves.</p><script>
	function sortTheWholeWorld() { const end = performance.now() + 300; let n = 0; while (performance.now() < end) n += Math.sqrt(n + 1); return n; }
	document.querySelector('#work').onclick = () => { document.title = 'Worked ' + sortTheWholeWorld() };
	document.querySelector('#show').onclick = () => setTimeout(() => { slot.style.height = '200px'; document.title = 'Shown' }, 800);
	</script>`

func TestInsightsOfAProfile(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"profiler", "trace"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			c := host.NewClient(t)
			c.Do("--isolate", "process", "open", site.URL(site.Write(slowPage))) // a browser records one trace at a time
			c.Do(kind, "start")
			c.Do("click", "#work")
			c.Do("wait", "--fn", "document.title.startsWith('Worked')")
			c.Do("click", "#show")
			c.Do("wait", "--fn", "document.title == 'Shown'")
			c.Do("wait", "300") // the frame that shows it
			c.Do(kind, "stop", "t.json")
			r := c.Do("insights", "trace", "t.json")
			text := r.Result.Text
			require.LessOrEqual(t, strings.Count(text, "\n")+1, insights.MostLines, text)
			trace := sessiontest.Decode[insights.Trace](t, r.Result.Data)
			require.NotEmpty(t, trace.Tasks, text)
			i := slices.IndexFunc(trace.Tasks, func(task insights.Task) bool { return strings.HasPrefix(task.Cause, "event ") })
			require.GreaterOrEqual(t, i, 0, text)
			require.GreaterOrEqual(t, trace.Tasks[i].Duration, 290.0, text)
			if kind == "profiler" {
				require.Equal(t, "sortTheWholeWorld", trace.Tasks[i].Functions[0].Name, text)
				require.Equal(t, 3, trace.Tasks[i].Functions[0].Line, text)
				require.Contains(t, text, "in sortTheWholeWorld (")
			}
			require.Contains(t, text, "layout shift: ")
			require.Contains(t, text, "p#pushed.text.lead")
			require.Greater(t, trace.Shift, 0.05, text)
			require.Contains(t, text, "long animation frame: ")

			// Another document's elements are not taken for those.
			c.Do("reload")
			again := c.Do("insights", "trace", "t.json").Result.Text
			require.NotContains(t, again, "p#pushed")
			require.Contains(t, again, "what is now at ")
		})
	}
}

// leakyPage keeps the rows that it removes in a variable of its own.
const leakyPage = `<title>Leaky</title><button id=go>Go</button><div id=list></div><script>
	class Invoice { constructor(n) { this.lines = new Array(50).fill(n) } }
	window.removedRows = []; const invoiceCache = new Map();
	document.querySelector('#go').onclick = () => {
		for (let n = 0; n < 300; n++) {
			const row = document.createElement('section'); row.className = 'row'; row.innerHTML = '<b>x</b>';
			document.querySelector('#list').append(row); row.remove(); removedRows.push(row);
			invoiceCache.set('invoice ' + n, new Invoice(n));
		}
		document.title = 'Done';
	};</script>`

func TestInsightsOfHeaps(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	c.Do("open", site.URL(site.Write(leakyPage)))
	c.Do("heap", "snapshot", "before.heapsnapshot")
	c.Do("click", "#go")
	c.Do("wait", "--fn", "document.title == 'Done'")
	c.Do("heap", "snapshot", "after.heapsnapshot")
	r := c.Do("insights", "heap", "before.heapsnapshot", "after.heapsnapshot")
	text := r.Result.Text
	require.LessOrEqual(t, strings.Count(text, "\n")+1, insights.MostLines, text)
	report := sessiontest.Decode[insights.HeapReport](t, r.Result.Data)
	require.GreaterOrEqual(t, report.Detached.Count-report.Detached.Before, 300, text)
	require.NotEmpty(t, report.Detached.Suspects, text)
	require.Equal(t, "removedRows", report.Detached.Suspects[0].Holder, text)
	require.Contains(t, strings.Join(report.Detached.Suspects[0].Path, " "), "<section", text)
	grown := map[string]insights.Growth{}
	for _, g := range report.Growth {
		grown[g.Name] = g
	}
	require.Equal(t, 300, grown["Invoice"].Count, text)
	require.Equal(t, "invoiceCache", grown["Invoice"].Holder, text)
	require.Contains(t, text, "Invoice")

	one := c.Do("insights", "heap", "after.heapsnapshot").Result.Text
	require.Contains(t, one, "a second snapshot")
	c.WriteFile("no.heapsnapshot", `{"snapshot":`)
	c.Fails(fault.File, "insights", "heap", "no.heapsnapshot")
	c.Fails(fault.File, "insights", "heap", "none.heapsnapshot")
	c.Fails(fault.File, "insights", "trace", "after.heapsnapshot")
}

func TestInsightsOfRequests(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, "//other")
	}))
	t.Cleanup(other.Close)
	mux := http.NewServeMux()
	mux.HandleFunc("/big.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		w.Header().Set("Cache-Control", "no-store")
		fmt.Fprint(w, "//"+strings.Repeat("large ", 50_000))
	})
	mux.HandleFunc("/twice", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		fmt.Fprint(w, `{"same":true}`)
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
		fmt.Fprint(w, "late")
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		sessiontest.ShowPage(w, `<title>Wait</title><script src=/big.js></script><img src=/missing.png><script>
			(async () => { for (const path of ['/twice', '/twice', '/slow']) await (await fetch(path)).text(); document.title = 'Loaded' })()
			</script><script src="`+other.URL+`/other.js"></script>`)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	c := host.NewClient(t)
	c.Do("network", "requests", "--clear")
	c.Do("open", strings.Replace(s.URL, "127.0.0.1", "localhost", 1))
	c.Do("wait", "400")
	close(release)
	c.Do("wait", "--fn", "document.title == 'Loaded'")
	r := c.Do("insights", "network")
	text := r.Result.Text
	require.LessOrEqual(t, strings.Count(text, "\n")+1, insights.MostLines, text)
	report := sessiontest.Decode[insights.Network](t, r.Result.Data)
	require.Contains(t, report.Slowest[0].URL, "/slow", text)
	require.GreaterOrEqual(t, report.Slowest[0].Time, 350.0, text)
	require.Contains(t, report.Largest[0].URL, "/big.js", text)
	require.Greater(t, report.Largest[0].Size, int64(300_000), text)
	require.Contains(t, text, "missing.png: HTTP 404")
	require.Contains(t, text, "duplicate: 2 times")
	require.Contains(t, report.Uncompressed[0].URL, "/big.js", text)
	require.Contains(t, report.Uncached[0].URL, "/big.js", text)
	require.Equal(t, "127.0.0.1", report.ThirdParties[0].Site, text)

	// The same of an archive.
	c.Do("network", "har", "start")
	c.Do("reload")
	c.Do("wait", "--fn", "document.title == 'Loaded'")
	c.Do("network", "har", "stop", "page.har")
	of := sessiontest.Decode[insights.Network](t, c.Do("insights", "network", "page.har").Result.Data)
	require.Contains(t, of.Largest[0].URL, "/big.js")
	require.Equal(t, 2, of.Duplicates[0].Count)
	c.WriteFile("no.har", "{}")
	c.Fails(fault.File, "insights", "network", "no.har")
}
