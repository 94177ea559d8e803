package provider

import (
	"context"
	"net/http"
	"net/url"
	"strings"
)

// kernelAPI is where Kernel's own service is.
const kernelAPI = "https://api.onkernel.com"

// startKernel makes a browser by Kernel's API. Kernel ends it after its timeout without a connection.
func startKernel(ctx context.Context, c *call) (*Browser, error) {
	base, err := c.baseURL(kernelAPI, "SKUA_KERNEL_API_URL", "KERNEL_ENDPOINT")
	if err != nil {
		return nil, err
	}
	header := http.Header{}
	key := strings.TrimSpace(c.Getenv("KERNEL_API_KEY"))
	if base.String() == kernelAPI || key != "" { // one that people run by themselves may want none
		if key, err = c.key("KERNEL_API_KEY"); err != nil {
			return nil, err
		}
		header.Set("Authorization", "Bearer "+key)
	}
	body, err := c.kernelWishes()
	if err != nil {
		return nil, err
	}
	var made struct {
		ID     string `json:"session_id"`
		CDPURL string `json:"cdp_ws_url"`
	}
	a := c.api(base.String(), "KERNEL_API_KEY", header)
	if err := a.make(ctx, http.MethodPost, "/browsers", body, &made); err != nil {
		return nil, err
	}
	b := &Browser{
		About: "a browser of Kernel, session " + made.ID, Address: made.CDPURL,
		release: func(ctx context.Context) error {
			return unlessGone(a.do(ctx, http.MethodDelete, "/browsers/"+url.PathEscape(made.ID), nil, nil))
		},
	}
	return c.usable(ctx, b, made.ID, "cdp_ws_url")
}

// kernelWishes are the request for a browser.
type kernelWishes struct {
	Headless bool           `json:"headless"`
	Stealth  bool           `json:"stealth"`
	Timeout  int            `json:"timeout_seconds"`
	Profile  *kernelProfile `json:"profile,omitempty"`
}

type kernelProfile struct {
	Name string `json:"name"`
	Save bool   `json:"save_changes"`
}

func (c *call) kernelWishes() (*kernelWishes, error) {
	headless, err := c.boolean("KERNEL_HEADLESS", true)
	if err != nil {
		return nil, err
	}
	stealth, err := c.boolean("KERNEL_STEALTH", false)
	if err != nil {
		return nil, err
	}
	timeout, err := c.number("KERNEL_TIMEOUT_SECONDS", "seconds", 1, 259200)
	if err != nil {
		return nil, err
	}
	if timeout == 0 {
		timeout = 300
	}
	body := kernelWishes{Headless: headless && !c.Launch.Headed, Stealth: stealth, Timeout: timeout}
	if name := c.firstOf("", "KERNEL_PROFILE_NAME"); name != "" {
		save, err := c.boolean("KERNEL_PROFILE_SAVE_CHANGES", false)
		if err != nil {
			return nil, err
		}
		body.Profile = &kernelProfile{name, save}
	}
	return &body, nil
}
