package engine

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/urls"
)

// Request is one request of a page or of a frame in it.
type Request struct {
	ID      string
	Method  string
	URL     string
	Type    string // what asked for it, in the protocol's words: "Document", "Fetch", "XHR", "Image" …
	FrameID string
	Begun   bool   // it began after the watching did
	Status  int    // of its response; 0 while there is none
	Retry   string // Retry-After of a document that was refused
	Ended   bool   // it was answered as a whole, or failed
	Failure string // why it failed, in the browser's words
}

// Traffic records the requests of a page and of its frames from a moment on.
type Traffic struct {
	page *Page

	// Guarded by page.mu.
	requests []*Request
	byID     map[string]*Request
	closed   bool
}

// maxRequests bounds what a page that asks for things in a loop can make us keep.
const maxRequests = 1000

// networkEnable asks for events without the bodies, which the browser would keep for us.
var networkEnable = NetworkBuffers{}.enable()

// WatchTraffic records requests from now on, until Close. The browser reports requests only while they are watched. It does not wait for the
// browser's answer: the browser handles it before any later command of the page.
func (p *Page) WatchTraffic() *Traffic {
	t := &Traffic{page: p, byID: map[string]*Request{}}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.traffic = append(p.traffic, t)
	if len(p.traffic) == 1 && !p.ctxt.HasOverride(networkKey) {
		p.onSessionsLocked(networkEnable)
	}
	return t
}

// Close ends the recording.
func (t *Traffic) Close() {
	p := t.page
	p.mu.Lock()
	defer p.mu.Unlock()
	if t.closed {
		return
	}
	t.closed = true
	p.traffic = slices.DeleteFunc(p.traffic, func(o *Traffic) bool { return o == t })
	if len(p.traffic) == 0 && !p.ctxt.HasOverride(networkKey) {
		p.net = network{}
		p.onSessionsLocked(cdp.Call{Method: "Network.disable"})
	}
}

// onSessionsLocked sends a call to the page and to its frames in other processes.
func (p *Page) onSessionsLocked(call cdp.Call) {
	p.sess.Start(call.Method, call.Params)
	for id := range p.sessID {
		p.ctxt.browser.conn.Session(id).Start(call.Method, call.Params)
	}
}

// Requests returns what was recorded so far, in the order in which it began.
func (t *Traffic) Requests() []Request {
	t.page.mu.Lock()
	defer t.page.mu.Unlock()
	return t.requestsLocked()
}

func (t *Traffic) requestsLocked() []Request {
	all := make([]Request, len(t.requests))
	for i, r := range t.requests {
		all[i] = *r
	}
	return all
}

// WatchedRequests returns the requests that the open recordings of [Page.WatchTraffic] have.
func (p *Page) WatchedRequests() (all []Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range p.traffic {
		all = append(all, t.requestsLocked()...)
	}
	return all
}

// Await waits until done accepts what was recorded. It is asked after each event; it must be quick and must not call methods of the page.
func (t *Traffic) Await(ctx context.Context, what string, done func([]Request) bool) error {
	return t.page.mu.Await(ctx, what, func() bool { return done(t.requestsLocked()) })
}

// networkEvent has the fields of the events of domain Network that we follow; each uses some.
type networkEvent struct {
	RequestID string `json:"requestId"`
	FrameID   string `json:"frameId"`
	LoaderID  string `json:"loaderId"`
	Type      string `json:"type"`
	Request   struct {
		Method   string `json:"method"`
		URL      string `json:"url"`
		Fragment string `json:"urlFragment"`
	} `json:"request"`
	Response struct {
		URL    string `json:"url"`
		Status int    `json:"status"`

		MimeType string       `json:"mimeType"`
		Headers  jsonv2.Value `json:"headers"`
	} `json:"response"`
	ErrorText string `json:"errorText"`
}

// onNetwork handles an event of domain Network on the connection's reader.
func (p *Page) onNetwork(ev cdp.Event) {
	switch ev.Method {
	case "Network.requestWillBeSent", "Network.responseReceived", "Network.dataReceived", "Network.loadingFinished", "Network.loadingFailed":
	default:
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if ev.Method == "Network.dataReceived" && len(p.net.underWay) == 0 {
		return
	}
	var e networkEvent
	if cdp.Unmarshal(ev.Params, &e) != nil {
		return
	}
	p.net.record(p.id, ev.Method, &e)
	if ev.Method == "Network.dataReceived" {
		return // it puts off when the page is idle, which is looked at then
	}
	for _, t := range p.traffic {
		t.record(ev.Method, &e)
	}
	p.mu.Broadcast()
}

// documentLoadedLocked ends the request for a document, which has its loader's id. Of a frame that came to a process of its own, the end of
// that request may have passed before the frame's session was asked for it. The caller holds p.mu.
func (p *Page) documentLoadedLocked(loader string) {
	p.net.endLocked(p.net.underWay[loader])
	for _, t := range p.traffic {
		if r := t.byID[loader]; r != nil {
			r.Ended = true
		}
	}
}

func (t *Traffic) record(method string, e *networkEvent) {
	r := t.byID[e.RequestID]
	if r == nil {
		if len(t.requests) >= maxRequests || method == "Network.loadingFinished" || method == "Network.loadingFailed" {
			return
		}
		r = &Request{ID: e.RequestID, FrameID: e.FrameID, Type: e.Type, URL: urls.Public(e.Response.URL)}
		t.requests = append(t.requests, r)
		t.byID[e.RequestID] = r
	}
	switch method {
	case "Network.requestWillBeSent": // again for each redirect
		r.Begun = true
		r.Method, r.URL, r.Type = e.Request.Method, urls.Public(e.Request.URL+e.Request.Fragment), e.Type
	case "Network.responseReceived":
		r.Status = e.Response.Status
		if r.Type == "Document" && (r.Status == http.StatusTooManyRequests || r.Status == http.StatusServiceUnavailable) {
			r.Retry = retryAfter(e.Response.Headers)
		}
	case "Network.loadingFinished":
		r.Ended = true
	case "Network.loadingFailed":
		r.Ended, r.Failure = true, e.ErrorText
	}
}

// retryAfter is the header by which a server says when it wants the next request.
func retryAfter(headers jsonv2.Value) string {
	var all map[string]string
	if cdp.Unmarshal(headers, &all) != nil {
		return ""
	}
	for name, value := range all {
		if strings.EqualFold(name, "Retry-After") {
			return value
		}
	}
	return ""
}
