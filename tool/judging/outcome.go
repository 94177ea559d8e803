package judging

import (
	"strings"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

// Outcome is all that is known about how a command ended, of a call or of a row of a batch.
type Outcome struct {
	Line        argv.Words // its command line
	Success     bool
	Inspection  bool // help or a version
	Data        any
	ResultFacts fact.Facts
	Facts       FailureFacts

	Code            fault.Code // natively, of a failure
	Error           string
	ValidationError string
	ParseError      string
	SpawnError      string
	Stderr          string
	Missing         bool // there is no program to run
	TimedOut        bool // the watchdog ended it
	Aborted         bool // the caller gave up

	Known contract.FailureCategory // the category if it is known already; the texts are not classified then

	SelfConfirm bool // the caller may confirm held actions itself

	Artifacts     []contract.Artifact
	Verification  *contract.ArtifactVerification
	SavedFile     string // where a file was saved to
	Session       Session
	FreshLaunch   bool   // the call was to start a new managed session
	ActiveManaged string // the managed session that is still there after a failed launch
	Routes        []contract.NetworkRouteDiagnostic
	Page          contract.PageTarget // what the session shows now, if known
}

// Session names the session that a command ran in.
type Session struct {
	Name      string
	Namespace *string // nil means that none was given
}

// Of returns the outcome that a backend's answer tells.
func Of(line argv.Words, a *backend.Answer) Outcome {
	return Outcome{
		Line:        line,
		Success:     a.Success,
		Data:        a.Data,
		ResultFacts: a.ResultFacts,
		Facts:       FailureFactsOf(a.Facts),
		Code:        a.Code,
		Error:       a.Error,
		ParseError:  a.ParseError,
		SpawnError:  a.SpawnError,
		Stderr:      a.Stderr,
		Missing:     a.Missing,
		TimedOut:    a.TimedOut,
		Aborted:     a.Aborted,
	}
}

// command is the first word of the command, by the name that the registry has for it: open for goto.
func (o *Outcome) command() string {
	if e := o.Line.Entry; e != nil {
		first, _, _ := strings.Cut(e.Name, " ")
		return first
	}
	return o.Line.Command
}

// Does reports whether the command has one of these traits.
func (o *Outcome) Does(one trait.Set) bool { return o.Line.Does(one) }

// texts are the messages of the outcome, joined.
func (o *Outcome) texts() string {
	var kept []string
	for _, s := range []string{o.Error, o.ValidationError, o.ParseError, o.SpawnError, o.Stderr} {
		if s != "" {
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, "\n")
}
