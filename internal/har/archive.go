package har

import "time"

// Tool is the program that wrote the file, or the browser.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Comment string `json:"comment,omitempty"`
}

// Page is a document that was shown.
type Page struct {
	Started time.Time   `json:"startedDateTime"`
	ID      string      `json:"id"`
	Title   string      `json:"title"`
	Timings PageTimings `json:"pageTimings"`
	URL     string      `json:"_url,omitempty"`
}

// PageTimings are milliseconds since the page began; -1 means not known.
type PageTimings struct {
	OnContentLoad float64 `json:"onContentLoad"`
	OnLoad        float64 `json:"onLoad"`
}

// Entry is a request with its response.
type Entry struct {
	PageRef         string    `json:"pageref,omitempty"`
	Started         time.Time `json:"startedDateTime"`
	Time            float64   `json:"time"`
	Request         Request   `json:"request"`
	Response        Response  `json:"response"`
	Cache           struct{}  `json:"cache"`
	Timings         Timings   `json:"timings"`
	ServerIPAddress string    `json:"serverIPAddress,omitempty"`
	Connection      string    `json:"connection,omitempty"`
	Comment         string    `json:"comment,omitempty"`

	ResourceType string     `json:"_resourceType,omitempty"`
	Initiator    *Initiator `json:"_initiator,omitempty"`
	RequestID    string     `json:"_requestId,omitempty"`
	FromCache    string     `json:"_fromCache,omitempty"` // "disk" or "memory"
	FromWorker   bool       `json:"_fetchedViaServiceWorker,omitempty"`
	Sockets      []Message  `json:"_webSocketMessages,omitempty"`
	Events       []Event    `json:"_eventSourceMessages,omitempty"`
}

// Initiator is the reason for a request: a script, the parser, or another kind.
type Initiator struct {
	Type string `json:"type"`
	URL  string `json:"url,omitempty"`
	Line int    `json:"lineNumber,omitempty"`
}

// Request is a request as it was sent.
type Request struct {
	Method      string    `json:"method"`
	URL         string    `json:"url"`
	HTTPVersion string    `json:"httpVersion"`
	Cookies     []Cookie  `json:"cookies"`
	Headers     []Field   `json:"headers"`
	QueryString []Field   `json:"queryString"`
	PostData    *PostData `json:"postData,omitempty"`
	HeadersSize int       `json:"headersSize"`
	BodySize    int       `json:"bodySize"`
	Comment     string    `json:"comment,omitempty"`
}

// Response is a response as it was received.
type Response struct {
	Status      int      `json:"status"`
	StatusText  string   `json:"statusText"`
	HTTPVersion string   `json:"httpVersion"`
	Cookies     []Cookie `json:"cookies"`
	Headers     []Field  `json:"headers"`
	Content     Content  `json:"content"`
	RedirectURL string   `json:"redirectURL"`
	HeadersSize int      `json:"headersSize"`
	BodySize    int64    `json:"bodySize"`

	TransferSize int64  `json:"_transferSize"`
	Error        string `json:"_error,omitempty"`
}

// Field is a header field or a parameter.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Cookie is one cookie.
type Cookie struct {
	Name     string     `json:"name"`
	Value    string     `json:"value"`
	Path     string     `json:"path,omitempty"`
	Domain   string     `json:"domain,omitempty"`
	Expires  *time.Time `json:"expires,omitempty"`
	HTTPOnly bool       `json:"httpOnly"`
	Secure   bool       `json:"secure"`
	SameSite string     `json:"sameSite,omitempty"`
}

// PostData is the body of a request.
type PostData struct {
	MimeType string  `json:"mimeType"`
	Params   []Field `json:"params,omitempty"`
	Text     string  `json:"text"`
	Comment  string  `json:"comment,omitempty"`
}

// Content is the body of a response.
type Content struct {
	Size        int64  `json:"size"`
	Compression int64  `json:"compression,omitempty"`
	MimeType    string `json:"mimeType"`
	Text        string `json:"text,omitempty"`
	Encoding    string `json:"encoding,omitempty"` // "base64"
	Comment     string `json:"comment,omitempty"`
}

// Timings are the parts of an entry's time, in milliseconds; -1 means not applicable.
type Timings struct {
	Blocked float64 `json:"blocked"`
	DNS     float64 `json:"dns"`
	Connect float64 `json:"connect"`
	SSL     float64 `json:"ssl"`
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
}

// Message is a frame of a WebSocket.
type Message struct {
	Type   string  `json:"type"` // "send", "receive" or "error"
	Time   float64 `json:"time"` // seconds since 1970
	Opcode int     `json:"opcode"`
	Data   string  `json:"data"`
}

// Event is a server-sent event.
type Event struct {
	Time float64 `json:"time"` // seconds since 1970
	Name string  `json:"eventName"`
	ID   string  `json:"eventId"`
	Data string  `json:"data"`
}
