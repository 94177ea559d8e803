package traffic_test

import (
	"context"
	"encoding/json"
	"maps"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/monitor"
	"github.com/skua-browser/skua/engine/traffic"
)

// page is what the traffic has to know of one.
type page struct {
	t        *testing.T
	state    *monitor.Monitor
	document traffic.Document
	told     bool
	watched  []bool // what the browser was asked for
	*traffic.Traffic
}

func newPage(t *testing.T) *page {
	p := &page{t: t, state: monitor.New(monitor.Owner{Err: func() error { return nil }})}
	p.Traffic = traffic.New(traffic.Owner{
		Main: "main", State: p.state,
		Watch:    func(on bool) { p.watched = append(p.watched, on) },
		Told:     func() bool { return p.told },
		Document: func() traffic.Document { return p.document },
	})
	return p
}

// event tells of a request in the words of the browser.
func (p *page) event(method, id string, fields map[string]any) {
	p.t.Helper()
	params := map[string]any{"requestId": id}
	maps.Copy(params, fields)
	raw, err := json.Marshal(params)
	require.NoError(p.t, err)
	p.OnEvent(cdp.Event{Method: "Network." + method, Params: raw})
}

func (p *page) asks(id, kind string) {
	p.t.Helper()
	p.event("requestWillBeSent", id, map[string]any{
		"type": kind, "loaderId": "L", "frameId": "main",
		"request": map[string]string{"method": "GET", "url": "https://site.example/" + id},
	})
}

func ids(requests []traffic.Request) (all []string) {
	for _, r := range requests {
		all = append(all, r.ID)
	}
	return all
}

func TestUnderWay(t *testing.T) {
	t.Parallel()
	p := newPage(t)
	for _, kind := range []string{"Fetch", "Image", "EventSource", "WebSocket"} {
		p.asks(kind, kind)
	}
	require.Equal(t, []string{"Fetch", "Image"}, ids(p.UnderWay(time.Time{})), "what a page keeps open does not count")
	p.event("loadingFailed", "Image", map[string]any{"errorText": "net::ERR_FAILED"})
	require.Zero(t, p.Got())
	p.asks("XHR", "XHR")
	p.event("loadingFinished", "XHR", nil)
	require.Equal(t, 1, p.Got())
	require.Equal(t, []string{"Fetch"}, ids(p.UnderWay(time.Time{})))
	p.asks("stream", "Fetch")
	p.event("responseReceived", "stream",
		map[string]any{"response": map[string]any{"mimeType": "text/event-stream;charset=utf-8"}})
	require.Equal(t, []string{"Fetch"}, ids(p.UnderWay(time.Time{})))
}

func TestLeave(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, frame, loader string
		main                bool
		want                []string
	}{
		{"the main frame shows another document", "main", "L2", true, nil},
		{"the main frame shows the one that asked", "main", "L", true, []string{"a"}},
		{"a frame that asked for nothing goes", "child", "", false, []string{"a"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t)
			p.asks("a", "Fetch")
			p.state.Do(func() { p.Leave(tt.frame, tt.main, tt.loader) })
			require.Equal(t, tt.want, ids(p.UnderWay(time.Time{})))
		})
	}
}

func TestRecording(t *testing.T) {
	t.Parallel()
	p := newPage(t)
	p.asks("before", "Fetch")
	first, second := p.Record(), p.Record()
	require.Equal(t, []bool{true}, p.watched, "the browser is asked once")
	p.event("responseReceived", "before",
		map[string]any{"type": "Fetch", "response": map[string]any{"status": 200, "url": "https://site.example/before"}})
	p.event("requestWillBeSent", "doc",
		map[string]any{
			"type": "Document", "frameId": "main",
			"request": map[string]string{"method": "GET", "url": "https://site.example/"},
		})
	p.event("responseReceived", "doc",
		map[string]any{"response": map[string]any{"status": 503, "headers": map[string]string{"retry-after": "7"}}})
	p.event("loadingFailed", "doc", map[string]any{"errorText": "net::ERR_ABORTED"})
	require.Equal(t, []traffic.Request{
		{ID: "before", Type: "Fetch", URL: "https://site.example/before", Status: 200},
		{
			ID: "doc", Method: "GET", URL: "https://site.example/", Type: "Document", FrameID: "main", Begun: true, Status: 503,
			Retry: "7", Ended: true, Failure: "net::ERR_ABORTED",
		},
	}, first.Requests())
	require.Equal(t, "net::ERR_ABORTED", p.DocumentFailure())
	begun, ended := first.Counts()
	require.Equal(t, [2]int{1, 1}, [2]int{begun, ended}, "what began before the recording is not its own")
	first.Close()
	first.Close()
	require.Len(t, p.Recorded(), 2)
	second.Close()
	require.Equal(t, []bool{true, false}, p.watched, "the browser tells as long as anybody records")
	require.Empty(t, p.UnderWay(time.Time{}), "what the browser does not report is not known")

	p.told = true
	p.Record().Close()
	require.Len(t, p.watched, 2, "a browser that tells of requests anyhow is left alone")
}

func TestAwaitQuiet(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		then func(p *page)
		want time.Duration
	}{
		{"nothing is asked for", func(*page) {}, time.Second},
		{"a request is answered", func(p *page) {
			p.asks("a", "Fetch")
			time.Sleep(300 * time.Millisecond)
			p.event("loadingFinished", "a", nil)
		}, 1300 * time.Millisecond},
		{"a body is left unread", func(p *page) {
			p.asks("a", "Fetch")
			time.Sleep(200 * time.Millisecond)
			p.event("responseReceived", "a", nil)
		}, 1300 * time.Millisecond},
		{"parts of a body come late", func(p *page) {
			p.asks("a", "Fetch")
			p.event("responseReceived", "a", nil)
			time.Sleep(500 * time.Millisecond)
			p.event("dataReceived", "a", nil)
		}, 1600 * time.Millisecond},
		{"a server holds its answer", func(p *page) { p.asks("a", "XHR") }, 11 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := newPage(t)
				began := time.Now()
				quiet := traffic.Quiet{For: time.Second, Since: began}
				done := make(chan time.Duration, 1)
				go func() {
					if err := p.AwaitQuiet(t.Context(), quiet); err == nil {
						done <- time.Since(began)
					}
				}()
				synctest.Wait()
				require.False(t, p.IsQuiet(quiet))
				tt.then(p)
				require.Equal(t, tt.want, <-done)
				require.True(t, p.IsQuiet(quiet))
			})
		})
	}
}

// Each request is told in the words in which Chromium tells of it.
func TestApart(t *testing.T) {
	t.Parallel()
	prefetch := map[string]any{
		"method": "GET", "url": "https://site.example/next",
		"headers": map[string]string{"Sec-Purpose": "prefetch"},
	}
	for _, tt := range []struct {
		name   string
		fields map[string]any
		counts bool
	}{
		{"script of a worker", map[string]any{"type": "Script", "loaderId": ""}, false},
		{"script of a document", map[string]any{"type": "Script", "loaderId": "L"}, true},
		{"prefetch by a link", map[string]any{"type": "Other", "loaderId": "L", "request": prefetch}, false},
		{"preload by a link", map[string]any{"type": "Other", "loaderId": "L"}, true},
		{"prefetch by a speculation rule", map[string]any{"type": "Prefetch", "loaderId": "P", "request": prefetch}, false},
		{"beacon", map[string]any{"type": "Ping", "loaderId": "L"}, false},
		{"report", map[string]any{"type": "CSPViolationReport", "loaderId": "L"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := newPage(t)
				p.event("requestWillBeSent", "a", tt.fields)
				require.Equal(t, tt.counts, len(p.UnderWay(time.Time{})) == 1)
				require.Equal(t, tt.counts, !p.IsQuiet(traffic.Quiet{}))
				time.Sleep(10 * time.Second)
				require.Empty(t, p.UnderWay(time.Time{}), "what a server holds is not about to come")
			})
		})
	}
}

// Chromium tells no end of a body that the page leaves unread.
func TestUnread(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPage(t)
		p.asks("a", "Fetch")
		p.event("responseReceived", "a", nil)
		require.Equal(t, 1, p.Arriving())
		require.Zero(t, p.AwaitParts(t.Context()))
		require.Zero(t, p.Arriving())
		require.Empty(t, p.UnderWay(time.Time{}))
	})
}

// What was asked for before an action does not keep it waiting.
func TestAskedBefore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPage(t)
		p.asks("before", "XHR")
		time.Sleep(time.Second)
		heard := p.Record()
		defer heard.Close()
		require.True(t, p.IsQuiet(traffic.Quiet{Asked: heard.Began}))
		require.Empty(t, p.UnderWay(heard.Began))
		p.asks("after", "XHR")
		require.False(t, p.IsQuiet(traffic.Quiet{Asked: heard.Began}))
		require.Equal(t, []string{"after"}, ids(p.UnderWay(heard.Began)))
	})
}

// A page that was idle when the browser began to tell of its requests may wait for one that nothing was heard of.
func TestIdleAt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPage(t)
		at := func() (wait time.Duration, expected bool) {
			p.state.Do(func() {
				var when time.Time
				when, expected = p.IdleAt()
				wait = time.Until(when)
			})
			return wait, expected
		}
		_, expected := at()
		require.False(t, expected, "its document has not loaded")
		p.document = traffic.Document{Loader: "L", Loaded: true, LoadedAt: time.Now()}
		_, expected = at()
		require.False(t, expected, "the browser does not tell of requests")
		defer p.Record().Close()
		wait, expected := at()
		require.True(t, expected)
		require.Equal(t, 15*time.Second, wait, "its own request was not seen")
		p.asks("L", "Document")
		p.state.Do(func() { p.Leave("main", true, "L") })
		p.event("loadingFinished", "L", nil)
		wait, expected = at()
		require.True(t, expected)
		require.Equal(t, 500*time.Millisecond, wait)
		p.document.Idle = true
		_, expected = at()
		require.True(t, expected)
	})
}

func TestAwaitParts(t *testing.T) {
	t.Parallel()
	p := newPage(t)
	p.asks("picture", "Image")
	p.asks("rows", "XHR")
	require.Equal(t, 1, p.Arriving())
	ended, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	require.Equal(t, 1, p.AwaitParts(ended))
	require.Zero(t, p.Arriving(), "one that was waited for without success costs no second wait")
	p.document = traffic.Document{Loader: "L", Loaded: true, LoadedAt: time.Now().Add(-time.Minute)}
	p.asks("late", "XHR")
	require.Zero(t, p.Arriving(), "what a page asks for later has a reason of its own")
}
