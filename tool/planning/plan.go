package planning

import (
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/artifacts"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/forms"
	"github.com/skua-browser/skua/tool/input"
	"github.com/skua-browser/skua/tool/judging"
	"github.com/skua-browser/skua/tool/redact"
)

// Plan is what a call is going to run, and where.
type Plan struct {
	Place
	Line     *input.Line   // as the caller sent it
	Args     []string      // the caller's command line, with the element in it that was looked up
	Words    argv.Words    // what Args say
	Rows     []argv.Words  // of a batch; nil means that the line runs no rows
	Command  []string      // the whole command line
	Stdin    []byte        // nil means none
	Watchdog time.Duration // how long the command may run

	Began  time.Time
	Files  []artifacts.Planned // that the commands write
	Output *Output             // where the result goes; nil means nowhere
	Scroll forms.Scroll
	Views  forms.Views

	Details contract.SessionDetails
	After   []contract.NextAction // what may be done about a plan that was refused
}

// Place is where a call runs.
type Place struct {
	conversation.Visit
	Namespace *string              // as it is known; nil means the ordinary one
	Before    conversation.Managed // the session that the tool kept before the call
	Stateless bool                 // the call needs no session
	Managed   bool                 // the session is one that the tool keeps, or is to keep from now on
	Closes    bool                 // the session, or all of them
	ClosesAll bool
}

// Lines are the command lines of the call: its own, and those of its batch.
func (p *Plan) Lines() []*argv.Words { return argv.All(&p.Words, p.Rows) }

// Steps are the commands that the call runs: the rows of its batch, else its own.
func (p *Plan) Steps() []argv.Words {
	if p.Rows == nil {
		return []argv.Words{p.Words}
	}
	return p.Rows
}

// Bound is the session that follow-ups of the call have to name. Those in the managed session that the next call works
// in anyway name none. Began says that the call has given the session a browser.
func (p *Plan) Bound(began bool) judging.Session {
	stays := p.Managed && !p.Closes && (p.Key == conversation.KeyOf(p.Before) || began)
	if p.Stateless || stays {
		return judging.Session{}
	}
	return judging.Session{Name: p.Key.Name, Namespace: p.Namespace}
}

// Secrets returns what keeps the secrets of the plan out of everything that leaves the call. Known are those of the
// line that was sent.
func (p *Plan) Secrets(known *redact.Redactor) *redact.Redactor {
	secrets := known
	if !slices.Equal(p.Args, p.Line.Args) || string(p.Stdin) != string(p.Line.Stdin) {
		secrets = redact.New(p.Args, p.Stdin)
		secrets.Learn(known)
	}
	p.learn(secrets)
	return secrets
}

// learn adds the texts that the call types into elements which a snapshot named as secrets are named: the ref alone
// does not say it.
func (p *Plan) learn(secrets *redact.Redactor) {
	steps := p.Steps()
	for i := range steps {
		w := &steps[i]
		if !w.Entry.TypesInto() || len(w.Positionals) < 2 {
			continue
		}
		ref, ok := p.State.Refs.Known()[strings.TrimPrefix(w.Positional(0), "@")]
		if ok && redact.NamesSecret(ref.Name) {
			secrets.Also(strings.Join(w.Positionals[1:], " "))
			secrets.Also(w.Positionals[1:]...)
		}
	}
}
