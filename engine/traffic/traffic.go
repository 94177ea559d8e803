package traffic

import (
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/monitor"
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
	Refresh string // Refresh of a document: where it goes by itself
	Posted  string // where a form was sent, which may have led on elsewhere
	Ended   bool   // it was answered as a whole, or failed
	Failure string // why it failed, in the browser's words
}

// Traffic follows the requests of a page, for as long as the browser reports them. Methods that need the page's lock
// say so: the handlers of the page's events hold it, and so do waits.
type Traffic struct {
	page Owner
	followed
}

// followed is what is known while requests are followed. The page's lock guards it.
type followed struct {
	recordings []*Recording
	asked      string // loader id of the document that was asked for last
	document   string // loader id of the main frame's document, if its own request was seen: all that it asks for is known
	underWay   map[string]*pending
	changed    time.Time // when the last one began or ended
	whole      int       // how many have ended whole, see Got
}

// Owner is the page whose traffic is followed. Its functions are called with its lock held.
type Owner struct {
	Main     string           // id of the main frame
	State    *monitor.Monitor // the page's lock
	Watch    func(on bool)    // has the browser tell of requests, or no longer
	Told     func() bool      // whether the browser reports requests for another reason
	Document func() Document  // of the main frame
}

// Document is the known facts about the document that the main frame shows.
type Document struct {
	Loader   string
	Loaded   bool
	LoadedAt time.Time
	Idle     bool // the browser has called its network idle
}

// New returns the traffic of a page.
func New(page Owner) *Traffic { return &Traffic{page: page} }

// maxPending bounds what is kept of a page that never gets an answer.
const maxPending = 1000

// event has the fields of the events of domain Network that are followed; each uses some.
type event struct {
	RequestID string `json:"requestId"`
	FrameID   string `json:"frameId"`
	LoaderID  string `json:"loaderId"`
	Type      string `json:"type"`
	Request   struct {
		Method   string `json:"method"`
		URL      string `json:"url"`
		Fragment string `json:"urlFragment"`

		Headers jsonv2.Value `json:"headers"`
	} `json:"request"`
	Response struct {
		URL    string `json:"url"`
		Status int    `json:"status"`

		MimeType string       `json:"mimeType"`
		Headers  jsonv2.Value `json:"headers"`
	} `json:"response"`
	ErrorText string `json:"errorText"`
}

// OnEvent handles an event of domain Network on the connection's reader.
func (t *Traffic) OnEvent(ev cdp.Event) {
	switch ev.Method {
	case "Network.requestWillBeSent", "Network.responseReceived", "Network.dataReceived", "Network.loadingFinished",
		"Network.loadingFailed":
	default:
		return
	}
	t.page.State.Lock()
	defer t.page.State.Unlock()
	if ev.Method == "Network.dataReceived" && len(t.underWay) == 0 {
		return
	}
	var e event
	if cdp.Unmarshal(ev.Params, &e) != nil {
		return
	}
	t.follow(ev.Method, &e)
	if ev.Method == "Network.dataReceived" {
		return // it puts off when the page is idle, which is looked at then
	}
	for _, r := range t.recordings {
		r.record(ev.Method, &e)
	}
	t.page.State.Broadcast()
}

// follow keeps which requests are under way.
func (t *Traffic) follow(method string, e *event) {
	now := time.Now()
	r := t.underWay[e.RequestID]
	switch method {
	case "Network.requestWillBeSent": // again for each redirect
		if r == nil && len(t.underWay) >= maxPending {
			return
		}
		if t.underWay == nil {
			t.underWay = map[string]*pending{}
		}
		r = &pending{loader: e.LoaderID, apart: isApart(e), begun: now}
		r.ID, r.FrameID, r.Type, r.Begun = e.RequestID, e.FrameID, e.Type, true
		r.Method, r.URL = e.Request.Method, urls.Public(e.Request.URL+e.Request.Fragment)
		t.underWay[e.RequestID] = r
		if e.RequestID == e.LoaderID && e.FrameID == t.page.Main {
			t.asked = e.LoaderID
		}
		if !r.apart {
			t.changed = now
		}
	case "Network.responseReceived":
		if r != nil {
			r.Status, r.data = e.Response.Status, now
			r.apart = r.apart || isEndless(e.Response.MimeType)
		}
	case "Network.dataReceived":
		if r != nil {
			r.data = now
		}
	case "Network.loadingFinished":
		if r != nil {
			t.whole++
		}
		t.end(r)
	case "Network.loadingFailed":
		t.end(r)
	}
}

func (t *Traffic) end(r *pending) {
	if r == nil {
		return
	}
	delete(t.underWay, r.ID)
	if !r.apart {
		t.changed = time.Now()
	}
}

// Leave forgets what a document asked for that a frame no longer shows. Loader is that of the document that it shows,
// "" for none. It is called with the lock held.
func (t *Traffic) Leave(frame string, isMain bool, loader string) {
	if isMain && t.asked == loader {
		t.document = loader
	}
	for _, r := range t.underWay {
		if r.loader != loader && r.ID != loader && (isMain || r.FrameID == frame) {
			t.end(r)
		}
	}
}

// DocumentLoaded ends the request for a document, which has its loader's id. Of a frame that came to a process of its
// own, the end of that request may have passed before the frame's session was asked for it. It is called with the lock
// held.
func (t *Traffic) DocumentLoaded(loader string) {
	t.end(t.underWay[loader])
	for _, r := range t.recordings {
		if of := r.byID[loader]; of != nil {
			of.Ended = true
		}
	}
}
