package interception

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/urls"
)

// pausedRequest has the fields of the events of domain Fetch that we use.
type pausedRequest struct {
	RequestID    string `json:"requestId"`
	NetworkID    string `json:"networkId"`
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
	tab  *Tab // nil means of a worker that belongs to none
	of   *Interception

	looked  bool // its address has been looked up
	watched bool // the watchers know it
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

// OnEvent handles an event of domain Fetch on the connection's reader. The tab is nil for a worker that belongs to
// none.
func (i *Interception) OnEvent(tab *Tab, sess *cdp.Session, ev cdp.Event) {
	var treat func(*Interception, *pausedRequest)
	switch ev.Method {
	case "Fetch.requestPaused":
		treat = (*Interception).paused
	case "Fetch.authRequired":
		treat = (*Interception).authRequired
	default:
		return
	}
	q := &pausedRequest{sess: sess, tab: tab, of: i}
	if cdp.Unmarshal(ev.Params, q) != nil {
		return
	}
	i.later(func() { treat(i, q) })
}

// later has fn run on the goroutine that works the queue off. fn must not wait.
func (i *Interception) later(fn func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.ended {
		return
	}
	i.queue = append(i.queue, fn)
	if !i.working {
		i.working = true
		i.owner.Spawn(i.workOff)
	}
}

func (i *Interception) workOff(context.Context) {
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
			i.owner.Spawn(func(ctx context.Context) {
				_ = i.Refresh(ctx) // with no page that could refuse
			})
		}
	}
}

// paused decides what happens to a request, or to an answer.
func (i *Interception) paused(q *pausedRequest) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if q.Status != 0 || q.ErrorReason != "" {
		if reason := i.gateFailed(q); reason != "" {
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
	if why := i.Rules().check(q, q.shown()); why != nil {
		i.refuse(q, why, q.shown())
		return
	}
	if q.leaveOut() {
		return
	}
	if g := i.Rules(); g != nil && g.PausesAll() && g.Lookup != nil && !q.looked {
		i.lookUp(g, q)
		return
	}
	if i.watchedLocked(q) {
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
			i.delayLocked(&delayed{request: q, route: s, extra: extra})
			return
		}
		i.applyLocked(s, q, extra)
	}
}

func (i *Interception) routeLocked(q *pausedRequest) *RouteState {
	for _, s := range slices.Backward(i.routes) {
		if !s.UsedUp && s.fits(q) {
			return s
		}
	}
	return nil
}

func (i *Interception) hitLocked(s *RouteState, q *pausedRequest) {
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

func (i *Interception) applyLocked(s *RouteState, q *pausedRequest, extra []HeaderField) {
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

func (i *Interception) delayLocked(d *delayed) {
	if i.delayed == nil {
		i.delayed = map[string]*delayed{}
	}
	key := d.request.key()
	i.delayed[key] = d
	d.timer = time.AfterFunc(d.route.Delay, func() {
		i.later(func() {
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
func (i *Interception) releaseLocked(d *delayed) {
	d.timer.Stop()
	delete(i.delayed, d.request.key())
	d.request.goOn(d.extra, false)
}

// authAnswer are the parameters of Fetch.continueWithAuth.
type authAnswer struct {
	RequestID string            `json:"requestId"`
	Response  map[string]string `json:"authChallengeResponse"`
}

// authRequired answers a server that wants a name and a password. A request that was refused with them is not tried
// again.
func (i *Interception) authRequired(q *pausedRequest) {
	i.mu.Lock()
	defer i.mu.Unlock()
	response := map[string]string{"response": "Default"}
	if g := i.Rules(); g.HasProxy() && q.Challenge.Source == "Proxy" && q.Challenge.Origin == g.Proxy.Address {
		response = map[string]string{"response": "ProvideCredentials", "username": g.Proxy.User, "password": g.Proxy.Password}
		if _, tried := i.tried.take(q.key()); tried {
			response = map[string]string{"response": "CancelAuth"}
		}
		i.tried.put(q.key(), struct{}{})
	} else if cr := i.credentials; cr != nil && q.Challenge.Source != "Proxy" &&
		(cr.Origin == "" || cr.Origin == urls.Origin(q.Challenge.Origin)) {
		if _, tried := i.tried.take(q.key()); tried {
			response["response"] = "CancelAuth"
		} else {
			response = map[string]string{"response": "ProvideCredentials", "username": cr.User, "password": cr.Password}
		}
		i.tried.put(q.key(), struct{}{})
	}
	q.sess.Start("Fetch.continueWithAuth", authAnswer{q.RequestID, response})
}
