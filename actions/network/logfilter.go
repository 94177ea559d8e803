package network

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/network"
	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/internal/lazyregexp"
	"github.com/skua-browser/skua/internal/wording"
)

// filter is what the flags of `network requests` ask for.
type filter struct {
	pattern  string
	types    []string // in lower case
	method   string
	statuses []statusRange
	origin   string
	url      string
}

type statusRange struct{ low, high int }

var (
	httpToken   = lazyregexp.New("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")
	statusClass = lazyregexp.New(`^[1-5][xX]{2}$`)
)

func filterOf(ctx context.Context, c *actions.Call) (*filter, error) {
	f := &filter{pattern: c.String("filter"), method: strings.ToUpper(c.String("method"))}
	for _, t := range c.Strings("type") {
		f.types = append(f.types, strings.ToLower(strings.TrimSpace(t)))
	}
	if c.Has("method") && !httpToken.MatchString(f.method) {
		return nil, c.Invalid("--method expects a method such as GET, got '" + wording.OneLine(c.String("method")) + "'")
	}
	if c.Has("status") {
		for part := range strings.SplitSeq(c.String("status"), ",") {
			r, ok := parseStatus(strings.TrimSpace(part))
			if !ok {
				return nil, c.Invalid("--status expects 200, 2xx or 400-499, got '" + wording.OneLine(c.String("status")) + "'")
			}
			f.statuses = append(f.statuses, r)
		}
	}
	page, origin, exact := c.Bool("current-page"), c.Bool("current-origin"), c.Bool("current-url")
	if exact && (page || origin) {
		return nil, c.Invalid("--current-url and --current-origin exclude each other.")
	}
	if !page && !origin && !exact {
		return f, nil
	}
	tab, err := c.Tabs.Tab(ctx)
	if err != nil {
		return nil, err
	}
	now, _, _ := strings.Cut(tab.Page.URL(), "#")
	if exact {
		f.url = now
		return f, nil
	}
	if f.origin = originOf(now); f.origin == "" {
		return nil, c.Invalid("the current page, " + now + ", has no origin")
	}
	return f, nil
}

// originOf is the origin whose page asks an address: that of a blob is its maker's, and WebSockets are a page's own.
func originOf(address string) string {
	address = strings.TrimPrefix(address, "blob:")
	if rest, isSocket := strings.CutPrefix(address, "ws"); isSocket {
		address = "http" + rest
	}
	return urls.Origin(address)
}

func parseStatus(s string) (statusRange, bool) {
	if statusClass.MatchString(s) {
		low := int(s[0]-'0') * 100
		return statusRange{low, low + 99}, true
	}
	low, high, isRange := strings.Cut(s, "-")
	if !isRange {
		high = low
	}
	r := statusRange{}
	var err1, err2 error
	r.low, err1 = strconv.Atoi(strings.TrimSpace(low))
	r.high, err2 = strconv.Atoi(strings.TrimSpace(high))
	return r, err1 == nil && err2 == nil && r.low >= 100 && r.high <= 999 && r.low <= r.high
}

// resourceTypes are the protocol's words for what asks.
var resourceTypes = []string{
	"Document", "Stylesheet", "Image", "Media", "Font", "Script", "TextTrack", "XHR", "Fetch", "Prefetch", "EventSource",
	"WebSocket", "Manifest",
	"SignedExchange", "Ping", "CSPViolationReport", "Preflight", "FedCM", "Other",
}

// knowsTypes fails for a type that neither we nor the browser have a request of.
func (f *filter) knowsTypes(c *actions.Call, all []network.Exchange) error {
	for _, t := range f.types {
		known := slices.ContainsFunc(resourceTypes, func(k string) bool { return strings.EqualFold(k, t) }) ||
			slices.ContainsFunc(all, func(x network.Exchange) bool { return strings.EqualFold(x.Type, t) })
		if !known {
			return c.Invalid(fmt.Sprintf("--type does not know '%s'. Types are: %s", wording.OneLine(t),
				strings.ToLower(strings.Join(resourceTypes, ", "))))
		}
	}
	return nil
}

func (f *filter) fits(x *network.Exchange) bool {
	switch {
	case f.pattern != "" && !urls.Match(f.pattern, x.URL),
		len(f.types) > 0 && !slices.Contains(f.types, strings.ToLower(x.Type)),
		f.method != "" && !strings.EqualFold(f.method, x.Method),
		f.origin != "" && originOf(x.URL) != f.origin,
		f.url != "" && x.URL != f.url:
		return false
	}
	return len(f.statuses) == 0 || slices.ContainsFunc(f.statuses, func(r statusRange) bool {
		return r.low <= x.Status && x.Status <= r.high
	})
}

// secretHeaders are header fields whose values let others act as the user.
var secretHeaders = []string{
	"authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key",
	"x-auth-token", "x-csrf-token", "x-xsrf-token",
}

const hiddenValue = "(hidden)"

func isSecretHeader(name string) bool { return slices.Contains(secretHeaders, strings.ToLower(name)) }

// withoutSecrets is a set of header fields for those who have not asked for credentials.
func withoutSecrets(headers map[string]string) map[string]string {
	out := make(map[string]string, len(headers))
	for name, value := range headers {
		if isSecretHeader(name) {
			value = hiddenValue
		}
		out[name] = value
	}
	return out
}

// thousandths keeps three decimals.
func thousandths(f float64) float64 { return math.Round(f*1000) / 1000 }
