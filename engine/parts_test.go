package engine_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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
	p, _ := openHTML(t, "<h1>Main</h1>")
	traffic := p.Traffic().Record()
	t.Cleanup(traffic.Close)
	for _, tt := range []struct {
		name, script string
		got          int
	}{
		{"read", "void fetch('" + server.URL + "/read').then((answer) => answer.text())", 1},
		{"unread", "void fetch('" + server.URL + "/unread').then((answer) => answer.body.cancel())", 0},
	} {
		before := p.Traffic().Got()
		eval(t, p, tt.script)
		require.Eventually(t, func() bool { return p.Traffic().Arriving() == 1 }, limit, 5*time.Millisecond, tt.name) // the request may be told after the script's result
		answer <- struct{}{}
		require.Zero(t, p.Traffic().AwaitParts(timed(t, limit)), tt.name)
		require.Equal(t, tt.got, p.Traffic().Got()-before, tt.name)
	}
}
