package verdict

import (
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/refguard"
)

// ran are the commands that were run, with what each of them told.
func (t *trial) ran() (ran []refguard.Outcome, told []*fact.Facts) {
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
		ran, told = append(ran, o), append(told, &row.ResultFacts)
	}
	if len(ran) == 0 && a.TimedOut { // which of them ran is not known
		for i := range p.Rows {
			ran, told = append(ran, refguard.Outcome{Words: p.Rows[i], Ran: true}), append(told, &fact.Facts{})
		}
	}
	return ran, told
}

// followRefs notes which refs the session has after the command.
func (t *trial) followRefs() {
	refs, knows := &t.state.Refs, t.Plan.Can().KnowsRefs
	seen, invalid := false, false
	ran, told := t.ran()
	for i := range ran {
		o := &ran[i]
		if !o.Ran {
			continue
		}
		if o.Success && told[i].Refs != nil {
			if s := refguard.Snapshot(told[i], t.state.Target); s != nil {
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
