package verdict

import (
	"context"
	"slices"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/tool/artifacts"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/desktop"
	"github.com/skua-browser/skua/tool/diagnosis"
	"github.com/skua-browser/skua/tool/judging"
	"github.com/skua-browser/skua/tool/planning"
	"github.com/skua-browser/skua/tool/running"
)

// Case is a plan that was run.
type Case struct {
	Plan   *planning.Plan
	Answer *running.Answer
	Watch  diagnosis.Watch // of [Before]

	Files       *artifacts.Ledger // account of it is kept
	Apps        *desktop.Apps
	SelfConfirm bool                     // the caller may confirm held actions itself
	Redact      func(text string) string // takes the secrets of the call out of a text
}

// Verdict is what a call came to. The parts of a result's details that it embeds are whole except for what showing
// adds.
type Verdict struct {
	contract.CompiledDetails
	contract.SessionDetails
	contract.OutcomeDetails
	contract.RefDetails
	contract.DiagnosticDetails
	contract.ArtifactDetails
	contract.ElectronDetails

	Before contract.PageTarget // what the session showed before the command
	Shown  contract.PageTarget // what it shows now
	// that the call worked in: that of the tab which it named, else that which the session shows
	Page contract.PageTarget

	Error     string // of a failure
	Warnings  []string
	Notes     []string // paragraphs that the model must see
	TimeoutMs int64    // of a command that the watchdog ended; 0 means that it was not
}

// trial is a verdict that is being found.
type trial struct {
	Case
	Verdict
	state *conversation.State

	// of a command that said it succeeded and did not do what it was for, and of a failure that is known better
	category contract.FailureCategory
	// follow-ups of diagnostics, after those of the category; they are bound to the session later
	after       []contract.NextAction
	failedSteps []int // of a check of a page: those that did not pass
	appGone     bool  // the app that the session worked in has ended
}

// Of finds out what a call came to, and notes it in the conversation.
func Of(ctx context.Context, c Case) *Verdict {
	p, a := c.Plan, c.Answer
	t := &trial{Case: c, state: p.State}
	t.CompiledDetails, t.SessionDetails = p.Line.Details, p.Details
	t.Verdict.Before, t.Error, t.Warnings = p.State.Target, a.Error, slices.Clone(a.Warnings)
	if a.LostTab != "" {
		t.fail(contract.TabDrift, a.LostTab)
	}
	t.expire(ctx)
	t.follow(ctx)
	t.assess(ctx)
	t.verify()
	t.diagnose(ctx)
	t.judge()
	t.remember(ctx)
	t.Shown, t.Page = t.state.Target, t.workedIn()
	return &t.Verdict
}

// fail makes the call a failure of this category, whatever the command said. The first one that is told stays.
func (t *trial) fail(category contract.FailureCategory, message string) {
	if t.category != "" {
		return
	}
	t.category = category
	if t.Error == "" {
		t.Error = message
	}
}

// judge says how the call ended and what may be done next.
func (t *trial) judge() {
	d, o := &t.OutcomeDetails, t.outcome()
	if len(t.Answer.Rows) > 0 {
		steps, notRun := judging.Steps(t.Answer.Rows, d.BatchSteps, o.Session)
		judging.Aggregate(steps, notRun, &o, d)
	} else {
		judging.Judge(&o, d)
		d.NextActions = judging.NextActions(&o, d)
		d.PageChangeSummary = judging.Change(&o, d.NextActions)
	}
	d.Retryable = d.Retryable && t.Answer.Outcome != actions.OutcomeUnknown
	if after := t.afterDrift(); after != nil {
		d.NextActions = judging.In(o.Session, after)
	}
	if d.FailureCategory == contract.QAFailure && len(d.NextActions) == 0 {
		d.NextActions = judging.In(o.Session, judging.AfterQA(t.CompiledQAPreset, d.BatchSteps, t.failedSteps))
	}
	if t.appGone { // its tabs are gone with it
		d.NextActions = nil
	}
	d.NextActions = judging.Merge(d.NextActions, judging.In(o.Session, t.after))
	if t.Plan.Line.Observation {
		d.Observation = judging.Observe(t.Verdict.Before, o.Page, &t.Answer.ResultFacts)
	}
}

// afterDrift is how to get back to the page that the session has lost, when it is known which one that is; nil when
// nothing was lost.
func (t *trial) afterDrift() []contract.NextAction {
	before := t.Verdict.Before
	if t.Plan.Stateless || before.URL == "" {
		return nil
	}
	drift := judging.Drift{Blank: t.state.Target.URL == "about:blank", TabID: before.TabID}
	switch correction := t.SessionTabCorrection; {
	case t.category == contract.TabDrift:
		return judging.AfterDrift(drift)
	case correction != nil && t.Answer.Success:
		drift.TabID, drift.Selected = t.state.Target.TabID, true
		return judging.AfterDrift(drift)
	}
	return nil
}

// outcome is all that is known about how the command ended.
func (t *trial) outcome() judging.Outcome {
	p, a := t.Plan, t.Answer
	o := judging.Of(p.Words, &a.Answer)
	o.Inspection, o.Known, o.Error, o.Routes = p.Words.Inspects(), t.category, t.Error, t.NetworkRouteDiagnostics
	o.Artifacts, o.Verification, o.SavedFile = t.Artifacts, t.ArtifactVerification, t.SavedFilePath
	o.Session, o.SelfConfirm = t.bound(), t.SelfConfirm
	if t.SessionMode == contract.Fresh && !a.Success && !a.Launched() {
		o.FreshLaunch = true
		if m := p.Before; m.Active && m.Name != p.Key.Name {
			o.ActiveManaged = m.Name
		}
	}
	o.Page = t.workedIn()
	return o
}

// bound is the session that follow-ups of the call have to name.
func (t *trial) bound() judging.Session {
	return t.Plan.Bound(t.Answer.Reached() && t.Answer.HasBrowser(t.Plan))
}

// workedIn is the page that the call worked in.
func (t *trial) workedIn() contract.PageTarget {
	if t.Answer.WorkedIn != nil {
		return *t.Answer.WorkedIn
	}
	return t.state.Target
}

// AfterRefusal is what may be done about a plan that was refused.
func AfterRefusal(p *planning.Plan, r *contract.Refusal) []contract.NextAction {
	switch r.Category {
	case contract.StaleRef, contract.SelectorNotFound, contract.TabDrift, contract.TabGone:
	default: // the message says what is wrong with the call itself
		return nil
	}
	o := judging.Outcome{Line: p.Words, Known: r.Category, Error: r.Message, Session: p.Bound(false)}
	return judging.NextActions(&o, &contract.OutcomeDetails{ResultCategory: contract.Failure, FailureCategory: r.Category})
}
