package actions

import (
	"context"
	"strconv"
	"time"

	"github.com/skua-browser/skua/actions/grammar"
)

// Live is what lets people watch a session.
type Live interface {
	// EnableStream starts a WebSocket server for the session on a port of this machine; 0 is any that is free.
	EnableStream(port int, o StreamOptions) (StreamStatus, error)
	DisableStream() error
	StreamStatus() StreamStatus
	// StartDashboard starts the dashboard of the host, or returns the one that runs with these settings.
	StartDashboard(port int, origins []string) (Dashboard, error)
	StopDashboard() (was bool)
	Dashboard() Dashboard
	// Handoffs returns how the session is handed to a person.
	Handoffs() Handoffs
}

// StreamOptions say how large the pictures of a stream are.
type StreamOptions struct {
	Quality             int // of JPEG, 1-100
	MaxWidth, MaxHeight int // 0 means as large as the viewport
}

// StreamStatus describes a session's stream.
type StreamStatus struct {
	Enabled   bool
	Connected bool // the session has a browser
	Port      int
	URL       string // of the WebSocket, with the secret that lets in
	Clients   int
}

// Dashboard describes the dashboard of a host.
type Dashboard struct {
	Running, AlreadyRunning bool
	Port, PID               int
	Addresses               []string // with the token, on this machine first
}

// StreamPort returns the port that the environment wants sessions to be streamed on, and the variable that says so.
func StreamPort(getenv func(string) string) (value, name string) {
	return grammar.FromEnv("STREAM_PORT", getenv)
}

// StreamOptionsOf reads the environment. What makes no sense leaves the default, as in agent-browser.
func StreamOptionsOf(getenv func(string) string) StreamOptions {
	number := func(suffix string, fallback, most int) int {
		word, _ := grammar.FromEnv(suffix, getenv)
		n, err := strconv.Atoi(word)
		if err != nil || n < 0 {
			return fallback
		}
		return min(n, most)
	}
	const quality, most = 80, 16384
	return StreamOptions{
		Quality:  max(1, number("STREAM_QUALITY", quality, 100)),
		MaxWidth: number("STREAM_MAX_WIDTH", 0, most), MaxHeight: number("STREAM_MAX_HEIGHT", 0, most),
	}
}

// Inspection is where DevTools finds a page.
type Inspection struct {
	Address  string // for people: a list of the session's pages
	Frontend string // DevTools itself, in a Chromium
	Socket   string // the protocol, for one page
}

// Handoffs is how a session is handed to a person. A session has one handoff at a time; until it ends, commands on the
// session's pages wait.
type Handoffs interface {
	// Begin hands the session over.
	Begin(r HandoffRequest) (Handoff, error)
	// Current returns the handoff that waits, or else the last one that ended, or nil.
	Current() *Handoff
	// Await returns when the handoff has ended, or as it is when ctx ends.
	Await(ctx context.Context, id string) Handoff
	// End ends the handoff with the id, if it still waits, and returns it.
	End(id string, how HandoffEnd, reason string) (Handoff, error)
}

// HandoffRequest is what a person is asked to do.
type HandoffRequest struct {
	Text   string
	Mark   string // the element that is meant, in words, or empty
	Tab    *Tab
	Within time.Duration
	Ended  func() // called once when it has ended, before commands go on
}

// HandoffEnd is how a handoff ended.
type HandoffEnd string

// The ends.
const (
	HandoffWaiting  HandoffEnd = "waiting"   // it has not ended
	HandoffDone     HandoffEnd = "done"      // the person said so
	HandoffCannot   HandoffEnd = "cannot"    // the person said so
	HandoffTimedOut HandoffEnd = "timed-out" // no answer came in time
	HandoffCanceled HandoffEnd = "canceled"  // by a command, the caller, or the end of the session
)

// Handoff is a handoff, and how it ended.
type Handoff struct {
	ID, Text, Mark string
	Address        string // where the person works, with the secret that lets in
	Begun, Until   time.Time
	Ended          time.Time // zero means that it waits
	End            HandoffEnd
	Reason         string // in the person's words, or why it was canceled

	Fields  []HandoffField // that the person changed, in the order in which he first did
	From    HandoffPage    // what the tab showed when it began
	To      HandoffPage    // what the active tab showed when it ended
	Opened  []HandoffPage  // tabs that came meanwhile
	Visited bool           // the page at the address was opened
}

// HandoffField is a field that a person changed.
type HandoffField struct{ Role, Name, Frame string }

// HandoffPage is what a tab shows.
type HandoffPage struct{ Tab, URL, Title string }
