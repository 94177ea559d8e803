package engine_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/endpoint"
	"github.com/skua-browser/skua/internal/fault"
)

// wayTo is a proxy of a browser; hide answers the requests for which it returns true.
func wayTo(t *testing.T, wsURL string, hide func(http.ResponseWriter, *http.Request) bool) (address string) {
	t.Helper()
	to, err := url.Parse(wsURL)
	require.NoError(t, err)
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: "http", Host: to.Host})
	}}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !hide(w, r) {
			proxy.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// A browser is found by whichever way it can be.
func TestConnectWays(t *testing.T) {
	t.Parallel()
	owner, profile := foreign(t)
	pageIn(t, owner.DefaultContext(engine.ContextOptions{}))
	wsURL := debuggingURL(t, profile)
	path := wsURL[strings.Index(wsURL, "/devtools/"):]
	refuse := func(w http.ResponseWriter, paths ...string) func(*http.Request) bool {
		return func(r *http.Request) bool {
			for _, p := range paths {
				if strings.HasPrefix(r.URL.Path, p) {
					http.NotFound(w, r)
					return true
				}
			}
			return false
		}
	}
	for _, tc := range []struct {
		name string
		hide func(http.ResponseWriter, *http.Request) bool
		lone bool
	}{
		{"/json/version", func(w http.ResponseWriter, r *http.Request) bool { return refuse(w, "/json/list")(r) }, false},
		{"/json/list", func(w http.ResponseWriter, r *http.Request) bool {
			r.URL.RawQuery = "" // Chromium takes it for a part of the tab's id
			return refuse(w, "/json/version", "/devtools/browser")(r)
		}, true},
		{"the websocket", func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path == "/devtools/browser" {
				r.URL.Path = path
			}
			return refuse(w, "/json/")(r)
		}, false},
		{"a name that Chromium does not answer to", func(w http.ResponseWriter, r *http.Request) bool {
			if r.Host == "localhost" {
				return false
			}
			http.Error(w, "Host header is specified and is not an IP address or localhost.", http.StatusInternalServerError)
			return true
		}, false},
		{"a token in the address", func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Query().Get("token") == "secret" {
				return false
			}
			http.Error(w, "no token", http.StatusForbidden)
			return true
		}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b, e, err := engine.Connect(timed(t, limit), wayTo(t, wsURL, tc.hide)+"/?token=secret", nil, nil)
			require.NoError(t, err)
			require.Equal(t, tc.lone, e.Lone)
			version, err := b.Version(timed(t, limit))
			require.NoError(t, err)
			require.Contains(t, version, "Chrom")
			pages, err := b.DefaultContext(engine.ContextOptions{}).ListPages(timed(t, limit))
			require.NoError(t, err)
			require.NotEmpty(t, pages)
			require.NoError(t, b.Close(timed(t, limit)))
		})
	}
	require.NoError(t, owner.Err())
}

// A server that accepts connections and stays silent blocks the caller only briefly, and no message contains the
// secrets of an address.
func TestConnectRefused(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = silent.Close() })
	reply := func(texts map[string]string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if text, ok := texts[r.URL.Path]; ok {
				fmt.Fprint(w, text)
				return
			}
			http.NotFound(w, r)
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	for _, tc := range []struct{ name, address, want string }{
		{
			"silence", "http://me:secret@" + silent.Addr().String() + "/?token=secret",
			"/json/version: it did not answer in time; /json/list: it did not answer",
		},
		{
			"no server", "http://127.0.0.1:1/?token=secret",
			"/json/version: dial tcp 127.0.0.1:1: connect: connection refused; /json/list: dial tcp",
		},
		{"no server at either address", "1", "; WebSocket: no CDP connection to ws://127.0.0.1:1/devtools/browser: "},
		{
			"Node.js", reply(map[string]string{"/json/version": `{"Browser": "node.js/v22.1.0"}`}),
			"a program of Node.js listens there (node.js/v22.1.0)",
		},
		{
			"an app's main process",
			reply(map[string]string{
				"/json/version": `{"Browser": "node.js/v18.15.0"}`,
				"/json/list":    `[{"title": "electron/js2c/browser_init"}]`,
			}),
			"the main process of an Electron app listens there, and no browser; `electron attach`",
		},
		{
			"nothing to attach to", reply(map[string]string{"/json/list": `[{"type":"worker"},{"type":"page"}]`}),
			"/json/list: it lists 2 targets, and no page",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, _, err := engine.Connect(timed(t, limit), tc.address, nil, nil)
			require.Equal(t, fault.ConnectFailed, fault.CodeOf(err))
			require.ErrorContains(t, err, "All CDP discovery methods failed for ")
			require.ErrorContains(t, err, tc.want)
			require.NotContains(t, err.Error(), "secret")
		})
	}
	t.Run("a server that repeats the address", func(t *testing.T) {
		t.Parallel()
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "no "+r.URL.String(), http.StatusBadGateway)
		}))
		t.Cleanup(s.Close)
		_, _, err := engine.Connect(timed(t, limit), strings.Replace(s.URL, "http", "ws", 1)+"/x?token=secret", nil, nil)
		require.ErrorContains(t, err, "(no /x?")
		require.NotContains(t, err.Error(), "secret")
	})
	t.Run("a websocket that is never accepted", func(t *testing.T) {
		t.Parallel()
		_, _, err := engine.Connect(timed(t, 200*time.Millisecond), "ws://"+silent.Addr().String()+"/x?token=secret", nil,
			nil)
		require.Equal(t, fault.Timeout, fault.CodeOf(err))
		require.NotContains(t, err.Error(), "secret")
	})
}

// A browser that listens at the other loopback address alone is found by its port.
func TestConnectIPv6(t *testing.T) {
	t.Parallel()
	_, profile := foreign(t)
	wsURL := debuggingURL(t, profile)
	l, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skip("this machine has no IPv6")
	}
	to, err := url.Parse(wsURL)
	require.NoError(t, err)
	s := &httptest.Server{
		Listener: l,
		Config:   &http.Server{Handler: httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: to.Host})},
	}
	s.Start()
	t.Cleanup(s.Close)
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	for _, address := range []string{port, "http://localhost:" + port} {
		b, e, err := engine.Connect(timed(t, limit), address, nil, nil)
		require.NoError(t, err, address)
		require.Contains(t, e.URL, "[::1]:"+port)
		require.NoError(t, b.Close(timed(t, limit)))
	}
	id, err := endpoint.Identify(timed(t, limit), l.Addr().(*net.TCPAddr).Port)
	require.NoError(t, err)
	require.Contains(t, id.Product, "Chrom")
}

func TestAttachFails(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	for _, url := range []string{strings.Replace(s.URL, "http", "ws", 1) + "/devtools/browser/x", "ws://127.0.0.1:1/x"} {
		_, err := engine.Attach(timed(t, limit), url, nil, nil)
		require.Equal(t, fault.ConnectFailed, fault.CodeOf(err), "%s: %v", url, err)
		require.ErrorContains(t, err, url)
	}
}
