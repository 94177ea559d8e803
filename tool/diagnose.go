package tool

import (
	"context"

	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/diagnosis"
	"github.com/skua-browser/skua/tool/judging"
)

// diagnosed is the command line of the call, as diagnostics look at it.
func (c *call) diagnosed() diagnosis.Command {
	d := diagnosis.Command{
		Line: &c.words, Rows: c.plan.Rows, Stdin: c.stdin, Can: c.backend.Can(), State: c.state, Key: c.plan.Key, Session: c.boundTo(), Probe: c.probe,
	}
	if record, ok := c.app(); ok {
		d.App = &diagnosis.App{Record: record, Apps: c.tool.apps}
	}
	return d
}

// lookBefore notes what a diagnostic has to compare with later.
func (c *call) lookBefore(ctx context.Context) {
	if !c.plan.Stateless {
		c.watch = diagnosis.Before(ctx, c.diagnosed())
	}
}

// diagnose finds out what the command does not say of its outcome, and takes it into the call.
func (c *call) diagnose(ctx context.Context) {
	c.trackSession()
	if c.plan.Stateless || c.plan.Closes {
		return
	}
	d, v := c.details, &c.verdict
	var failure contract.FailureCategory
	if !c.answer.Success {
		o := c.outcome()
		failure = judging.FailureOf(&o)
	}
	f := diagnosis.Of(ctx, diagnosis.Case{
		Command: c.diagnosed(), Watch: c.watch, Answer: &c.answer, Before: c.before, Failure: failure, Semantic: d.CompiledSemanticAction,
		Refs: d.RefSnapshot, Watchdog: c.tool.limits.Watchdog,
	})
	f.TimeoutPartialProgress, f.SessionTabTargetUnknown = d.TimeoutPartialProgress, d.SessionTabTargetUnknown
	d.DiagnosticDetails = f.DiagnosticDetails
	d.ElectronPostCommandHealth, d.ElectronRefFreshness, d.ElectronGetTextScopeWarning = f.Health, f.Freshness, f.TextScope
	if f.RefSnapshot != nil {
		d.RefSnapshot = f.RefSnapshot
	}
	if f.Target != nil {
		d.SessionTabTarget = f.Target
	}
	if f.Category != "" {
		c.fail(f.Category, f.Message)
	}
	c.notes = append(c.notes, f.Notes...)
	v.after, v.appGone = append(v.after, f.After...), f.AppGone
}
