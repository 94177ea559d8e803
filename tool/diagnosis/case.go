package diagnosis

import (
	"context"
	"time"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/desktop"
	"github.com/skua-browser/skua/tool/judging"
)

// Patience bounds each question that the tool asks of a page for itself.
const Patience = 2 * time.Second

// Command is the command line that a diagnosis is about, in its session.
type Command struct {
	conversation.Visit
	Line    *argv.Words
	Rows    []argv.Words // of a batch; nil means that the line runs no rows
	Stdin   []byte
	Session judging.Session // as follow-ups name it
	App     *App            // that the session works in, or nil
}

// App is a desktop app that a session works in.
type App struct {
	electron.Record
	Apps *desktop.Apps
}

// Case is a command that has run.
type Case struct {
	Command
	Watch    Watch
	Answer   *backend.Answer // a scroll that moved nothing is marked in its data
	Before   contract.PageTarget
	Failure  contract.FailureCategory // of an answer that failed, as far as it is known without looking
	Semantic *contract.CompiledSemanticAction
	Refs     *contract.RefSnapshot // that the command has shown, or nil
	Watchdog time.Duration         // bounds each new look at the page
}

// Findings are what a diagnosis has found out.
type Findings struct {
	contract.DiagnosticDetails
	Health    *contract.ElectronHealth
	Freshness *contract.ElectronRefFreshness
	TextScope *contract.ElectronTextScopeHint

	RefSnapshot *contract.RefSnapshot    // of a new look, or nil
	Target      *contract.PageTarget     // that an app came back to; nil means that it is what it was
	Category    contract.FailureCategory // of a failure that the command did not tell; empty means that none was found
	Message     string                   // of that failure
	Notes       []string                 // paragraphs that the model must see
	After       []contract.NextAction
	AppGone     bool // the app that the session worked in has ended
}

// examination is a diagnosis under way.
type examination struct {
	Case
	refs  *contract.RefSnapshot // the newest
	found Findings
}

// Of finds out what a command does not say of its outcome. Natively most of it is in the answer; the page is asked
// again only where the answer speaks for trouble.
func Of(ctx context.Context, c Case) Findings {
	x := &examination{Case: c, refs: c.Refs}
	x.diagnoseApp(ctx)
	switch {
	case x.Answer.TimedOut || x.Answer.Aborted:
		x.metDialog()
	case len(x.Answer.Rows) > 0:
		x.diagnoseRows(ctx)
	case x.Answer.Success:
		x.afterSuccess(ctx)
	default:
		x.afterFailure(ctx)
	}
	return x.found
}

// fail makes a failure of the command, whatever it said. The first one stays.
func (x *examination) fail(category contract.FailureCategory, message string) {
	if x.found.Category == "" {
		x.found.Category, x.found.Message = category, message
	}
}

// tell adds a diagnostic's text and its follow-ups.
func (x *examination) tell(text string, after []contract.NextAction) {
	x.found.Notes = append(x.found.Notes, text)
	x.found.After = append(x.found.After, after...)
}

// lines are the command lines of the case: its own, and those of its batch.
func (x *examination) lines() []*argv.Words {
	return argv.All(x.Line, x.Rows)
}

// ask runs a script in the page and returns the object that it yields, nil when it yields none.
func ask[T any](ctx context.Context, c *Command, script string) *T {
	a := c.Ask(ctx, Patience, "eval", script)
	return backend.Yielded[T](&a)
}
