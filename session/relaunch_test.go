package session

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/policy"
)

func TestKeptLaunchHoldsNoSecret(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		launch   launch
		withheld []string
		secret   string
	}{
		{"plain", launch{given: map[string]string{"headed": "true", "user-agent": "a"}}, nil, "-"},
		{"a proxy", launch{given: map[string]string{"proxy": "http://p:1"}, context: engine.ContextOptions{Proxy: "http://p:1"}}, nil, "-"},
		{"a proxy's user", launch{given: map[string]string{"proxy": "http://u:pw@p:1"}, context: engine.ContextOptions{Proxy: "http://u:pw@p:1"}}, []string{"proxy"}, "pw"},
		{
			"a switch",
			launch{given: map[string]string{"args": "--oauth2-client-secret=pw"}, browser: chrome.Options{Args: []string{"--oauth2-client-secret=pw"}}},
			[]string{"args"},
			"pw",
		},
		{"an address", launch{given: map[string]string{"args": "--x=http://u:pw@h"}, browser: chrome.Options{Args: []string{"--x=http://u:pw@h"}}}, []string{"args"}, "pw"},
		{"a state", launch{given: map[string]string{"restore": "shop"}}, []string{"restore"}, "shop"},
		{"rules stand by themselves", launch{given: map[string]string{policy.FlagDomains: "x.test"}}, nil, "x.test"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			k := tt.launch.kept()
			require.Equal(t, tt.withheld, k.Withheld)
			text, err := json.Marshal(k)
			require.NoError(t, err)
			require.NotContains(t, string(text), `"`+tt.secret+`"`)
			require.NotContains(t, string(text), tt.secret+"@")
			require.NotContains(t, string(text), "="+tt.secret)
		})
	}
}

func TestKeptLaunchComesBack(t *testing.T) {
	t.Parallel()
	was := launch{
		browser: chrome.Options{
			ExecutablePath: "/x/chrome", Headless: false, Args: []string{"--lang=de"}, NoWebMCP: true, CACerts: []string{"/ca.pem"},
			SystemCA: true, ShowScrollbars: true, NoXvfb: true, Extensions: []string{"/ext"},
		},
		context: engine.ContextOptions{Proxy: "http://p:1", ProxyBypass: "x", UserAgent: "a", IgnoreHTTPSErrors: true, ColorScheme: "dark", Width: 5, Height: 6},
		wishes:  wishes{isolate: inProcess, profile: "p", dir: "/p", live: true},
		given:   map[string]string{"headed": "true", "proxy": "http://p:1"},
	}
	text, err := json.Marshal(was.kept())
	require.NoError(t, err)
	var k keptLaunch
	require.NoError(t, json.Unmarshal(text, &k))
	now := launch{browser: chrome.Options{Headless: true}, context: engine.ContextOptions{Width: 5, Height: 6}, given: map[string]string{}}
	again, err := k.launch(now, "s")
	require.NoError(t, err)
	require.Equal(t, was, again)

	k = *launch{added: []string{"plugin"}}.kept()
	_, err = k.launch(now, "s")
	require.ErrorContains(t, err, "plugins had added")
}
