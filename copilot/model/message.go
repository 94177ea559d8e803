package model

import (
	"context"
	"encoding/json"
)

// Model is a language model at an endpoint.
type Model interface {
	// Name is what the endpoint calls it.
	Name() string
	// Complete answers a request. Text comes through [Request.OnText] as well, while it is written.
	Complete(ctx context.Context, r Request) (Answer, error)
}

// Role says whose a message is.
type Role string

// The roles. The system prompt is [Request.System].
const (
	User      Role = "user"
	Assistant Role = "assistant"
	Results   Role = "results" // of the calls of the message before, each of which has one
)

// Message is one message of a conversation.
type Message struct {
	Role    Role
	Text    string
	Calls   []Call    // of an assistant
	Results []Outcome // in the order of the calls
}

// Call is the use of a tool that a model asks for.
type Call struct {
	ID   string          `json:"id"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"` // an object, unless the model wrote something else
}

// Outcome is the result of a call, as the model gets it.
type Outcome struct {
	ID     string
	Text   string
	Failed bool
	Image  []byte // a picture that belongs to it, or empty
	Type   string // the picture's media type
}

// Tool is what a model may call.
type Tool struct {
	Name   string // letters, digits, _ and -
	About  string
	Schema json.RawMessage // a JSON Schema of an object
}

// Request is a conversation that wants an answer.
type Request struct {
	System   string
	Messages []Message
	Tools    []Tool
	Forced   bool // the answer has to call a tool
	// OnText is called with each piece of the answer's text as it comes; nil means that the answer is not streamed.
	OnText func(string)
}

// StopReason says why an answer ended.
type StopReason string

// The ends of answers. Another word of an endpoint's counts as Ended.
const (
	Ended   StopReason = "end"
	Calling StopReason = "calls"
	TooLong StopReason = "length"
	Refused StopReason = "refused"
)

// Answer is what a model said.
type Answer struct {
	Text  string
	Calls []Call
	Stop  StopReason
	Usage Usage
}

// Usage counts tokens; zero means that the endpoint did not say.
type Usage struct {
	Input  int `json:"inputTokens"`
	Output int `json:"outputTokens"`
}

// message is an answer as a part of the conversation.
func (a Answer) message() Message { return Message{Role: Assistant, Text: a.Text, Calls: a.Calls} }

// object returns arguments as endpoints take them back: an object, which is empty when the model wrote none.
func object(args json.RawMessage) json.RawMessage {
	var o map[string]json.RawMessage
	if json.Unmarshal(args, &o) != nil || o == nil {
		return json.RawMessage("{}")
	}
	return args
}
