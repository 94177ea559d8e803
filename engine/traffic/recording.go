package traffic

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/urls"
)

// Recording keeps the requests of a page and of its frames from a moment on.
type Recording struct {
	Began time.Time
	of    *Traffic

	// Guarded by the page's lock.
	requests []*Request
	byID     map[string]*Request
	closed   bool
}

// maxRequests bounds what a page that asks for things in a loop can make us keep.
const maxRequests = 1000

// Record keeps requests from now on, until Close. The browser reports requests only while they are recorded. It does
// not wait for the browser's answer: the browser handles it before any later command of the page.
func (t *Traffic) Record() *Recording {
	r := &Recording{Began: time.Now(), of: t, byID: map[string]*Request{}}
	t.page.State.Lock()
	defer t.page.State.Unlock()
	t.recordings = append(t.recordings, r)
	if len(t.recordings) == 1 && !t.page.Told() {
		t.page.Watch(true)
	}
	return r
}

// IsRecorded reports whether anybody records requests. It is called with the lock held.
func (t *Traffic) IsRecorded() bool { return len(t.recordings) > 0 }

// Recorded returns the requests that the open recordings have.
func (t *Traffic) Recorded() (all []Request) {
	t.page.State.Lock()
	defer t.page.State.Unlock()
	for _, r := range t.recordings {
		all = append(all, r.all()...)
	}
	return all
}

// DocumentFailure returns why the document of the main frame could not be loaded, if that is recorded; else "".
func (t *Traffic) DocumentFailure() (why string) {
	for _, r := range t.Recorded() {
		if r.Type == "Document" && r.FrameID == t.page.Main && r.Failure != "" {
			why = r.Failure
		}
	}
	return why
}

// Close ends the recording.
func (r *Recording) Close() {
	t := r.of
	t.page.State.Lock()
	defer t.page.State.Unlock()
	if r.closed {
		return
	}
	r.closed = true
	t.recordings = slices.DeleteFunc(t.recordings, func(o *Recording) bool { return o == r })
	if len(t.recordings) == 0 && !t.page.Told() {
		t.followed = followed{}
		t.page.Watch(false)
	}
}

// Requests returns what was recorded so far, in the order in which it began.
func (r *Recording) Requests() []Request {
	r.of.page.State.Lock()
	defer r.of.page.State.Unlock()
	return r.all()
}

func (r *Recording) all() []Request {
	all := make([]Request, len(r.requests))
	for i, one := range r.requests {
		all[i] = *one
	}
	return all
}

// Counts returns how many requests have begun since the recording did, and how many of those have ended. It is called
// with the lock held.
func (r *Recording) Counts() (begun, ended int) {
	for _, one := range r.requests {
		if !one.Begun {
			continue
		}
		begun++
		if one.Ended {
			ended++
		}
	}
	return begun, ended
}

// Await waits until done accepts what was recorded. It is asked after each event; it must be quick and must not call
// methods of the page.
func (r *Recording) Await(ctx context.Context, what string, done func([]Request) bool) error {
	return r.of.page.State.Await(ctx, what, func() bool { return done(r.all()) })
}

func (r *Recording) record(method string, e *event) {
	one := r.byID[e.RequestID]
	if one == nil {
		if len(r.requests) >= maxRequests || method == "Network.loadingFinished" || method == "Network.loadingFailed" {
			return
		}
		one = &Request{ID: e.RequestID, FrameID: e.FrameID, Type: e.Type, URL: urls.Public(e.Response.URL)}
		r.requests = append(r.requests, one)
		r.byID[e.RequestID] = one
	}
	switch method {
	case "Network.requestWillBeSent": // again for each redirect
		one.Begun = true
		if e.Type == "Document" && e.Request.Method == http.MethodPost {
			one.Posted = urls.Public(e.Request.URL)
		}
		one.Method, one.URL, one.Type = e.Request.Method, urls.Public(e.Request.URL+e.Request.Fragment), e.Type
	case "Network.responseReceived":
		one.Status = e.Response.Status
		if one.Type == "Document" &&
			(one.Status == http.StatusTooManyRequests || one.Status == http.StatusServiceUnavailable) {
			one.Retry = headerOf(e.Response.Headers, "Retry-After") // when the server wants the next request
		}
		if one.Type == "Document" {
			one.Refresh = headerOf(e.Response.Headers, "Refresh")
		}
	case "Network.loadingFinished":
		one.Ended = true
	case "Network.loadingFailed":
		one.Ended, one.Failure = true, e.ErrorText
	}
}

// headerOf returns the value of a header, whatever the case of its name; "" without one.
func headerOf(headers jsonv2.Value, name string) string {
	var all map[string]string
	if cdp.Unmarshal(headers, &all) != nil {
		return ""
	}
	for key, value := range all {
		if strings.EqualFold(key, name) {
			return value
		}
	}
	return ""
}
