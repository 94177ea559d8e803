package contract

import (
	"reflect"
	"strings"
)

// Result is the outcome of a call.
type Result struct {
	Content []Content `json:"content"`
	Details *Details  `json:"details"`
	IsError bool      `json:"isError,omitempty"`
}

// Text is the text of the content.
func (r *Result) Text() string {
	var parts []string
	for _, item := range r.Content {
		if item.Type == "text" {
			parts = append(parts, item.Text)
		}
	}
	return strings.Join(parts, "\n")
}

// Content is one item of what the model sees: a text, or an image in base64.
type Content struct {
	Type     string `json:"type"` // "text" or "image"
	Text     string `json:"text,omitempty"`
	Data     string `json:"data,omitempty"`
	MIMEType string `json:"mimeType,omitempty"`
}

// TextOf returns an item of text.
func TextOf(text string) Content { return Content{Type: "text", Text: text} }

// ResultCategory says in one word how a call ended.
type ResultCategory string

// The result categories. A failure has IsError set.
const (
	Success ResultCategory = "success"
	Failure ResultCategory = "failure"
)

// SuccessCategory says what kind of success it was.
type SuccessCategory string

// The success categories.
const (
	Completed          SuccessCategory = "completed"
	ArtifactPending    SuccessCategory = "artifact-pending"
	ArtifactSaved      SuccessCategory = "artifact-saved"
	ArtifactUnverified SuccessCategory = "artifact-unverified"
	Inspection         SuccessCategory = "inspection"
)

// FailureCategory says what kind of failure it was.
type FailureCategory string

// The failure categories.
const (
	Aborted              FailureCategory = "aborted"
	ArtifactMissing      FailureCategory = "artifact-missing"
	CleanupFailed        FailureCategory = "cleanup-failed"
	ConfirmationRequired FailureCategory = "confirmation-required"
	DownloadNotVerified  FailureCategory = "download-not-verified"
	MissingBinary        FailureCategory = "missing-binary"
	ParseFailure         FailureCategory = "parse-failure"
	PolicyBlocked        FailureCategory = "policy-blocked"
	QAFailure            FailureCategory = "qa-failure"
	ScriptError          FailureCategory = "script-error"
	SelectorNotFound     FailureCategory = "selector-not-found"
	SelectorUnsupported  FailureCategory = "selector-unsupported"
	StaleRef             FailureCategory = "stale-ref"
	TabDrift             FailureCategory = "tab-drift"
	TabGone              FailureCategory = "tab-gone"
	TimedOut             FailureCategory = "timeout"
	UpstreamError        FailureCategory = "upstream-error"
	ValidationError      FailureCategory = "validation-error"
)

// NextAction is a follow-up that the caller can send unchanged.
type NextAction struct {
	Tool         string     `json:"tool"`
	ID           string     `json:"id"`
	Reason       string     `json:"reason"`
	Safety       string     `json:"safety,omitempty"`
	Params       NextParams `json:"params,omitzero"`
	ArtifactPath string     `json:"artifactPath,omitempty"`
}

// NextParams are the parameters of a follow-up: those of agent_browser, or the arguments of another tool.
type NextParams struct {
	Args                []string           `json:"args,omitempty"`
	Electron            *NextElectron      `json:"electron,omitempty"`
	NetworkSourceLookup *NextNetworkSource `json:"networkSourceLookup,omitempty"`
	SessionMode         SessionMode        `json:"sessionMode,omitempty"`
	Stdin               string             `json:"stdin,omitempty"`
	ToolArguments
}

// IsZero reports whether a follow-up has no parameters.
func (p NextParams) IsZero() bool { return reflect.ValueOf(p).IsZero() }

// NextElectron is what a follow-up does with a desktop app.
type NextElectron struct {
	Action   string `json:"action"`
	LaunchID string `json:"launchId"`
}

// NextNetworkSource is the request whose place in the source a follow-up looks for.
type NextNetworkSource struct {
	Namespace *string `json:"namespace,omitempty"`
	RequestID string  `json:"requestId"`
	Session   string  `json:"session,omitempty"`
}

// ToolArguments are the arguments of the tools that clients without agent_browser have.
type ToolArguments struct {
	Action      string `json:"action,omitempty"`
	Attr        string `json:"attr,omitempty"`
	ID          string `json:"id,omitempty"`
	Interactive *bool  `json:"interactive,omitempty"`
	Key         string `json:"key,omitempty"`
	Ref         string `json:"ref,omitempty"`
	Selector    string `json:"selector,omitempty"`
	TabID       string `json:"tabId,omitempty"`
	Text        string `json:"text,omitempty"`
	URL         string `json:"url,omitempty"`
}

// Set sets the argument of a name, and reports whether there is one.
func (a *ToolArguments) Set(name, value string) bool {
	if name == "interactive" {
		a.Interactive = new(value == "true")
		return true
	}
	arg := map[string]*string{
		"action": &a.Action, "attr": &a.Attr, "id": &a.ID, "key": &a.Key, "ref": &a.Ref, "selector": &a.Selector,
		"tabId": &a.TabID, "text": &a.Text, "url": &a.URL,
	}[name]
	if arg != nil {
		*arg = value
	}
	return arg != nil
}

// Refusal ends a call before anything was run, or after it was.
type Refusal struct {
	Category FailureCategory
	Message  string
}

// Refuse returns a refusal.
func Refuse(category FailureCategory, message string) *Refusal {
	return &Refusal{Category: category, Message: message}
}

// Error returns the message.
func (r *Refusal) Error() string { return r.Message }
