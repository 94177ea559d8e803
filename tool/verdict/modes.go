package verdict

import (
	"context"

	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/lookup"
)

// assess judges what the batch of a qa, a sourceLookup or a networkSourceLookup brought back.
func (t *trial) assess(ctx context.Context) {
	p, a := t.Plan, t.Answer
	if !a.Started || a.Aborted || len(a.Rows) == 0 && !a.TimedOut {
		return
	}
	cwd := p.Sessions.Cwd()
	switch p.Line.Mode {
	case contract.ModeQA:
		t.QAPreset, t.failedSteps = lookup.QA(t.CompiledQAPreset, a.Rows, a.TimedOut)
		if !t.QAPreset.Passed {
			t.fail(contract.QAFailure, t.QAPreset.Summary)
		}
	case contract.ModeSourceLookup:
		q := t.CompiledSourceLookup
		var own []backend.Row
		if q.Selector != "" && q.IncludeDOMHints && t.found("html") {
			own = p.AskRows(ctx, p.Watchdog, lookup.OwnAttributes(q.Selector))
		}
		t.SourceLookup = lookup.Source(ctx, q, a.Rows, own, cwd)
		if app, ok := t.app(); ok {
			t.after = append(t.after, t.Apps.Packaged(t.SourceLookup, &app, cwd, p.Key.Name, t.state.Target.URL)...)
		}
	case contract.ModeNetworkSourceLookup:
		traced := p.AskRows(ctx, p.Watchdog, lookup.Traces(a.Rows))
		t.NetworkSourceLookup = lookup.Network(ctx, t.CompiledNetworkSourceLookup, a.Rows, traced, cwd, t.Redact)
	}
}

// found reports whether the step of a sourceLookup with this action succeeded.
func (t *trial) found(action string) bool {
	for i, step := range t.CompiledSourceLookup.Steps {
		if step.Action == action {
			return i < len(t.Answer.Rows) && t.Answer.Rows[i].Success
		}
	}
	return false
}
