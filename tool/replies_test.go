package tool_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/contract"
)

// A reply says nothing that was not seen.
func TestRepliesAreTrue(t *testing.T) {
	t.Parallel()
	t.Run("a click that is held is not told as done", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		c.do("open", site.Show(`<title>waiting</title><button id=submit>Go</button>`))
		r := c.try("--confirm-actions", "click", "click", "#submit")
		require.Equal(t, contract.ConfirmationRequired, r.Details.FailureCategory)
		require.NotContains(t, textOf(r), "Clicked")
	})
	t.Run("how long a wait was is what the call gave it", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		c.do("open", site.Show(`<title>x</title>`))
		limit := 1000.0
		r := c.call(contract.Params{Args: []string{"wait", "#never"}, TimeoutMs: &limit})
		require.Equal(t, contract.TimedOut, r.Details.FailureCategory)
		require.NotContains(t, textOf(r), "25000")
	})
	t.Run("the title of a page that is being loaded is not that of the one before", func(t *testing.T) {
		t.Parallel()
		hold := make(chan struct{})
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			if r.URL.Path == "/" {
				fmt.Fprint(w, `<title>Before</title><a href="/next">Next</a>`)
				return
			}
			fmt.Fprint(w, `<p>no title</p>`)
			w.(http.Flusher).Flush()
			select {
			case <-hold:
			case <-r.Context().Done():
			}
		}))
		t.Cleanup(server.Close)
		t.Cleanup(func() { close(hold) })
		c := newCaller(t)
		c.do("open", server.URL)
		r := c.try("click", "a")
		require.NotContains(t, textOf(r), "Before")
	})
	t.Run("a check that failed says so", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		r := c.try("doctor", "--offline", "--quick", "--executable-path", "/nonexistent")
		require.NotContains(t, textOf(r), "did not say why")
	})
}
