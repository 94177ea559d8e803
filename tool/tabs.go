package tool

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/planning"
	"github.com/skua-browser/skua/tool/refguard"
)

// tellsPage reports whether each answer says which page the session shows, so that nothing has to be found out about it.
func (c *call) tellsPage() bool { return c.backend.Can().TellsPage }

// recoverTab goes back to the tab that the caller works in, when another one shows.
func (c *call) recoverTab(ctx context.Context) {
	switch {
	case c.plan.Closes || c.answer.TimedOut || c.answer.Aborted:
	case planning.WentBlank(c.before, c.state.Target, c.plan.Lines()):
		c.recoverFromBlank(ctx)
	case c.tellsPage() || !c.answer.Success:
	case c.words.Does(trait.Opens) && planning.RestoresTabs(&c.words):
		c.correctTab(ctx)
	case c.words.Does(trait.ClosesTab):
		c.state.Sees(conversation.PageOf(argv.That(trait.ListsTabs), c.tabList(ctx)))
	}
}

func (c *call) tabList(ctx context.Context) any {
	return c.probe(ctx, c.tool.limits.Dialog, "tab", "list").Data
}

// correctTab chooses the tab of the page that was opened, when one that was restored took its place.
func (c *call) correctTab(ctx context.Context) {
	correction := planning.Correct(planning.Tabs(c.tabList(ctx)), c.state.Target)
	if correction == nil || !c.selectTab(ctx, correction) {
		return
	}
	c.details.SessionTabCorrection, c.state.Drifts = correction, true
}

func (c *call) selectTab(ctx context.Context, correction *contract.TabCorrection) bool {
	if !c.probe(ctx, c.tool.limits.Dialog, "tab", correction.SelectedTab).Success {
		return false
	}
	if correction.SelectionKind == "tabId" {
		c.state.Target.TabID = correction.SelectedTab
	}
	return true
}

// recoverFromBlank looks for the page that the session has lost.
func (c *call) recoverFromBlank(ctx context.Context) {
	correction := planning.Correct(planning.Tabs(c.tabList(ctx)), c.before)
	if correction != nil && c.selectTab(ctx, correction) {
		tab := c.state.Target.TabID
		c.state.Target = c.before
		c.state.Target.TabID = tab
		c.state.Drifts = true
		c.details.SessionTabCorrection = correction
		c.answer.Warnings = append(c.answer.Warnings, "Warning: agent_browser detected that this session returned about:blank; the tab of "+c.before.URL+
			" was chosen again. The command may have run in the empty tab: repeat it if its result looks empty.")
		c.details.Warnings = c.answer.Warnings
		return
	}
	const summary = "The session shows about:blank in place of its page. No matching tab could be re-selected."
	c.state.Refs.Invalidation = &contract.RefSnapshotInvalidation{Reason: refguard.PageTransition, Summary: summary}
	c.details.RefSnapshotInvalidation = c.state.Refs.Invalidation
	c.fail(contract.TabDrift, summary+" It was "+c.before.URL+": open it again, or look for it with `tab list`.")
}

// pinned is the invocation with the choice of the session's tab before its command, if other tabs have been seen to take its place.
func (c *call) pinned(inv backend.Invocation) (pinned backend.Invocation, ok bool) {
	if c.tellsPage() || c.plan.Stateless || !c.state.Drifts || c.state.Target.TabID == "" || !planning.Pinnable(&c.words) {
		return inv, false
	}
	stdin, err := json.Marshal(planning.Pin(c.state.Target.TabID, &c.words, c.plan.Rows, c.stdin))
	if err != nil {
		return inv, false
	}
	key := c.plan.Key
	inv.Args = key.Line("batch")
	if c.plan.Rows == nil || c.words.Has("bail") {
		inv.Args = append(inv.Args, "--bail")
	}
	inv.Stdin = stdin
	return inv, true
}

// unpin takes the choice of the tab out of an answer again, so that it reads as if the command had run alone.
func (c *call) unpin(a *backend.Answer) {
	if len(a.Rows) == 0 {
		return
	}
	choice, rows := a.Rows[0], a.Rows[1:]
	if !choice.Success {
		a.Rows, a.Success = nil, false
		a.Error = "agent_browser could not re-select the intended tab " + c.state.Target.TabID + " (" + c.state.Target.URL + "): " + choice.Error
		c.fail(contract.TabDrift, a.Error)
		return
	}
	if c.plan.Rows != nil {
		a.Rows = rows
		return
	}
	a.Rows = nil
	if len(rows) != 1 {
		a.Success, a.ParseError = false, "agent-browser answered "+strconv.Itoa(len(rows))+" rows to one command"
		return
	}
	a.Data, a.Success, a.Error, a.Lifecycle = rows[0].Result, rows[0].Success, rows[0].Error, rows[0].Lifecycle
}
