package engine

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine/cdp"
)

// loggedEvent has the fields of the events that the log follows; each uses some.
type loggedEvent struct {
	RequestID   string  `json:"requestId"`
	LoaderID    string  `json:"loaderId"`
	FrameID     string  `json:"frameId"`
	DocumentURL string  `json:"documentURL"`
	Type        string  `json:"type"`
	Timestamp   float64 `json:"timestamp"`
	WallTime    float64 `json:"wallTime"`
	Initiator   struct {
		Type   string  `json:"type"`
		URL    string  `json:"url"`
		Line   float64 `json:"lineNumber"`
		Column float64 `json:"columnNumber"`
		Stack  struct {
			CallFrames []callFrame `json:"callFrames"`
			Parent     struct {
				CallFrames []callFrame `json:"callFrames"`
			} `json:"parent"`
		} `json:"stack"`
		RequestID string `json:"requestId"`
	} `json:"initiator"`
	Request struct {
		URL         string            `json:"url"`
		Fragment    string            `json:"urlFragment"`
		Method      string            `json:"method"`
		Headers     map[string]string `json:"headers"`
		PostData    string            `json:"postData"`
		HasPostData bool              `json:"hasPostData"`
	} `json:"request"`
	RedirectHasExtraInfo bool            `json:"redirectHasExtraInfo"`
	RedirectResponse     *loggedResponse `json:"redirectResponse"`
	HasExtraInfo         bool            `json:"hasExtraInfo"`
	Response             loggedResponse  `json:"response"`

	EncodedDataLength float64 `json:"encodedDataLength"`
	DataLength        float64 `json:"dataLength"`

	ErrorText     string `json:"errorText"`
	Canceled      bool   `json:"canceled"`
	BlockedReason string `json:"blockedReason"`
	CORS          struct {
		Error     string `json:"corsError"`
		Parameter string `json:"failedParameter"`
	} `json:"corsErrorStatus"`

	Headers    map[string]string `json:"headers"` // of additional facts
	StatusCode int               `json:"statusCode"`

	URL          string `json:"url"` // of a WebSocket
	ErrorMessage string `json:"errorMessage"`
	EventName    string `json:"eventName"`
	EventID      string `json:"eventId"`
	Data         string `json:"data"`
}

type callFrame struct {
	Function string  `json:"functionName"`
	URL      string  `json:"url"`
	Line     float64 `json:"lineNumber"`
	Column   float64 `json:"columnNumber"`
}

// loggedResponse is Network.Response, Network.WebSocketResponse or Network.WebSocketFrame.
type loggedResponse struct {
	URL               string            `json:"url"`
	Status            float64           `json:"status"`
	StatusText        string            `json:"statusText"`
	Headers           map[string]string `json:"headers"`
	RequestHeaders    map[string]string `json:"requestHeaders"`
	MimeType          string            `json:"mimeType"`
	Charset           string            `json:"charset"`
	ConnectionID      float64           `json:"connectionId"`
	RemoteIP          string            `json:"remoteIPAddress"`
	RemotePort        int               `json:"remotePort"`
	FromDiskCache     bool              `json:"fromDiskCache"`
	FromServiceWorker bool              `json:"fromServiceWorker"`
	FromPrefetchCache bool              `json:"fromPrefetchCache"`
	EncodedDataLength float64           `json:"encodedDataLength"`
	Timing            *resourceTiming   `json:"timing"`
	Protocol          string            `json:"protocol"`

	Opcode  float64 `json:"opcode"`
	Payload string  `json:"payloadData"`
}

// maxOrphans bounds the requests that only additional facts are known of.
const maxOrphans = 200

// onNetwork takes an event of domain Network on the connection's reader.
func (l *NetworkLog) onNetwork(p *Page, sess *cdp.Session, ev cdp.Event) {
	handle := loggedEvents[ev.Method]
	if handle == nil {
		return
	}
	var e loggedEvent
	if cdp.Unmarshal(ev.Params, &e) != nil || e.RequestID == "" {
		return
	}
	p.mu.Lock()
	worker, title := p.workers[sess.ID()], p.title
	p.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if worker != nil && worker.Type == "service_worker" && !l.ownsLocked(worker.ID, sess) {
		return
	}
	from := source{page: p, sess: sess, title: title}
	if worker != nil {
		from.worker = worker.Type
	}
	handle(l, from, &e)
}

// source is where an event came from.
type source struct {
	page   *Page
	sess   *cdp.Session
	worker string
	title  string // of the page
}

// ownsLocked decides which session of a service worker counts: each page that the worker serves has one, and all tell the same.
func (l *NetworkLog) ownsLocked(target string, sess *cdp.Session) bool {
	if l.owners[target] == nil {
		l.owners[target] = sess
	}
	return l.owners[target] == sess
}

// workerGone lets another session speak for a service worker.
func (l *NetworkLog) workerGone(w *Worker) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.owners[w.ID] == w.sess {
		delete(l.owners, w.ID)
	}
}

var loggedEvents = map[string]func(*NetworkLog, source, *loggedEvent){
	"Network.requestWillBeSent":                  (*NetworkLog).requestSent,
	"Network.requestWillBeSentExtraInfo":         (*NetworkLog).requestExtra,
	"Network.responseReceived":                   (*NetworkLog).responseReceived,
	"Network.responseReceivedExtraInfo":          (*NetworkLog).responseExtra,
	"Network.requestServedFromCache":             (*NetworkLog).servedFromCache,
	"Network.dataReceived":                       (*NetworkLog).dataReceived,
	"Network.loadingFinished":                    (*NetworkLog).loadingFinished,
	"Network.loadingFailed":                      (*NetworkLog).loadingFailed,
	"Network.webSocketCreated":                   (*NetworkLog).socketCreated,
	"Network.webSocketWillSendHandshakeRequest":  (*NetworkLog).socketRequest,
	"Network.webSocketHandshakeResponseReceived": (*NetworkLog).socketResponse,
	"Network.webSocketFrameSent":                 (*NetworkLog).socketSent,
	"Network.webSocketFrameReceived":             (*NetworkLog).socketReceived,
	"Network.webSocketFrameError":                (*NetworkLog).socketError,
	"Network.webSocketClosed":                    (*NetworkLog).socketClosed,
	"Network.eventSourceMessageReceived":         (*NetworkLog).serverSentEvent,
}

// begin adds a step to a request, or the request.
func (l *NetworkLog) begin(from source, e *loggedEvent, x Exchange) *exchange {
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
	x.PageID, x.Worker = from.page.id, from.worker
	x.FrameID, x.LoaderID = e.FrameID, e.LoaderID
	x.URL, x.URLLength = shortURL(x.URL)
	x.DocumentURL, _ = shortURL(e.DocumentURL)
	if x.Started.IsZero() {
		x.Started = l.clock.at(e.Timestamp)
	}
	step := &exchange{Exchange: x, chain: c, sess: from.sess, start: e.Timestamp}
	c.steps = append(c.steps, step)
	l.harPage(from, e, step)
	l.add(step)
	return step
}

// current is the last step of a request, nil when the log does not have it.
func (l *NetworkLog) current(e *loggedEvent) *exchange {
	c := l.byID[e.RequestID]
	if c == nil || len(c.steps) == 0 {
		return nil
	}
	if x := c.steps[len(c.steps)-1]; x.holds > 0 {
		return x
	}
	return nil
}

func (l *NetworkLog) requestSent(from source, e *loggedEvent) {
	if e.WallTime > 0 {
		l.clock = clock{e.Timestamp, e.WallTime}
	}
	before := l.current(e)
	if before != nil {
		if e.RedirectResponse == nil || before.start == e.Timestamp {
			return // told over a second session
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
		Method: e.Request.Method, URL: e.Request.URL, Fragment: e.Request.Fragment, Type: e.Type, Started: l.clock.at(e.Timestamp),
		Headers: e.Request.Headers, PostData: e.Request.PostData, HasPostData: e.Request.HasPostData, Initiator: initiatorOf(e),
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

func (l *NetworkLog) responseReceived(from source, e *loggedEvent) {
	x := l.current(e)
	if x == nil {
		if !l.inFlight(e) {
			return
		}
		x = l.begin(from, e, Exchange{Partial: true, URL: e.Response.URL, Type: e.Type})
		if t := e.Response.Timing; t != nil {
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

// inFlight reports whether a response belongs to a request that had begun when the recording did. Others that the log does not know were
// dropped or cleared.
func (l *NetworkLog) inFlight(e *loggedEvent) bool {
	t := e.Response.Timing
	if t == nil || t.RequestTime == 0 {
		return false
	}
	return time.Now().Add(-time.Duration((e.Timestamp - t.RequestTime) * float64(time.Second))).Before(l.began)
}

func (l *NetworkLog) answered(x *exchange, r *loggedResponse, at float64) {
	x.Status, x.StatusText = int(r.Status), r.StatusText
	x.MimeType, x.Charset, x.Protocol = r.MimeType, r.Charset, r.Protocol
	x.RemoteIP, x.RemotePort = strings.Trim(r.RemoteIP, "[]"), r.RemotePort
	if r.ConnectionID > 0 {
		x.Connection = strconv.FormatInt(int64(r.ConnectionID), 10)
	}
	switch {
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
func (l *NetworkLog) extras(e *loggedEvent) *chain {
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

func (l *NetworkLog) requestExtra(_ source, e *loggedEvent) {
	c := l.extras(e)
	c.sent = append(c.sent, e.Headers)
	l.grownBy(c, headersWeight(e.Headers))
}

func (l *NetworkLog) responseExtra(_ source, e *loggedEvent) {
	c := l.extras(e)
	c.got, c.statuses = append(c.got, e.Headers), append(c.statuses, e.StatusCode)
	l.grownBy(c, headersWeight(e.Headers))
}

// grownBy counts facts of a chain at its last step.
func (l *NetworkLog) grownBy(c *chain, bytes int) {
	if n := len(c.steps); n > 0 && c.steps[n-1].holds > 0 {
		l.grow(c.steps[n-1], bytes)
	}
}

func (l *NetworkLog) servedFromCache(_ source, e *loggedEvent) {
	if x := l.current(e); x != nil {
		x.Source = "memory-cache"
		x.extra = extraNone
	}
}

func (l *NetworkLog) dataReceived(_ source, e *loggedEvent) {
	if x := l.current(e); x != nil {
		x.Decoded += int64(e.DataLength)
		x.Transferred += int64(e.EncodedDataLength)
	}
}

func (l *NetworkLog) loadingFinished(from source, e *loggedEvent) {
	x := l.current(e)
	if x == nil || x.Ended {
		return
	}
	x.Ended, x.end, x.sess = true, e.Timestamp, from.sess
	if e.EncodedDataLength > 0 {
		x.Transferred = int64(e.EncodedDataLength)
	}
	l.harBody(x)
}

func (l *NetworkLog) loadingFailed(_ source, e *loggedEvent) {
	x := l.current(e)
	if x == nil || x.Ended {
		return
	}
	x.Ended, x.end = true, e.Timestamp
	x.Failure, x.Canceled, x.Blocked = e.ErrorText, e.Canceled, e.BlockedReason
	x.CORS = e.CORS.Error
	if e.CORS.Parameter != "" {
		x.CORS += " (" + e.CORS.Parameter + ")"
	}
	if x.Type == "" {
		x.Type = e.Type
	}
}

// How much is kept of the messages of one connection, and of one message.
const (
	messagesKept     = 1000
	messageBytesKept = 1 << 20
	messageKept      = 64 << 10
)

func (l *NetworkLog) socketCreated(from source, e *loggedEvent) {
	if l.current(e) == nil {
		l.begin(from, e, Exchange{Method: "GET", URL: e.URL, Type: "WebSocket", Started: time.Now(), Initiator: initiatorOf(e)})
	}
}

func (l *NetworkLog) socketRequest(_ source, e *loggedEvent) {
	x := l.current(e)
	if x == nil {
		return
	}
	if e.WallTime > 0 {
		l.clock = clock{e.Timestamp, e.WallTime}
		x.Started = wallTime(e.WallTime)
	}
	x.start = e.Timestamp
	x.Headers = e.Request.Headers
	l.grow(x, headersWeight(x.Headers))
}

func (l *NetworkLog) socketResponse(_ source, e *loggedEvent) {
	if x := l.current(e); x != nil {
		l.answered(x, &e.Response, e.Timestamp)
	}
}

func (l *NetworkLog) socketSent(_ source, e *loggedEvent) { l.frame(e, true) }

func (l *NetworkLog) socketReceived(_ source, e *loggedEvent) { l.frame(e, false) }

func (l *NetworkLog) frame(e *loggedEvent, sent bool) {
	l.message(e, Message{Sent: sent, Opcode: int(e.Response.Opcode), Data: e.Response.Payload})
}

func (l *NetworkLog) socketError(_ source, e *loggedEvent) {
	l.message(e, Message{Error: e.ErrorMessage})
	if x := l.current(e); x != nil {
		x.Failure = e.ErrorMessage
	}
}

func (l *NetworkLog) socketClosed(_ source, e *loggedEvent) {
	if x := l.current(e); x != nil && !x.Ended {
		x.Ended, x.end = true, e.Timestamp
	}
}

func (l *NetworkLog) serverSentEvent(_ source, e *loggedEvent) {
	l.message(e, Message{Opcode: 1, Event: e.EventName, ID: e.EventID, Data: e.Data})
}

// message keeps a message with its connection, the newest within bounds.
func (l *NetworkLog) message(e *loggedEvent, m Message) {
	x := l.current(e)
	if x == nil {
		return
	}
	m.At, m.Size = l.clock.at(e.Timestamp), len(m.Data)
	if len(m.Data) > messageKept {
		cut := messageKept
		if m.Opcode == 2 {
			cut -= cut % 4 // base64 stays whole
		}
		m.Data = strings.ToValidUTF8(strings.Clone(m.Data[:cut]), "")
	}
	const fixed = 120
	weigh := func(m Message) int { return fixed + len(m.Data) + len(m.Event) + len(m.ID) + len(m.Error) }
	before := x.messageBytes
	x.Messages = append(x.Messages, m)
	x.messageBytes += weigh(m)
	n := 0
	for len(x.Messages)-n > messagesKept || x.messageBytes > messageBytesKept && len(x.Messages)-n > 1 {
		x.messageBytes -= weigh(x.Messages[n])
		n++
	}
	x.MessagesDropped += n
	x.Messages = slices.Delete(x.Messages, 0, n)
	l.grow(x, x.messageBytes-before)
}
