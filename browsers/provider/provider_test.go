package provider_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/browsers/provider"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/testprovider"
)

func standin(t *testing.T, name string) *testprovider.Server {
	t.Helper()
	for _, s := range testprovider.Services() {
		if s.Provider == name {
			in := testprovider.Start(s, &url.URL{Host: "127.0.0.1:1", Path: "/devtools/browser/none"})
			t.Cleanup(in.Close)
			return in
		}
	}
	t.Fatalf("%s has no stand-in", name)
	return nil
}

// request asks a stand-in's provider, with more variables than its own.
func request(in *testprovider.Server, more map[string]string, launch provider.Launch) provider.Request {
	env := in.Environ()
	maps.Copy(env, more)
	return provider.Request{Name: in.Provider, Getenv: func(name string) string { return env[name] }, Launch: launch}
}

// What is asked of each API, where the browser is, and how it is ended: once, however often that is asked for.
func TestStartAndRelease(t *testing.T) {
	t.Parallel()
	for _, s := range testprovider.Services() {
		t.Run(s.Provider, func(t *testing.T) {
			t.Parallel()
			in := standin(t, s.Provider)
			b, err := provider.Start(t.Context(), request(in, nil, provider.Launch{}))
			require.NoError(t, err)
			require.Equal(t, s.Provider, b.Name)
			require.Contains(t, b.About, "browser-1")
			require.NotContains(t, b.About, s.Secret)
			at, err := url.Parse(b.Address)
			require.NoError(t, err)
			require.Equal(t, strings.TrimPrefix(in.URL(), "http://"), at.Host)
			require.Empty(t, in.Ended())

			canceled, cancel := context.WithCancel(t.Context())
			cancel()
			require.NoError(t, b.Release(canceled), "also when the caller has gone")
			require.NoError(t, b.Release(t.Context()))
			require.Equal(t, []string{"browser-1"}, in.Ended())
			require.Equal(t, 1, in.Started())
		})
	}
}

// The variables of each provider go where its documentation says.
func TestWishes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		provider string
		env      map[string]string
		launch   provider.Launch
		want     string
	}{
		"browserbase": {provider: "browserbase", want: `{"keepAlive":false}`},
		"browserbase, all": {
			"browserbase",
			map[string]string{
				"BROWSERBASE_PROJECT_ID": "p", "BROWSERBASE_REGION": "eu-central-1",
				"BROWSERBASE_SESSION_TIMEOUT": "90", "BROWSERBASE_PROXIES": "true",
			},
			provider.Launch{},
			`{"projectId":"p","region":"eu-central-1","timeout":90,"proxies":true,"keepAlive":false}`,
		},
		"browserless": {provider: "browserless", want: `{"browser":"chromium","stealth":true,"ttl":300000}`},
		"browserless, all": {
			"browserless",
			map[string]string{"BROWSERLESS_BROWSER_TYPE": "chrome", "BROWSERLESS_TTL": "1234", "BROWSERLESS_STEALTH": "false"},
			provider.Launch{Given: []string{"headed", "args"}, Headed: true, Args: []string{"--lang=de"}},
			`{"browser":"chrome","stealth":false,"ttl":1234,"headless":false,"args":["--lang=de"]}`,
		},
		"browser use": {provider: "browser-use", want: `{"timeout":60}`},
		"browser use, all": {
			"browser-use",
			map[string]string{
				"BROWSER_USE_PROFILE_ID": "u", "BROWSER_USE_PROXY_COUNTRY": "DE",
				"BROWSER_USE_ENABLE_RECORDING": "1", "BROWSER_USE_TIMEOUT_MINUTES": "5",
			},
			provider.Launch{},
			`{"profileId":"u","proxyCountryCode":"de","enableRecording":true,"timeout":5}`,
		},
		"browser use, direct": {
			"browser-use",
			map[string]string{"BROWSER_USE_PROXY_COUNTRY": "none"},
			provider.Launch{},
			`{"timeout":60,"proxyCountryCode":null}`,
		},
		"kernel": {provider: "kernel", want: `{"headless":true,"stealth":false,"timeout_seconds":300}`},
		"kernel, all": {
			"kernel",
			map[string]string{
				"KERNEL_HEADLESS": "false", "KERNEL_STEALTH": "true", "KERNEL_TIMEOUT_SECONDS": "77",
				"KERNEL_PROFILE_NAME": "pp",
			},
			provider.Launch{},
			`{"headless":false,"stealth":true,"timeout_seconds":77,"profile":{"name":"pp","save_changes":false}}`,
		},
		"kernel, headed": {
			"kernel",
			map[string]string{"KERNEL_HEADLESS": "true"},
			provider.Launch{Given: []string{"headed"}, Headed: true},
			`{"headless":false,"stealth":false,"timeout_seconds":300}`,
		},
		"agentcore": {provider: "agentcore", want: `{"name":"skua","sessionTimeoutSeconds":3600}`},
		"agentcore, all": {
			"agentcore",
			map[string]string{"AGENTCORE_PROFILE_ID": "p", "AGENTCORE_SESSION_TIMEOUT": "60"},
			provider.Launch{},
			`{"name":"skua","sessionTimeoutSeconds":60,"profileConfiguration":{"profileIdentifier":"p"}}`,
		},
		"selenium": {
			provider: "selenium",
			want:     `{"capabilities":{"alwaysMatch":{"browserName":"chrome","goog:chromeOptions":{"args":["--headless=new","--window-size=1280,720"]}}}}`,
		},
		"selenium, all": {
			"selenium",
			map[string]string{"SELENIUM_REMOTE_CAPABILITIES": `{"browserVersion":"156","se:name":"mine"}`},
			provider.Launch{Headed: true, Args: []string{"--lang=de"}, Proxy: "socks5://p:1", ProxyBypass: "a,b"},
			`{"capabilities":{"alwaysMatch":{"browserName":"chrome","browserVersion":"156","se:name":"mine","goog:chromeOptions":{"args":["--window-size=1280,720","--lang=de","--proxy-server=socks5://p:1","--proxy-bypass-list=a;b"]}}}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := standin(t, c.provider)
			b, err := provider.Start(t.Context(), request(in, c.env, c.launch))
			require.NoError(t, err)
			t.Cleanup(func() { _ = b.Release(context.Background()) })
			var got, want map[string]any
			require.NoError(t, json.Unmarshal([]byte(in.Requests()[0].Body), &got))
			require.NoError(t, json.Unmarshal([]byte(c.want), &want))
			delete(got, "clientToken") // another one each time
			require.Empty(t, cmp.Diff(want, got))
			require.Equal(t, "application/json", in.Requests()[0].Header.Get("Content-Type"))
		})
	}
}

// What the caller can put right is said before anything is asked of a provider.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		provider string
		env      map[string]string
		given    []string
		want     string
	}{
		"unknown": {
			provider: "nope",
			want: "Unknown provider 'nope'. Supported: browserbase, browserless, browser-use, kernel, agentcore, selenium, " +
				"chromedriver, or the http or ws address of a browser",
		},
		"browserbase key": {provider: "browserbase", want: "BROWSERBASE_API_KEY environment variable is not set"},
		"browserless key": {provider: "browserless", want: "BROWSERLESS_API_KEY environment variable is not set"},
		"browser use key": {provider: "browser-use", want: "BROWSER_USE_API_KEY environment variable is not set"},
		"its other name":  {provider: "browseruse", want: "BROWSER_USE_API_KEY environment variable is not set"},
		"kernel key":      {provider: "kernel", want: "KERNEL_API_KEY environment variable is not set"},
		"grid's address":  {provider: "selenium", want: "SELENIUM_REMOTE_URL environment variable is not set"},
		"no address": {
			provider: "selenium", env: map[string]string{"SELENIUM_REMOTE_URL": "grid"},
			want: "SELENIUM_REMOTE_URL is not an http address",
		},
		"AWS credentials": {
			provider: "agentcore", env: map[string]string{"PATH": "/nonexistent"},
			want: "No AWS credentials",
		},
		"browser type": {
			provider: "browserless",
			env:      map[string]string{"BROWSERLESS_API_KEY": "k", "BROWSERLESS_BROWSER_TYPE": "bogus"},
			want:     `BROWSERLESS_BROWSER_TYPE "bogus" is not supported. Only chromium, chrome are allowed.`,
		},
		"a number": {
			provider: "browserless",
			env:      map[string]string{"BROWSERLESS_API_KEY": "k", "BROWSERLESS_TTL": "soon"},
			want:     `BROWSERLESS_TTL is a number of milliseconds`,
		},
		"out of range": {
			provider: "browserbase",
			env:      map[string]string{"BROWSERBASE_API_KEY": "k", "BROWSERBASE_SESSION_TIMEOUT": "5"},
			want:     `BROWSERBASE_SESSION_TIMEOUT is a number of seconds from 60 to 21600, not "5"`,
		},
		"true or false": {
			provider: "kernel", env: map[string]string{"KERNEL_API_KEY": "k", "KERNEL_STEALTH": "maybe"},
			want: `KERNEL_STEALTH must be true or false, not "maybe"`,
		},
		"country": {
			provider: "browser-use",
			env:      map[string]string{"BROWSER_USE_API_KEY": "k", "BROWSER_USE_PROXY_COUNTRY": "germany"},
			want:     "BROWSER_USE_PROXY_COUNTRY is a country's two letters",
		},
		"option": {
			provider: "kernel", given: []string{"args", "provider"},
			want: "--args is not available with --provider kernel",
		},
		"path of browser": {
			provider: "selenium", given: []string{"executable-path"},
			want: "--executable-path is not available with --provider selenium",
		},
		"option, address": {
			provider: "ws://h/?token=secret", given: []string{"headed"},
			want: "--headed is not available with --provider <address>",
		},
		"capabilities": {
			provider: "selenium",
			env:      map[string]string{"SELENIUM_REMOTE_URL": "http://127.0.0.1:1", "SELENIUM_REMOTE_CAPABILITIES": "[1]"},
			want:     "SELENIUM_REMOTE_CAPABILITIES is not a JSON object",
		},
		"not an address": {provider: "http://", want: "The provider's address is not a URL"},
		"path of a driver": {
			provider: "chromedriver", env: map[string]string{"SKUA_CHROMEDRIVER_PATH": "/nonexistent"},
			want: "cannot be executed: /nonexistent",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := provider.Start(t.Context(), provider.Request{
				Name: c.provider, Getenv: func(name string) string { return c.env[name] }, Launch: provider.Launch{Given: c.given},
			})
			require.ErrorContains(t, err, c.want)
			require.Contains(t, []fault.Code{fault.Usage, fault.BrowserMissing}, fault.CodeOf(err))
			require.NotContains(t, err.Error(), "secret")
		})
	}
}

// A refusal is told with its status and in the provider's words, without the key, wherever that comes up in them.
func TestErrorsOfProviders(t *testing.T) {
	t.Parallel()
	shapes := map[string]struct {
		status             int
		header             map[string]string
		body, want, noMore string
	}{
		"a message": {
			status: 402, body: `{"message":"no plan for SECRET","error":"x"}`,
			want: " API error (402): no plan for ***. The account has no room",
		},
		"an error": {status: 400, body: `{"error":{"message":"bad field"}}`, want: " API error (400): bad field"},
		"a text":   {status: 400, body: `{"error":"bad thing"}`, want: " API error (400): bad thing"},
		"a detail": {status: 422, body: `{"detail":"wrong id"}`, want: " API error (422): wrong id"},
		"WebDriver": {
			status: 500,
			body:   `{"value":{"error":"session not created","message":"no slot","stacktrace":"#0 0x1"}}`,
			want:   " API error (500): no slot", noMore: "stacktrace",
		},
		"a page": {
			status: 503, body: "<html>\n<b>down</b> SECRET",
			want: " API error (503): <html> <b>down</b> ***",
		},
		"nothing": {status: 401, want: " API error (401): Unauthorized"},
		"a redirect": {
			status: 302, header: map[string]string{"Location": "https://elsewhere.example/"},
			want: " API error (302): Found",
		},
		"no JSON":         {status: 200, body: "ok", want: " answer is not what its API describes"},
		"empty":           {status: 200, body: "{}", want: " answer has no "},
		"a key in a path": {status: 404, body: "no /x?token=SECRET", want: "no /x?token=***"},
	}
	for _, s := range testprovider.Services() {
		for name, c := range shapes {
			t.Run(s.Provider+"/"+name, func(t *testing.T) {
				t.Parallel()
				in := standin(t, s.Provider)
				in.Intercept(func(w http.ResponseWriter, _ *http.Request) bool {
					for k, v := range c.header {
						w.Header().Set(k, v)
					}
					w.WriteHeader(c.status)
					fmt.Fprint(w, strings.ReplaceAll(c.body, "SECRET", s.Secret))
					return true
				})
				_, err := provider.Start(t.Context(), request(in, nil, provider.Launch{}))
				require.ErrorContains(t, err, c.want)
				require.Equal(t, fault.ProviderFailed, fault.CodeOf(err))
				var f *fault.Error
				require.ErrorAs(t, err, &f)
				require.Equal(t, s.Provider, f.Facts["provider"])
				if c.status != 200 {
					require.Equal(t, c.status, f.Facts["status"])
				}
				require.NotContains(t, fmt.Sprintf("%v %+v %#v", err, err, f), s.Secret)
				if c.noMore != "" {
					require.NotContains(t, err.Error(), c.noMore)
				}
			})
		}
	}
}

// A provider that cannot be reached is told without its address, which may hold the key.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	for _, s := range testprovider.Services() {
		t.Run(s.Provider, func(t *testing.T) {
			t.Parallel()
			in := standin(t, s.Provider)
			r := request(in, nil, provider.Launch{})
			in.Close()
			_, err := provider.Start(t.Context(), r)
			require.ErrorContains(t, err, "request failed: ")
			require.Equal(t, fault.ProviderFailed, fault.CodeOf(err))
			require.NotContains(t, err.Error(), s.Secret)
		})
	}
}

// Only what the server says it did not do is asked for again.
func TestMakingIsRepeated(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		after  string
		asked  int
		works  bool
	}{
		"no room now":        {http.StatusTooManyRequests, "1", 2, true},
		"no room":            {http.StatusTooManyRequests, "", 1, false},
		"no room for long":   {http.StatusTooManyRequests, "600", 1, false},
		"it broke meanwhile": {http.StatusInternalServerError, "1", 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := standin(t, "kernel")
			asked := 0
			in.Intercept(func(w http.ResponseWriter, _ *http.Request) bool {
				asked++
				if asked > 1 {
					return false
				}
				if c.after != "" {
					w.Header().Set("Retry-After", c.after)
				}
				w.WriteHeader(c.status)
				return true
			})
			b, err := provider.Start(t.Context(), request(in, nil, provider.Launch{}))
			require.Equal(t, c.works, err == nil, err)
			require.Equal(t, c.asked, asked)
			if b != nil {
				require.NoError(t, b.Release(t.Context()))
			}
		})
	}
}

// The end of a browser is asked for until it is certain, and what is gone already counts as ended.
func TestReleaseIsRepeated(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status, asked int
		works         bool
	}{
		"not well for a moment": {http.StatusBadGateway, 2, true},
		"gone":                  {http.StatusNotFound, 1, true},
		"not ours":              {http.StatusForbidden, 1, false},
	} {
		for _, s := range testprovider.Services() {
			t.Run(name+"/"+s.Provider, func(t *testing.T) {
				t.Parallel()
				in := standin(t, s.Provider)
				b, err := provider.Start(t.Context(), request(in, nil, provider.Launch{}))
				require.NoError(t, err)
				asked := 0
				in.Intercept(func(w http.ResponseWriter, _ *http.Request) bool {
					asked++
					if asked > 1 {
						return false
					}
					w.WriteHeader(c.status)
					return true
				})
				err = b.Release(t.Context())
				require.Equal(t, c.works, err == nil, err)
				require.Equal(t, c.asked, asked)
				require.NotContains(t, fmt.Sprint(err), s.Secret)
			})
		}
	}
}

// A browser whose request was given up is ended when the answer comes, so that no unknown browser is left.
func TestCanceledWhileMade(t *testing.T) {
	t.Parallel()
	for _, s := range testprovider.Services() {
		t.Run(s.Provider, func(t *testing.T) {
			t.Parallel()
			in := standin(t, s.Provider)
			ctx, cancel := context.WithCancel(t.Context())
			first := true
			in.Intercept(func(http.ResponseWriter, *http.Request) bool {
				if first {
					first = false
					cancel()
				}
				return false
			})
			_, err := provider.Start(ctx, request(in, nil, provider.Launch{}))
			require.Equal(t, fault.Canceled, fault.CodeOf(err), err)
			require.Equal(t, []string{"browser-1"}, in.Ended())
		})
	}
}

// A session whose browser offers no CDP is of no use and is ended.
func TestGridWithoutCDP(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ capabilities, want string }{
		"BiDi alone": {
			`{"browserName":"firefox","browserVersion":"150","webSocketUrl":"ws://grid/session/x"}`,
			"started firefox 150, which offers WebDriver BiDi (webSocketUrl) but no CDP",
		},
		"neither":  {`{"browserName":"safari","webSocketUrl":false}`, "started safari, which offers no CDP"},
		"nonsense": {`7`, "no usable capabilities"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := standin(t, "selenium")
			ended := 0
			in.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
				if r.Method == http.MethodDelete {
					ended++
				}
				fmt.Fprintf(w, `{"value":{"sessionId":"x","capabilities":%s}}`, c.capabilities)
				return true
			})
			_, err := provider.Start(t.Context(), request(in, nil, provider.Launch{}))
			require.ErrorContains(t, err, c.want)
			require.Equal(t, 1, ended)
		})
	}
}

// An http address is asked whether it is one of a WebDriver server; any other is left to the connection.
func TestAddresses(t *testing.T) {
	t.Parallel()
	in := standin(t, "selenium")
	in.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/status" {
			fmt.Fprint(w, `{"value":{"ready":true,"message":"Selenium Grid ready."}}`)
			return true
		}
		return false
	})
	b, err := provider.Start(t.Context(), provider.Request{Name: in.Environ()["SELENIUM_REMOTE_URL"]})
	require.NoError(t, err)
	require.Contains(t, b.About, "browser-1")
	require.NoError(t, b.Release(t.Context()))
	require.Equal(t, []string{"browser-1"}, in.Ended())

	plain := standin(t, "kernel")
	b, err = provider.Start(t.Context(), provider.Request{Name: plain.URL()})
	require.NoError(t, err)
	require.Equal(t, plain.URL(), b.Address)
	require.NoError(t, b.Release(t.Context()))

	b, err = provider.Start(t.Context(), provider.Request{Name: "wss://fleet.example/s?token=secret"})
	require.NoError(t, err)
	require.Equal(t, "wss://fleet.example/s?token=secret", b.Address)
	require.Equal(t, "the browser at fleet.example", b.About)
}
