package session_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/session"
)

// footprint is what a process holds.
type footprint struct {
	heap       int64 // bytes that are reachable
	goroutines int
}

// settled measures when nothing of what is over is going on any more.
func settled() footprint {
	var least footprint
	for range 5 { // what ends in the background takes a moment, and finalizers a collection
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		now := footprint{int64(m.HeapAlloc), runtime.NumGoroutine()}
		if least.heap == 0 || now.heap < least.heap {
			least.heap = now.heap
		}
		if least.goroutines == 0 || now.goroutines < least.goroutines {
			least.goroutines = now.goroutines
		}
		time.Sleep(50 * time.Millisecond) // no event tells that the runtime is done
	}
	return least
}

// What a host keeps does not grow with the number of commands, tabs and sessions that there were. It does not run
// beside others, whose memory would be counted, too.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("deep tier: it runs thousands of commands")
	}
	m, err := session.New(session.Options{Registry: catalog.Registry(), Journal: t.TempDir() + "/sessions.json"})
	require.NoError(t, err)
	defer m.Close(context.Background())
	do := func(args ...string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), sessiontest.CommandLimit)
		defer cancel()
		r := m.Do(ctx, session.Request{Args: args, Cwd: t.TempDir()})
		require.NoError(t, r.Err, "%q", args)
	}
	page := site.Write("<title>Page</title><h1>Growth</h1><button onclick='console.log(1)'>Go</button>")
	do("--session", "keeper", "open", site.URL(page))
	for _, tc := range []struct {
		name   string
		before int // rounds that fill what is bounded
		rounds int
		round  func(n int)
		each   int64 // bytes that a round may leave behind
	}{
		{"commands", 300, 1000, func(int) {
			do("--session", "keeper", "get", "title")
		}, 200},
		{"pages", 10, 30, func(int) {
			do("--session", "keeper", "open", site.URL(page))
			do("--session", "keeper", "snapshot")
			do("--session", "keeper", "click", "button")
		}, 8 << 10},
		{"tabs", 10, 50, func(int) {
			do("--session", "keeper", "tab", "new")
			do("--session", "keeper", "tab", "close")
		}, 4 << 10},
		{"sessions", 10, 30, func(n int) {
			name := fmt.Sprintf("passing-%d", n)
			do("--session", name, "open", "about:blank")
			do("--session", name, "close")
		}, 16 << 10},
	} {
		n := 0
		for range tc.before {
			tc.round(n)
			n++
		}
		before := settled()
		for range tc.rounds {
			tc.round(n)
			n++
		}
		after := settled()
		t.Logf("%s: %+d bytes of %d each of %d times, %+d goroutines", tc.name, (after.heap-before.heap)/int64(tc.rounds),
			tc.each, tc.rounds,
			after.goroutines-before.goroutines)
		require.Less(t, after.heap-before.heap, tc.each*int64(tc.rounds)+256<<10, "%s: the heap", tc.name)
		require.LessOrEqual(t, after.goroutines, before.goroutines+4, "%s: goroutines", tc.name)
	}
}
