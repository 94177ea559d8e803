package storage

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/skua-browser/skua/engine"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/network"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
)

// Cookie is a cookie that a context has.
type Cookie struct {
	Name         string           `json:"name"`
	Value        string           `json:"value"`
	Domain       string           `json:"domain"` // with a dot in front when hosts below it get the cookie as well
	Path         string           `json:"path"`
	Expires      float64          `json:"expires"` // seconds since 1970; -1 with Session
	Size         int              `json:"size"`
	HTTPOnly     bool             `json:"httpOnly"`
	Secure       bool             `json:"secure"`
	Session      bool             `json:"session"`
	SameSite     string           `json:"sameSite,omitempty"`
	Priority     string           `json:"priority,omitempty"`
	SourceScheme string           `json:"sourceScheme,omitempty"`
	SourcePort   int              `json:"sourcePort,omitempty"`
	PartitionKey *CookiePartition `json:"partitionKey,omitempty"`
}

// CookiePartition is the site under which a partitioned cookie is kept.
type CookiePartition struct {
	TopLevelSite         string `json:"topLevelSite"`
	HasCrossSiteAncestor bool   `json:"hasCrossSiteAncestor"`
}

// NewCookie is a cookie to set. It needs an address or a domain. A domain with a leading dot includes its subdomains.
type NewCookie struct {
	Name         string           `json:"name"`
	Value        string           `json:"value"`
	URL          string           `json:"url,omitzero"`
	Domain       string           `json:"domain,omitzero"`
	Path         string           `json:"path,omitzero"`
	Expires      float64          `json:"expires,omitzero"` // seconds since 1970; 0 means that it ends with the session
	HTTPOnly     bool             `json:"httpOnly"`
	Secure       bool             `json:"secure"`
	SameSite     string           `json:"sameSite,omitzero"`
	Priority     string           `json:"priority,omitzero"`
	SourceScheme string           `json:"sourceScheme,omitzero"` // its origin's scheme, for a cookie that was captured
	SourcePort   int              `json:"sourcePort,omitzero"`
	PartitionKey *CookiePartition `json:"partitionKey,omitzero"`
}

// Cookies returns all cookies of the context.
func Cookies(ctx context.Context, c *engine.Context) ([]Cookie, error) {
	j := jarOf(ctx, c)
	raw, err := j.session.CallRaw(ctx, j.get, j.params)
	if err != nil {
		return nil, err
	}
	return readCookies(raw)
}

// CookiesFor returns the cookies that requests to the addresses would carry; without any, those of the page and its
// frames.
func CookiesFor(ctx context.Context, p *engine.Page, urls ...string) ([]Cookie, error) {
	params := network.GetCookiesParams{URLs: urls}
	raw, err := p.Session().CallRaw(ctx, "Network.getCookies", params)
	if err != nil {
		return nil, err
	}
	return readCookies(raw)
}

func readCookies(raw jsonv2.Value) ([]Cookie, error) {
	var res struct {
		Cookies []Cookie `json:"cookies"`
	}
	if err := cdp.Unmarshal(raw, &res); err != nil {
		return nil, err
	}
	slices.SortFunc(res.Cookies, func(a, b Cookie) int {
		return cmp.Or(strings.Compare(a.Domain, b.Domain), strings.Compare(a.Path, b.Path), strings.Compare(a.Name, b.Name))
	})
	return res.Cookies, nil
}

// SetCookies sets cookies, and returns for each why the browser refused it, or nil. What it took it may have dropped
// all the same.
func SetCookies(ctx context.Context, c *engine.Context, cookies []NewCookie) ([]error, error) {
	j := jarOf(ctx, c)
	calls := make([]cdp.Call, len(cookies))
	for i := range cookies {
		calls[i] = j.setCall(cookies[i : i+1])
	}
	refused := make([]error, len(cookies))
	cdp.Changing(ctx)
	for i, pending := range j.session.Batch(calls...) {
		_, err := pending.Wait(ctx)
		if err != nil && !fault.Is(err, fault.Protocol) {
			return nil, err
		}
		refused[i] = err
	}
	return refused, nil
}

// DeleteCookies deletes these cookies of the context.
func DeleteCookies(ctx context.Context, c *engine.Context, cookies []Cookie) error {
	expired := make([]NewCookie, len(cookies))
	for i, old := range cookies {
		host := strings.TrimPrefix(old.Domain, ".")
		expired[i] = NewCookie{
			Name:         old.Name,
			Value:        "x",
			URL:          "https://" + host + old.Path,
			Path:         old.Path,
			Expires:      1,
			Secure:       old.Secure,
			HTTPOnly:     old.HTTPOnly,
			SameSite:     old.SameSite,
			PartitionKey: old.PartitionKey,
		}
		if host != old.Domain {
			expired[i].Domain = old.Domain
		}
	}
	refused, err := SetCookies(ctx, c, expired)
	if err != nil {
		return err
	}
	for _, err := range refused {
		if err != nil {
			return err
		}
	}
	return nil
}

// ClearCookies deletes all cookies of the context.
func ClearCookies(ctx context.Context, c *engine.Context) error {
	j := jarOf(ctx, c)
	_, err := j.session.CallRaw(ctx, j.clear, j.params)
	return err
}
