package network

import (
	"strings"
	"time"

	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/internal/wording"
)

// Exchange is a request of a context's pages, their frames or workers, with its response or failure. Each step of a
// redirect is an exchange of its own.
type Exchange struct {
	ID          string // the protocol's id of the request; the further steps of a redirect have ":1", ":2" … behind it
	PageID      string
	Worker      string // "worker" or "service_worker" when one of these asked
	FrameID     string
	LoaderID    string
	DocumentURL string
	Partial     bool // it began before the recording, so that its method and its request headers are not known
	Earlier     bool // the exchange ended before the recording; all of it comes from the page's own timing entries

	Request
	Response

	Ended    bool
	Took     time.Duration // until the end; 0 while it has none
	Phases   Phases
	Failure  string // why it failed, in the browser's words
	Blocked  string // by what the browser kept it from being sent
	CORS     string // which rule for requests to other origins it broke
	Canceled bool

	Decoded     int64 // bytes of the body
	Transferred int64 // bytes that came over the network, headers included

	Messages        []Message // of a WebSocket, or of an event stream
	MessagesDropped int
}

// Request is what was asked for, and how.
type Request struct {
	Method    string
	URL       string // the address without fragment; one that carries its content, as data: does, is shortened
	URLLength int    // of the whole address, when URL is shortened
	Fragment  string
	Type      string // what asked for it, in the protocol's words
	Started   time.Time
	Initiator Initiator
	// as they were sent, if the browser reports that; several values of a name are separated by newlines
	Headers      map[string]string
	PostData     string
	HasPostData  bool // PostData may be missing or cut all the same
	RedirectedBy string
}

// Response is the server's answer. It is empty until there is one.
type Response struct {
	Status          int
	StatusText      string
	ResponseHeaders map[string]string
	MimeType        string
	Charset         string
	Protocol        string
	RemoteIP        string
	RemotePort      int
	Connection      string
	// where the response came from when that is not the network: "disk-cache", "memory-cache", "prefetch-cache",
	// "service-worker"
	Source     string
	RedirectTo string
}

// Initiator is what made a page send the request.
type Initiator struct {
	Type      string // "parser", "script", "preload", "other" …
	URL       string
	Line      int // from 1; 0 means not known
	Column    int // from 1
	Function  string
	RequestID string // of the request that led to this one, such as the preflight
}

// Message is a frame of a WebSocket or an event of an event stream.
type Message struct {
	At     time.Time
	Sent   bool
	Opcode int    // of a WebSocket frame: 1 is text, 2 is bytes
	Data   string // text, or base64 of bytes; "" if it was too large to keep
	Size   int    // of Data before it was cut
	Event  string // of a server-sent event
	ID     string
	Error  string
}

// Phases are the parts of the time that an exchange took, in milliseconds; -1 means that it had no such part.
type Phases struct {
	Blocked, DNS, Connect, SSL, Send, Wait, Receive float64
	Known                                           bool
}

// resourceTiming is Network.ResourceTiming: milliseconds since RequestTime, which is in seconds.
type resourceTiming struct {
	RequestTime       float64 `json:"requestTime"`
	DNSStart          float64 `json:"dnsStart"`
	DNSEnd            float64 `json:"dnsEnd"`
	ConnectStart      float64 `json:"connectStart"`
	ConnectEnd        float64 `json:"connectEnd"`
	SSLStart          float64 `json:"sslStart"`
	SSLEnd            float64 `json:"sslEnd"`
	SendStart         float64 `json:"sendStart"`
	SendEnd           float64 `json:"sendEnd"`
	ReceiveHeadersEnd float64 `json:"receiveHeadersEnd"`
}

// phases divides the time of an exchange as the browser's own developer tools do. start, response and end are in
// seconds of the browser's clock; 0 means did not happen.
func phases(t *resourceTiming, start, response, end float64) Phases {
	ph := Phases{
		Blocked: -1,
		DNS:     -1,
		Connect: -1,
		SSL:     -1,
		Known:   true,
	}
	if t != nil && t.RequestTime+max(0, t.ReceiveHeadersEnd)/1000 < start {
		t = nil // what a page holds in memory comes with the times of the request that once fetched it
	}
	if response == 0 || t == nil || t.RequestTime == 0 {
		if end > start {
			if response > start { // from a cache, or kept by the browser: it does not say more
				ph.Wait, ph.Receive = 1000*(response-start), max(0, 1000*(end-response))
				return ph
			}
			ph.Blocked = 1000 * (end - start)
		}
		return ph
	}
	ph.Blocked = max(0, 1000*(t.RequestTime-start))
	begun := -1.0
	for _, at := range []float64{t.DNSStart, t.ConnectStart, t.SendStart} {
		if at >= 0 && (begun < 0 || at < begun) {
			begun = at
		}
	}
	begun = max(0, begun)
	ph.Blocked += begun
	last := begun
	if t.DNSEnd >= 0 {
		ph.DNS, last = max(0, t.DNSEnd-begun), max(last, t.DNSEnd)
	}
	if t.ConnectEnd >= 0 {
		ph.Connect, last = max(0, t.ConnectEnd-last), max(last, t.ConnectEnd)
	}
	if t.SSLEnd > 0 {
		ph.SSL = max(0, t.SSLEnd-t.SSLStart)
	}
	if t.SendEnd >= 0 {
		ph.Send, last = max(0, t.SendEnd-last), max(last, t.SendEnd)
	}
	got := 1000 * (response - t.RequestTime)
	if t.ReceiveHeadersEnd > 0 {
		got = t.ReceiveHeadersEnd // the event is told only when a busy page gets round to it
	}
	ph.Wait = max(0, got-last)
	if end > 0 {
		ph.Receive = max(0, 1000*(end-t.RequestTime)-max(got, last))
	}
	return ph
}

// Total is the sum of the parts.
func (p Phases) Total() float64 {
	sum := p.Send + p.Wait + p.Receive
	for _, part := range []float64{p.Blocked, p.DNS, p.Connect} { // that of SSL is in Connect
		sum += max(0, part)
	}
	return sum
}

// How much of an address is kept: of one that carries its content, and of any.
const (
	dataURLKept = 64
	urlKept     = 16 << 10
)

// shortURL leaves the user and the password out of an address, cuts one that is too long to be kept or shown, and
// returns its whole length then.
func shortURL(url string) (string, int) {
	url = urls.WithoutUser(url)
	kept := urlKept
	if strings.HasPrefix(url, "data:") {
		kept = dataURLKept
	}
	if len(url) <= kept {
		return url, 0
	}
	return wording.ClipBytes(url, kept), len(url)
}
