package actions

import (
	"encoding/json"
	"maps"
	"reflect"

	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/internal/plainjson"
	"github.com/skua-browser/skua/internal/shape"
)

// Result is what a command that succeeded has to say.
type Result struct {
	Data  any        // a JSON object for --json
	Text  string     // what text mode prints, without the trailing newline
	Notes []string   // truth that the caller must not miss, one line each; printed with a warning sign
	Facts fact.Facts // what others act on and the data does not tell, see [Result.Told]

	Effect []string // what an action led to, in words, as the text has it
	Secret bool     // what was typed went into a field whose content is not shown

	ErrText string  // what text mode prints on standard error, in place of an error
	Tab     string  // the id of the tab that --tab named
	Failed  bool    // the exit code is 1 although the result is complete
	Outcome Outcome // of a command that changes something: whether it may be sent again
	Held    bool    // nothing was done: a person has to confirm it
}

// HeldResult is the data of a command that is held until it is confirmed. Keys that agent-browser has are spelled as it spells them.
type HeldResult struct {
	Action               string `json:"action"`
	Command              string `json:"command"`
	ConfirmationID       string `json:"confirmation_id"`
	ConfirmationRequired bool   `json:"confirmation_required"`
	SelfConfirmation     *bool  `json:"self_confirmation,omitempty"` // whether the agent that asked for it may confirm it
}

// Tell tells the id of the confirmation that the command waits for.
func (h HeldResult) Tell(f *fact.Facts) { f.Confirmation = h.ConfirmationID }

type hostReply struct {
	Data    any  `json:"data"`
	Success bool `json:"success"`
}

// HostResult is a reply of a Bare command in the form that callers of agent-browser know: without the members that tell of a browser.
func HostResult(data any, text string) Result {
	return Result{Data: hostReply{data, true}, Text: text}
}

// Told returns the facts of a result: those of its run, and those that its data tells.
func (r *Result) Told() fact.Facts {
	f := r.Facts
	fact.Tell(Own(r.Data), &f)
	return f
}

// Own returns the value of a command's own type in the data of its result: without members that others added, and without the envelope of one that
// brings that along.
func Own(data any) any {
	switch d := data.(type) {
	case *extended:
		return Own(d.own)
	case hostReply:
		return Own(d.Data)
	}
	return fact.Value(data)
}

// As returns the data of a result as one of a command's types. Data that is JSON-shaped, since another program answered, is read into the type;
// members that it does not have are zero then. ok is false for what is neither.
func As[T any](data any) (typed T, ok bool) { return fact.As[T](Own(data)) }

// Extended returns data with one more member, behind its own.
func Extended(data any, name string, value any) any {
	if m, ok := data.(map[string]any); ok {
		data = maps.Clone(m) // of which others may have a part
	}
	r := Result{Data: data}
	r.Add(name, value)
	return r.Data
}

// Add adds a member to the data of a result, for facts that all commands of a kind report besides their own. Data that is not an
// object, or marshals itself (a snapshot), stays unchanged, and so does a member of its own.
func (r *Result) Add(name string, value any) {
	switch data := r.Data.(type) {
	case nil:
		r.Data = map[string]any{name: value}
	case map[string]any:
		data[name] = value
	case *extended:
		if !shape.Of(data.own).Has(name) {
			data.members[name] = value
		}
	case json.Marshaler:
	default:
		if reflect.Indirect(reflect.ValueOf(data)).Kind() == reflect.Struct && !shape.Of(data).Has(name) {
			r.Data = &extended{data, map[string]any{name: value}}
		}
	}
}

// Origin returns where the data is from, and whether it says so: a map by its member origin, a typed result by its method PageOrigin.
func (r *Result) Origin() (origin string, told bool) {
	data := r.Data
	if e, ok := data.(*extended); ok {
		data = e.own
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

// extended is a typed result with members that are not its own, which come behind those in JSON.
type extended struct {
	own     any
	members map[string]any
}

func (e *extended) MarshalJSON() ([]byte, error) {
	own, err := plainjson.Marshal(e.own)
	if err != nil {
		return nil, err
	}
	members, err := plainjson.Marshal(e.members)
	if err != nil || string(own) == "{}" {
		return members, err
	}
	return append(append(own[:len(own)-1], ','), members[1:]...), nil
}

// FollowUp is a command line that is worth running after another command. The tool binds it to the session.
type FollowUp struct {
	ID     string // stable, since agents choose by it: "verify-connected-session-url"
	Reason string // a sentence
	Safety string // what the caller has to mind; may be empty
	Line   []string
}

// OfResult makes a [Command]'s Brief or Next of a function of its typed result. They get data that has been through JSON, since the agent-browser
// program may have answered it. Members that it does not have are zero.
func OfResult[T, R any](f func(T) R) func(data any) R {
	return func(data any) R {
		typed, _ := As[T](data)
		return f(typed)
	}
}
