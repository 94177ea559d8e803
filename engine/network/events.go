package network

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
)

// maxOrphans bounds the requests of which only additional facts are known.
const maxOrphans = 200

// onEvent handles an event of a page on the connection's reader.
func (r *recorder) onEvent(p *engine.Page, sess *cdp.Session, ev cdp.Event) {
	l := r.log.Load()
	switch {
	case l == nil:
	case ev.Method == "Page.lifecycleEvent":
		l.har.lifecycle(p, ev)
	case strings.HasPrefix(ev.Method, "Network."):
		l.onNetwork(p, sess, ev)
	}
}

func (l *Log) onNetwork(p *engine.Page, sess *cdp.Session, ev cdp.Event) {
	handle := loggedEvents[ev.Method]
	if handle == nil {
		return
	}
	var e loggedEvent
	if cdp.Unmarshal(ev.Params, &e) != nil || e.RequestID == "" {
		return
	}
	worker := p.Sessions().Worker(sess)
	l.mu.Lock()
	defer l.mu.Unlock()
	if worker != nil && worker.Type == "service_worker" && !l.ownsLocked(worker.ID, owner{p, sess}) {
		return
	}
	from := source{page: p, sess: sess, title: p.Title()}
	if worker != nil {
		from.worker = worker.Type
	}
	handle(l, from, &e)
}

// source is where an event came from.
type source struct {
	page   *engine.Page
	sess   *cdp.Session
	worker string
	title  string // of the page
}

// owner is the session whose events of a service worker count.
type owner struct {
	page *engine.Page
	sess *cdp.Session
}

// ownsLocked decides which session of a service worker counts: each page that the worker serves has one, and all tell
// the same. When that session has ended, another one takes its place.
func (l *Log) ownsLocked(target string, by owner) bool {
	if o, ok := l.owners[target]; !ok || o.page.Sessions().Worker(o.sess) == nil {
		l.owners[target] = by
	}
	return l.owners[target] == by
}

var loggedEvents = map[string]func(*Log, source, *loggedEvent){
	"Network.requestWillBeSent":                  (*Log).requestSent,
	"Network.requestWillBeSentExtraInfo":         (*Log).requestExtra,
	"Network.responseReceived":                   (*Log).responseReceived,
	"Network.responseReceivedExtraInfo":          (*Log).responseExtra,
	"Network.requestServedFromCache":             (*Log).servedFromCache,
	"Network.dataReceived":                       (*Log).dataReceived,
	"Network.loadingFinished":                    (*Log).loadingFinished,
	"Network.loadingFailed":                      (*Log).loadingFailed,
	"Network.webSocketCreated":                   (*Log).socketCreated,
	"Network.webSocketWillSendHandshakeRequest":  (*Log).socketRequest,
	"Network.webSocketHandshakeResponseReceived": (*Log).socketResponse,
	"Network.webSocketFrameSent":                 (*Log).socketSent,
	"Network.webSocketFrameReceived":             (*Log).socketReceived,
	"Network.webSocketFrameError":                (*Log).socketError,
	"Network.webSocketClosed":                    (*Log).socketClosed,
	"Network.eventSourceMessageReceived":         (*Log).serverSentEvent,
}

// begin adds a step to a request, or the request.
func (l *Log) begin(from source, e *loggedEvent, x Exchange) *exchange {
	c := l.byID[e.RequestID]
	if c == nil {
		c = &chain{}
		l.byID[e.RequestID] = c
	} else if len(c.steps) == 0 {
		l.orphan = slices.DeleteFunc(l.orphan, func(id string) bool { return id == e.RequestID })
	}
	x.ID = e.RequestID
	if n := len(c.steps); n > 0 {
		x.ID += ":" + strconv.Itoa(n)
	}
	x.PageID, x.Worker = from.page.ID(), from.worker
	x.FrameID, x.LoaderID = e.FrameID, e.LoaderID
	x.URL, x.URLLength = shortURL(x.URL)
	x.DocumentURL, _ = shortURL(e.DocumentURL)
	if x.Started.IsZero() {
		x.Started = l.clock.at(e.Timestamp)
	}
	step := &exchange{Exchange: x, chain: c, sess: from.sess, start: e.Timestamp}
	c.steps = append(c.steps, step)
	l.har.attribute(from, e, step)
	l.add(step)
	return step
}

// current is the last step of a request, nil when the log does not have it.
func (l *Log) current(e *loggedEvent) *exchange {
	c := l.byID[e.RequestID]
	if c == nil || len(c.steps) == 0 {
		return nil
	}
	if x := c.steps[len(c.steps)-1]; x.holds > 0 {
		return x
	}
	return nil
}

func (l *Log) requestSent(from source, e *loggedEvent) {
	if e.WallTime > 0 {
		l.clock = clock{e.Timestamp, e.WallTime}
	}
	before := l.current(e)
	if before != nil {
		if e.RedirectResponse == nil || before.start == e.Timestamp {
			return // the second session tells it, too
		}
		before.RedirectTo, _ = shortURL(e.Request.URL)
		before.extra = extraNone
		if e.RedirectHasExtraInfo {
			before.extra = extraComes
		}
		l.answered(before, e.RedirectResponse, e.Timestamp)
		before.Ended, before.end = true, e.Timestamp
		before.Transferred = int64(e.RedirectResponse.EncodedDataLength)
	}
	x := Exchange{
		Request: Request{
			Method:      e.Request.Method,
			URL:         e.Request.URL,
			Fragment:    e.Request.Fragment,
			Type:        e.Type,
			Started:     l.clock.at(e.Timestamp),
			Headers:     e.Request.Headers,
			PostData:    e.Request.PostData,
			HasPostData: e.Request.HasPostData,
			Initiator:   initiatorOf(e),
		},
	}
	if before != nil {
		x.RedirectedBy = before.ID
	}
	l.begin(from, e, x)
}

func initiatorOf(e *loggedEvent) Initiator {
	in := Initiator{Type: e.Initiator.Type, URL: e.Initiator.URL, RequestID: e.Initiator.RequestID}
	if in.URL != "" && e.Initiator.Line >= 0 {
		in.Line, in.Column = int(e.Initiator.Line)+1, int(e.Initiator.Column)+1
	}
	frames := e.Initiator.Stack.CallFrames
	if len(frames) == 0 {
		frames = e.Initiator.Stack.Parent.CallFrames
	}
	if len(frames) > 0 {
		top := frames[0]
		in.Function = top.Function
		if top.URL != "" {
			in.URL, in.Line, in.Column = top.URL, int(top.Line)+1, int(top.Column)+1
		}
	}
	in.URL, _ = shortURL(in.URL)
	return in
}

func (l *Log) responseReceived(from source, e *loggedEvent) {
	x := l.current(e)
	if x == nil {
		if _, let := l.let[e.RequestID]; let {
			return
		}
		x = l.begin(from, e, Exchange{Partial: true, Request: Request{URL: e.Response.URL, Type: e.Type}})
		if t := e.Response.Timing; t != nil && t.RequestTime > 0 {
			x.start = t.RequestTime
			x.Started = time.Now().Add(-time.Duration((e.Timestamp - t.RequestTime) * float64(time.Second)))
		}
	}
	x.sess = from.sess
	x.extra = extraNone
	if e.HasExtraInfo {
		x.extra = extraComes
	}
	if e.Type != "" {
		x.Type = e.Type
	}
	l.answered(x, &e.Response, e.Timestamp)
}

func (l *Log) answered(x *exchange, r *loggedResponse, at float64) {
	x.Status, x.StatusText = int(r.Status), r.StatusText
	x.MimeType, x.Charset, x.Protocol = r.MimeType, r.Charset, r.Protocol
	x.RemoteIP, x.RemotePort = strings.Trim(r.RemoteIP, "[]"), r.RemotePort
	if r.ConnectionID > 0 {
		x.Connection = strconv.FormatInt(int64(r.ConnectionID), 10)
	}
	switch {
	case strings.HasPrefix(x.URL, "data:"): // the only source
		x.Source = ""
	case r.FromServiceWorker:
		x.Source = "service-worker"
	case r.FromPrefetchCache:
		x.Source = "prefetch-cache"
	case r.FromDiskCache && x.Source == "":
		x.Source = "disk-cache"
	}
	x.response, x.timing = at, r.Timing
	if x.Transferred == 0 {
		x.Transferred = int64(r.EncodedDataLength)
	}
	l.grow(x, headersWeight(r.Headers)-headersWeight(x.ResponseHeaders))
	x.ResponseHeaders = r.Headers
	if len(r.RequestHeaders) > 0 {
		l.grow(x, headersWeight(r.RequestHeaders)-headersWeight(x.Headers))
		x.Headers = r.RequestHeaders
	}
}

// extras returns the chain that additional facts belong to. They may come before the request itself.
func (l *Log) extras(e *loggedEvent) *chain {
	c := l.byID[e.RequestID]
	if c == nil {
		c = &chain{}
		l.byID[e.RequestID] = c
		l.orphan = append(l.orphan, e.RequestID)
		if len(l.orphan) > maxOrphans {
			delete(l.byID, l.orphan[0])
			l.orphan = slices.Delete(l.orphan, 0, 1)
		}
	}
	return c
}

func (l *Log) requestExtra(_ source, e *loggedEvent) {
	c := l.extras(e)
	c.sent = append(c.sent, e.Headers)
	l.grownBy(c, headersWeight(e.Headers))
}

func (l *Log) responseExtra(_ source, e *loggedEvent) {
	c := l.extras(e)
	c.got, c.statuses = append(c.got, e.Headers), append(c.statuses, e.StatusCode)
	l.grownBy(c, headersWeight(e.Headers))
	l.changes.tell()
}

// grownBy counts facts of a chain at its last step.
func (l *Log) grownBy(c *chain, bytes int) {
	if n := len(c.steps); n > 0 && c.steps[n-1].holds > 0 {
		l.grow(c.steps[n-1], bytes)
	}
}

func (l *Log) servedFromCache(_ source, e *loggedEvent) {
	if x := l.current(e); x != nil {
		x.Source = "memory-cache"
		x.extra = extraNone
	}
}

func (l *Log) dataReceived(_ source, e *loggedEvent) {
	if x := l.current(e); x != nil {
		x.Decoded += int64(e.DataLength)
		x.Transferred += int64(e.EncodedDataLength)
	}
}

func (l *Log) loadingFinished(from source, e *loggedEvent) {
	delete(l.let, e.RequestID)
	x := l.current(e)
	if x == nil || x.Ended {
		return
	}
	x.Ended, x.end, x.sess = true, e.Timestamp, from.sess
	if e.EncodedDataLength > 0 {
		x.Transferred = int64(e.EncodedDataLength)
	}
	l.har.takeBody(x)
	l.changes.tell()
}

func (l *Log) loadingFailed(_ source, e *loggedEvent) {
	delete(l.let, e.RequestID)
	x := l.current(e)
	if x == nil || x.Ended {
		return
	}
	x.Ended, x.end = true, e.Timestamp
	defer l.changes.tell()
	x.Failure, x.Canceled, x.Blocked = e.ErrorText, e.Canceled, e.BlockedReason
	x.CORS = e.CORS.Error
	if e.CORS.Parameter != "" {
		x.CORS += " (" + e.CORS.Parameter + ")"
	}
	if x.Type == "" {
		x.Type = e.Type
	}
}
