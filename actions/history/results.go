package history

import "github.com/skua-browser/skua/session/journal"

// The data of the replies.

// Cleared says that something was forgotten.
type Cleared struct {
	Cleared bool `json:"cleared"`
}

// Journal is what was done in a session.
type Journal struct {
	Dropped int             `json:"dropped"` // older entries, which had to go
	Entries []journal.Entry `json:"entries"`
}

// Replayed is what was done again.
type Replayed struct {
	Ran   int            `json:"ran"`
	Steps []ReplayedStep `json:"steps"`
}

// ReplayedStep is one command of it.
type ReplayedStep struct {
	Command string `json:"command"`
	ID      int64  `json:"id"`
	Left    string `json:"left,omitempty"`    // why it was left out
	Success bool   `json:"success,omitempty"` // it was done
}

// Exported is a journal as a program.
type Exported struct {
	Commands int     `json:"commands"`
	Format   string  `json:"format"`
	Path     string  `json:"path,omitempty"`
	Program  *string `json:"program,omitempty"` // where no file was asked for
}
