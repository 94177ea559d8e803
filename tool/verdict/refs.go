package verdict

import (
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/refguard"
)

// ran are the commands that were run, with what each of them answered.
func (t *trial) ran() (ran []refguard.Outcome, results []any) {
	p, a := t.Plan, t.Answer
	if p.Rows == nil {
		return []refguard.Outcome{{Words: p.Words, Ran: a.Started, Success: a.Success, Error: a.Error}}, []any{a.Data}
	}
	for i := range a.Rows {
		row := &a.Rows[i]
		o := refguard.Outcome{Words: argv.Read(row.Command), Ran: !row.Skipped, Success: row.Success, Error: row.Error}
		ran, results = append(ran, o), append(results, row.Result)
	}
	if len(ran) == 0 && a.TimedOut { // which of them ran is not known
		for i := range p.Rows {
			ran, results = append(ran, refguard.Outcome{Words: p.Rows[i], Ran: true}), append(results, nil)
		}
	}
	return ran, results
}

// followRefs notes which refs the session has after the command.
func (t *trial) followRefs() {
	refs, knows := &t.state.Refs, t.Plan.Can().KnowsRefs
	seen, invalid := false, false
	ran, results := t.ran()
	for i := range ran {
		o := &ran[i]
		if !o.Ran {
			continue
		}
		if o.Words.Does(trait.Snapshots) && o.Success {
			if s := refguard.Snapshot(results[i], t.state.Target); s != nil {
				*refs = conversation.Refs{State: refguard.State{Snapshot: s}}
				seen, invalid = true, false
			}
			continue
		}
		refs.Touched = refs.Touched || refguard.Invalidates(&o.Words)
		if knows { // which of them still hold
			continue
		}
		if v := refguard.Invalidation(o); v != nil {
			refs.Invalidation = v
			invalid = true
		}
	}
	if seen {
		t.RefSnapshot = refs.Snapshot
	}
	if invalid {
		t.RefSnapshotInvalidation = refs.Invalidation
	}
}
