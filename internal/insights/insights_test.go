package insights_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/insights"
)

// heapOf is a snapshot with a window whose property "kept" is an array of detached elements.
func heapOf(elements int) string {
	nodes := []string{"9,1,1,0,1,0,0", "3,2,3,16,1,0,0", fmt.Sprintf("3,3,5,32,%d,0,0", elements)} // root, Window, Array
	edges := []string{"5,0,7", "2,4,14"}
	for i := range elements {
		nodes = append(nodes, fmt.Sprintf("8,5,%d,100,0,0,2", 101+2*i))
		edges = append(edges, fmt.Sprintf("1,%d,%d", i, 7*(3+i)))
	}
	return `{"snapshot":{"meta":{"node_fields":["type","name","id","self_size","edge_count","trace_node_id","detachedness"],
		"node_types":[["hidden","array","string","object","code","closure","regexp","number","native","synthetic"],"string","number","number","number","number","number"],
		"edge_fields":["type","name_or_index","to_node"],"edge_types":[["context","element","property","internal","hidden","shortcut","weak"],"string_or_number","node"]},
		"node_count":` + fmt.Sprint(len(nodes)) + `,"edge_count":` + fmt.Sprint(len(edges)) + `},
"nodes":[` + strings.Join(nodes, "\n,") + `],
"edges":[` + strings.Join(edges, "\n,") + `],"trace_tree":[],"samples":[1,2],"more":{"a":["]}"]},
"strings":["","(root) \"\\","Window / http://a.example","Array","kept","Detached <li class=\"row\">"]}`
}

func heap(t *testing.T, text string) *insights.Heap {
	t.Helper()
	h, err := insights.ReadHeap(strings.NewReader(text))
	require.NoError(t, err)
	return h
}

func TestCompareHeaps(t *testing.T) {
	t.Parallel()
	r := insights.CompareHeaps(heap(t, heapOf(2)), heap(t, heapOf(7)))
	require.Equal(t, insights.Detached{Count: 7, Before: 2, Suspects: []insights.Suspect{
		{
			Count: 5, Holder: "kept", Path: []string{"window", ".kept Array", `[2] <li class="row">`},
			Sample: `<li class="row">`,
		},
	}}, r.Detached)
	require.Equal(t, []any{10, 5, int64(748)}, []any{r.Objects, r.Before, r.Size})
	require.Contains(t, r.Text(),
		"leak suspect: 5 detached nodes kept by kept\n  window → .kept Array → [2] <li class=\"row\">")
}

func TestReadHeapRefuses(t *testing.T) {
	t.Parallel()
	whole := heapOf(3)
	for n := range len(whole) - 1 {
		_, err := insights.ReadHeap(strings.NewReader(whole[:n]))
		require.Error(t, err, n)
	}
	for name, text := range map[string]string{
		"no object": "[1,2]", "an edge that leads nowhere": strings.Replace(whole, "5,0,7", "5,0,700", 1),
		"half a row":  strings.Replace(whole, "5,0,7", "5,0", 1),
		"no fields":   strings.Replace(whole, "self_size", "size", 1),
		"other types": strings.Replace(whole, `["hidden"`, `{"hidden"`, 1),
	} {
		_, err := insights.ReadHeap(strings.NewReader(text))
		require.Error(t, err, name)
	}
}

func FuzzReadHeap(f *testing.F) {
	f.Add(heapOf(3))
	f.Add(`{"snapshot":{},"nodes":[1,2],"strings":["\u00zz"]}`)
	f.Fuzz(func(t *testing.T, text string) {
		if h, err := insights.ReadHeap(strings.NewReader(text)); err == nil {
			insights.CompareHeaps(h, h).Text() // whatever the file says, it ends
		}
	})
}

const traceEvents = `{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"CrRendererMain"}},
	{"name":"RunTask","ph":"X","pid":1,"tid":1,"ts":1000000,"dur":120000,"args":{}},
	{"name":"Layout","ph":"X","pid":1,"tid":1,"ts":1000100,"dur":30000,"args":{}},
	{"name":"TimerFire","ph":"X","pid":1,"tid":1,"ts":1040000,"dur":70000,"args":{"data":{}}},
	{"name":"FunctionCall","ph":"X","pid":1,"tid":1,"ts":1041000,"dur":60000,"args":{"data":{"functionName":"tick","url":"https://a.example/app.js","lineNumber":7}}},
	{"name":"RunTask","ph":"X","pid":1,"tid":2,"ts":1000000,"dur":900000,"args":{}},
	{"name":"RunTask","ph":"X","pid":1,"tid":1,"ts":1200000,"dur":20000,"args":{}},
	{"name":"LayoutShift","ph":"I","pid":1,"tid":1,"ts":1500000,"args":{"frame":"F","data":{"score":0.25,"had_recent_input":false,"is_main_frame":true,"impacted_nodes":[{"node_id":9,"new_rect":[1,2,3,4],"debug_name":"DIV id='a' class='b c'"}]}}},
	{"name":"LayoutShift","ph":"I","pid":1,"tid":1,"ts":1600000,"args":{"data":{"score":0.5,"had_recent_input":true,"impacted_nodes":[{"node_id":9,"new_rect":[1,2,3,4]}]}}}`

func TestReadTrace(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"an object": `{"metadata":{"a":[1]},"traceEvents":[` + traceEvents + `]}`,
		"a list":    "[" + traceEvents + "]",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			trace, err := insights.ReadTrace(strings.NewReader(text))
			require.NoError(t, err)
			require.Equal(t, []insights.Task{{
				Cause: "timer", Duration: 120, Layout: 30,
				Functions: []insights.Function{{Name: "tick", URL: "https://a.example/app.js", Line: 7, Time: 60}},
			}}, trace.Tasks)
			require.InDelta(t, 70, trace.Blocking, 0.001)
			require.InDelta(t, 0.25, trace.Shift, 0.001)
			require.Equal(t, "div#a.b.c", trace.Shifts[1].Elements[0])
			require.Equal(t, strings.Join([]string{
				"9 events in 0.9 s: 1 task of more than 50 ms, which blocked the main thread for 70 ms; layout shift 0.250",
				"long task: 120 ms at 0.0 s, timer", "  60 ms in tick (https://a.example/app.js:7)", "  30 ms in styles and layout",
				"layout shift: 0.500 at 0.6 s, after an input, so that it does not count: what is now at 1,2 with 3x4 pixels",
				"layout shift: 0.250 at 0.5 s: div#a.b.c", "main thread: scripts 60 ms, layout 30 ms",
			}, "\n"), trace.Text())
		})
	}
	for _, text := range []string{"", "7", `{"a":1}`, `[{"name":`, `{"traceEvents":{}}`} {
		_, err := insights.ReadTrace(strings.NewReader(text))
		require.Error(t, err, text)
	}
}

// TestReadProfile has a task whose samples are of a function of the browser, which a script called, and of several
// small functions within one.
func TestReadProfile(t *testing.T) {
	t.Parallel()
	node := func(id, parent int, name, url string) string {
		return fmt.Sprintf(`{"id":%d,"parent":%d,"callFrame":{"functionName":%q,"url":%q,"lineNumber":%d}}`, id, parent, name,
			url, 9+id)
	}
	nodes := []string{
		node(1, 0, "(root)", ""), node(2, 1, "draw", "a.js"), node(3, 2, "setOption", "a.js"),
		node(4, 3, "small", "a.js"), node(5, 3, "now", ""), node(6, 3, "other", "a.js"), node(7, 1, "(idle)", ""),
	}
	text := `[{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"CrRendererMain"}},
		{"name":"RunTask","ph":"X","pid":1,"tid":1,"ts":1000000,"dur":100000,"args":{}},
		{"name":"Profile","ph":"P","pid":1,"tid":1,"ts":1000000,"args":{"data":{"startTime":1000000}}},
		{"name":"ProfileChunk","ph":"P","pid":1,"tid":9,"ts":1000000,"args":{"data":{"cpuProfile":{"nodes":[` +
		strings.Join(nodes, ",") + `],"samples":[4,5,6,4,2,7]},"timeDeltas":[0,30000,20000,20000,10000,30000]}}}]`
	trace, err := insights.ReadTrace(strings.NewReader(text))
	require.NoError(t, err)
	task := trace.Tasks[0]
	require.Equal(t, &insights.Function{Name: "setOption", URL: "a.js", Line: 13, Time: 80}, task.Inside)
	require.Equal(t, []insights.Function{
		{Name: "small", URL: "a.js", Line: 14, Time: 40},
		{Name: "setOption", URL: "a.js", Line: 13, Time: 20},
		{Name: "other", URL: "a.js", Line: 16, Time: 20},
		{Name: "draw", URL: "a.js", Line: 12, Time: 20},
	}, task.Functions)
}

func TestOfRequests(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 26, 0, 0, 0, 0, time.UTC)
	get := func(url, kind string, status int, size int64, took float64, headers map[string]string) insights.Request {
		return insights.Request{
			Method: "GET", URL: url, Type: kind, MimeType: "text/javascript", Status: status, Started: at,
			Took: took, Transferred: size, Decoded: size, Headers: headers,
		}
	}
	kept := map[string]string{"cache-control": "max-age=3600", "content-encoding": "br"}
	all := []insights.Request{
		get("https://shop.example.co.uk/", "document", 200, 900, 80, kept),
		get("https://cdn.example.co.uk/a.js", "script", 200, 500_000, 400, map[string]string{"cache-control": "no-store"}),
		get("https://t.tracker.example/p.js", "script", 200, 40_000, 50, kept),
		get("https://t.tracker.example/p.js", "script", 200, 40_000, 50, kept),
		get("https://shop.example.co.uk/gone", "fetch", 404, 10, 5, kept),
	}
	for i := range 40 {
		all = append(all, get(fmt.Sprintf("https://n%d.example/x", i), "fetch", 200, 100, 1, kept))
	}
	n := insights.OfRequests(all, "")
	require.Equal(t, "https://cdn.example.co.uk/a.js", n.Slowest[0].URL)
	require.Equal(t, []insights.Repeated{{Count: 2, Size: 40_000, URL: "https://t.tracker.example/p.js"}}, n.Duplicates)
	require.Equal(t, "HTTP 404", n.Failed[0].Why)
	require.Len(t, n.Uncompressed, 1)
	require.Equal(t, "no-store", n.Uncached[0].Why)
	require.Equal(t, insights.Party{Requests: 2, Site: "tracker.example", Size: 80_000, Time: 50}, n.ThirdParties[0],
		"a domain of the page's own site is not counted")
	require.LessOrEqual(t, strings.Count(n.Text(), "\n")+1, insights.MostLines)
	empty := insights.OfRequests(nil, "")
	require.Equal(t, "0 requests in 0.0 s, 0 B, 0 failed", empty.Text())
}
