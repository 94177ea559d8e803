package backend

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/session/replydata"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/redact"
)

// Name says which backend it is.
type Name string

// The backends.
const (
	NameNative     Name = "native"
	NameSubprocess Name = "subprocess"
)

// Backend runs command lines. Its methods may be called from several goroutines.
type Backend interface {
	Name() Name // which one it is, for people and records; what it can do says Can
	Can() Abilities
	// Run runs one command line. It returns when the command has ended, its time is over or ctx is canceled.
	Run(ctx context.Context, inv Invocation) Answer
	// Place says where the tool itself may write a file for a call, as the owner's rules have it. The error says why it
	// may not.
	Place(inv Invocation, file string) (policy.Destination, error)
	// Close ends what the backend itself keeps running.
	Close(ctx context.Context) error
}

// Invocation is one command line, without the program's name. A caller's `--json` is among Args when the answer is to
// be data, and is left out for help and versions.
type Invocation struct {
	Args    []string
	Stdin   []byte            // nil means none
	Cwd     string            // what relative paths are relative to
	Env     map[string]string // the part of the caller's environment that concerns the command
	Timeout time.Duration     // the watchdog's, or 0

	// CommandLine runs it as a line that a person types, not as a call of the tool: with agent-browser's texts where that
	// is the program's name, and with the leave to confirm it. It is for comparisons; a subprocess knows no other lines.
	CommandLine bool

	// Known is what the user of the host program asked for: it may go to every site, whatever a rule for flows says.
	Known string

	// Approve asks a person whether what has to be confirmed may be done; see session.Request. Nil means that there is no
	// way to ask.
	Approve func(ctx context.Context, question string) (bool, error)
	// Hand asks a person to do something at an address; see session.Request. Nil means that there is no way to ask.
	Hand func(ctx context.Context, text, address string) (done bool, reason string, err error)

	// Report gets what a long command does; see session.Request. Nil means that it is not followed.
	Report func(line string)

	// What a subprocess has to know of Args before it starts; the native backend reads them itself.
	Session   string // that Args name; empty means the default one
	Namespace string // that Args name, or empty
	NoBrowser bool   // the command starts no browser: help, versions, close, and what is about files only
	Attached  bool   // the session's browser is not one that agent-browser started
}

// Answer is the outcome of a command line.
type Answer struct {
	Success  bool
	ExitCode int
	// of one of the command's own types, see [actions.Reported], too; from another program JSON-shaped: map[string]any,
	// []any, string, float64, bool or nil
	Data        any
	ResultFacts fact.Facts // the facts of the command that callers act on
	Rows        []Row      // of a batch, in its order
	Text        string     // what a person would be shown: of help and versions, and natively of all commands
	Error       string     // of a failure
	Code        fault.Code
	Facts       map[string]any
	// native backend only: whether the command may be sent again; empty if it changes nothing or that is unknown
	Outcome  actions.Outcome
	Warnings []string // truth that the caller must not miss
	Secret   bool     // natively: what was typed went into a field whose content is not shown
	// native backend only: the secrets in the output of a program that the call ran; nil if it ran none
	Learned *redact.Redactor

	Page       *contract.PageTarget // natively: what the session shows now; nil means that it has no page
	WorkedIn   *contract.PageTarget // natively: the page of the tab that the command named; nil means that is Page
	Lifecycle  *replydata.Lifecycle // the state of the browser, or nil if it was not reported
	Stderr     string
	ParseError string    // the program's output is not an answer
	SpawnError string    // the program could not be started
	Missing    bool      // there is no program to start
	Mismatch   *Mismatch // the program is of another version, and was not started
	Started    bool      // the command began to run
	TimedOut   bool      // the watchdog ended it
	Aborted    bool      // the caller gave up
}

// ClosedSession reports whether a command that closes its session did so, also if it failed to save the state first.
func (a *Answer) ClosedSession() bool { return a.Success || a.Facts[actions.FactClosed] == true }

// Read returns what the data of an answer that succeeded says in the members of a type.
func Read[T any](a *Answer) (data T) {
	if a.Success {
		data = fact.Read[T](a.Data)
	}
	return data
}

// Yielded returns the object that the script of an eval yielded; nil if it failed, or yielded none.
func Yielded[T any](a *Answer) *T {
	result := Read[look.EvalResult](a).Result
	if !bytes.HasPrefix(result, []byte("{")) {
		return nil
	}
	object := new(T)
	_ = json.Unmarshal(result, object) // members of another form are zero
	return object
}

// Mismatch is a version that is not the one that was asked for.
type Mismatch struct {
	Expected string `json:"expected"`
	Observed string `json:"observed,omitempty"` // empty means that it printed none
}

// Row is the outcome of one command of a batch.
type Row struct {
	Command     []string
	Success     bool
	Skipped     bool       // it was not run, since an earlier one failed
	Result      any        // as of an answer
	ResultFacts fact.Facts // as of an answer
	Shown       fact.Shown // natively: the page of the row's tab after it
	Text        string
	Error       string
	Code        fault.Code
	Facts       map[string]any
	Warnings    []string
	Secret      bool // as of an answer
	Lifecycle   *replydata.Lifecycle
}
