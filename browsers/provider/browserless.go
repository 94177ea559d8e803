package provider

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/skua-browser/skua/internal/fault"
)

// browserlessWishes are the request for a session.
type browserlessWishes struct {
	Browser  string   `json:"browser"`
	TTL      int      `json:"ttl"`
	Stealth  bool     `json:"stealth"`
	Headless *bool    `json:"headless,omitempty"` // left out, it is as the service has it
	Args     []string `json:"args,omitempty"`
}

// startBrowserless makes a session by Browserless's session API. The token goes in the address, as that API wants it.
func startBrowserless(ctx context.Context, c *call) (*Browser, error) {
	key, err := c.key("BROWSERLESS_API_KEY")
	if err != nil {
		return nil, err
	}
	base, err := c.baseURL("https://production-sfo.browserless.io", "SKUA_BROWSERLESS_API_URL", "BROWSERLESS_API_URL")
	if err != nil {
		return nil, err
	}
	kind := c.firstOf("chromium", "BROWSERLESS_BROWSER_TYPE")
	if kind != "chromium" && kind != "chrome" {
		return nil, fault.New(fault.Usage, "BROWSERLESS_BROWSER_TYPE %s is not supported. Only chromium, chrome are allowed.",
			strconv.Quote(kind)).
			About("BROWSERLESS_BROWSER_TYPE")
	}
	ttl, err := c.number("BROWSERLESS_TTL", "milliseconds", 1, 7*24*3600*1000)
	if err != nil {
		return nil, err
	}
	if ttl == 0 {
		ttl = 300_000
	}
	stealth, err := c.boolean("BROWSERLESS_STEALTH", true)
	if err != nil {
		return nil, err
	}
	body := browserlessWishes{Browser: kind, TTL: ttl, Stealth: stealth, Args: c.Launch.Args}
	if c.Launch.Headed {
		body.Headless = new(bool)
	}
	var made struct {
		ID       string `json:"id"`
		Connect  string `json:"connect"`
		Endpoint string `json:"browserWSEndpoint"` // as examples of its documentation call it
		Stop     string `json:"stop"`
	}
	a := c.api(base.String(), "BROWSERLESS_API_KEY", nil)
	if err := a.make(ctx, http.MethodPost, "/session?"+url.Values{"token": {key}}.Encode(), body, &made); err != nil {
		return nil, err
	}
	c.hides(made.Stop)
	stop := made.Stop
	if stop == "" && made.ID != "" {
		stop = base.String() + "/session/" + url.PathEscape(made.ID)
	}
	b := &Browser{
		About: "a browser of Browserless, session " + made.ID,
		release: func(ctx context.Context) error {
			address, err := withToken(stop, key, base, url.Values{"force": {"true"}})
			if err != nil {
				return err
			}
			return unlessGone(a.do(ctx, http.MethodDelete, address, nil, nil))
		},
	}
	connect, err := withToken(firstText(made.Connect, made.Endpoint), key, base, nil)
	if err != nil {
		_ = b.Release(ctx)
		return nil, c.failed("answer has no usable connect address")
	}
	b.Address = connect
	return c.usable(ctx, b, firstText(made.ID, made.Stop), "connect address")
}

// withToken adds to an address what the server asks for: the key, if it is not there and the address is one of the
// server that it is for, and other parameters.
func withToken(address, key string, base *url.URL, more url.Values) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "", fmt.Errorf("no address")
	}
	q := u.Query()
	if !q.Has("token") && u.Host == base.Host {
		q.Set("token", key)
	}
	for name := range more {
		q.Set(name, more.Get(name))
	}
	u.RawQuery = q.Encode()
	return u.String(), nil
}
