package webmcp

import "encoding/json"

// The data of the replies, with agent-browser's keys.

// Tools are the tools that a page offers.
type Tools struct {
	Experimental bool   `json:"experimental"`
	Tools        []Tool `json:"tools"`
	Untrusted    bool   `json:"untrusted"`
}

// Tool is one of them, in the page's words.
type Tool struct {
	Annotations  json.RawMessage `json:"annotations"`
	NodeID       int64           `json:"backendNodeId,omitempty"` // of the form that declares it, if one does
	Description  string          `json:"description"`
	FrameID      string          `json:"frameId"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	Name         string          `json:"name"`
	Origin       string          `json:"origin"`
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
}

// Invocation is a call of a tool, as far as it is.
type Invocation struct {
	DurationMS int64           `json:"durationMs"`
	Error      *string         `json:"error,omitempty"` // of one that ended otherwise than completed
	FrameID    string          `json:"frameId"`
	ID         string          `json:"invocationId"`
	Origin     string          `json:"origin"`
	Output     json.RawMessage `json:"output,omitempty"` // of a completed call
	RawStatus  *string         `json:"rawStatus,omitempty"`
	Status     string          `json:"status"`
	Tool       string          `json:"toolName"`
	Untrusted  bool            `json:"untrusted"`
}

// PageOrigin is where the tool is from.
func (i Invocation) PageOrigin() string { return i.Origin }
