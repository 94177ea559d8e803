package judging

import (
	"net/url"
	"regexp"
	"strings"
	"sync"

	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/traffic"
)

func api(r *traffic.Request) bool {
	return r.Kind == "fetch" || r.Kind == "xhr" || strings.Contains(r.MIME, "json") || strings.Contains(r.URL, "/api/")
}

var safeID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9._:-]{1,128}$`) })

// pick is the request that is most worth a look: one that failed, else one of an API, else a harmless failure, else the
// first.
func pick(list []traffic.Request) (chosen *traffic.Request, actionable bool) {
	var fetched, harmless, first *traffic.Request
	for i := range list {
		r := &list[i]
		if !safeID().MatchString(r.ID) {
			continue
		}
		switch {
		case r.Actionable():
			return r, true
		case !r.Failed && fetched == nil && api(r):
			fetched = r
		case r.Failed && harmless == nil:
			harmless = r
		}
		if first == nil {
			first = r
		}
	}
	for _, r := range []*traffic.Request{fetched, harmless, first} {
		if r != nil {
			return r, false
		}
	}
	return nil, false
}

// maxNetworkActions bounds what is offered after a list of requests.
const maxNetworkActions = 6

func (o *Outcome) afterRequests() []contract.NextAction {
	list := routedActions(o.Routes)
	list = AppendUnique(list, o.aboutRequests()...)
	return list[:min(len(list), maxNetworkActions)]
}

func (o *Outcome) aboutRequests() []contract.NextAction {
	rows := traffic.Requests(o.Data)
	r, actionable := pick(rows)
	if r == nil {
		return nil
	}
	id := "inspect-network-request"
	switch {
	case actionable:
		id = "inspect-actionable-network-request"
	case r.Failed:
		id = "inspect-benign-network-request"
	}
	list := []contract.NextAction{Act(id, "See the headers, status and body of this request.", "network", "request", r.ID)}
	if actionable {
		list = append(list, contract.NextAction{
			Tool:   contract.ToolName,
			ID:     "trace-actionable-network-source",
			Reason: "Find where in the source this request is made.",
			Params: contract.NextParams{
				NetworkSourceLookup: &contract.NextNetworkSource{RequestID: r.ID, Session: o.Session.Name},
			},
		})
	}
	if p := safePath(r.URL); p != "" {
		list = append(list,
			Act("filter-network-requests-by-path", "See only the requests of this path.", "network", "requests", "--filter", p))
	}
	return append(list,
		Act("start-network-har-capture", "Record requests and responses from now on.", "network", "har", "start"),
		Act("clear-network-requests-before-repro", "Start with an empty list before you reproduce the problem.", "network",
			"requests", "--clear"))
}

// maxPath is how long a path may be that is put into a command line.
const maxPath = 160

// sensitivePart is part of a path that may be a secret.
var sensitivePart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)token|secret|passw|auth|session|credential|api[-_]?key|[A-Za-z0-9_-]{32,}|@`)
})

// safePath is the path of an address, if it can be shown: the query is never part of it.
func safePath(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Path == "" || u.Path == "/" || len(u.Path) > maxPath || sensitivePart().MatchString(u.Path) {
		return ""
	}
	return u.Path
}

// routedActions are what to do first about requests that a route has caught.
func routedActions(routes []contract.NetworkRouteDiagnostic) []contract.NextAction {
	if len(routes) == 0 {
		return nil
	}
	var list []contract.NextAction
	for _, r := range routes {
		if safeID().MatchString(r.RequestID) {
			list = append(list,
				Act("inspect-routed-network-request", "See the outcome of the request that the route matched.", "network",
					"request", r.RequestID))
			break
		}
	}
	return append(list,
		Act("start-network-har-capture-for-route-mock", "Record the page's requests and the route's responses.", "network",
			"har", "start"))
}
