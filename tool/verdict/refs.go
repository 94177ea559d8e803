package verdict

import (
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/refguard"
)

// ran are the commands that were run, with what each of them told.
func (t *trial) ran() (ran []refguard.Outcome, facts []*fact.Facts) {
	p, a := t.Plan, t.Answer
	if p.Rows == nil {
		return []refguard.Outcome{{
			Words:   p.Words,
			Ran:     a.Started,
			Success: a.Success,
			Error:   a.Error,
		}}, []*fact.Facts{&a.ResultFacts}
	}
	for i := range a.Rows {
		row := &a.Rows[i]
		o := refguard.Outcome{Words: argv.Read(row.Command), Ran: !row.Skipped, Success: row.Success, Error: row.Error}
		ran, facts = append(ran, o), append(facts, &row.ResultFacts)
	}
	if len(ran) == 0 && a.TimedOut { // which of them ran is not known
		for i := range p.Rows {
			ran, facts = append(ran, refguard.Outcome{Words: p.Rows[i], Ran: true}), append(facts, &fact.Facts{})
		}
	}
	return ran, facts
}

// followRefs notes which refs the session has after the command.
func (t *trial) followRefs() {
	refs, knows := &t.state.Refs, t.Plan.Can().KnowsRefs
	seen, invalid := false, false
	ran, facts := t.ran()
	for i := range ran {
		o := &ran[i]
		if !o.Ran {
			continue
		}
		if o.Success && facts[i].Refs != nil {
			if s := refguard.Snapshot(facts[i], t.state.Target); s != nil {
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
