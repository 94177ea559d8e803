package tool

import (
	"context"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/refguard"
)

// refState is what is known of a session's refs.
type refState struct {
	refguard.State
	foreign bool // they are from the record of an earlier run, whose engine has ended
}

// guard refuses refs that do not belong to the page that the session shows. Natively the engine does, for it knows each element; but not for
// refs that an engine before it handed out.
func (c *call) guard(ctx context.Context) *refusal {
	if c.plan.stateless || c.plan.closes {
		return nil
	}
	steps := c.plan.rows
	if steps == nil {
		steps = []argv.Words{c.words}
	}
	var reason string
	switch {
	case c.state.refs.foreign:
		reason = refguard.Foreign(steps)
	case c.backend.Name() == backend.NameNative:
	default:
		reason = refguard.Check(steps, &c.state.refs.State, c.state.target)
		if reason == "" {
			reason = c.rerendered(ctx, steps)
		}
	}
	if reason != "" {
		return refuse(contract.StaleRef, reason)
	}
	return nil
}

// rerendered looks again before several elements are read by refs of a snapshot after which the page was changed.
func (c *call) rerendered(ctx context.Context, steps []argv.Words) string {
	refs := &c.state.refs
	if c.plan.rows == nil || !refs.Touched || refs.Snapshot == nil || !refguard.Getters(steps) {
		return ""
	}
	answer := c.probe(ctx, c.tool.limits.Watchdog, "snapshot", "-i")
	if !answer.Success {
		return ""
	}
	c.tookSnapshot(answer.Data)
	return refguard.Check(steps, &c.state.refs.State, c.state.target)
}

// tookSnapshot notes a snapshot that the tool took for itself. agent-browser renumbers the elements with each one, so that the refs which the
// caller has seen may mean others from then on: they are compared before they are used.
func (c *call) tookSnapshot(data any) *contract.RefSnapshot {
	s := refguard.Snapshot(data, c.state.target)
	if s == nil {
		return nil
	}
	refs := &c.state.refs
	shown := refs.Shown
	if shown == nil {
		shown = refs.Snapshot
	}
	*refs = refState{State: refguard.State{Snapshot: s}}
	if !c.native() {
		refs.Shown = shown
	}
	return s
}

// followRefs notes which refs the session has after the command.
func (c *call) followRefs() {
	ran := []refguard.Outcome{{Words: c.words, Ran: c.answer.Started, Success: c.answer.Success, Error: c.answer.Error}}
	results := []any{c.answer.Data}
	if c.plan.rows != nil {
		ran, results = nil, nil
		for _, row := range c.answer.Rows {
			o := refguard.Outcome{Words: argv.Read(row.Command), Ran: !row.Skipped, Success: row.Success, Error: row.Error}
			ran, results = append(ran, o), append(results, row.Result)
		}
		if len(ran) == 0 && c.answer.TimedOut { // which of them ran is not known
			for i := range c.plan.rows {
				ran, results = append(ran, refguard.Outcome{Words: c.plan.rows[i], Ran: true}), append(results, nil)
			}
		}
	}
	refs := &c.state.refs
	seen, invalid := false, false
	for i := range ran {
		o := &ran[i]
		if !o.Ran {
			continue
		}
		if o.Words.Does(trait.Snapshots) && o.Success {
			if s := refguard.Snapshot(results[i], c.state.target); s != nil {
				*refs = refState{State: refguard.State{Snapshot: s}}
				seen, invalid = true, false
			}
			continue
		}
		refs.Touched = refs.Touched || refguard.Invalidates(&o.Words)
		if c.backend.Name() == backend.NameNative {
			continue // the engine knows which of them still hold
		}
		if v := refguard.Invalidation(o); v != nil {
			refs.Invalidation = v
			invalid = true
		}
	}
	if seen {
		c.details.RefSnapshot = refs.Snapshot
	}
	if invalid {
		c.details.RefSnapshotInvalidation = refs.Invalidation
	}
}
