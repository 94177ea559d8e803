package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// agents is a server that shows in the page's text who asks.
func agents(t *testing.T) *httptest.Server {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, "<title>%s</title>", r.UserAgent())
	}))
	t.Cleanup(server.Close)
	return server
}

func (u *user) writes(t testing.TB, path, text string) {
	t.Helper()
	path = filepath.Join(u.cwd, path)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

// A setting of a file does in the browser what its flag does.
func TestConfigurationReachesTheBrowser(t *testing.T) {
	t.Parallel()
	u, server := newUser(t), agents(t)
	u.writes(t, ".config/skua/config.json", `{"userAgent":"OfTheUser/1","timeout":"20s","webSearch":{"enabled":false},"version":1}`)
	u.works(t, "open", server.URL)
	require.Equal(t, "OfTheUser/1", u.works(t, "get", "title"))
	u.works(t, "close")
	u.writes(t, "skua.json", `{"userAgent":"OfTheProject/1"}`)
	u.works(t, "open", server.URL)
	require.Equal(t, "OfTheProject/1", u.works(t, "get", "title"))
	u.works(t, "close")
	u.writes(t, "ci.json", `{"userAgent":"Chosen/1"}`)
	u.works(t, "--config", "ci.json", "open", server.URL)
	require.Equal(t, "Chosen/1", u.works(t, "--config", "ci.json", "get", "title"))
	u.works(t, "close")

	out, err := u.alone("", "batch", "open "+server.URL, "get title").Output() // without a host
	require.NoError(t, err)
	require.Contains(t, string(out), "OfTheProject/1")
}

// What lies in a folder cannot say through whom the browser goes, what it is and what it runs.
func TestConfigurationOfAStranger(t *testing.T) {
	t.Parallel()
	u, server := newUser(t), agents(t)
	proxied := make(chan string, 100)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		proxied <- r.URL.String()
		w.WriteHeader(http.StatusTeapot)
	}))
	t.Cleanup(proxy.Close)
	u.writes(t, "evil.js", `document.title = "taken over"`)
	u.writes(t, "agent-browser.json", `{"proxy":"`+proxy.URL+`","proxyBypass":"<-loopback>","args":["--user-agent=Taken/1"],"executablePath":"./evil",
		"initScripts":["evil.js"],"session":"theirs","userAgent":"Allowed/1"}`)
	first := u.call(t, "open", server.URL)
	require.Zero(t, first.Code, first.Err)
	require.Contains(t, first.Err, "ignoring 6 unsupported settings from ./agent-browser.json (args, executablePath, initScripts, proxy, proxyBypass, session)")
	require.Equal(t, "Allowed/1", u.works(t, "get", "title"), "and it is said once")
	require.NotContains(t, u.works(t, "session", "list"), "theirs")
	require.Empty(t, proxied)
	u.works(t, "close")

	u.env = append(u.env, "SKUA_TRUST_PROJECT_CONFIG=1")
	u.writes(t, "agent-browser.json", `{"initScripts":["evil.js"],"session":"theirs"}`)
	u.works(t, "open", server.URL)
	u.works(t, "wait", "--fn", `document.title != ""`)
	require.Contains(t, u.works(t, "session", "list"), "theirs")
}

// A file of the user's that cannot be read stops what works in a browser, since it may hold what keeps that within bounds.
func TestBrokenConfiguration(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.writes(t, ".config/skua/config.json", "{\n  \"json\": tru\n}")
	got := u.call(t, "open", paperPage)
	require.Equal(t, 1, got.Code)
	require.Contains(t, got.Err, "invalid config file ./.config/skua/config.json: no JSON (line 2, column ")
	got = u.call(t, "config")
	require.Zero(t, got.Code)
	require.Contains(t, got.Out, "cannot be used: no JSON (line 2")
	got = u.call(t, "--json", "--config", "gone.json", "session")
	require.Equal(t, 1, got.Code)
	require.Contains(t, got.Out, `"code":"config-invalid"`)
	u.writes(t, ".config/skua/config.json", `{"json":true}`)
	require.True(t, strings.HasPrefix(u.works(t, "session"), `{"success":true`) || strings.Contains(u.works(t, "session"), `"success":true`))
	require.Contains(t, u.call(t, "clik").Out, `"success":false`, "the wish for JSON holds for mistakes, too")
}

// A namespace in a file comes too late to choose the host; nothing runs among the sessions of another one.
func TestConfiguredNamespace(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.writes(t, ".agent-browser/config.json", `{"namespace":"apart"}`)
	got := u.call(t, "open", paperPage)
	require.Equal(t, 1, got.Code)
	require.Contains(t, got.Err, "namespace in ./.agent-browser/config.json cannot be obeyed")
	require.Contains(t, got.Err, "SKUA_NAMESPACE=apart")
	u.env = append(u.env, "SKUA_NAMESPACE=apart")
	u.works(t, "open", paperPage)
	require.Equal(t, "One", u.works(t, "get", "title"))
}
