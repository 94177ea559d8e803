package session_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

// show opens a tab in their browser, as its user would.
func (b *theirs) show(t testing.TB, url string) *engine.Page {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), commandLimit)
	defer cancel()
	page, err := b.owner.DefaultContext(engine.ContextOptions{}).NewPage(ctx)
	require.NoError(t, err)
	_, err = page.Navigate(ctx, url, engine.WaitLoad)
	require.NoError(t, err)
	return page
}

// tabOf returns the id of the tab with the title, or "".
func (c *client) tabOf(title string) string {
	c.t.Helper()
	for _, tab := range c.data("tab", "list")["tabs"].([]any) {
		if tab := tab.(object); tab["title"] == title {
			return tab["tabId"].(string)
		}
	}
	return ""
}

// A hung tab does not block the others, and a command for it fails.
func TestConnectTabsThatHang(t *testing.T) {
	t.Parallel()
	b := startTheirs(t, t.TempDir())
	b.show(t, site.url(site.write("<title>Quiet</title><button>Go</button>")))
	stuck := b.show(t, site.elsewhere(site.write("<title>Stuck</title>"))) // in a process of its own
	ctx, cancel := context.WithTimeout(t.Context(), commandLimit)
	defer cancel()
	_, err := stuck.Evaluate(ctx, "setTimeout(() => "+site.gate(t, "").block()+"), 1")
	require.NoError(t, err)

	c := newClient(t)
	reply := c.do("connect", b.port)
	require.Len(t, reply.Result.Notes, 1)
	require.Regexp(t, `^tab t\d+ \(`+stuck.URL()+`\) does not respond and is skipped$`, reply.Result.Notes[0])
	require.Equal(t, `- button "Go" @e1`, c.do("snapshot", "-i", "--no-header").Result.Text)
	id := c.tabOf("Stuck")
	for _, args := range [][]string{{"--tab", id, "get", "title"}, {"tab", id}} {
		f := c.fails(fault.TabHung, args...)
		require.Contains(t, f.Error(), "tab "+id+" ("+stuck.URL()+")")
		require.Equal(t, id, f.Facts["tabId"])
	}
	require.Equal(t, "Quiet", c.do("get", "title").Result.Text, "the active tab is the one that it was")

	b.show(t, site.url(site.write("<title>Later</title><h1>Later</h1>")))
	require.Eventually(t, func() bool { return c.tabOf("Later") != "" }, commandLimit, 10*time.Millisecond)
	require.Equal(t, "Later", c.do("--tab", c.tabOf("Later"), "get", "text", "h1").Result.Text)
	require.Equal(t, "Quiet", c.do("get", "title").Result.Text)

	c.do("tab", "close", id)
	require.Eventually(t, func() bool { return fault.Is(stuck.Err(), fault.PageGone) }, commandLimit, 10*time.Millisecond)
	c.do("close")
	require.NoError(t, b.owner.Err())
}

// BenchmarkConnect measures how long it takes to be in a browser with sixty tabs and to have seen the one that was used last, and beside it what
// it takes to attach to all of them.
//
//	go test ./session -run '^$' -bench BenchmarkConnect -benchtime 10x
func BenchmarkConnect(b *testing.B) {
	const tabs = 60
	them := startTheirs(b, b.TempDir())
	path := site.write(shopPage(300))
	for range tabs {
		them.show(b, site.url(path))
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
		connect := do("connect", them.port)
		snapshot := do("snapshot", "-i")
		do("close")
		note("connect", connect)
		note("snapshot", snapshot)
		note("both", connect+snapshot)

		began := time.Now()
		browser, _, err := engine.Connect(b.Context(), them.port, nil, nil)
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
