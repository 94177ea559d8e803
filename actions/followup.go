package actions

import (
	"encoding/json"

	"github.com/skua-browser/skua/internal/plainjson"
)

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
		typed, ok := data.(T)
		if !ok {
			if text, err := plainjson.Marshal(data); err == nil {
				_ = json.Unmarshal(text, &typed) // what is of another form has none of the members
			}
		}
		return f(typed)
	}
}
