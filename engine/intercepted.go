package engine

import (
	"context"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/urls"
)

// pausedRequest has the fields of the events of domain Fetch that we use.
type pausedRequest struct {
	RequestID    string `json:"requestId"`
	FrameID      string `json:"frameId"`
	ResourceType string `json:"resourceType"`
	Request      struct {
		URL     string            `json:"url"`
		Method  string            `json:"method"`
		Headers map[string]string `json:"headers"`
	} `json:"request"`

	// Of an answer.
	ErrorReason string `json:"responseErrorReason"`
	Status      int    `json:"responseStatusCode"`
	StatusText  string `json:"responseStatusText"`
	Headers     []struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	} `json:"responseHeaders"`

	Challenge struct {
		Source string `json:"source"`
		Origin string `json:"origin"`
	} `json:"authChallenge"`

	sess *cdp.Session
	page *Page // nil: of a worker that belongs to none
	ctxt *Context

	looked bool // its address has been looked up
}

func (q *pausedRequest) header(name string) string { return Header(q.Request.Headers, name) }

// Header returns the value of a header field, whatever case its name is written in.
func Header(headers map[string]string, name string) string {
	if v, ok := headers[name]; ok {
		return v
	}
	for k, v := range headers {
		if strings.EqualFold(k, name) {
			return v
		}
	}
	return ""
}

// key names the request among those of all sessions.
func (q *pausedRequest) key() string { return q.sess.ID() + " " + q.RequestID }

// delayed is a request that waits before it is treated as a route says.
type delayed struct {
	request *pausedRequest
	route   *RouteState
	extra   []HeaderField
	timer   *time.Timer
}

// onFetch handles an event of domain Fetch on the connection's reader.
func (p *Page) onFetch(sess *cdp.Session, ev cdp.Event) { p.ctxt.onFetch(p, sess, ev) }

func (c *Context) onFetch(p *Page, sess *cdp.Session, ev cdp.Event) {
	var treat func(*Context, *pausedRequest)
	switch ev.Method {
	case "Fetch.requestPaused":
		treat = (*Context).paused
	case "Fetch.authRequired":
		treat = (*Context).authRequired
	default:
		return
	}
	q := &pausedRequest{sess: sess, page: p, ctxt: c}
	if cdp.Unmarshal(ev.Params, q) != nil {
		return
	}
	c.later(func() { treat(c, q) })
}

// later has fn run on the goroutine that works the queue off. fn must not wait.
func (c *Context) later(fn func()) {
	i := &c.requests
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.ended {
		return
	}
	i.queue = append(i.queue, fn)
	if !i.working {
		i.working = true
		c.browser.Spawn(c.workOff)
	}
}

func (c *Context) workOff(context.Context) {
	i := &c.requests
	for {
		i.mu.Lock()
		work, restand := i.queue, i.restand
		i.queue, i.restand = nil, false
		if len(work) == 0 && !restand {
			i.working = false
			i.mu.Unlock()
			return
		}
		i.mu.Unlock()
		for _, fn := range work {
			fn()
		}
		if restand { // a change of the overrides may be waiting for a page
			c.browser.Spawn(func(ctx context.Context) {
				_ = c.intercept(ctx, nil, func(*interception) error { return nil }) // with no page that could refuse
			})
		}
	}
}

// paused decides what happens to a request, or to an answer.
func (c *Context) paused(q *pausedRequest) {
	i := &c.requests
	i.mu.Lock()
	defer i.mu.Unlock()
	if q.Status != 0 || q.ErrorReason != "" {
		if reason := c.gateFailed(q); reason != "" {
			q.fail(reason)
			return
		}
		s, routed := i.answers.take(q.key())
		switch {
		case q.Status != 0 && routed:
			q.goOnAnswered(s.ResponseHeaders)
		case q.Status != 0 && q.workerPolicy() != "":
			q.goOnAnswered(nil)
		default:
			q.goOn(nil, false)
		}
		return
	}
	if why := c.gating.rules.Load().check(q, q.shown()); why != nil {
		c.refuse(q, why, q.shown())
		return
	}
	if q.leaveOut() {
		return
	}
	if g := c.gating.rules.Load(); g != nil && g.all() && g.Lookup != nil && !q.looked {
		c.lookUp(g, q)
		return
	}
	var extra []HeaderField
	if !q.preflight() {
		origin := urls.Origin(q.Request.URL)
		for _, o := range i.origins {
			if o.origin == origin {
				extra = o.headers
			}
		}
	}
	s := i.routeLocked(q)
	switch {
	case s == nil:
		q.goOn(extra, false)
	case q.preflight() && s.Abort == "" && s.answersPreflight():
		q.fulfill(s.preflightAnswer(q))
	case q.preflight() && s.Abort == "":
		q.goOn(nil, false)
	default:
		if !q.preflight() {
			i.hitLocked(s, q)
		}
		if s.Delay > 0 {
			i.delayLocked(c, &delayed{request: q, route: s, extra: extra})
			return
		}
		i.applyLocked(s, q, extra)
	}
}

func (i *interception) routeLocked(q *pausedRequest) *RouteState {
	for _, s := range slices.Backward(i.routes) {
		if !s.UsedUp && s.fits(q) {
			return s
		}
	}
	return nil
}

func (i *interception) hitLocked(s *RouteState, q *pausedRequest) {
	s.Hits++
	if s.Times > 0 && s.Hits >= s.Times {
		s.UsedUp, i.restand = true, true
	}
	origin := q.header("Origin")
	cross := origin != "" && origin != urls.Origin(q.Request.URL) && q.ResourceType == typeXHR
	if s.Fulfill != nil && s.Abort == "" && cross && !allows(s.Fulfill.Headers, origin) {
		s.Blocked++
	}
}

func (i *interception) applyLocked(s *RouteState, q *pausedRequest, extra []HeaderField) {
	switch {
	case s.Abort != "":
		q.fail(s.Abort)
	case s.Fulfill != nil:
		q.fulfill(s.Fulfill)
	default:
		if len(s.ResponseHeaders) > 0 {
			i.answers.put(q.key(), s)
		}
		q.goOn(patchChanges(extra, s.RequestHeaders), len(s.ResponseHeaders) > 0)
	}
}

// patchChanges joins changes; later ones win.
func patchChanges(first, then []HeaderField) []HeaderField {
	return append(append([]HeaderField(nil), first...), then...)
}

func (i *interception) delayLocked(c *Context, d *delayed) {
	if i.delayed == nil {
		i.delayed = map[string]*delayed{}
	}
	key := d.request.key()
	i.delayed[key] = d
	d.timer = time.AfterFunc(d.route.Delay, func() {
		c.later(func() {
			i.mu.Lock()
			defer i.mu.Unlock()
			if i.delayed[key] == d {
				delete(i.delayed, key)
				i.applyLocked(d.route, d.request, d.extra)
			}
		})
	})
}

// releaseLocked lets a request go that waits.
func (i *interception) releaseLocked(d *delayed) {
	d.timer.Stop()
	delete(i.delayed, d.request.key())
	d.request.goOn(d.extra, false)
}

// goOn lets the request go to the server, with changes to its headers.
func (q *pausedRequest) goOn(changes []HeaderField, answer bool) {
	params := map[string]any{"requestId": q.RequestID}
	answer = answer || q.ResourceType == typeDocument && q.page != nil && q.ctxt.gating.rules.Load().hasProxy() || q.workerPolicy() != ""
	if len(changes) > 0 {
		headers := make([]HeaderField, 0, len(q.Request.Headers)+len(changes))
		for name, value := range q.Request.Headers {
			headers = append(headers, HeaderField{name, value})
		}
		params["headers"] = entries(patch(headers, changes))
	}
	if answer {
		params["interceptResponse"] = true
	}
	q.sess.Start("Fetch.continueRequest", params)
}

// goOnAnswered lets the server's answer through, with changes to its headers.
func (q *pausedRequest) goOnAnswered(changes []HeaderField) {
	headers := make([]HeaderField, len(q.Headers))
	for n, h := range q.Headers {
		headers[n] = HeaderField{h.Name, h.Value}
	}
	params := map[string]any{"requestId": q.RequestID, "responseCode": q.Status, "responseHeaders": entries(q.confined(patch(headers, changes)))}
	if q.StatusText != "" {
		params["responsePhrase"] = q.StatusText
	} else {
		params["responsePhrase"] = phrase(q.Status)
	}
	q.sess.Start("Fetch.continueResponse", params)
}

// fail ends the request without an answer.
func (q *pausedRequest) fail(reason string) {
	q.sess.Start("Fetch.failRequest", map[string]string{"requestId": q.RequestID, "errorReason": reason})
}

func (q *pausedRequest) fulfill(a *Answer) {
	q.sess.Start("Fetch.fulfillRequest", map[string]any{
		"requestId": q.RequestID, "responseCode": a.Status, "responsePhrase": phrase(a.Status), "responseHeaders": entries(q.confined(a.Headers)),
		"body": base64.StdEncoding.EncodeToString(a.Body),
	})
}

// phrase is the text for a status, without which the browser refuses those that it does not know.
func phrase(status int) string {
	if text := http.StatusText(status); text != "" {
		return text
	}
	return "Status"
}

func entries(headers []HeaderField) []map[string]string {
	all := make([]map[string]string, len(headers))
	for n, h := range headers {
		all[n] = map[string]string{"name": h.Name, "value": h.Value}
	}
	return all
}

// authRequired answers a server that wants a name and a password. A request that was refused with them is not tried again.
func (c *Context) authRequired(q *pausedRequest) {
	i := &c.requests
	i.mu.Lock()
	defer i.mu.Unlock()
	response := map[string]string{"response": "Default"}
	if g := i.gating.rules.Load(); g.hasProxy() && q.Challenge.Source == "Proxy" && q.Challenge.Origin == g.Proxy.Address {
		response = map[string]string{"response": "ProvideCredentials", "username": g.Proxy.User, "password": g.Proxy.Password}
		if _, tried := i.tried.take(q.key()); tried {
			response = map[string]string{"response": "CancelAuth"}
		}
		i.tried.put(q.key(), struct{}{})
	} else if cr := i.credentials; cr != nil && q.Challenge.Source != "Proxy" && (cr.Origin == "" || cr.Origin == urls.Origin(q.Challenge.Origin)) {
		if _, tried := i.tried.take(q.key()); tried {
			response["response"] = "CancelAuth"
		} else {
			response = map[string]string{"response": "ProvideCredentials", "username": cr.User, "password": cr.Password}
		}
		i.tried.put(q.key(), struct{}{})
	}
	q.sess.Start("Fetch.continueWithAuth", map[string]any{"requestId": q.RequestID, "authChallengeResponse": response})
}
