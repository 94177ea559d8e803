package judging

import (
	"strings"

	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

// Outcome is all that is known of how a command ended, of a call or of a row of a batch.
type Outcome struct {
	Words      []string // its command line, from the command on
	Success    bool
	Inspection bool // help or a version
	Data       any
	Facts      map[string]any

	Code            fault.Code // natively, of a failure
	Error           string
	ValidationError string
	ParseError      string
	SpawnError      string
	Stderr          string
	Missing         bool // there is no program to run
	TimedOut        bool // the watchdog ended it
	Aborted         bool // the caller gave up
	TabDrift        bool // the tool could not get back to the tab that is meant

	Known contract.FailureCategory // what somebody knows already; the texts are not asked then

	Artifacts     []contract.Artifact
	Verification  *contract.ArtifactVerification
	SavedFile     string // where a file was saved to
	Session       Session
	FreshLaunch   bool   // the call was to start a new managed session
	ActiveManaged string // the managed session that is still there after a failed launch
	Routes        []contract.NetworkRouteDiagnostic
	Page          contract.PageTarget // what the session shows now, as far as somebody knows
}

// Session names the session that a command ran in.
type Session struct {
	Name      string
	Namespace *string // nil: none was given
}

// Of returns the outcome that a backend's answer tells.
func Of(words []string, a *backend.Answer) Outcome {
	return Outcome{
		Words: words, Success: a.Success, Data: a.Data, Facts: a.Facts, Code: a.Code, Error: a.Error, ParseError: a.ParseError,
		SpawnError: a.SpawnError, Stderr: a.Stderr, Missing: a.Missing, TimedOut: a.TimedOut, Aborted: a.Aborted,
	}
}

// word returns a word of the command line, or "".
func (o *Outcome) word(i int) string {
	if i < len(o.Words) {
		return o.Words[i]
	}
	return ""
}

// command is the command's first word.
func (o *Outcome) command() string { return o.word(0) }

// has reports whether a word stands in the command line, such as a flag.
func (o *Outcome) has(word string) bool {
	for _, w := range o.Words {
		if w == word || strings.HasPrefix(word, "--") && strings.HasPrefix(w, word+"=") {
			return true
		}
	}
	return false
}

// valueOf is the word after a flag, or "".
func (o *Outcome) valueOf(flag string) string {
	for i, w := range o.Words {
		if w == flag && i+1 < len(o.Words) {
			return o.Words[i+1]
		}
		if v, ok := strings.CutPrefix(w, flag+"="); ok {
			return v
		}
	}
	return ""
}

// field is a text in the data.
func (o *Outcome) field(name string) string {
	m, _ := o.Data.(map[string]any)
	s, _ := m[name].(string)
	return s
}

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
