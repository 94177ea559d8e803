package provider

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/plainjson"
)

// startBrowserUse makes a browser of Browser Use's cloud. It goes on when the connection ends, so that it has a timeout
// of its own.
func startBrowserUse(ctx context.Context, c *call) (*Browser, error) {
	key, err := c.key("BROWSER_USE_API_KEY")
	if err != nil {
		return nil, err
	}
	base, err := c.baseURL("https://api.browser-use.com/api/v4", "SKUA_BROWSER_USE_API_URL")
	if err != nil {
		return nil, err
	}
	body, err := c.browserUseWishes()
	if err != nil {
		return nil, err
	}
	var made struct {
		ID     string `json:"id"`
		CDPURL string `json:"cdpUrl"`
	}
	a := c.api(base.String(), "BROWSER_USE_API_KEY", http.Header{"X-Browser-Use-Api-Key": {key}})
	if err := a.make(ctx, http.MethodPost, "/browsers", body, &made); err != nil {
		return nil, err
	}
	b := &Browser{
		About:   "a browser of Browser Use, session " + made.ID,
		Address: made.CDPURL,
		release: func(ctx context.Context) error {
			return unlessGone(a.do(ctx, http.MethodPatch, "/browsers/"+url.PathEscape(made.ID),
				map[string]string{"action": "stop"}, nil))
		},
	}
	return c.usable(ctx, b, made.ID, "cdpUrl")
}

// browserUseMinutes is how long a browser lasts that is not ended.
const browserUseMinutes = 60

// browserUseWishes are the request for a browser.
type browserUseWishes struct {
	Minutes int    `json:"timeout"`
	Profile string `json:"profileId,omitempty"`
	// null for a browser without a proxy; left out, it is as the account has it
	ProxyCountry json.RawMessage `json:"proxyCountryCode,omitempty"`
	Record       bool            `json:"enableRecording,omitempty"`
}

func (c *call) browserUseWishes() (*browserUseWishes, error) {
	minutes, err := c.number("BROWSER_USE_TIMEOUT_MINUTES", "minutes", 1, 240)
	if err != nil {
		return nil, err
	}
	if minutes == 0 {
		minutes = browserUseMinutes
	}
	body := browserUseWishes{Minutes: minutes, Profile: c.firstOf("", "BROWSER_USE_PROFILE_ID")}
	switch country := strings.ToLower(c.firstOf("", "BROWSER_USE_PROXY_COUNTRY")); {
	case country == "": // as the account has it
	case country == "none" || country == "direct":
		body.ProxyCountry = json.RawMessage("null")
	case len(country) == 2:
		body.ProxyCountry = json.RawMessage(plainjson.Quote(country))
	default:
		return nil, fault.New(fault.Usage, "BROWSER_USE_PROXY_COUNTRY is a country's two letters, none or direct, not %s",
			strconv.Quote(country)).
			About("BROWSER_USE_PROXY_COUNTRY")
	}
	body.Record, err = c.boolean("BROWSER_USE_ENABLE_RECORDING", false)
	return &body, err
}
