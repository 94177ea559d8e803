package input

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLookups(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		params string
		args   []string
		stdin  string
	}{
		"2.5.2 a selector": {
			`{"sourceLookup":{"selector":"#a"}}`,
			[]string{"batch"},
			`[["is","visible","#a"],["get","html","#a"]]`,
		},
		"2.5.2 without its html": {
			`{"sourceLookup":{"selector":"#a","includeDomHints":false}}`,
			[]string{"batch"},
			`[["is","visible","#a"]]`,
		},
		"2.5.2 everything": {
			`{"sourceLookup":{"selector":"#a","reactFiberId":"2","componentName":"Save"}}`,
			[]string{"batch"},
			`[["is","visible","#a"],["get","html","#a"],["react","inspect","2"],["react","tree"]]`,
		},
		"2.6.2 a request": {
			`{"networkSourceLookup":{"requestId":"r1"}}`,
			[]string{"batch"},
			`[["network","request","r1"]]`,
		},
		"2.6.2 a url": {
			`{"networkSourceLookup":{"url":"/api"}}`,
			[]string{"batch"},
			`[["network","requests","--filter","/api"]]`,
		},
		"2.6.2 the filter wins": {
			`{"networkSourceLookup":{"requestId":"r1","url":"/api","filter":"/x"}}`,
			[]string{"batch"},
			`[["network","request","r1"],["network","requests","--filter","/x"]]`,
		},
		"2.6.3 a session": {
			`{"networkSourceLookup":{"url":"/api","session":"s"}}`,
			[]string{"--session", "s", "batch"},
			`[["network","requests","--filter","/api"]]`,
		},
		"2.6.3 a namespace": {
			`{"networkSourceLookup":{"url":"/api","session":"s","namespace":"n"}}`,
			[]string{"--namespace", "n", "--session", "s", "batch"},
			`[["network","requests","--filter","/api"]]`,
		},
		"2.6.3 an empty namespace": {
			`{"networkSourceLookup":{"url":"/api","namespace":""}}`,
			[]string{"--namespace", "", "batch"},
			`[["network","requests","--filter","/api"]]`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := compile(tt.params)
			require.NoError(t, err)
			require.Equal(t, tt.args, c.Args)
			require.Equal(t, tt.stdin, string(c.Stdin))
		})
	}
	t.Run("2.5.3 how many files", func(t *testing.T) {
		t.Parallel()
		c, err := compile(`{"sourceLookup":{"componentName":"A"}}`)
		require.NoError(t, err)
		require.Equal(t, 2000, c.Details.CompiledSourceLookup.MaxWorkspaceFiles)
		c, err = compile(`{"networkSourceLookup":{"url":"A","maxWorkspaceFiles":5000}}`)
		require.NoError(t, err)
		require.Equal(t, 5000, c.Details.CompiledNetworkSourceLookup.MaxWorkspaceFiles)
	})
}

func TestWrongLookups(t *testing.T) {
	t.Parallel()
	wrongs(t, map[string]struct{ params, message string }{
		"2.5.1 nothing": {
			`{"sourceLookup":{"maxWorkspaceFiles":5}}`,
			"sourceLookup requires selector, reactFiberId, or componentName",
		},
		"2.5.1 a blank": {`{"sourceLookup":{"selector":" "}}`, "sourceLookup.selector must be a non-empty string"},
		"2.5.3 too many files": {
			`{"sourceLookup":{"selector":"a","maxWorkspaceFiles":5001}}`,
			"maxWorkspaceFiles must be 5000 or less",
		},
		"2.5.3 no files": {
			`{"sourceLookup":{"selector":"a","maxWorkspaceFiles":0}}`,
			"sourceLookup.maxWorkspaceFiles must be a positive integer",
		},
		"2.6.1 nothing": {`{"networkSourceLookup":{}}`, "networkSourceLookup requires requestId, filter, or url"},
		"2.6.1 too many files": {
			`{"networkSourceLookup":{"url":"a","maxWorkspaceFiles":6000}}`,
			"maxWorkspaceFiles must be 5000 or less",
		},
		"2.6 an unknown field": {
			`{"networkSourceLookup":{"url":"a","method":"GET"}}`,
			`networkSourceLookup does not support field "method"`,
		},
	})
}

func TestElectron(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ params, want string }{
		"13.1 list": {`{"action":"list"}`, `{"action":"list","maxResults":50}`},
		"13.1 13.2 list, at most": {
			`{"action":"list","query":"code","maxResults":900}`,
			`{"action":"list","query":"code","maxResults":200}`,
		},
		"13.3 13.4 launch": {
			`{"action":"launch","appName":"Code"}`,
			`{"action":"launch","appName":"Code","handoff":"snapshot","targetType":"page","timeoutMs":15000}`,
		},
		"13.4 launch, at most": {
			`{"action":"launch","executablePath":"/a","handoff":"tabs","targetType":"any","timeoutMs":900000,"appArgs":["--safe"],"allow":["a"],"deny":["b"]}`,
			`{"action":"launch","executablePath":"/a","handoff":"tabs","targetType":"any","timeoutMs":120000,"appArgs":["--safe"],"allow":["a"],"deny":["b"]}`,
		},
		"13.1 status":  {`{"action":"status","launchId":"electron-1"}`, `{"action":"status","launchId":"electron-1"}`},
		"13.1 cleanup": {`{"action":"cleanup","all":true,"timeoutMs":5}`, `{"action":"cleanup","all":true,"timeoutMs":5}`},
		"13.1 probe": {
			`{"action":"probe","launchId":"x","timeoutMs":9}`,
			`{"action":"probe","launchId":"x","timeoutMs":9}`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := compile(`{"electron":` + tt.params + `}`)
			require.NoError(t, err)
			require.JSONEq(t, tt.want, marshal(t, c.Details.CompiledElectron))
			require.Nil(t, c.Args)
		})
	}
}

func TestWrongElectron(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ params, message string }{
		"13.1 no action": {`{}`, "electron.action must be one of list, launch, status, cleanup, or probe"},
		"13.1 another action": {
			`{"action":"kill"}`,
			"electron.action must be one of list, launch, status, cleanup, or probe",
		},
		"13.1 list":               {`{"action":"list","launchId":"x"}`, "electron.list only supports query and maxResults"},
		"13.1 list and timeoutMs": {`{"action":"list","timeoutMs":5}`, "electron.list only supports query and maxResults"},
		"13.1 probe": {
			`{"action":"probe","all":true}`,
			"electron.probe only supports action, launchId, and timeoutMs",
		},
		"13.1 status":      {`{"action":"status","appName":"x"}`, "electron.status does not support electron.appName"},
		"13.1 cleanup":     {`{"action":"cleanup","query":"x"}`, "electron.cleanup does not support electron.query"},
		"13.1 all is true": {`{"action":"status","all":false}`, "electron.all must be true when provided"},
		"13.1 one or all": {
			`{"action":"status","all":true,"launchId":"x"}`,
			"electron.status takes electron.launchId or electron.all, not both",
		},
		"13.3 no target": {
			`{"action":"launch"}`,
			"electron.launch requires exactly one of appPath, appName, bundleId, or executablePath",
		},
		"13.3 two targets": {
			`{"action":"launch","appName":"x","bundleId":"y"}`,
			"electron.launch requires exactly one of appPath, appName, bundleId, or executablePath",
		},
		"13.3 end of switches": {
			`{"action":"launch","appName":"x","appArgs":["--"]}`,
			"electron.appArgs must not include wrapper-owned launch flag --",
		},
		"13.3 profile": {
			`{"action":"launch","appName":"x","appArgs":["--user-data-dir=/x"]}`,
			"electron.appArgs must not include wrapper-owned launch flag --user-data-dir",
		},
		"13.3 port": {
			`{"action":"launch","appName":"x","appArgs":["--remote-debugging-port","1"]}`,
			"wrapper-owned launch flag --remote-debugging-port",
		},
		"13.3 address": {
			`{"action":"launch","appName":"x","appArgs":["--remote-debugging-address=0.0.0.0"]}`,
			"wrapper-owned launch flag --remote-debugging-address",
		},
		"13.3 pipe": {
			`{"action":"launch","appName":"x","appArgs":["--remote-debugging-pipe"]}`,
			"wrapper-owned launch flag --remote-debugging-pipe",
		},
		"13.4 handoff": {
			`{"action":"launch","appName":"x","handoff":"open"}`,
			"electron.handoff must be one of connect, tabs, or snapshot",
		},
		"13.4 target type": {
			`{"action":"launch","appName":"x","targetType":"frame"}`,
			"electron.targetType must be one of page, webview, or any",
		},
		"13.1 an unknown field": {`{"action":"list","names":1}`, `electron does not support field "names"`},
		"13.4 no time": {
			`{"action":"launch","appName":"x","timeoutMs":-5}`,
			"electron.timeoutMs must be a positive integer",
		},
	}
	for name, tt := range tests {
		tt.params = `{"electron":` + tt.params + `}`
		tests[name] = tt
	}
	wrongs(t, tests)
}
