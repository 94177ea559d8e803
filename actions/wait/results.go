package wait

import "encoding/json"

// The data of the replies, by what was waited for. Keys that agent-browser has are spelled as it spells them.

// TimeResult is that of a wait for a time.
type TimeResult struct {
	MS     int    `json:"ms"`
	Waited string `json:"waited"` // "timeout"
}

// RestResult is the result of --stable and --idle.
type RestResult struct {
	MS     int64  `json:"ms"`     // for how long the page was at rest
	Waited string `json:"waited"` // "stable" or "idle"
}

// ElementResult is that of a wait for an element.
type ElementResult struct {
	Selector string `json:"selector"`
	Waited   string `json:"waited"`            // "selector"
	Already  bool   `json:"already,omitempty"` // it was so before the wait began
}

// TextResult is the result of --text.
type TextResult struct {
	Text    string `json:"text"`
	Waited  string `json:"waited"` // "text", or "text hidden"
	Already bool   `json:"already,omitempty"`
	Since   string `json:"since,omitempty"` // by the last action: "came", "again" or "before"; only with already
}

// URLResult is the result of --url.
type URLResult struct {
	URL     string `json:"url"`
	Already bool   `json:"already,omitempty"`
	Since   string `json:"since,omitempty"` // by the last action: "came" or "before"; only with already
}

// URLChangeResult is the result of --url-change.
type URLChangeResult struct {
	From    string `json:"from"`
	URL     string `json:"url"`
	Waited  string `json:"waited"` // "url-change"
	Already bool   `json:"already,omitempty"`
}

// ResponseResult is the result of --response.
type ResponseResult struct {
	Method string `json:"method,omitempty"` // empty when the request began before it was watched
	Status int    `json:"status"`
	Type   string `json:"type"`
	URL    string `json:"url"`
	Waited string `json:"waited"` // "response"
}

// LoadResult is the result of --load.
type LoadResult struct {
	State   string `json:"state"`
	Already bool   `json:"already,omitempty"`
}

// FunctionResult is the result of --fn: the value that ended the wait.
type FunctionResult struct {
	Result json.RawMessage `json:"result"`
}
