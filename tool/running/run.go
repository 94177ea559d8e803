package running

import (
	"context"
	"fmt"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/forms"
	"github.com/skua-browser/skua/tool/planning"
	"github.com/skua-browser/skua/tool/redact"
)

// Answer is the result of running a plan.
type Answer struct {
	backend.Answer
	Command []string // the command line that was run
	LostTab string   // why the session's tab could not be chosen, so that nothing was run; empty means that it was

	Views           forms.Views
	ScrollPage      *contract.ScrollResult
	ScrollContainer *contract.ScrollResult
}

// Reached reports whether the session has a browser that took the command's launch: the command succeeded, or a step of
// a batch did.
func (a *Answer) Reached() bool {
	if a.Success {
		return true
	}
	for i := range a.Rows {
		if a.Rows[i].Success {
			return true
		}
	}
	return false
}

// HasBrowser reports whether the session has a browser after a command of a plan that succeeded. Where answers tell the
// page they say it, of a browser that was started for it; else all commands that a session is planned for start one.
func (a *Answer) HasBrowser(p *planning.Plan) bool {
	return !p.Can().TellsPage || a.Page != nil || a.Launched() || p.Words.Attaches()
}

// Launched reports whether the session has a browser, by what a backend says of it.
func (a *Answer) Launched() bool {
	return a.Lifecycle != nil && a.Lifecycle.EffectiveLaunch.BrowserLaunched
}

// People are those whom a running command can reach.
type People struct {
	// what the user asked for last; may be empty
	Prompt string
	// nil means that there is no person to ask
	Approve func(ctx context.Context, question string) (bool, error)
	Hand    func(ctx context.Context, text, address string) (done bool, reason string, err error) // nil means the same
	Report  func(text string)
}

// exitExpired is the exit code of a command that the watchdog ended.
const exitExpired = 124

// Run runs a plan. Secrets learn what the answer shows of them.
func Run(ctx context.Context, p *planning.Plan, people People, secrets *redact.Redactor) *Answer {
	inv := p.Invocation(p.Watchdog)
	inv.Known = people.Prompt
	inv.Args, inv.Stdin, inv.Approve, inv.Hand, inv.Report = p.Command, p.Stdin, people.Approve, people.Hand, people.Report
	inv.NoBrowser = p.Stateless || p.Words.Entry != nil && p.Words.Entry.Effect.Has(actions.Closes)
	inv.Attached = inv.Attached || p.Words.Attaches()
	inv, pinned := pin(p, inv)
	a := &Answer{Command: inv.Args, Views: p.Views}
	if p.ClosesAll && p.Can().InProcess {
		a.Answer = closeVisible(ctx, p, inv)
	} else {
		a.Answer = p.Run(ctx, inv)
	}
	a.learn(p, secrets)
	if pinned {
		a.unpin(p)
	}
	a.alreadyStreams(&p.Words)
	if scrolled, ofContainer := p.Scroll.Read(&a.Answer); ofContainer {
		a.ScrollContainer = scrolled
	} else {
		a.ScrollPage = scrolled
	}
	if a.Success {
		a.Views.Look(a.Page, func(args ...string) backend.Answer { return p.Ask(ctx, p.Sessions.Limits().Dialog, args...) })
	}
	if a.TimedOut {
		a.expired(p)
	}
	a.hideOthers(p)
	return a
}

// expired says that the watchdog has ended the command.
func (a *Answer) expired(p *planning.Plan) {
	message := fmt.Sprintf("agent_browser timed out after %d ms, and ended `%s`.",
		p.Watchdog.Milliseconds(), p.Words.Name())
	if a.Error != "" {
		message += " " + a.Error
	}
	a.ExitCode, a.Error = exitExpired, message
}

// learn notes the texts that went into fields whose content is not shown, as the browser said.
func (a *Answer) learn(p *planning.Plan, secrets *redact.Redactor) {
	secrets.Learn(a.Learned)
	note := func(typed []string) {
		secrets.Also(strings.Join(typed, " "))
		secrets.Also(typed...)
	}
	if a.Secret {
		note(p.Words.Typed())
	}
	for i := range a.Rows {
		if a.Rows[i].Secret && i < len(p.Rows) {
			note(p.Rows[i].Typed())
		}
	}
}
