package tool

import (
	"context"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/refguard"
)

// guard refuses refs that do not belong to the page that the session shows. Natively the engine does, for it knows each element; but not for
// refs that an engine before it handed out.
func (c *call) guard(ctx context.Context) *contract.Refusal {
	if c.plan.stateless || c.plan.closes {
		return nil
	}
	steps := c.plan.rows
	if steps == nil {
		steps = []argv.Words{c.words}
	}
	var reason string
	switch {
	case c.state.Refs.Foreign:
		reason = refguard.Foreign(steps)
	case c.backend.Can().KnowsRefs:
	default:
		reason = refguard.Check(steps, &c.state.Refs.State, c.state.Target)
		if reason == "" {
			reason = c.rerendered(ctx, steps)
		}
	}
	if reason != "" {
		return contract.Refuse(contract.StaleRef, reason)
	}
	return nil
}

// rerendered looks again before several elements are read by refs of a snapshot after which the page was changed.
func (c *call) rerendered(ctx context.Context, steps []argv.Words) string {
	refs := &c.state.Refs
	if c.plan.rows == nil || !refs.Touched || refs.Snapshot == nil || !refguard.Getters(steps) {
		return ""
	}
	answer := c.probe(ctx, c.tool.limits.Watchdog, "snapshot", "-i")
	if !answer.Success {
		return ""
	}
	c.tookSnapshot(answer.Data)
	return refguard.Check(steps, &c.state.Refs.State, c.state.Target)
}

// tookSnapshot notes a snapshot that the tool took for itself.
func (c *call) tookSnapshot(data any) *contract.RefSnapshot {
	return c.state.Looked(data, !c.backend.Can().KnowsRefs)
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
	refs := &c.state.Refs
	seen, invalid := false, false
	for i := range ran {
		o := &ran[i]
		if !o.Ran {
			continue
		}
		if o.Words.Does(trait.Snapshots) && o.Success {
			if s := refguard.Snapshot(results[i], c.state.Target); s != nil {
				*refs = conversation.Refs{State: refguard.State{Snapshot: s}}
				seen, invalid = true, false
			}
			continue
		}
		refs.Touched = refs.Touched || refguard.Invalidates(&o.Words)
		if c.backend.Can().KnowsRefs {
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
