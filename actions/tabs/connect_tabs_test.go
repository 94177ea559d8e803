package tabs_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

// tabOf returns the id of the tab with the title, or "".
func tabOf(c *sessiontest.Client, title string) string {
	c.T.Helper()
	for _, tab := range c.Data("tab", "list")["tabs"].([]any) {
		if tab := tab.(object); tab["title"] == title {
			return tab["tabId"].(string)
		}
	}
	return ""
}

// A hung tab does not block the others, and a command for it fails.
func TestConnectTabsThatHang(t *testing.T) {
	t.Parallel()
	b := sessiontest.StartTheirs(t, t.TempDir())
	b.Show(t, site.URL(site.Write("<title>Quiet</title><button>Go</button>")))
	stuck := b.Show(t, site.Elsewhere(site.Write("<title>Stuck</title>"))) // in a process of its own
	ctx, cancel := context.WithTimeout(t.Context(), sessiontest.CommandLimit)
	defer cancel()
	_, err := stuck.Evaluate(ctx, "setTimeout(() => "+site.Gate(t, "").Block()+"), 1")
	require.NoError(t, err)

	c := host.NewClient(t)
	reply := c.Do("connect", b.Port)
	require.Len(t, reply.Result.Notes, 1)
	require.Regexp(t, `^tab t\d+ \(`+stuck.URL()+`\) does not respond and is skipped$`, reply.Result.Notes[0])
	require.Equal(t, `- button "Go" @e1`, c.Do("snapshot", "-i", "--no-header").Result.Text)
	id := tabOf(c, "Stuck")
	for _, args := range [][]string{{"--tab", id, "get", "title"}, {"tab", id}} {
		f := c.Fails(fault.TabHung, args...)
		require.Contains(t, f.Error(), "tab "+id+" ("+stuck.URL()+")")
		require.Equal(t, 1, strings.Count(f.Error(), "It may be busy"))
		require.Equal(t, id, f.Facts["tabId"])
	}
	require.Equal(t, "Quiet", c.Do("get", "title").Result.Text, "the active tab is the one that it was")

	b.Show(t, site.URL(site.Write("<title>Later</title><h1>Later</h1>")))
	require.Eventually(t, func() bool { return tabOf(c, "Later") != "" }, sessiontest.CommandLimit, 10*time.Millisecond)
	require.Equal(t, "Later", c.Do("--tab", tabOf(c, "Later"), "get", "text", "h1").Result.Text)
	require.Equal(t, "Quiet", c.Do("get", "title").Result.Text)

	c.Do("tab", "close", id)
	require.Eventually(t, func() bool {
		return fault.Is(stuck.Err(), fault.PageGone)
	}, sessiontest.CommandLimit, 10*time.Millisecond)
	c.Do("close")
	require.NoError(t, b.Owner.Err())
}

// BenchmarkConnect measures how long it takes to be in a browser with sixty tabs and to have seen the one that was used
// last, and beside it what it takes to attach to all of them.
//
//	go test ./actions/tabs -run '^$' -bench BenchmarkConnect -benchtime 10x
func BenchmarkConnect(b *testing.B) {
	const tabs = 60
	them := sessiontest.StartTheirs(b, b.TempDir())
	path := site.Write(sessiontest.ShopPage(300))
	for range tabs {
		them.Show(b, site.URL(path))
	}
	m, err := session.New(session.Options{Registry: catalog.Registry()})
	require.NoError(b, err)
	defer m.Close(context.Background())
	do := func(args ...string) time.Duration {
		began := time.Now()
		reply := m.Do(b.Context(), session.Request{Args: args})
		require.NoError(b, reply.Err)
		return time.Since(began)
	}
	sorted := map[string][]time.Duration{}
	note := func(name string, took time.Duration) { sorted[name] = append(sorted[name], took) }
	for b.Loop() {
		connect := do("connect", them.Port)
		snapshot := do("snapshot", "-i")
		do("close")
		note("connect", connect)
		note("snapshot", snapshot)
		note("both", connect+snapshot)

		began := time.Now()
		browser, _, err := engine.Connect(b.Context(), them.Port, nil, nil)
		require.NoError(b, err)
		all := browser.DefaultContext(engine.ContextOptions{})
		pages, err := all.ListPages(b.Context())
		require.NoError(b, err)
		require.Greater(b, len(pages), tabs-1)
		for _, p := range pages {
			require.NoError(b, p.Attach(b.Context()), strings.TrimPrefix(p.URL(), "http://"))
		}
		note("all-tabs", time.Since(began))
		require.NoError(b, all.Close(b.Context()))
		require.NoError(b, browser.Close(b.Context()))
	}
	b.ReportMetric(0, "ns/op")
	for name, took := range sorted {
		slices.Sort(took)
		b.ReportMetric(float64(took[0].Microseconds())/1000, name+"-best-ms")
		b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, name+"-median-ms")
	}
}
