package dashboard

import (
	"context"

	"github.com/skua-browser/skua/session/stream"
)

// Host is what a dashboard shows.
type Host interface {
	// Sessions returns all sessions that have a browser, or had one, sorted by name.
	Sessions() []Session
	// OnChange has fn called whenever something of them may have changed, until stop is called. fn does not block.
	OnChange(fn func()) (stop func())
	// Source returns the session with the name, to be watched; nil: there is none.
	Source(name string) stream.Source
	// Picture returns a JPEG of what the session shows.
	Picture(ctx context.Context, name string) ([]byte, error)
	// TakeOver lets a person work in the session while commands wait, or ends that.
	TakeOver(name string, on bool) error
	// TakenOver reports whether a person does.
	TakenOver(name string) bool
	// Confirm has a command that waits in the session done, or drops it. What came of it is told to the session's next caller.
	Confirm(ctx context.Context, name, id string, yes bool) error
	// Records returns what the session's pages logged ("console"), which errors they had ("errors") or what they asked for ("network"), as
	// JSON. Looking is what starts the recording.
	Records(ctx context.Context, name, kind string) (any, error)
}

// Session is one session of the host.
type Session struct {
	Name     string       `json:"name"`
	Running  bool         `json:"running"`
	Tabs     []stream.Tab `json:"tabs"`
	Taken    bool         `json:"taken"`
	Console  bool         `json:"console"` // the console is recorded
	Network  bool         `json:"network"` // requests are recorded
	Commands []Command    `json:"commands"`
	Dropped  int          `json:"dropped"` // older commands that are not listed
	Held     []Held       `json:"held"`    // commands that wait to be confirmed, the oldest first
}

// The states of a command.
const (
	Running = "running"
	Done    = "done"
	Failed  = "failed"
)

// Command is one command that was run in a session.
type Command struct {
	ID    int64   `json:"id"`
	Line  string  `json:"line"` // without what was typed
	Begun int64   `json:"begun"`
	MS    float64 `json:"ms"`
	State string  `json:"state"`
	Code  string  `json:"code,omitempty"`
	Error string  `json:"error,omitempty"`
}

// Held is a command that waits for a person.
type Held struct {
	ID      string `json:"id"`
	Action  string `json:"action"`
	Line    string `json:"line"`
	Expires int64  `json:"expires"` // Unix milliseconds
}
