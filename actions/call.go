package actions

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/snapshot"
)

// Call is one run of a command: what was asked, by whom, and the session that it runs in.
type Call struct {
	*Input
	Caller
	Person
	Lines
	Scope

	// when waits give up; the context lasts a little longer, so that they can report what they saw
	Deadline time.Time
	Looker   Looker              // looks at pages for --observe and --settle
	Beside   func(tab *Tab) bool // whether a command works in another tab, or has since this one began
	Brief    bool                // nothing of this process survives the command
	Notes    []string
	States   States // what packages keep with the call
}

// Scope is the environment of a command, in parts that commands ask for.
type Scope struct {
	Session Session
	Tabs    Tabs
	Browser Browser
	Rules   Rules
	Lock    Lock
	Host    Host
	Live    Live
}

// Caller is where a command line comes from.
type Caller struct {
	Cwd         string              // the caller's folder, absolute
	Stdin       []byte              // what the caller piped in, for commands that read it
	Getenv      func(string) string // the caller's environment
	Terminal    io.Writer           // where a person watches this process; nil means that it is not watched
	Out, ErrOut io.Writer           // reach the caller while the command runs; nil means only its result does
	Attended    bool                // the caller's standard input is a terminal
	// gets what a long command does, while it runs; nil means that the caller does not follow it
	Report func(line string)
}

// Person is how a command asks the person at the caller.
type Person struct {
	// Ask prints a prompt at the caller's terminal and returns the line that a person types there, which is not shown when
	// hidden. It returns ErrNoTerminal when there is no terminal. The person's time counts as the command's: a command
	// that asks needs AtLeast.
	Ask func(ctx context.Context, prompt string, hidden bool) (string, error)

	// Hold asks a person to confirm a command that no rule holds, for what is known only when it runs. why is a sentence
	// without its period. Hold returns nil if a person has confirmed the command, or else the reply to give instead.
	Hold func(ctx context.Context, why string) (*Result, error)

	// Approve and Hand ask the person at the caller, in a way that the caller cannot answer itself: whether something may
	// be done, and to do something at an address. Hand returns that it is done, or that he cannot, and why. An error says
	// that no person could be asked. Nil means that there is no such way.
	Approve func(ctx context.Context, question string) (bool, error)
	Hand    func(ctx context.Context, text, address string) (done bool, reason string, err error)
}

// Lines is how a command runs other command lines.
type Lines struct {
	Parse func(argv []string) (*Input, error)           // parses a line, as a row of a batch
	Exec  func(context.Context, *Input) (Result, error) // runs another command in this session
	// what a program of the caller's may see of a result; nil means everything
	Redact    func(line []string, res *Result) any
	Confirmed bool // another command was run, which may have closed the session
	// ExecIn runs a command in another session of the host, when it is that one's turn.
	ExecIn func(ctx context.Context, session string, in *Input) (Result, error)
}

// ErrNoTerminal means that there is no terminal to ask at, or that the person gave up.
var ErrNoTerminal = errors.New("there is no terminal to ask at")

// Tab is one tab of a session.
type Tab struct {
	ID    string // "t1"; never used again in the session
	Label string // the caller's name for it, or empty
	Page  *engine.Page

	States States // what families of commands keep with the tab
}

// CarryOut runs another command for one that continues with its result. A command that is held for confirmation has not
// run, which is an error here.
func (c *Call) CarryOut(ctx context.Context, in *Input) (Result, error) {
	res, err := c.Exec(ctx, in)
	if err == nil && res.Held {
		err = fault.New(fault.ConfirmationRequired, "`%s` must be confirmed first; it was not run. %s", in.Name(), res.Text).
			About(in.Name())
	}
	return res, err
}

// Note adds a truth that the caller must not miss.
func (c *Call) Note(note string) { c.Notes = append(c.Notes, note) }

// Path returns a path of the caller's as an absolute one.
func (c *Call) Path(p string) string {
	if home := c.Getenv("HOME"); home != "" && (p == "~" || strings.HasPrefix(p, "~/")) {
		return filepath.Join(home, p[1:])
	}
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(c.Cwd, p)
}

// Rest says when a page counts as being at rest.
type Rest struct {
	Quiet time.Duration // how long nothing changed or moved, with no pending request
	Until time.Time     // when the waiting ends
	Asked time.Time     // requests that began before do not count
	Still time.Duration // after so long without a change, pending requests do not count; 0 means that they always do
}

// Looker looks at the page after a command, for the flags that all commands with effects share.
type Looker interface {
	// Rest waits until the page is at rest; its traffic must be watched. The error names what was still active at the end.
	Rest(ctx context.Context, c *Call, tab *Tab, r Rest) error
	// TakeSnapshot takes a snapshot of a frame and what is in it.
	TakeSnapshot(ctx context.Context, c *Call, tab *Tab, frame *engine.Frame,
		o snapshot.Options) (*snapshot.Snapshot, error)
}
