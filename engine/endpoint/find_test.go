package endpoint_test

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/endpoint"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/testengine"
)

func TestDiscoverRefuses(t *testing.T) {
	t.Parallel()
	for _, target := range []string{
		"", "bogus", "0", "-1", "70000", "9222x", "ftp://127.0.0.1:9222", "127.0.0.1:9222",
		"http://", "9222 ",
	} {
		_, err := endpoint.Discover(testengine.Timed(t, testengine.Limit), target)
		require.Equal(t, fault.Usage, fault.CodeOf(err), target)
		require.ErrorContains(t, err, "Invalid value: '"+target+"' is not a valid port number or URL.")
	}
}

func TestDiscover(t *testing.T) {
	t.Parallel()
	s := testengine.NewSite(t, map[string]string{"/html/json/version": "<title>no JSON</title>"})
	reply := func(path, text string) {
		s.Handle(path+"/json/version", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) })
	}
	reply("", `{"Browser": "Chrome/1", "webSocketDebuggerUrl": "ws://inside:1234/devtools/browser/abc"}`)
	reply("/other", `{"Browser": "Chrome/1"}`)
	reply("/list", `[]`)
	reply("/broken", `{"webSocketDebuggerUrl": "ws://`)
	s.Gate(t, "/silent/json/version", "application/json", "")
	host := strings.TrimPrefix(s.URL, "http://")
	_, port, err := net.SplitHostPort(host)
	require.NoError(t, err)

	for _, target := range []string{port, s.URL, s.URL + "/"} {
		url, err := endpoint.Discover(testengine.Timed(t, testengine.Limit), target)
		require.NoError(t, err, target)
		require.Equal(t, "ws://"+host+"/devtools/browser/abc", url, "the host that was reached")
	}
	url, err := endpoint.Discover(testengine.Timed(t, testengine.Limit), "ws://somewhere:1/devtools/browser/x")
	require.NoError(t, err)
	require.Equal(t, "ws://somewhere:1/devtools/browser/x", url)

	for _, tc := range []struct{ name, target, want string }{
		{"nothing there", "1", "connection refused"},
		{"no such page", s.URL + "/nowhere", "HTTP 404 Not Found"},
		{"no JSON", s.URL + "/html", "does not speak CDP"},
		{"JSON that is cut off", s.URL + "/broken", "does not speak CDP"},
		{"a list", s.URL + "/list", "does not speak CDP"},
		{"no address in it", s.URL + "/other", "names no webSocketDebuggerUrl"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := endpoint.Discover(testengine.Timed(t, testengine.Limit), tc.target)
			require.Equal(t, fault.ConnectFailed, fault.CodeOf(err))
			require.ErrorContains(t, err, "All CDP discovery methods failed for 127.0.0.1:")
			require.ErrorContains(t, err, tc.want)
			require.ErrorContains(t, err, "--remote-debugging-port")
		})
	}
	t.Run("no answer", func(t *testing.T) {
		_, err := endpoint.Discover(testengine.Timed(t, 100*time.Millisecond), s.URL+"/silent")
		require.Equal(t, fault.ConnectFailed, fault.CodeOf(err))
		require.ErrorContains(t, err, "it did not answer in time")
	})
}
