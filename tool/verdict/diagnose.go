package verdict

import (
	"context"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/desktop"
	"github.com/skua-browser/skua/tool/diagnosis"
	"github.com/skua-browser/skua/tool/judging"
	"github.com/skua-browser/skua/tool/planning"
)

// Before notes what has to be compared later, before a plan is run.
func Before(ctx context.Context, p *planning.Plan, apps *desktop.Apps) diagnosis.Watch {
	if p.Stateless {
		return diagnosis.Watch{}
	}
	return diagnosis.Before(ctx, command(p, apps, p.Bound(false)))
}

// command is the command line of a plan, as diagnostics look at it.
func command(p *planning.Plan, apps *desktop.Apps, bound judging.Session) diagnosis.Command {
	c := diagnosis.Command{
		Visit:   p.Visit,
		Line:    &p.Words,
		Rows:    p.Rows,
		Stdin:   p.Stdin,
		Session: bound,
	}
	if record, ok := appOf(p, apps); ok {
		c.App = &diagnosis.App{Record: record, Apps: apps}
	}
	return c
}

// appOf returns the launch whose app the session of a plan works in.
func appOf(p *planning.Plan, apps *desktop.Apps) (electron.Record, bool) {
	if p.Stateless {
		return electron.Record{}, false
	}
	return apps.In(desktop.Session{Backend: p.Sessions.Backend(), Key: p.Key})
}

// app is that of the call's session.
func (t *trial) app() (electron.Record, bool) { return appOf(t.Plan, t.Apps) }

// diagnose finds out what the command does not say of its outcome.
func (t *trial) diagnose(ctx context.Context) {
	p := t.Plan
	t.track()
	if p.Stateless || p.Closes {
		return
	}
	var failure contract.FailureCategory
	if !t.Answer.Success {
		o := t.outcome()
		failure = judging.FailureOf(&o)
	}
	f := diagnosis.Of(ctx, diagnosis.Case{
		Command: command(p, t.Apps,
			t.bound()),
		Watch:    t.Watch,
		Answer:   &t.Answer.Answer,
		Before:   t.Verdict.Before,
		Failure:  failure,
		Semantic: t.CompiledSemanticAction,
		Refs:     t.RefSnapshot,
		Watchdog: p.Sessions.Limits().Watchdog,
	})
	f.TimeoutPartialProgress, f.SessionTabTargetUnknown = t.TimeoutPartialProgress, t.SessionTabTargetUnknown
	t.DiagnosticDetails = f.DiagnosticDetails
	t.ElectronPostCommandHealth, t.ElectronRefFreshness, t.ElectronGetTextScopeWarning = f.Health, f.Freshness, f.TextScope
	if f.RefSnapshot != nil {
		t.RefSnapshot = f.RefSnapshot
	}
	if f.Target != nil {
		t.SessionTabTarget = f.Target
	}
	if f.Category != "" {
		t.fail(f.Category, f.Message)
	}
	t.Notes = append(t.Notes, f.Notes...)
	t.after, t.appGone = append(t.after, f.After...), f.AppGone
}

// track notes what later calls of the session have to know: its routes, and who traces.
func (t *trial) track() {
	note := func(line *argv.Words) {
		t.state.Routes, t.state.Tracing = t.state.Routes.After(line), t.state.Tracing.After(line)
	}
	switch p, a := t.Plan, t.Answer; {
	case p.Stateless:
	case p.Rows == nil:
		if a.Success {
			note(&p.Words)
		}
	default:
		for i := range a.Rows {
			if a.Rows[i].Success && i < len(p.Rows) {
				note(&p.Rows[i])
			}
		}
	}
}
