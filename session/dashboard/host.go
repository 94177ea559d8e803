package dashboard

import (
	"context"

	"github.com/skua-browser/skua/session/stream"
)

// Host provides the sessions that a dashboard shows.
type Host interface {
	// Sessions returns all sessions that have or had a browser, sorted by name.
	Sessions() []Session
	// OnChange calls fn whenever a session may have changed, until stop is called. fn does not block.
	OnChange(fn func()) (stop func())
	// Source returns the live stream of a session; nil means that there is no such session.
	Source(name string) stream.Source
	// Screenshot returns a JPEG of the session's active page.
	Screenshot(ctx context.Context, name string) ([]byte, error)
	// TakeOver starts or ends a takeover, during which a person works in the session and commands wait.
	TakeOver(name string, on bool) error
	// TakenOver reports whether there is a takeover, or a handoff waits.
	TakenOver(name string) bool
	// EndHandoff reports what a person says to a handoff that waits: that it is done, or that he cannot, and why.
	EndHandoff(name, id string, done bool, reason string) error
	// Confirm runs or drops a waiting command. The session's next reply reports the result.
	Confirm(ctx context.Context, name, id string, yes bool) error
	// Annotations returns what a person and the agents of a session show each other.
	Annotations(name string) (Annotations, error)
	// Timeline returns the commands of a session that its journal still has, oldest first.
	Timeline(name string) ([]Command, error)
	// Records returns the session's console messages ("console"), page errors ("errors") or requests ("network") as JSON.
	// The first read starts the recording.
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
	Held     []Held       `json:"held"`    // commands that wait for confirmation, oldest first
	Handoff  *Handoff     `json:"handoff"` // what a person is asked to do, or nil
	Notes    []Noted      `json:"notes"`   // the annotations, oldest first
}

// Handoff is what a person is asked to do in a session.
type Handoff struct {
	ID    string `json:"id"`
	Text  string `json:"text"`
	Mark  string `json:"mark,omitempty"` // the element that the person works on
	Until int64  `json:"until"`          // Unix milliseconds
}

// The states of a command.
const (
	Running = "running"
	Done    = "done"
	Failed  = "failed"
)

// Command is a command that ran in a session.
type Command struct {
	ID    int64   `json:"id"`
	Line  string  `json:"line"` // without typed text
	Begun int64   `json:"begun"`
	MS    float64 `json:"ms"`
	State string  `json:"state"`
	Code  string  `json:"code,omitempty"`
	Error string  `json:"error,omitempty"`
	Tab   string  `json:"tab,omitempty"`
	URL   string  `json:"url,omitempty"` // of the page behind it
}

// Held is a command that waits for confirmation.
type Held struct {
	ID      string `json:"id"`
	Action  string `json:"action"`
	Line    string `json:"line"`
	Expires int64  `json:"expires"` // Unix milliseconds
}
