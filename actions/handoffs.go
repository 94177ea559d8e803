package actions

import (
	"context"
	"time"
)

// Handoffs is how a session is handed to a person. A session has one handoff at a time; until it ends, commands on the session's pages wait.
type Handoffs interface {
	// Begin hands the session over.
	Begin(r HandoffRequest) (Handoff, error)
	// Current returns the handoff that waits, or else the last one that ended; nil: there was none.
	Current() *Handoff
	// Await returns when the handoff has ended, or as it is when ctx ends.
	Await(ctx context.Context, id string) Handoff
	// End ends the handoff with the id, if it still waits, and returns it.
	End(id string, how HandoffEnd, reason string) (Handoff, error)
}

// HandoffRequest is what a person is asked to do.
type HandoffRequest struct {
	Text   string
	Mark   string // the element that is meant, in words; empty: none
	Tab    *Tab
	Within time.Duration
	Ended  func() // called once when it has ended, before commands go on
}

// HandoffEnd is what became of a handoff.
type HandoffEnd string

// What may become of one.
const (
	HandoffWaiting  HandoffEnd = "waiting"   // it has not ended
	HandoffDone     HandoffEnd = "done"      // the person said so
	HandoffCannot   HandoffEnd = "cannot"    // the person said so
	HandoffTimedOut HandoffEnd = "timed-out" // no answer came in time
	HandoffCanceled HandoffEnd = "canceled"  // by a command, the caller, or the end of the session
)

// Handoff is a handoff with what became of it.
type Handoff struct {
	ID, Text, Mark string
	Address        string // where the person works, with the secret that lets in
	Begun, Until   time.Time
	Ended          time.Time // zero: it waits
	End            HandoffEnd
	Reason         string // in the person's words, or why it was canceled

	Fields  []HandoffField // that the person changed, in the order in which he first did
	From    HandoffPage    // what the tab showed when it began
	To      HandoffPage    // what the active tab showed when it ended
	Opened  []HandoffPage  // tabs that came meanwhile
	Visited bool           // somebody opened the page at the address
}

// HandoffField is a field that a person changed.
type HandoffField struct{ Role, Name, Frame string }

// HandoffPage is what a tab shows.
type HandoffPage struct{ Tab, URL, Title string }
