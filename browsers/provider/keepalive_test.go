package provider

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A grid hears that a session is in use until it is released, and not after.
func TestGridIsKeptAwake(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	heard, ended := 0, false
	often := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case r.Method == http.MethodDelete:
			ended = true
		case r.URL.Path == "/session/x/timeouts":
			if ended {
				t.Error("asked after its end")
			}
			if heard++; heard == 3 {
				close(often)
			}
		}
		_, _ = w.Write([]byte(`{"value":{"sessionId":"x","capabilities":{"se:cdp":"ws://grid:4444/session/x/se/cdp"}}}`))
	}))
	defer server.Close()
	c := &call{title: "Selenium Grid", name: "selenium", pulse: time.Millisecond}
	c.Getenv = func(name string) string {
		if name == "SELENIUM_REMOTE_URL" {
			return server.URL
		}
		return ""
	}
	b, err := startSelenium(t.Context(), c)
	require.NoError(t, err)
	select {
	case <-often:
	case <-time.After(time.Minute):
		t.Fatal("the grid hears nothing")
	}
	require.NoError(t, b.Release(t.Context()))
	require.True(t, ended)
}

// A grid tells its own idea of where it is.
func TestThroughHub(t *testing.T) {
	t.Parallel()
	for told, want := range map[string]string{
		"ws://grid.internal:4444/session/x/se/cdp":     "wss://hub.example/session/x/se/cdp",
		"ws://grid.internal:4444/sub/session/x/se/cdp": "wss://hub.example/sub/session/x/se/cdp",
		"wss://hub.example/session/x/se/cdp":           "wss://hub.example/session/x/se/cdp",
	} {
		hub, err := url.Parse("https://hub.example/wd/hub")
		require.NoError(t, err)
		got, err := throughHub(told, hub)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err := throughHub("nowhere", &url.URL{Host: "hub"})
	require.Error(t, err)
}

func TestWithToken(t *testing.T) {
	t.Parallel()
	base := &url.URL{Scheme: "https", Host: "api.example"}
	got, err := withToken("https://api.example/session/1", "k", base, url.Values{"force": {"true"}})
	require.NoError(t, err)
	require.Equal(t, "https://api.example/session/1?force=true&token=k", got)
	got, err = withToken("https://api.example/session/1?token=theirs", "k", base, nil)
	require.NoError(t, err)
	require.Equal(t, "https://api.example/session/1?token=theirs", got)
	got, err = withToken("https://elsewhere.example/session/1", "k", base, nil)
	require.NoError(t, err)
	require.False(t, strings.Contains(got, "token"), "the key goes to no other server")
}
