package tool

import (
	"context"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/desktop"
)

// remember records the state of the session: the managed one continues, is closed, or is replaced by a fresh one.
func (c *call) remember(ctx context.Context) {
	if c.plan.Stateless {
		return
	}
	p, s, d := c.plan, c.sessions, c.details
	if d.VisibleRefFallback != nil || d.OverlayBlockers != nil {
		c.state.Refs.Shown = nil // the caller was shown refs of the newest snapshot
	}
	closed := p.Closes && c.answer.ClosedSession() || !p.Closes && c.closedByRows()
	if c.words.Attaches() && c.reached() {
		c.state.Attached = true
		c.tool.apps.Note(desktop.Session{Backend: c.backend, Key: p.Key}, &c.words)
	}
	if closed {
		s.Forget(p.Key)
		c.state.Attached, c.state.Domains, c.state.Refs = false, "", conversation.Refs{}
	}
	d.AttachedSession = c.state.Attached
	before, after := p.Before, p.Before
	succeeded := c.reached()
	switch {
	case p.ClosesAll && closed:
		d.CloseAllApplied = true
		s.ForgetAll(p.Key.Namespace)
		if conversation.KeyOf(before).Namespace != p.Key.Namespace {
			return
		}
		after = c.next(before)
	case !p.Managed:
		return
	case closed:
		after = c.next(before)
	case succeeded && !p.Closes && (before.Active && p.Key == conversation.KeyOf(before) || c.hasBrowser()):
		after = conversation.Managed{Name: p.Key.Name, Namespace: p.Namespace, Active: true}
	}
	s.SetManaged(after)
	o := conversation.Outcome(conversation.Attempt{
		Mode: d.SessionMode, Name: p.Key.Name, Before: before, After: after, Closes: closed || p.Closes, Closed: closed, Succeeded: succeeded,
	})
	if o.Status == conversation.Replaced {
		answer := s.Close(ctx, conversation.KeyOf(before))
		gone := answer.ClosedSession()
		o.ReplacedSessionClosed = &gone
		if gone && !answer.Success { // its state is not saved
			d.Warnings = append(d.Warnings, answer.Error)
		}
	}
	d.ManagedSessionOutcome = o
}

// hasBrowser reports whether the session has a browser after a command that succeeded. Where answers tell the page they say it, of a browser that
// was started for it; else all commands that a session is planned for start one.
func (c *call) hasBrowser() bool {
	return !c.backend.Can().TellsPage || c.answer.Page != nil || launched(c.answer.Lifecycle) || c.words.Attaches()
}

// next is the managed session after one that was closed: one of another name, so that no name means two browsers.
func (c *call) next(before conversation.Managed) conversation.Managed {
	return conversation.Managed{Name: c.tool.names.Fresh(), Namespace: before.Namespace}
}

// closedByRows reports whether a batch has left the session closed.
func (c *call) closedByRows() bool {
	steps := make([]conversation.Step, 0, len(c.plan.Rows))
	for i, row := range c.answer.Rows {
		if i >= len(c.plan.Rows) || row.Skipped {
			break
		}
		step := conversation.Step{Closes: c.plan.Rows[i].Does(trait.EndsSession), Success: row.Success || row.Facts[actions.FactClosed] == true}
		if effective, ok := row.Lifecycle["effectiveLaunch"].(map[string]any); ok {
			if launched, ok := effective["browserLaunched"].(bool); ok {
				step.Launched = &launched
			}
		}
		steps = append(steps, step)
	}
	if c.answer.Page != nil {
		return false
	}
	return conversation.LeftClosed(steps)
}

// account adds to what the model sees what it has to know of the managed session.
func (c *call) account() {
	text := conversation.OutcomeText(c.details.ManagedSessionOutcome, c.details.ResultCategory == contract.Failure)
	if text == "" || c.words.JSON {
		return
	}
	c.content = append(c.content, contract.TextOf("\n\n"+text))
}
