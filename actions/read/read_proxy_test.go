package read_test

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"
)

// Reading an address without a browser goes the way that the pages of the session go: through its proxy, with what that
// asks for.
func TestReadThroughTheProxyOfTheSession(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		flags  func(p *sessiontest.AskingProxy) []string // of the command before
		before []string                                  // that command
		url    string
		want   string // what the proxy has seen
	}{
		{"given before", proxyFlag, cmd("open", "about:blank"), "http://plain.example/", "GET plain.example/"},
		{"encrypted", func(p *sessiontest.AskingProxy) []string {
			return append(proxyFlag(p), "--ignore-https-errors")
		}, cmd("open", "about:blank"), "https://secure.example/", "CONNECT secure.example:443"},
		{"with host rules", func(p *sessiontest.AskingProxy) []string {
			return append(proxyFlag(p), "--allowed-domains", "*.example")
		}, cmd("open", "about:blank"), "http://plain.example/", "GET plain.example/"},
		{"switch of the browser", func(p *sessiontest.AskingProxy) []string {
			return cmd("--args", "--proxy-server=http://"+p.Listener.Addr().String())
		}, cmd("open", "about:blank"), "http://plain.example/", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := sessiontest.StartAskingProxy(t, "ada", "s3cret")
			c := host.NewClient(t)
			c.Do(append(tt.flags(p), tt.before...)...)
			if tt.want == "" { // the switch has no credentials
				require.ErrorContains(t, c.Try("read", tt.url).Err, "requires a user name and a password")
				return
			}
			c.Do("read", tt.url)
			require.True(t, p.Saw(tt.want))
		})
	}
}

func proxyFlag(p *sessiontest.AskingProxy) []string {
	return cmd("--proxy", strings.Replace(p.URL, "://", "://ada:s3cret@", 1))
}

// What the session's proxy is not for is read without it, and what cannot be reached by it is not read in another way.
func TestReadAndTheBypassOfTheSession(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.Header().Set("Content-Type", "text/plain")
		_, _ = w.Write([]byte("read"))
	}))
	t.Cleanup(server.Close)
	_, port, _ := strings.Cut(server.Listener.Addr().String(), ":")
	rules := "--host-resolver-rules=MAP *.example 127.0.0.1:" + port
	dead := sessiontest.UnusedAddress(t)

	c := host.NewClient(t)
	c.Do("--proxy", dead, "--proxy-bypass", "in.example", "--args", rules, "open", "about:blank")
	require.Equal(t, "read", c.Do("read", "http://in.example/").Result.Text,
		"the host is left out, and the browser's rule for names applies")
	require.EqualValues(t, 1, asked.Load())
	require.Error(t, c.Try("read", "http://out.example/").Err)
	c.Try("read", "http://a.example/", "http://b.example/") // several at once
	require.EqualValues(t, 1, asked.Load(), "nothing goes around the proxy")

	c.Do("close")
	require.NoError(t, c.Try("--args", rules, "open", "about:blank").Err)
	require.Equal(t, "read", c.Do("read", "http://out.example/").Result.Text, "a new browser without a proxy")

	c.Do("close")
	c.Do("--args", "--proxy-pac-url=http://127.0.0.1:1/pac", "open", "about:blank")
	require.ErrorContains(t, c.Try("read", "http://out.example/").Err, "--proxy-pac-url")
}

// What the session's browser trusts is trusted when an address is read without it.
func TestReadTrustsTheAuthorityOfTheSession(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		_, _ = w.Write([]byte("read"))
	}))
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t,
		os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600))
	c := host.NewClient(t)
	require.Error(t, c.Try("read", server.URL).Err)
	c.Do("--ca-cert", file, "open", "about:blank")
	require.Equal(t, "read", c.Do("read", server.URL).Result.Text)
}
