package actions

import (
	"encoding/json"

	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/internal/plainjson"
	"github.com/skua-browser/skua/internal/shape"
)

// Result is what a command that succeeded has to say.
type Result struct {
	Data  any        // a JSON object for --json
	Text  string     // what text mode prints, without the trailing newline
	Notes []string   // truth that the caller must not miss, one line each; printed with a warning sign
	Facts fact.Facts // facts that the data does not have, see [Result.AllFacts]

	Effect []string // what an action led to, in words, as the text has it
	Secret bool     // what was typed went into a field whose content is not shown

	ErrText string  // what text mode prints on standard error, in place of an error
	Tab     string  // the id of the tab that --tab named
	Failed  bool    // the exit code is 1 although the result is complete
	Outcome Outcome // of a command that changes something: whether it may be sent again
	Held    bool    // nothing was done: a person has to confirm it
}

// HeldResult is the data of a command that is held until it is confirmed. Keys that agent-browser has are spelled as it
// spells them.
type HeldResult struct {
	Action               string `json:"action"`
	Command              string `json:"command"`
	ConfirmationID       string `json:"confirmation_id"`
	ConfirmationRequired bool   `json:"confirmation_required"`
	SelfConfirmation     *bool  `json:"self_confirmation,omitempty"` // whether the agent that asked for it may confirm it
}

// AddFacts reports the id of the confirmation that the command waits for.
func (h HeldResult) AddFacts(f *fact.Facts) { f.Confirmation = h.ConfirmationID }

type hostReply struct {
	Data    any  `json:"data"`
	Success bool `json:"success"`
}

// HostResult returns the reply of a Bare command in the form that callers of agent-browser know: without the members
// about a browser.
func HostResult(data any, text string) Result {
	return Result{Data: hostReply{data, true}, Text: text}
}

// WithoutEnvelope returns the data of a Bare command that is in an envelope, or that says by itself that it succeeded,
// without that.
func WithoutEnvelope(data any) any {
	switch d := data.(type) {
	case hostReply:
		return d.Data
	case interface{ WithoutEnvelope() any }:
		return d.WithoutEnvelope()
	}
	return data
}

// AllFacts returns the facts of the run together with those of the data.
func (r *Result) AllFacts() fact.Facts {
	f := r.Facts
	fact.Add(Own(r.Data), &f)
	return f
}

// Own returns the value of a command's own type in the data of its result: without reports, and without the envelope of
// one that brings that along.
func Own(data any) any {
	if d, ok := data.(hostReply); ok {
		return fact.Value(d.Data)
	}
	return fact.Value(data)
}

// As returns the data of a result as one of a command's types. Data that is JSON-shaped, since another program
// answered, is read into the type; members that it does not have are zero then. ok is false for what is neither.
func As[T any](data any) (typed T, ok bool) { return fact.As[T](Own(data)) }

// Report adds what the run of a command reports beside the data of its own. Data that is not an object, or that writes
// its JSON itself (a snapshot), stays as it is.
func (r *Result) Report(tell func(*fact.Reports)) {
	switch data := r.Data.(type) {
	case *Reported:
		tell(&data.Reports)
		return
	case json.Marshaler:
		return
	}
	if kind := shape.Of(r.Data).Kind; r.Data != nil && kind != shape.Object && kind != shape.Map {
		return
	}
	reported := &Reported{Own: r.Data}
	tell(&reported.Reports)
	r.Data = reported
}

// Origin returns where the data is from, and whether it says so: a map by its member origin, a typed result by its
// method PageOrigin.
func (r *Result) Origin() (origin string, told bool) {
	data := r.Data
	if reported, ok := data.(*Reported); ok {
		data = reported.Own
	}
	switch data := data.(type) {
	case map[string]any:
		origin, _ = data["origin"].(string)
		return origin, data["origin"] != nil
	case interface{ PageOrigin() string }:
		return data.PageOrigin(), true
	}
	return "", false
}

// Reported is the data of a result with what the run reports beside it. In JSON, reports come behind the members of the
// command's own, which go first where both have one of a name.
type Reported struct {
	Own     any // nil means that there is nothing but reports
	Reports fact.Reports
}

// Typed returns the value of the command's own type.
func (r *Reported) Typed() any { return fact.Value(r.Own) }

// Shown returns the reports that the JSON has.
func (r *Reported) Shown() fact.Reports {
	if r.Own == nil {
		return r.Reports
	}
	return r.Reports.Without(membersOf(r.Own))
}

// MarshalJSON returns an object with the members of both.
func (r *Reported) MarshalJSON() ([]byte, error) {
	own := []byte("{}")
	if r.Own != nil {
		var err error
		if own, err = plainjson.Marshal(r.Own); err != nil {
			return nil, err
		}
	}
	more, err := plainjson.Marshal(r.Shown())
	switch {
	case err != nil || string(own) == "{}":
		return more, err
	case string(more) == "{}":
		return own, nil
	}
	return append(append(own[:len(own)-1], ','), more[1:]...), nil
}

// membersOf reports whether data that is an object has a member of a name.
func membersOf(data any) func(name string) bool {
	if m, ok := data.(map[string]any); ok {
		return func(name string) bool { return m[name] != nil }
	}
	return shape.Of(data).Has
}

// FollowUp is a command line that is worth running after another command. The tool binds it to the session.
type FollowUp struct {
	ID     string // stable, since agents choose by it: "verify-connected-session-url"
	Reason string // a sentence
	Safety string // what the caller has to mind; may be empty
	Line   []string
}

// OfResult makes a [Command]'s Brief or Next of a function of its typed result. The agent-browser program may have
// answered it: members that the data does not have are zero.
func OfResult[T, R any](f func(T) R) func(data any) R {
	return func(data any) R {
		return f(fact.Read[T](Own(data)))
	}
}
