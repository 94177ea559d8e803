package tool

import (
	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/judging"
)

// verdict is what the steps between the command and judge have found out.
type verdict struct {
	category    contract.FailureCategory // of a command that said it succeeded and did not do what it was for, and of a failure that is known better
	after       []contract.NextAction    // follow-ups of diagnostics, after those of the category; they are bound to the session later
	failedSteps []int                    // of a check of a page: those that did not pass
	appGone     bool                     // the app that the session worked in has ended
}

// fail makes the call a failure of this category, whatever the command said. The first one that is told stays.
func (c *call) fail(category contract.FailureCategory, message string) {
	if c.verdict.category != "" {
		return
	}
	c.verdict.category = category
	if c.details.Error == "" {
		c.details.Error = message
	}
}

// judge says how the call ended and what may be done next.
func (c *call) judge() {
	d, o := &c.details.OutcomeDetails, c.outcome()
	if len(c.answer.Rows) > 0 {
		steps, notRun := judging.Steps(c.answer.Rows, d.BatchSteps, o.Session)
		judging.Aggregate(steps, notRun, &o, d)
	} else {
		judging.Judge(&o, d)
		d.NextActions = judging.NextActions(&o, d)
		d.PageChangeSummary = judging.Change(&o, d.NextActions)
	}
	d.Retryable = d.Retryable && c.details.Outcome != string(actions.OutcomeUnknown)
	if after := c.afterDrift(); after != nil {
		d.NextActions = judging.In(o.Session, after)
	}
	if d.FailureCategory == contract.QAFailure && len(d.NextActions) == 0 {
		d.NextActions = judging.In(o.Session, judging.AfterQA(c.details.CompiledQAPreset, d.BatchSteps, c.verdict.failedSteps))
	}
	if c.verdict.appGone { // its tabs are gone with it
		d.NextActions = nil
	}
	d.NextActions = judging.Merge(d.NextActions, judging.In(o.Session, c.verdict.after))
	if c.params.Observation {
		d.Observation = judging.Observe(c.before, o.Page, c.answer.Data)
	}
}

// afterDrift is how to get back to the page that the session has lost, when it is known which one that is; nil when nothing was lost.
func (c *call) afterDrift() []contract.NextAction {
	if c.plan.Stateless || c.before.URL == "" {
		return nil
	}
	drift := judging.Drift{Blank: c.state.Target.URL == "about:blank", TabID: c.before.TabID}
	switch correction := c.details.SessionTabCorrection; {
	case c.verdict.category == contract.TabDrift:
		return judging.AfterDrift(drift)
	case correction != nil && c.answer.Success:
		drift.TabID, drift.Selected = c.state.Target.TabID, true
		return judging.AfterDrift(drift)
	}
	return nil
}

// afterRefusal is what may be done about a call that was not run.
func (c *call) afterRefusal(r *contract.Refusal) []contract.NextAction {
	switch r.Category {
	case contract.StaleRef, contract.SelectorNotFound, contract.TabDrift, contract.TabGone:
	default: // the message says what is wrong with the call itself
		return nil
	}
	o := judging.Outcome{Line: c.words, Known: r.Category, Error: r.Message, Session: c.boundTo()}
	return judging.NextActions(&o, &contract.OutcomeDetails{ResultCategory: contract.Failure, FailureCategory: r.Category})
}

// outcome is all that is known of how the command ended.
func (c *call) outcome() judging.Outcome {
	o, d := judging.Of(c.words, &c.answer), c.details
	o.Inspection, o.Known, o.Error, o.Routes = d.Inspection, c.verdict.category, d.Error, d.NetworkRouteDiagnostics
	o.Artifacts, o.Verification, o.SavedFile = d.Artifacts, d.ArtifactVerification, d.SavedFilePath
	o.Session, o.SelfConfirm = c.boundTo(), c.tool.owner(c.backend).SelfConfirm()
	if d.SessionMode == contract.Fresh && !c.answer.Success && !launched(c.answer.Lifecycle) {
		o.FreshLaunch = true
		if m := c.plan.Before; m.Active && m.Name != c.plan.Key.Name {
			o.ActiveManaged = m.Name
		}
	}
	o.Page = c.workedIn()
	return o
}

// boundTo is the session that follow-ups of the call have to name.
func (c *call) boundTo() judging.Session { return c.plan.Bound(c.reached() && c.hasBrowser()) }

// launched reports whether the session has a browser, by what a backend says of it.
func launched(lifecycle map[string]any) bool {
	effective, _ := lifecycle["effectiveLaunch"].(map[string]any)
	return effective["browserLaunched"] == true
}
