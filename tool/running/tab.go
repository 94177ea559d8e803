package running

import (
	"encoding/json"
	"strconv"

	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/planning"
)

// pin is the invocation with the choice of the session's tab before its command, if other tabs have been seen to take
// its place.
func pin(p *planning.Plan, inv backend.Invocation) (pinned backend.Invocation, ok bool) {
	if p.Can().TellsPage || p.Stateless || !p.State.Drifts || p.State.Target.TabID == "" || !planning.Pinnable(&p.Words) {
		return inv, false
	}
	stdin, err := json.Marshal(planning.Pin(p.State.Target.TabID, &p.Words, p.Rows, p.Stdin))
	if err != nil {
		return inv, false
	}
	inv.Args = p.Key.Line("batch")
	if p.Rows == nil || p.Words.Has("bail") {
		inv.Args = append(inv.Args, "--bail")
	}
	inv.Stdin = stdin
	return inv, true
}

// unpin takes the choice of the tab out of the answer again, so that it reads as if the command had run alone.
func (a *Answer) unpin(p *planning.Plan) {
	if len(a.Rows) == 0 {
		return
	}
	choice, rows := a.Rows[0], a.Rows[1:]
	if !choice.Success {
		a.Rows, a.Success = nil, false
		a.Error = "agent_browser could not re-select the intended tab " + p.State.Target.TabID + " (" + p.State.Target.URL +
			"): " + choice.Error
		a.LostTab = a.Error
		return
	}
	if p.Rows != nil {
		a.Rows = rows
		return
	}
	a.Rows = nil
	if len(rows) != 1 {
		a.Success, a.ParseError = false, "agent-browser answered "+strconv.Itoa(len(rows))+" rows to one command"
		return
	}
	row := rows[0]
	a.Data, a.ResultFacts = row.Result, row.ResultFacts
	a.Success, a.Error, a.Lifecycle = row.Success, row.Error, row.Lifecycle
}
