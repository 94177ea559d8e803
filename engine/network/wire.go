package network

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

	loggedFailure

	Headers    map[string]string `json:"headers"` // of additional facts
	StatusCode int               `json:"statusCode"`

	URL          string `json:"url"` // of a WebSocket
	ErrorMessage string `json:"errorMessage"`
	EventName    string `json:"eventName"`
	EventID      string `json:"eventId"`
	Data         string `json:"data"`
}

// loggedFailure is why a request came to nothing.
type loggedFailure struct {
	ErrorText     string `json:"errorText"`
	Canceled      bool   `json:"canceled"`
	BlockedReason string `json:"blockedReason"`
	CORS          struct {
		Error     string `json:"corsError"`
		Parameter string `json:"failedParameter"`
	} `json:"corsErrorStatus"`
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
