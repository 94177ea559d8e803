package provider

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"time"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/plainjson"
)

// startSelenium starts a session at a Selenium Grid 4, whose hub passes CDP on.
func startSelenium(ctx context.Context, c *call) (*Browser, error) {
	if c.firstOf("", "SKUA_SELENIUM_URL", "SELENIUM_REMOTE_URL") == "" {
		return nil, fault.New(fault.Usage, "SELENIUM_REMOTE_URL environment variable is not set").
			About("SELENIUM_REMOTE_URL").
			WithHint("It holds the address of the grid, such as http://localhost:4444.")
	}
	base, err := c.baseURL("", "SKUA_SELENIUM_URL", "SELENIUM_REMOTE_URL")
	if err != nil {
		return nil, err
	}
	wanted, err := c.wanted()
	if err != nil {
		return nil, err
	}
	r, err := c.newSession(ctx, base, wanted)
	if err != nil {
		return nil, err
	}
	return r.browser(ctx, c, c.pulse)
}

// wanted are the capabilities that a server is asked for, with what SELENIUM_REMOTE_CAPABILITIES says on top.
func (c *call) wanted() (any, error) {
	wanted := c.Launch.capabilities()
	if text := c.firstOf("", "SKUA_SELENIUM_CAPABILITIES", "SELENIUM_REMOTE_CAPABILITIES"); text != "" {
		var all, more map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &more); err != nil {
			return nil, fault.New(fault.Usage, "SELENIUM_REMOTE_CAPABILITIES is not a JSON object: %s", err).
				About("SELENIUM_REMOTE_CAPABILITIES")
		}
		ours, err := plainjson.Marshal(wanted)
		if err == nil {
			err = json.Unmarshal(ours, &all)
		}
		maps.Copy(all, more)
		return all, err
	}
	return wanted, nil
}

// startAddress uses a browser that runs elsewhere, by its address. An http address may also be one of a WebDriver
// server, which starts a browser first.
func startAddress(ctx context.Context, c *call) (*Browser, error) {
	u, err := url.Parse(c.Name)
	if err != nil || u.Host == "" {
		return nil, fault.New(fault.Usage, "The provider's address is not a URL").
			WithHint("It looks like ws://host:port/path or http://host:port.")
	}
	if u.User != nil {
		password, _ := u.User.Password()
		c.hides(password)
	}
	for _, values := range u.Query() {
		c.hides(values...)
	}
	if u.Scheme == "ws" || u.Scheme == "wss" || !c.isWebDriver(ctx, u) {
		return &Browser{About: "the browser at " + u.Host, Address: c.Name}, nil
	}
	c.title = "the WebDriver server"
	wanted, err := c.wanted()
	if err != nil {
		return nil, err
	}
	r, err := c.newSession(ctx, u, wanted)
	if err != nil {
		return nil, err
	}
	return r.browser(ctx, c, c.pulse)
}

// statusLimit bounds the question what an address is. Who connects to it asks further.
const statusLimit = 2 * time.Second

// isWebDriver reports whether a server speaks WebDriver, by the question that each has to answer.
func (c *call) isWebDriver(ctx context.Context, u *url.URL) bool {
	ctx, cancel := context.WithTimeout(ctx, statusLimit)
	defer cancel()
	var status struct {
		Value *struct {
			Ready *bool `json:"ready"`
		} `json:"value"`
	}
	return c.webdriver(u).once(ctx, http.MethodGet, "/status", nil, &status) == nil && status.Value != nil &&
		status.Value.Ready != nil
}
