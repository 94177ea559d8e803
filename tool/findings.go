package tool

import (
	"context"
	"encoding/json"

	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/lookup"
)

// assess judges what the batch of a qa, a sourceLookup or a networkSourceLookup brought back.
func (c *call) assess(ctx context.Context) {
	d := c.details
	if !c.answer.Started || c.answer.Aborted || len(c.answer.Rows) == 0 && !c.answer.TimedOut {
		return
	}
	switch c.mode {
	case contract.ModeQA:
		d.QAPreset, c.verdict.failedSteps = lookup.QA(d.CompiledQAPreset, c.answer.Rows, c.answer.TimedOut)
		if !d.QAPreset.Passed {
			c.fail(contract.QAFailure, d.QAPreset.Summary)
		}
	case contract.ModeSourceLookup:
		q := d.CompiledSourceLookup
		var own []backend.Row
		if q.Selector != "" && q.IncludeDOMHints && c.found("html") {
			own = c.probeRows(ctx, lookup.OwnAttributes(q.Selector))
		}
		d.SourceLookup = lookup.Source(ctx, q, c.answer.Rows, own, c.tool.options.Cwd)
		if app, ok := c.app(); ok {
			c.verdict.after = append(c.verdict.after, c.tool.apps.Packaged(d.SourceLookup, &app, c.tool.options.Cwd, c.plan.Key.Name, c.state.Target.URL)...)
		}
	case contract.ModeNetworkSourceLookup:
		traced := c.probeRows(ctx, lookup.Traces(c.answer.Rows))
		d.NetworkSourceLookup = lookup.Network(ctx, d.CompiledNetworkSourceLookup, c.answer.Rows, traced, c.tool.options.Cwd, c.secrets().Text)
	}
}

// found reports whether the step of a sourceLookup with this action succeeded.
func (c *call) found(action string) bool {
	for i, step := range c.details.CompiledSourceLookup.Steps {
		if step.Action == action {
			return i < len(c.answer.Rows) && c.answer.Rows[i].Success
		}
	}
	return false
}

// probeRows runs further commands in the call's session, in one go.
func (c *call) probeRows(ctx context.Context, rows [][]string) []backend.Row {
	if len(rows) == 0 {
		return nil
	}
	stdin, err := json.Marshal(rows)
	if err != nil {
		return nil
	}
	return c.backend.Run(ctx, backend.Invocation{
		Args: c.plan.Key.Line("batch"), Stdin: stdin, Cwd: c.tool.options.Cwd, Env: c.sessions.Env(), Timeout: c.plan.Watchdog,
		Session: c.plan.Key.Name, Namespace: c.plan.Key.Namespace, Attached: c.state.Attached,
	}).Rows
}

// findings are what the modes that judge what they ran have to say, which comes before what the batch says, or in its place: of a page
// that passed its check there is nothing else to read.
func (c *call) findings() (text string, alone bool) {
	d := c.details
	switch {
	case d.QAPreset != nil && d.QAPreset.Passed && d.ResultCategory == contract.Success:
		verified := 0
		if d.ArtifactVerification != nil {
			verified = d.ArtifactVerification.VerifiedCount
		}
		return lookup.QAPassed(d.CompiledQAPreset, d.QAPreset, c.state.Target, verified), true
	case d.QAPreset != nil && !d.QAPreset.Passed:
		return lookup.QAFailed(d.CompiledQAPreset, d.QAPreset), false
	case d.SourceLookup != nil:
		return lookup.SourceText(d.SourceLookup), false
	case d.NetworkSourceLookup != nil:
		return lookup.NetworkText(d.NetworkSourceLookup), false
	}
	return "", false
}
