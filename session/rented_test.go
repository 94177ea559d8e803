package session_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/testprovider"
	"github.com/skua-browser/skua/session"
)

// rentable starts a browser that stand-ins of providers hand out. It ends with this process however that ends.
func rentable(t *testing.T) (owner *engine.Browser, socket *url.URL) {
	t.Helper()
	profile := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), sessiontest.CommandLimit)
	defer cancel()
	owner, err := engine.Launch(ctx,
		chrome.Options{Headless: true, UserDataDir: profile, Args: []string{"--remote-debugging-port=0"}})
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close(context.Background()) })
	_, err = owner.DefaultContext(engine.ContextOptions{}).NewPage(ctx)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		file, _ := os.ReadFile(filepath.Join(profile, "DevToolsActivePort"))
		port, path, ok := strings.Cut(string(file), "\n")
		socket = &url.URL{Host: "127.0.0.1:" + port, Path: strings.TrimSpace(path)}
		return ok
	}, sessiontest.CommandLimit, 10*time.Millisecond)
	return owner, socket
}

// renter is a client whose environment has what the provider of a stand-in needs.
func renter(t *testing.T, s testprovider.Service, browser *url.URL) (*sessiontest.Client, *testprovider.Server) {
	t.Helper()
	in := testprovider.Start(s, browser)
	c := host.NewClient(t)
	t.Cleanup(in.Close)
	maps.Copy(c.Env, in.Environ())
	return c, in
}

// requireSilent fails when a secret is anywhere in what a command said.
func requireSilent(t *testing.T, secret string, reply session.Reply) {
	t.Helper()
	var out, errOut strings.Builder
	reply.JSON = true
	reply.Write(&out, &errOut)
	reply.JSON = false
	reply.Write(&out, &errOut)
	require.NotContains(t, out.String()+errOut.String(), secret)
}

// A browser of each provider is worked in like any other, and ended once when the session is closed.
func TestRentedBrowser(t *testing.T) {
	t.Parallel()
	owner, browser := rentable(t)
	for _, s := range testprovider.Services() {
		t.Run(s.Provider, func(t *testing.T) {
			c, in := renter(t, s, browser)
			page := site.URL(site.Write("<title>Rented</title><button onclick=\"document.title = 'Clicked'\">Go</button>"))
			reply := c.Do("--provider", s.Provider, "--verbose", "open", page)
			requireSilent(t, s.Secret, reply)
			require.Contains(t, strings.Join(reply.Details, "\n"), "session browser-1")
			require.Equal(t, s.Provider, reply.Lifecycle.EffectiveLaunch.Provider)
			require.True(t, reply.Lifecycle.Launched)
			require.Equal(t, 1, in.Started())

			requireSilent(t, s.Secret, c.Do("snapshot", "-i"))
			requireSilent(t, s.Secret, c.Do("click", "@e1"))
			require.Equal(t, "Clicked", c.Page("document.title"))
			requireSilent(t, s.Secret, c.Do("get", "cdp-url"))
			reply = c.Do("-p", s.Provider, "open", page)
			require.True(t, reply.Lifecycle.Reused, "asking for it again makes no other one")
			require.Equal(t, 1, in.Started())
			require.Empty(t, in.Ended())

			requireSilent(t, s.Secret, c.Do("close"))
			require.Equal(t, []string{"browser-1"}, in.Ended())
			require.NoError(t, owner.Err())
		})
	}
}

// However a session leaves its rented browser, that is ended at the provider, once.
func TestRentedBrowserIsEnded(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(t *testing.T, c *sessiontest.Client, owner *engine.Browser,
		m *session.Manager){
		"the session is closed twice": func(t *testing.T, c *sessiontest.Client, _ *engine.Browser, _ *session.Manager) {
			c.Do("close")
			c.Do("close")
		},
		"all sessions are closed": func(t *testing.T, c *sessiontest.Client, _ *engine.Browser, _ *session.Manager) {
			c.Do("close", "--all")
		},
		"the host ends": func(t *testing.T, _ *sessiontest.Client, _ *engine.Browser, m *session.Manager) {
			m.Close(t.Context())
		},
		"another browser is asked for": func(t *testing.T, c *sessiontest.Client, _ *engine.Browser, _ *session.Manager) {
			reply := c.Do("--user-agent", "other", "open", site.URL(site.Write("<title>Own</title>")))
			require.Contains(t, sessiontest.Notes(reply), "the browser was restarted for")
		},
		"the browser ends by itself": func(t *testing.T, c *sessiontest.Client, owner *engine.Browser, _ *session.Manager) {
			process, err := os.FindProcess(owner.PID())
			require.NoError(t, err)
			require.NoError(t, process.Kill())
			<-owner.Done()
			require.Eventually(t, func() bool {
				return c.Do("session", "list").Result.Text == "No active sessions"
			}, sessiontest.CommandLimit, 10*time.Millisecond)
			reply := c.Manager.Do(t.Context(), session.Request{Args: []string{"--session", c.Session, "get", "url"}})
			require.ErrorContains(t, reply.Err, "has ended")
			c.Do("close")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			owner, browser := rentable(t)
			for _, s := range testprovider.Services()[:1] {
				m, err := session.New(session.Options{Registry: catalog.Registry()})
				require.NoError(t, err)
				t.Cleanup(func() { m.Close(context.Background()) })
				c, in := renter(t, s, browser)
				own := *c // the host ends before the test does
				own.Manager = m
				c = &own
				c.Do("--provider", s.Provider, "open", site.URL(site.Write("<title>Rented</title>")))
				leave(t, c, owner, m)
				require.Equal(t, []string{"browser-1"}, in.Ended())
				m.Close(t.Context())
				require.Equal(t, []string{"browser-1"}, in.Ended(), "once")
			}
		})
	}
}

// A browser that was made and cannot be reached is ended, and what is said of it holds no key.
func TestRentedBrowserCannotBeReached(t *testing.T) {
	t.Parallel()
	for _, s := range testprovider.Services() {
		t.Run(s.Provider, func(t *testing.T) {
			t.Parallel()
			c, in := renter(t, s, &url.URL{Host: "127.0.0.1:1"})
			in.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
				if r.Header.Get("Upgrade") != "" {
					http.Error(w, "the browser "+s.Secret+" is not ready", http.StatusBadGateway)
					return true
				}
				return false
			})
			reply := c.Manager.Do(t.Context(), session.Request{
				Args:   []string{"--session", c.Session, "--provider", s.Provider, "open", "about:blank"},
				Getenv: func(name string) string { return c.Env[name] },
			})
			require.Equal(t, fault.ConnectFailed, fault.CodeOf(reply.Err), reply.Err)
			requireSilent(t, s.Secret, reply)
			require.Equal(t, []string{"browser-1"}, in.Ended())
			require.Equal(t, 1, in.Started())
		})
	}
}

// A command that runs out of time while the browser is made leaves none behind.
func TestRentedTooSlowly(t *testing.T) {
	t.Parallel()
	s := testprovider.Services()[0]
	c, in := renter(t, s, &url.URL{Host: "127.0.0.1:1"})
	in.Intercept(func(_ http.ResponseWriter, r *http.Request) bool {
		if in.Started() == 0 {
			select {
			case <-time.After(4 * time.Second): // past the command's time and its grace
			case <-r.Context().Done():
			}
		}
		return false
	})
	c.Fails(fault.Timeout, "--provider", s.Provider, "--timeout", "500", "open", "about:blank")
	require.Equal(t, []string{"browser-1"}, in.Ended())
}

// What goes together and what does not.
func TestProviderWithOtherOptions(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	c.Env["KERNEL_API_KEY"] = "secret"
	for line, want := range map[string]string{
		"-p nope open about:blank": "Unknown provider 'nope'. Supported: browserbase, " +
			"browserless, browser-use, kernel, agentcore",
		"-p kernel --cdp 9222 open about:blank":         "Cannot use --cdp and -p/--provider together",
		"-p kernel --args --foo open about:blank":       "--args is not available with --provider kernel",
		"-p kernel --proxy http://p:1 open about:blank": "--proxy is not available with --provider kernel",
		"-p ws://127.0.0.1:1/x?token=secret --headed open about:blank": "--headed is not available with " +
			"--provider <address>",
		"--provider browserbase open about:blank": "BROWSERBASE_API_KEY environment " +
			"variable is not set",
		"--provider selenium --executable-path /bin/x open about:blank": "--executable-path is not available with " +
			"--provider selenium",
	} {
		f := c.Fails(fault.Usage, strings.Fields(line)...)
		require.Contains(t, f.Message, want)
		require.NotContains(t, fmt.Sprint(f), "secret")
	}
}

// A variable that is there for the browsers of this machine does not keep a provider from being used.
func TestProviderWithVariables(t *testing.T) {
	t.Parallel()
	_, browser := rentable(t)
	for _, s := range testprovider.Services() {
		if s.Provider != "kernel" {
			continue
		}
		c, in := renter(t, s, browser)
		c.Env["AGENT_BROWSER_EXECUTABLE_PATH"], c.Env["SKUA_HEADED"] = "/nonexistent", "1"
		reply := c.Do("-p", "kernel", "open", site.URL(site.Write("<title>Rented</title>")))
		require.Contains(t, sessiontest.Notes(reply),
			"AGENT_BROWSER_EXECUTABLE_PATH does not apply to provider kernel and is ignored")
		require.Contains(t, in.Requests()[0].Body, `"headless":false`, "Kernel takes this one")
	}
}

// The address of a browser is a provider too. What is about pages reaches them; the browser itself is left running.
func TestProviderAddress(t *testing.T) {
	t.Parallel()
	owner, browser := rentable(t)
	c := host.NewClient(t)
	address := "ws://" + browser.Host + browser.Path + "?token=secret"
	reply := c.Do("-p", address, "--user-agent", "mine/1", "--color-scheme", "dark", "open",
		site.URL(site.Write("<title>Fleet</title>")))
	requireSilent(t, "secret", reply)
	require.Equal(t, "mine/1", c.Page("navigator.userAgent"))
	require.Equal(t, true, c.Page("matchMedia('(prefers-color-scheme: dark)').matches"))
	err := c.Fails(fault.BrowserOptions, "-p", address+"2", "snapshot")
	require.Contains(t, err.Error(), "--provider \"ws://"+browser.Host)
	require.NotContains(t, err.Error(), "secret")
	c.Do("close")
	require.NoError(t, owner.Err())
}
