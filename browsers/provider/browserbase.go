package provider

import (
	"context"
	"net/http"
	"net/url"
)

// startBrowserbase makes a session by Browserbase's API. It is not kept alive: it ends when the connection to it does,
// however that ends.
func startBrowserbase(ctx context.Context, c *call) (*Browser, error) {
	key, err := c.key("BROWSERBASE_API_KEY")
	if err != nil {
		return nil, err
	}
	base, err := c.baseURL("https://api.browserbase.com", "SKUA_BROWSERBASE_API_URL", "BROWSERBASE_BASE_URL")
	if err != nil {
		return nil, err
	}
	timeout, err := c.number("BROWSERBASE_SESSION_TIMEOUT", "seconds", 60, 21600)
	if err != nil {
		return nil, err
	}
	proxies, err := c.boolean("BROWSERBASE_PROXIES", false)
	if err != nil {
		return nil, err
	}
	project := c.firstOf("", "BROWSERBASE_PROJECT_ID")
	var made struct {
		ID         string `json:"id"`
		ConnectURL string `json:"connectUrl"`
	}
	a := c.api(base.String(), "BROWSERBASE_API_KEY", http.Header{"X-Bb-Api-Key": {key}})
	err = a.make(ctx, http.MethodPost, "/v1/sessions", struct {
		ProjectID string `json:"projectId,omitempty"`
		Region    string `json:"region,omitempty"`
		Timeout   int    `json:"timeout,omitempty"`
		Proxies   bool   `json:"proxies,omitempty"`
		KeepAlive bool   `json:"keepAlive"`
	}{project, c.firstOf("", "BROWSERBASE_REGION"), timeout, proxies, false}, &made)
	if err != nil {
		return nil, err
	}
	b := &Browser{
		About: "a browser of Browserbase, session " + made.ID, Address: made.ConnectURL,
		release: func(ctx context.Context) error {
			return unlessGone(a.do(ctx, http.MethodPost, "/v1/sessions/"+url.PathEscape(made.ID), struct {
				ProjectID string `json:"projectId,omitempty"`
				Status    string `json:"status"`
			}{project, "REQUEST_RELEASE"}, nil))
		},
	}
	return c.usable(ctx, b, made.ID, "connectUrl")
}

// usable returns b when the provider told both what it calls the browser and where that is; else the browser is ended.
func (c *call) usable(ctx context.Context, b *Browser, id, field string) (*Browser, error) {
	c.hides(b.Address)
	switch {
	case id == "":
		return nil, c.failed("answer has no id of a session")
	case !isAddress(b.Address):
		_ = b.Release(ctx)
		return nil, c.failed("answer has no usable %s", field)
	}
	return b, nil
}
