package toolbox

import (
	"context"
	"encoding/json"

	"github.com/skua-browser/skua/internal/fault"
)

// Call is a use of a tool. Args is a JSON object as the tool's schema has it.
type Call struct {
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

// Result is the result of a call.
type Result struct {
	OK    bool   `json:"ok"`
	Data  any    `json:"data,omitempty"`
	Error string `json:"error,omitempty"`
	// the same may work on the page as it will be in a moment, or with another selector
	Retryable bool   `json:"retryable,omitempty"`
	Code      string `json:"code,omitempty"` // of a fault
	Held      bool   `json:"held,omitempty"` // nothing was done: a rule wants a person to confirm it
}

// Session runs command lines in one session, one after the other.
type Session interface {
	Do(ctx context.Context, argv []string) (Reply, error)
}

// Reply is what a command that succeeded said.
type Reply struct {
	Data   any      // as --json has it, before it is JSON
	Text   string   // as text mode prints it
	Notes  []string // what the caller must not miss
	Effect []string // what an action was seen to lead to
	Held   bool     // nothing was done: a person has to confirm it
}

// Decode returns the data of a reply as a T: as it is, else by way of JSON.
func Decode[T any](r Reply) (T, error) {
	if data, ok := r.Data.(T); ok {
		return data, nil
	}
	var data T
	b, err := json.Marshal(r.Data)
	if err == nil {
		err = json.Unmarshal(b, &data)
	}
	return data, err
}

// Failed makes the result of an error.
func Failed(err error) Result {
	code := fault.CodeOf(err)
	return Result{Error: err.Error(), Code: string(code), Retryable: code.Retryable()}
}
