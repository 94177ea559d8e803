package engine_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/traffic"
	"github.com/skua-browser/skua/internal/testengine"
)

// A page gets something by an answer that it reads. One that it leaves unread ends as well, and brings it nothing.
func TestPartsGot(t *testing.T) {
	t.Parallel()
	answer := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		<-answer
		_, _ = w.Write([]byte("words"))
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(answer) })
	for _, tt := range []struct {
		name, then string
		got        int
	}{
		{"read", "(answer) => answer.text()", 1},
		{"unread", "(answer) => answer.body.cancel()", 0},
	} {
		// What a page asks for long after it has loaded is not counted, so that each page asks for it while it loads.
		address := server.URL + "/" + tt.name
		site := testengine.NewSite(t,
			map[string]string{"/": "<h1>Main</h1><script>void fetch('" + address + "').then(" + tt.then + ")</script>"})
		p := testengine.NewPage(t)
		requests := p.Traffic().Record()
		t.Cleanup(requests.Close)
		await := func(what string, is func(traffic.Request) bool) {
			t.Helper()
			require.NoError(t, requests.Await(timed(t, limit), what, func(all []traffic.Request) bool {
				return slices.ContainsFunc(all, func(r traffic.Request) bool { return r.URL == address && is(r) })
			}), tt.name)
		}
		testengine.Open(t, p, site.URL+"/")
		await("the request", func(traffic.Request) bool { return true })
		require.Equal(t, 1, p.Traffic().Arriving(), tt.name)
		before := p.Traffic().Got()
		answer <- struct{}{}
		require.Zero(t, p.Traffic().AwaitParts(timed(t, limit)), tt.name)
		await("the end of the request", func(r traffic.Request) bool { return r.Ended })
		require.Equal(t, tt.got, p.Traffic().Got()-before, tt.name)
	}
}
