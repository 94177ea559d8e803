package network

import (
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/actions/files"
)

// The data of the replies. Keys that agent-browser has are spelled as it spells them; times are in milliseconds, sizes
// in bytes.

// Requests are the requests that `network requests` lists.
type Requests struct {
	Dropped        int       `json:"dropped"` // that had to go for newer ones
	RecordingBegan bool      `json:"recordingBegan,omitempty"`
	Requests       []Request `json:"requests"`
}

// Request is one of them. Values of credentials are left out of its headers.
type Request struct {
	Canceled        bool              `json:"canceled,omitempty"`
	Duration        float64           `json:"duration,omitempty"` // until its end
	Failure         string            `json:"failure,omitempty"`
	Fragment        string            `json:"fragment,omitempty"`
	Headers         map[string]string `json:"headers"`
	Method          string            `json:"method,omitempty"`
	MimeType        string            `json:"mimeType,omitempty"`
	Pending         bool              `json:"pending,omitempty"`
	PostData        string            `json:"postData,omitempty"`
	Recorded        *bool             `json:"recorded,omitempty"` // false means that this is what the page remembers of it
	RedirectedBy    string            `json:"redirectedBy,omitempty"`
	RedirectedTo    string            `json:"redirectedTo,omitempty"`
	RequestID       string            `json:"requestId"`
	ResourceType    string            `json:"resourceType"`
	ResponseHeaders map[string]string `json:"responseHeaders,omitzero"`
	Size            int64             `json:"size,omitempty"`
	Source          string            `json:"source,omitempty"` // where the answer is from, when not from the network
	Status          int               `json:"status,omitempty"`
	TabID           string            `json:"tabId,omitempty"`
	Timestamp       int64             `json:"timestamp"`
	Transferred     int64             `json:"transferred,omitempty"` // headers included
	URL             string            `json:"url"`
	URLLength       int               `json:"urlLength,omitempty"` // of the whole address, when it is shortened
	Worker          string            `json:"worker,omitempty"`    // the kind of the worker that asked
}

// RequestDetail is all that `network request` knows of one. The size is that of the file when the body was saved.
type RequestDetail struct {
	Request
	Connection            string             `json:"connection,omitempty"`
	DocumentURL           string             `json:"documentURL,omitempty"`
	FrameID               string             `json:"frameId,omitempty"`
	Initiator             *Initiator         `json:"initiator,omitempty"`
	MessagesDropped       int                `json:"messagesDropped,omitempty"`
	Path                  string             `json:"path,omitempty"` // of the file that has the body
	PostDataError         string             `json:"postDataError,omitempty"`
	PostDataSize          int                `json:"postDataSize,omitempty"` // when it was cut
	PostDataTruncated     bool               `json:"postDataTruncated,omitempty"`
	Protocol              string             `json:"protocol,omitempty"`
	RemoteAddress         string             `json:"remoteAddress,omitempty"`
	ResponseBody          *string            `json:"responseBody,omitempty"`
	ResponseBodyEncoding  string             `json:"responseBodyEncoding,omitempty"` // base64, of one that is not text
	ResponseBodyError     string             `json:"responseBodyError,omitempty"`
	ResponseBodySize      *int               `json:"responseBodySize,omitempty"`
	ResponseBodyTruncated bool               `json:"responseBodyTruncated,omitempty"`
	ServerSentEvents      []Message          `json:"serverSentEvents,omitempty"`
	StatusText            *string            `json:"statusText,omitempty"`
	Timing                map[string]float64 `json:"timing,omitzero"` // by phase
	Type                  string             `json:"type,omitempty"`  // media type of the file
	WebSocketFrames       []Message          `json:"webSocketFrames,omitempty"`
}

// AddFacts reports where the body is, if it was written.
func (d RequestDetail) AddFacts(f *fact.Facts) { f.Files.Path = d.Path }

// RequestCode is a request in a form in which other programs can send or read it.
type RequestCode struct {
	As        string   `json:"as"` // curl, fetch, go or har
	Code      string   `json:"code"`
	Masked    []string `json:"masked,omitempty"` // names of the headers whose values are masked
	RequestID string   `json:"requestId"`
}

// Replay is the result of sending a request again: the new request, and how it compares.
type Replay struct {
	RequestDetail
	Replayed     string   `json:"replayed"`               // the id of the request that was sent again
	Changed      []string `json:"changed,omitempty"`      // what was changed: method, body, and names of headers
	StatusBefore int      `json:"statusBefore,omitempty"` // of the request that was sent again
	SameBody     *bool    `json:"sameBody,omitempty"`     // whether both responses have the same body, if both are known
}

// Initiator is what made a page ask.
type Initiator struct {
	Column    int    `json:"column,omitempty"`
	Function  string `json:"function,omitempty"`
	Line      int    `json:"line,omitempty"`
	RequestID string `json:"requestId,omitempty"`
	Type      string `json:"type"`
	URL       string `json:"url,omitempty"`
}

// Message is one of a WebSocket, or of an event stream, which has an event and an id.
type Message struct {
	Data      string  `json:"data"`
	Encoding  string  `json:"encoding,omitempty"` // base64, of one that is not text
	Error     string  `json:"error,omitempty"`
	Event     *string `json:"event,omitempty"`
	ID        *string `json:"id,omitempty"`
	Opcode    *int    `json:"opcode,omitempty"`
	Size      int     `json:"size,omitempty"` // when it was cut
	Time      int64   `json:"time"`
	Truncated bool    `json:"truncated,omitempty"`
	Type      string  `json:"type,omitempty"` // send, receive or error
}

// Cleared says that the log was emptied.
type Cleared struct {
	Cleared bool `json:"cleared"`
}

// HARStarted says that a recording began.
type HARStarted struct {
	Content string `json:"content"`
	Started bool   `json:"started"`
}

// HARSaved is what a HAR file holds, and where it is.
type HARSaved struct {
	BodiesMissing int `json:"bodiesMissing"`
	Dropped       int `json:"dropped"`
	Pages         int `json:"pages"`
	files.SavedFile
	RequestCount int `json:"requestCount"`
}

// Routed says what was done about a pattern of addresses.
type Routed struct {
	Does     string `json:"does"` // abort, answer, change, delay or count
	Replaced bool   `json:"replaced,omitempty"`
	Routed   string `json:"routed"`
}

// Unrouted says which routes were ended: of a pattern, or all.
type Unrouted struct {
	Removed  int    `json:"removed"`
	Unrouted string `json:"unrouted"`
}

// Routes are the routes of the session.
type Routes struct {
	Routes []Route `json:"routes"`
}

// Route is a route of the session. It lists header names without their values, since values may be secrets.
type Route struct {
	Delay          int64    `json:"delay,omitempty"`
	Does           string   `json:"does"`
	Headers        []string `json:"headers,omitempty"`
	Hits           int      `json:"hits"`
	Method         string   `json:"method,omitempty"`
	Pattern        string   `json:"pattern"`
	Reason         string   `json:"reason,omitempty"` // that the request fails with
	RequestHeaders []string `json:"requestHeaders,omitempty"`
	ResourceTypes  []string `json:"resourceTypes,omitempty"`
	Size           *int     `json:"size,omitempty"` // of the answer
	Status         int      `json:"status,omitempty"`
	Times          int      `json:"times,omitempty"`
	Unreadable     int      `json:"unreadable,omitempty"` // how often a page of another origin could not read the answer
	UsedUp         bool     `json:"usedUp,omitempty"`
	Waiting        int      `json:"waiting,omitempty"`
}

// Offline says whether the session is cut off.
type Offline struct {
	Offline bool `json:"offline"`
}

// Connection is how the session is connected: kbit/s, 0 for no limit.
type Connection struct {
	Down    float64 `json:"down,omitempty"`
	Latency float64 `json:"latency"`
	Network string  `json:"network,omitempty"` // the preset
	Offline bool    `json:"offline"`
	Up      float64 `json:"up,omitempty"`
}

// HeadersSet are the names of the headers that all requests get.
type HeadersSet struct {
	Headers []string `json:"headers"`
	Set     bool     `json:"set"`
}

// CredentialsSet says whether servers that ask are given credentials.
type CredentialsSet struct {
	Set bool `json:"set"`
}
