package network_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"
)

// What is recorded of pages stays within its bounds, however many documents come. With SKUA_TEST_SOAK=1 it is 1,000
// documents, and the host's memory is measured: the test then must run alone.
func TestRecordingSoak(t *testing.T) {
	navigations, measured := 50, os.Getenv("SKUA_TEST_SOAK") != ""
	if testing.Short() {
		navigations = 30
	}
	if measured {
		navigations = 1000
	} else {
		t.Parallel()
	}
	folder := site.Answering(func(w http.ResponseWriter, r *http.Request) {
		switch r.PathValue("rest") {
		case "page":
			sessiontest.WritePage(w,
				`<!doctype html><title>Soak</title><link rel=stylesheet href=style.css><script src=script.js></script>
<body><script>
	console.log("loaded", {url: location.href, list: Array.from({length: 50}, (_, i) => i)});
	console.error("x".repeat(2000));
	Promise.all([fetch("data.json").then((r) => r.json()), fetch("post", {method: "POST", body: "y".repeat(3000)}), new Promise((done) => {
		const w = new Worker("worker.js"); w.onmessage = done;
	})]).then(() => { document.title = "Done" });
	setTimeout(() => { throw new Error("on purpose") });
</script>`)
		case "script.js", "worker.js":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = io.WriteString(w,
				"globalThis.postMessage?.length === 1 && self.document === undefined && postMessage(1); // "+
					string(sessiontest.FileBytes(20_000)))
		case "style.css":
			w.Header().Set("Content-Type", "text/css")
			_, _ = io.WriteString(w, "body { color: green }")
		default:
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"data": "`+string(sessiontest.FileBytes(5000))+`"}`)
		}
	})
	c := host.NewClient(t)
	const entries = 150
	for _, area := range []string{"NETWORK", "HAR", "CONSOLE"} {
		c.Env["SKUA_"+area+"_ENTRIES"] = fmt.Sprint(entries)
	}
	c.Env["SKUA_HAR_BYTES"] = "2000000"
	c.Do("network", "har", "start", "--content", "all")
	c.Do("network", "requests", "--clear")
	c.Do("console", "--clear")
	heap := func() (bytes uint64) {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var early uint64
	for i := range navigations {
		c.Do("open", fmt.Sprintf("%s?%d", site.URL(folder+"page"), i))
		c.Do("wait", "--fn", "document.title === 'Done'")
		if i == navigations/5 {
			early = heap()
		}
	}
	late := heap()
	t.Logf("heap: %d KiB after %d navigations, %d KiB after %d", early>>10, navigations/5, late>>10, navigations)
	if measured {
		require.Less(t, late, early+4<<20, "the host's memory grows")
	}

	reply := sessiontest.Decode[struct {
		Requests []object
		Dropped  int
	}](t, c.Do("network", "requests").Result.Data)
	require.Len(t, reply.Requests, entries)
	require.GreaterOrEqual(t, reply.Dropped, navigations*6-entries)
	said := sessiontest.Decode[struct {
		Messages []object
		Dropped  int
	}](t, c.Do("console").Result.Data)
	require.LessOrEqual(t, len(said.Messages), entries)
	saved := sessiontest.Decode[object](t, c.Do("network", "har", "stop", "soak.har").Result.Data)
	require.LessOrEqual(t, saved["requestCount"], float64(entries))
	require.Less(t, saved["size"], 4e6)
	require.Positive(t, saved["dropped"])
	har(c, "soak.har")
}
