package judging

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/network"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/traffic"
)

// Route is a pattern of addresses that a session answers itself.
type Route struct {
	Pattern string
	Mode    string // abort, body, handler or unknown
}

// Routes are the routes of a session, in their order.
type Routes []Route

// After returns the routes after a command that succeeded.
func (r Routes) After(line *argv.Words) Routes {
	switch {
	case actions.Yields[network.Routed](line.Entry) && line.Positional(0) != "":
		pattern := line.Positional(0)
		mode := "unknown"
		switch {
		case line.Has("abort") || line.Has("reason"):
			mode = "abort"
		case line.Has("body") || line.Has("json") || line.Has("file") || line.Has("status"):
			mode = "body"
		case line.Has("handler"):
			mode = "handler"
		}
		return append(r.without(pattern), Route{pattern, mode})
	case actions.Yields[network.Unrouted](line.Entry):
		if p := line.Positional(0); p != "" {
			return r.without(p)
		}
		return nil
	case line.EndsSession():
		return nil
	}
	return r
}

func (r Routes) without(pattern string) Routes {
	return slices.DeleteFunc(slices.Clone(r), func(x Route) bool { return x.Pattern == pattern })
}

// matches compares an address with a pattern as `network route` does: * stands for anything but a slash, ** for
// anything, and a pattern without either may be any part of the address.
func (r Route) matches(address string) bool {
	if !strings.ContainsAny(r.Pattern, "*") {
		return strings.Contains(address, r.Pattern)
	}
	expr := regexp.QuoteMeta(r.Pattern)
	expr = strings.ReplaceAll(expr, `\*\*`, `.*`)
	expr = strings.ReplaceAll(expr, `\*`, `[^/]*`)
	re, err := regexp.Compile("^(?:" + expr + ")$")
	return err == nil && (re.MatchString(address) || re.MatchString(strings.SplitN(address, "?", 2)[0]))
}

// Diagnose looks among the requests of a session for those that a route has caught without an answer that the page
// could use. A request that a route is to abort has ended as it should.
func (r Routes) Diagnose(data any) []contract.NetworkRouteDiagnostic {
	if len(r) == 0 {
		return nil
	}
	var found []contract.NetworkRouteDiagnostic
	for _, q := range traffic.Requests(data) {
		if q.Kind != "" && q.Kind != "fetch" && q.Kind != "xhr" {
			continue
		}
		i := slices.IndexFunc(r, func(x Route) bool { return x.matches(q.URL) })
		if i < 0 {
			continue
		}
		route := r[i]
		d := contract.NetworkRouteDiagnostic{
			RoutePattern: route.Pattern,
			Mode:         route.Mode,
			RequestID:    q.ID,
			RequestURL:   q.URL,
		}
		switch failure := strings.ToLower(q.Error); {
		case strings.Contains(failure, "cors") || strings.Contains(failure, "preflight") ||
			strings.Contains(failure, "access-control"):
			d.Reason = "cors-likely-routed-request"
			d.Summary = "The page may not read the route's response: it is from another origin, and the response does " +
				"not allow it."
		case q.Pending:
			d.Reason = "pending-routed-request"
			d.Summary = fmt.Sprintf("A request that the route %s matches has no response yet.", route.Pattern)
		case q.Failed && route.Mode != "abort":
			d.Reason = "unfulfilled-routed-request"
			d.Summary = fmt.Sprintf("A request that the route %s matches failed instead of being answered.", route.Pattern)
		default:
			continue
		}
		found = append(found, d)
	}
	return found
}

// RoutesText is what the model reads of them.
func RoutesText(list []contract.NetworkRouteDiagnostic) string {
	var b strings.Builder
	b.WriteString("Network route diagnostics:")
	for _, d := range list {
		b.WriteString("\n- " + d.Reason + ": " + d.Summary)
		if d.RequestID != "" {
			b.WriteString(" (" + d.RequestID + ")")
		}
	}
	return b.String()
}
