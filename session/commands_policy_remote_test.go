package session_test

import (
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// eavesdropper is a server that answers nothing and remembers what it was asked.
type eavesdropper struct {
	at string

	mu    sync.Mutex
	asked []string
}

func startEavesdropper(t testing.TB, answer http.HandlerFunc) *eavesdropper {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	r := &eavesdropper{at: l.Addr().String()}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.mu.Lock()
		r.asked = append(r.asked, req.Method+" "+req.URL.String())
		r.mu.Unlock()
		if answer == nil {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		answer(w, req)
	})}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	return r
}

func (r *eavesdropper) requests() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.asked...)
}

// A caller under rules reaches no host by naming it as its browser, its provider or its proxy: what it has read could
// leave by the address, and a browser that another party runs would learn what the vault knows.
func TestPolicyRemote(t *testing.T) {
	t.Parallel()
	for _, rules := range []struct {
		name  string
		flags []string
	}{
		{"hosts", []string{"--allowed-domains", "127.0.0.1", "--block-private"}},
		{"actions", []string{"--action-policy", "policy.json"}},
		{"files", []string{"--upload-root", "."}},
	} {
		t.Run(rules.name, func(t *testing.T) {
			t.Parallel()
			there := startEavesdropper(t, nil)
			url := "http://" + there.at
			port := there.at[strings.LastIndexByte(there.at, ':')+1:]
			c := host.NewClient(t)
			c.WriteFile("policy.json", `{"default":"allow","deny":["eval"]}`)
			c.WriteFile("chosen.json", `{"cdp":"`+url+`/k?EXFIL=8"}`)
			c.Do(append(rules.flags, "policy")...)
			for _, tc := range []struct {
				name   string
				args   []string
				action string
			}{
				{"a browser", []string{"--cdp", url + "/e?EXFIL=1", "open", "about:blank"}, "connect"},
				{"its websocket", []string{"--cdp", "ws://" + there.at + "/x?EXFIL=2", "open", "about:blank"}, "connect"},
				{"its port", []string{"--cdp", port, "get", "title"}, "connect"},
				{"connect", []string{"connect", url + "/c?EXFIL=3"}, "connect"},
				{"connect to a port", []string{"connect", port}, "connect"},
				{"a browser that is looked for", []string{"connect", "auto"}, "connect"},
				{"the same by a flag", []string{"--auto-connect", "get", "title"}, "connect"},
				{"a provider's address", []string{"-p", url + "/p?EXFIL=4", "open", "about:blank"}, "provider"},
				{"a provider's name", []string{"-p", "browserless", "open", "about:blank"}, "provider"},
				{"a proxy", []string{"--proxy", url, "open", "http://example.invalid/?EXFIL=5"}, "proxy"},
				{"a proxy that read uses", []string{"--proxy", url, "read", "http://127.0.0.1:1/?EXFIL=6"}, "proxy"},
				{"a configuration that the caller names", []string{"--config", "chosen.json", "open", "about:blank"}, "connect"},
			} {
				t.Run(tc.name, func(t *testing.T) {
					c := c.In(t)
					f := c.Fails(fault.PolicyBlocked, tc.args...)
					require.Contains(t, f.Error(), "Action '"+tc.action)
					require.Contains(t, f.Hint, `"allow"`)
				})
			}
			require.Contains(t, sessiontest.Everything(c.Try("batch", "connect "+url+"/b?EXFIL=7")), "denied by policy")
			require.Empty(t, there.requests())
		})
	}
}

// What the owner names by its address is reached, and nothing beside it.
func TestPolicyRemoteNamed(t *testing.T) {
	t.Parallel()
	b := sessiontest.StartTheirs(t, t.TempDir())
	other := startEavesdropper(t, nil)

	t.Run("in the policy", func(t *testing.T) {
		t.Parallel()
		c := host.NewClient(t)
		c.WriteFile("policy.json", `{"default":"deny","allow":["get","close","connect localhost:`+b.Port+`"]}`)
		c.Do("--action-policy", "policy.json", "policy")
		c.Do("connect", b.Port)
		c.Do("close")
		c.Do("--action-policy", "policy.json", "--cdp", "http://127.0.0.1:"+b.Port, "get", "title")
		c.Fails(fault.PolicyBlocked, "connect", "http://"+other.at)
		c.Fails(fault.PolicyBlocked, "--proxy", "http://127.0.0.1:"+b.Port, "get", "title")
	})
	t.Run("in the environment", func(t *testing.T) {
		t.Parallel()
		c := host.NewClient(t)
		c.Env["SKUA_CDP"] = b.Port
		c.Do("--upload-root", ".", "policy")
		c.Do("get", "title")
		c.Do("--cdp", b.Port, "get", "title")
		c.Do("connect", b.Port)
		c.Fails(fault.PolicyBlocked, "connect", "http://"+other.at)
	})
	t.Run("by the call that brings the first rules", func(t *testing.T) {
		t.Parallel()
		c := host.NewClient(t)
		c.Do("--allowed-domains", "127.0.0.1", "--cdp", b.Port, "get", "title")
		c.Do("--cdp", b.Port, "get", "title") // it has this browser
		c.Fails(fault.PolicyBlocked, "--cdp", "http://"+other.at, "get", "title")
	})
	t.Run("a name without an address names none", func(t *testing.T) {
		t.Parallel()
		c := host.NewClient(t)
		c.WriteFile("policy.json", `{"default":"allow","allow":["connect"]}`)
		c.Do("--action-policy", "policy.json", "policy")
		c.Fails(fault.PolicyBlocked, "connect", "http://"+other.at)
	})
	t.Run("deny connect covers the flag", func(t *testing.T) {
		t.Parallel()
		c := host.NewClient(t)
		c.WriteFile("policy.json", `{"default":"allow","deny":["connect"]}`)
		f := c.Fails(fault.PolicyBlocked, "--action-policy", "policy.json", "--cdp", "http://"+other.at, "get", "title")
		require.Equal(t, "deny connect", f.Facts["rule"])
	})
	t.Run("an address without a host", func(t *testing.T) {
		t.Parallel()
		c := host.NewClient(t)
		c.WriteFile("policy.json", `{"allow":["connect http://"]}`)
		f := c.Fails(fault.PolicyBlocked, "--action-policy", "policy.json", "get", "title")
		require.Contains(t, f.Error(), "there is no action 'connect http://'")
	})
	require.Empty(t, other.requests())
}

// A session may have its browser from before its rules. The vault's passwords are typed only into one that skua started
// or the owner named.
func TestPolicyRemoteLogin(t *testing.T) {
	t.Parallel()
	b := sessiontest.StartTheirs(t, t.TempDir())
	c := host.NewClient(t)
	c.Env["SKUA_KEYRING"] = "off"
	c.DoWith("hunter2", "auth", "save", "app", "--url", site.URL("/blank"), "--username", "ann", "--password-stdin")
	c.Do("connect", b.Port)
	c.Do("--confirm-actions", "click", "policy")
	f := c.Fails(fault.PolicyBlocked, "auth", "login", "app")
	require.Contains(t, f.Error(), "browser")
	require.Contains(t, f.Hint, "connect 127.0.0.1:"+b.Port)
}
