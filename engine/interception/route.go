package interception

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine/urls"
)

// Route is what happens to the matching requests of a context: they fail, get a given response, or continue with other
// headers or later.
type Route struct {
	Pattern string   // of the address, as [urls.Match] takes it
	Method  string   // in capitals; empty means any
	Types   []string // in the protocol's words, see [ResourceTypes]; empty means any
	Times   int      // how many requests it takes; 0 means all

	Delay   time.Duration // how long each waits first
	Abort   string        // the reason in the protocol's words; empty means that it does not fail
	Fulfill *Answer       // nil means that the server answers

	RequestHeaders  []HeaderField // changes to what the server is asked
	ResponseHeaders []HeaderField // changes to what the server answers; of an Answer of ours they are part
}

// Answer is an answer of ours in place of a server's.
type Answer struct {
	Status  int
	Headers []HeaderField
	Body    []byte
}

// HeaderField is one field of a header. In a change an empty value removes the field.
type HeaderField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// RouteState is a route and its counters.
type RouteState struct {
	Route
	Hits     int  // requests that it was applied to
	Blocked  int  // of those, the answers that pages of other origins cannot read, as no header allows it
	UsedUp   bool // it has taken all that it takes
	Waiting  int  // requests that wait for their delay
	Replaced bool // of the one that Route returned: there was one with this pattern, method and types before
}

// ResourceTypes are the kinds of requests that routes can tell apart, in the protocol's words. XHR and Fetch are the
// same to the browser where it pauses requests. Text tracks are Media there, and manifests, prefetches and the scripts
// of workers Other.
func ResourceTypes() []string {
	return []string{
		"Document", "Stylesheet", "Image", "Media", "Font", "Script", "XHR", "Fetch", "EventSource", "Ping",
		"CSPViolationReport", "Other",
	}
}

// AbortReasons are the ways in which a request can fail, in the protocol's words.
func AbortReasons() []string {
	return []string{
		"Failed", "Aborted", "TimedOut", "AccessDenied", "ConnectionClosed", "ConnectionReset", "ConnectionRefused",
		"ConnectionAborted",
		"ConnectionFailed", "NameNotResolved", "InternetDisconnected", "AddressUnreachable", "BlockedByClient",
		"BlockedByResponse",
	}
}

// same reports whether a route takes another one's place.
func (r *Route) same(o *Route) bool {
	return r.Pattern == o.Pattern && r.Method == o.Method && slices.Equal(r.Types, o.Types)
}

// bytes is about how much memory a route holds.
func (r *Route) bytes() int {
	n := len(r.Pattern)
	if r.Fulfill != nil {
		n += len(r.Fulfill.Body)
	}
	return n
}

func (r *Route) fits(q *pausedRequest) bool {
	method := q.Request.Method
	if q.preflight() { // it asks for a request that it is not itself
		method = q.header("Access-Control-Request-Method")
	}
	return (r.Method == "" || r.Method == method) && (len(r.Types) == 0 || slices.ContainsFunc(r.Types, q.is)) &&
		urls.Match(r.Pattern, q.Request.URL)
}

// is reports whether the request is of a type.
func (q *pausedRequest) is(kind string) bool {
	if q.ResourceType != typeXHR || q.preflight() {
		return pausedAs(kind) == q.ResourceType
	}
	return (kind == "EventSource") == (q.header("Accept") == "text/event-stream") && pausedAs(kind) == typeXHR
}

const typeXHR = "XHR"

// pausedAs is the type that the browser gives requests of a kind where it pauses them.
func pausedAs(kind string) string {
	if kind == "Fetch" || kind == "EventSource" {
		return typeXHR
	}
	return kind
}

// preflight reports whether this is the question with which the browser asks whether a page may ask another origin. No
// page can set the header.
func (q *pausedRequest) preflight() bool {
	return q.Request.Method == http.MethodOptions && q.header("Access-Control-Request-Method") != ""
}

// allows reports whether a page of another origin may read the answer.
func allows(headers []HeaderField, origin string) bool {
	return slices.ContainsFunc(headers, func(h HeaderField) bool {
		return strings.EqualFold(h.Name, "Access-Control-Allow-Origin") && (h.Value == "*" || h.Value == origin)
	})
}

// patterns are what the browser is to pause for the route.
func (r *Route) patterns() []Pattern {
	p := urls.BrowserPattern(r.Pattern)
	if len(r.Types) == 0 {
		return []Pattern{{URLPattern: p}}
	}
	all := make([]Pattern, 0, len(r.Types))
	for _, t := range r.Types {
		all = append(all, Pattern{URLPattern: p, ResourceType: pausedAs(t)})
	}
	return all
}

// answersPreflight reports whether the route itself says who may read its answer.
func (r *Route) answersPreflight() bool {
	return slices.ContainsFunc(r.headers(), func(h HeaderField) bool {
		return strings.EqualFold(h.Name, "Access-Control-Allow-Origin")
	})
}

// headers returns the headers that an answer gets by the route.
func (r *Route) headers() []HeaderField {
	if r.Fulfill != nil {
		return r.Fulfill.Headers
	}
	return r.ResponseHeaders
}

// preflightAnswer allows what a page asks for, as far as the route allows it to read the answer.
func (r *Route) preflightAnswer(q *pausedRequest) *Answer {
	a := &Answer{Status: 204}
	for _, h := range r.headers() {
		if name := strings.ToLower(h.Name); strings.HasPrefix(name, "access-control-") && h.Value != "" {
			a.Headers = append(a.Headers, h)
		}
	}
	allow := func(name, asked string) {
		given := slices.ContainsFunc(a.Headers, func(h HeaderField) bool { return strings.EqualFold(h.Name, name) })
		if asked != "" && !given {
			a.Headers = append(a.Headers, HeaderField{name, asked})
		}
	}
	allow("Access-Control-Allow-Methods", q.header("Access-Control-Request-Method"))
	allow("Access-Control-Allow-Headers", q.header("Access-Control-Request-Headers"))
	if q.header("Access-Control-Request-Private-Network") != "" {
		allow("Access-Control-Allow-Private-Network", "true")
	}
	return a
}

// patch applies changes to headers. The result shares nothing with them.
func patch(headers, changes []HeaderField) []HeaderField {
	out := slices.Clone(headers)
	for _, c := range changes {
		out = slices.DeleteFunc(out, func(h HeaderField) bool { return strings.EqualFold(h.Name, c.Name) })
	}
	for _, c := range changes {
		if c.Value != "" {
			out = append(out, c)
		}
	}
	return out
}
