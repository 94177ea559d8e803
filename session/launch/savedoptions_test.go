package launch

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/guard/policy"
)

func TestKeptLaunchHoldsNoSecret(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		launch   Options
		withheld []string
		secret   string
	}{
		{"plain", Options{Given: map[string]string{"headed": "true", "user-agent": "a"}}, nil, "-"},
		{
			"a proxy",
			Options{Given: map[string]string{"proxy": "http://p:1"}, Context: engine.ContextOptions{Proxy: "http://p:1"}},
			nil,
			"-",
		},
		{
			"a proxy's user",
			Options{
				Given:   map[string]string{"proxy": "http://u:pw@p:1"},
				Context: engine.ContextOptions{Proxy: "http://u:pw@p:1"},
			},
			[]string{"proxy"},
			"pw",
		},
		{
			"a switch",
			Options{
				Given:   map[string]string{"args": "--oauth2-client-secret=pw"},
				Browser: chrome.Options{Args: []string{"--oauth2-client-secret=pw"}},
			},
			[]string{"args"},
			"pw",
		},
		{
			"an address",
			Options{
				Given:   map[string]string{"args": "--x=http://u:pw@h"},
				Browser: chrome.Options{Args: []string{"--x=http://u:pw@h"}},
			},
			[]string{"args"},
			"pw",
		},
		{"a state", Options{Given: map[string]string{"restore": "shop"}}, []string{"restore"}, "shop"},
		{"rules stand by themselves", Options{Given: map[string]string{policy.FlagDomains: "x.test"}}, nil, "x.test"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			k := tt.launch.Save()
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
	was := Options{
		Browser: chrome.Options{
			ExecutablePath: "/x/chrome", Headless: false, Args: []string{"--lang=de"}, NoWebMCP: true,
			CACerts:  []string{"/ca.pem"},
			SystemCA: true, ShowScrollbars: true, NoXvfb: true, Extensions: []string{"/ext"},
		},
		Context: engine.ContextOptions{
			Proxy: "http://p:1", ProxyBypass: "x", UserAgent: "a", IgnoreHTTPSErrors: true,
			ColorScheme: "dark", Width: 5, Height: 6,
		},
		profileOptions: profileOptions{isolate: inProcess, profile: "p", dir: "/p", live: true},
		Given:          map[string]string{"headed": "true", "proxy": "http://p:1"},
	}
	text, err := json.Marshal(was.Save())
	require.NoError(t, err)
	var k SavedOptions
	require.NoError(t, json.Unmarshal(text, &k))
	now := Options{
		Browser: chrome.Options{Headless: true}, Context: engine.ContextOptions{Width: 5, Height: 6},
		Given: map[string]string{},
	}
	again, err := k.Options(now, "s")
	require.NoError(t, err)
	require.Equal(t, was, again)

	k = *Options{Added: []string{"plugin"}}.Save()
	_, err = k.Options(now, "s")
	require.ErrorContains(t, err, "plugins had added")
}
