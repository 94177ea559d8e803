package engine_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/traffic"
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
		name, script string
		got          int
	}{
		{"read", "void fetch('" + server.URL + "/read').then((answer) => answer.text())", 1},
		{"unread", "void fetch('" + server.URL + "/unread').then((answer) => answer.body.cancel())", 0},
	} {
		p, _ := openHTML(t, "<h1>Main</h1>") // one each: what a page asks for long after it has loaded is not counted
		requests := p.Traffic().Record()
		t.Cleanup(requests.Close)
		before := p.Traffic().Got()
		eval(t, p, tt.script)
		require.NoError(t, requests.Await(timed(t, limit), "the request", func(all []traffic.Request) bool { return len(all) == 1 }), tt.name)
		require.Equal(t, 1, p.Traffic().Arriving(), tt.name)
		answer <- struct{}{}
		require.Zero(t, p.Traffic().AwaitParts(timed(t, limit)), tt.name)
		require.Equal(t, tt.got, p.Traffic().Got()-before, tt.name)
	}
}
