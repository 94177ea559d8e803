package provider

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/pause"
)

// chromeOptions are the capabilities under goog:chromeOptions.
type chromeOptions struct {
	Args   []string `json:"args,omitempty"`
	Binary string   `json:"binary,omitempty"`
}

// capabilities are what a WebDriver server is asked for.
type capabilities struct {
	Browser string        `json:"browserName"`
	Chrome  chromeOptions `json:"goog:chromeOptions"`
}

// capabilities ask for a Chromium with what the caller said about it.
func (l Launch) capabilities() capabilities {
	options := chromeOptions{Args: append([]string{"--window-size=1280,720"}, l.Args...), Binary: l.ExecutablePath}
	if !l.Headed {
		options.Args = append([]string{"--headless=new"}, options.Args...)
	}
	if l.Proxy != "" {
		// WebDriver's own proxy capability cannot say socks and http in one; Chromium's switch takes what --proxy takes.
		options.Args = append(options.Args, "--proxy-server="+l.Proxy)
		if l.ProxyBypass != "" {
			options.Args = append(options.Args, "--proxy-bypass-list="+strings.ReplaceAll(l.ProxyBypass, ",", ";"))
		}
	}
	return capabilities{"chrome", options}
}

// remote is a session of a WebDriver server.
type remote struct {
	api  *api
	base *url.URL
	id   string
	told struct {
		CDP        json.RawMessage `json:"se:cdp"` // of a Selenium Grid
		BiDi       json.RawMessage `json:"webSocketUrl"`
		Name       string          `json:"browserName"`
		Version    string          `json:"browserVersion"`
		GoogChrome struct {
			Debugger string `json:"debuggerAddress"`
		} `json:"goog:chromeOptions"`
		Edge struct {
			Debugger string `json:"debuggerAddress"`
		} `json:"ms:edgeOptions"`
	}
}

// webdriver returns the API of a WebDriver server. The user in its address becomes a header.
func (c *call) webdriver(base *url.URL) *api {
	header := http.Header{}
	if base.User != nil {
		password, _ := base.User.Password()
		req := http.Request{Header: header}
		req.SetBasicAuth(base.User.Username(), password)
		c.hides(password, base.User.String())
	}
	bare := *base
	bare.User = nil
	return c.api(bare.String(), "", header)
}

// newSession is what a server is sent to start a session.
type newSession struct {
	Capabilities struct {
		Always any `json:"alwaysMatch"`
	} `json:"capabilities"`
}

// newSession starts a browser at a WebDriver server.
func (c *call) newSession(ctx context.Context, base *url.URL, wanted any) (*remote, error) {
	r := &remote{api: c.webdriver(base), base: base}
	var made struct {
		Value struct {
			ID           string          `json:"sessionId"`
			Capabilities json.RawMessage `json:"capabilities"`
		} `json:"value"`
	}
	body := newSession{}
	body.Capabilities.Always = wanted
	if err := r.api.make(ctx, http.MethodPost, "/session", body, &made); err != nil {
		return nil, err
	}
	if r.id = made.Value.ID; r.id == "" {
		return nil, c.failed("answer has no sessionId")
	}
	if err := json.Unmarshal(made.Value.Capabilities, &r.told); err != nil {
		_ = r.end(context.WithoutCancel(ctx))
		return nil, c.failed("answer has no usable capabilities: %s", err)
	}
	return r, nil
}

func (r *remote) path() string { return "/session/" + url.PathEscape(r.id) }

// end ends the session and its browser.
func (r *remote) end(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, releaseLimit)
	defer cancel()
	return unlessGone(r.api.do(ctx, http.MethodDelete, r.path(), nil, nil))
}

// address returns where the session's browser speaks CDP. A grid tells a path on itself, a chromedriver a port of its
// machine.
func (r *remote) address() (string, error) {
	var cdp string
	if json.Unmarshal(r.told.CDP, &cdp) == nil && cdp != "" {
		return throughHub(cdp, r.base)
	}
	if debugger := firstText(r.told.GoogChrome.Debugger, r.told.Edge.Debugger); debugger != "" {
		if host, port, err := net.SplitHostPort(debugger); err == nil && isLoopback(host) {
			return "http://" + net.JoinHostPort(r.base.Hostname(), port), nil
		}
		return "http://" + debugger, nil
	}
	c := r.api.call
	what := strings.TrimSpace(r.told.Name + " " + r.told.Version)
	var bidi string
	if json.Unmarshal(r.told.BiDi, &bidi) == nil && bidi != "" {
		return "", c.failed("started %s, which offers WebDriver BiDi (webSocketUrl) but no CDP", what).
			WithHint("skua speaks CDP: ask for a Chromium-based browser, and on a grid leave CDP on (--enable-cdp).")
	}
	return "", c.failed("started %s, which offers no CDP: neither se:cdp nor a debuggerAddress is among its capabilities",
		what).
		WithHint("Ask for a Chromium-based browser, and on a grid leave CDP on (--enable-cdp).")
}

// throughHub puts the host that was reached into the address that a grid tells, which names its own idea of it: they
// differ behind port forwards and in clusters.
func throughHub(address string, hub *url.URL) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "", fault.New(fault.ProviderFailed, "the grid's se:cdp is not an address")
	}
	if u.Host != hub.Host {
		u.Host, u.Scheme = hub.Host, strings.Replace(hub.Scheme, "http", "ws", 1)
	}
	return u.String(), nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// pulse is how often a grid hears that its session is still used. It counts WebDriver commands only, and ends a session
// that has none for 5 minutes by default, whatever its websocket does.
const pulse = time.Minute

// keepAlive asks for something cheap of the session now and then, until ctx ends.
func (r *remote) keepAlive(ctx context.Context, every time.Duration) {
	for pause.For(ctx, every) == nil {
		// it fails with the session, which the websocket tells better
		_ = r.api.once(ctx, http.MethodGet, r.path()+"/timeouts", nil, nil)
	}
}

// browser is the session as a browser that ends with it.
func (r *remote) browser(ctx context.Context, c *call, every time.Duration) (*Browser, error) {
	address, err := r.address()
	if err != nil {
		_ = r.end(context.WithoutCancel(ctx))
		return nil, err
	}
	stop := func() {}
	if every > 0 {
		alive, cancel := context.WithCancel(context.WithoutCancel(ctx))
		done := make(chan struct{})
		go func() { // ends with Release
			defer close(done)
			r.keepAlive(alive, every)
		}()
		stop = func() { cancel(); <-done }
	}
	return &Browser{
		About:   strings.TrimSpace("a browser of "+c.title+", "+r.told.Name+" "+r.told.Version) + ", session " + r.id,
		Address: address, Header: r.api.header,
		release: func(ctx context.Context) error { stop(); return r.end(ctx) },
	}, nil
}
