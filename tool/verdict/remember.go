package verdict

import (
	"context"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/desktop"
)

// remember records the state of the session: the managed one continues, is closed, or is replaced by a fresh one.
func (t *trial) remember(ctx context.Context) {
	p, a, state := t.Plan, t.Answer, t.state
	if p.Stateless {
		return
	}
	s := p.Sessions
	if t.VisibleRefFallback != nil || t.OverlayBlockers != nil {
		state.Refs.Shown = nil // the caller was shown refs of the newest snapshot
	}
	closed := p.Closes && a.ClosedSession() || !p.Closes && t.closedByRows()
	succeeded := a.Reached()
	if p.Words.Attaches() && succeeded {
		state.Attached = true
		t.Apps.Note(desktop.Session{Backend: s.Backend(), Key: p.Key}, &p.Words)
	}
	if closed {
		s.Forget(p.Key)
		state.Attached, state.Domains, state.Refs = false, "", conversation.Refs{}
	}
	t.AttachedSession = state.Attached
	before, after := p.Before, p.Before
	switch {
	case p.ClosesAll && closed:
		t.CloseAllApplied = true
		s.ForgetAll(p.Key.Namespace)
		if conversation.KeyOf(before).Namespace != p.Key.Namespace {
			return
		}
		after = t.next()
	case !p.Managed:
		return
	case closed:
		after = t.next()
	case succeeded && !p.Closes && (before.Active && p.Key == conversation.KeyOf(before) || a.HasBrowser(p)):
		after = conversation.Managed{Name: p.Key.Name, Namespace: p.Namespace, Active: true}
	}
	s.SetManaged(after)
	t.account(ctx, conversation.Attempt{
		Mode:   t.SessionMode,
		Name:   p.Key.Name,
		Before: before,
		After:  after,
		Closes: closed ||
			p.Closes,
		Closed:    closed,
		Succeeded: succeeded,
	})
}

// account says what an attempt did to the managed session, and closes the one that was replaced.
func (t *trial) account(ctx context.Context, attempt conversation.Attempt) {
	o := conversation.Outcome(attempt)
	if o.Status == conversation.Replaced {
		answer := t.Plan.Sessions.Close(ctx, conversation.KeyOf(attempt.Before))
		gone := answer.ClosedSession()
		o.ReplacedSessionClosed = &gone
		if gone && !answer.Success { // its state is not saved
			t.Warnings = append(t.Warnings, answer.Error)
		}
	}
	t.ManagedSessionOutcome = o
}

// next is the managed session after one that was closed: one of another name, so that no name means two browsers.
func (t *trial) next() conversation.Managed {
	return conversation.Managed{Name: t.Plan.Sessions.FreshName(), Namespace: t.Plan.Place.Before.Namespace}
}

// closedByRows reports whether a batch has left the session closed.
func (t *trial) closedByRows() bool {
	rows := t.Plan.Rows
	steps := make([]conversation.Step, 0, len(rows))
	for i := range t.Answer.Rows {
		row := &t.Answer.Rows[i]
		if i >= len(rows) || row.Skipped {
			break
		}
		step := conversation.Step{
			Closes:  rows[i].EndsSession(),
			Success: row.Success || row.Facts[actions.FactClosed] == true,
		}
		if row.Lifecycle != nil {
			step.Launched = &row.Lifecycle.EffectiveLaunch.BrowserLaunched
		}
		steps = append(steps, step)
	}
	if t.Answer.Page != nil {
		return false
	}
	return conversation.LeftClosed(steps)
}
