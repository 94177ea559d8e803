package wait_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// A wait on a page that the server refused says so, and does not last where nothing on the page can change.
func TestWaitOnARefusedPage(t *testing.T) {
	t.Parallel()
	const early = ", and nothing on it can change"
	answering := func(status int, refresh, html string) string {
		return site.URL(site.Answering(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			if refresh != "" {
				w.Header().Set("Refresh", refresh)
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, html)
		}))
	}
	tests := []struct {
		name          string
		status        int
		refresh, html string
		wait          []string
		said          string
		early         bool
	}{
		{"a text", 404, "", `<h1>Not found</h1><a href=/>Home</a>`, cmd("--text", "Order"), "HTTP 404", true},
		{"an element", 410, "", `<h1>Gone</h1>`, cmd("#order"), "HTTP 410", true},
		{"a script", 404, "", `<h1>Not found</h1>`, cmd("--fn", "window.ready"), "HTTP 404", true},
		{
			"a page that runs", 404, "", `<h1>Not found</h1><script>setTimeout(() => {}, 1e6)</script>`, cmd("--text", "Order"),
			"HTTP 404", false,
		},
		{"a handler", 404, "", `<img alt="" onerror="log()"><h1>Not found</h1>`, cmd("--text", "Order"), "HTTP 404", false},
		{"a page that goes on", 404, "600; url=/", `<h1>Not found</h1>`, cmd("--text", "Order"), "HTTP 404", false},
		{
			"one that says so itself", 404, "", `<meta http-equiv=refresh content="600; url=/"><h1>Not found</h1>`,
			cmd("--text", "Order"), "HTTP 404", false,
		},
		{"maintenance", 503, "", `<h1>Back soon</h1>`, cmd("--text", "Order"), "HTTP 503", false},
		{"a page", 200, "", `<h1>Not found</h1>`, cmd("--text", "Order"), "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.NewClient(t)
			c.Do("open", answering(tt.status, tt.refresh, tt.html))
			limit := "1500"
			if tt.early {
				limit = "60000"
			}
			said := c.Fails(fault.Timeout, append(append(cmd("wait"), tt.wait...), "--timeout", limit)...).Error()
			require.Contains(t, said, tt.said)
			require.Equal(t, tt.early, strings.Contains(said, early), said)
			require.Equal(t, tt.early, strings.HasPrefix(said, "Wait ended early: "), said)
			require.Equal(t, tt.said != "", strings.Contains(said, "the server answered"), said)
		})
	}
	t.Run("an application that answers so and shows itself", func(t *testing.T) {
		t.Parallel()
		c := host.NewClient(t)
		c.Do("open",
			answering(404, "", `<div id=app></div><script>setTimeout(() => { app.textContent = 'Order 7' }, 1500)</script>`))
		c.Do("wait", "--text", "Order 7")
	})
	t.Run("one that a command has changed", func(t *testing.T) {
		t.Parallel()
		c := host.NewClient(t)
		c.Do("open", answering(404, "", `<h1>Not found</h1>`))
		c.Do("eval", "setTimeout(() => { document.body.append('Order 7') }, 1500), 0")
		c.Do("wait", "--text", "Order 7")
	})
}
