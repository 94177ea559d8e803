package verdict

import (
	"context"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/planning"
	"github.com/skua-browser/skua/tool/refguard"
)

// recoverTab goes back to the tab that the caller works in, when another one shows.
func (t *trial) recoverTab(ctx context.Context) {
	p, a, state := t.Plan, t.Answer, t.state
	switch {
	case p.Closes || a.TimedOut || a.Aborted:
	case planning.WentBlank(t.Verdict.Before, state.Target, p.Lines()):
		t.recoverFromBlank(ctx)
	case p.Can().TellsPage || !a.Success:
	case p.Words.Entry.Loads() && planning.RestoresTabs(&p.Words):
		t.correctTab(ctx)
	case p.Words.Does(trait.AboutTabs) && p.Words.Entry.Effect.Has(actions.Closes):
		state.Sees(conversation.PageOf(t.tabList(ctx)))
	}
}

// tabList asks for the tabs of the session.
func (t *trial) tabList(ctx context.Context) *fact.Facts {
	list := t.Plan.Ask(ctx, t.Plan.Sessions.Limits().Dialog, "tab", "list")
	return &list.ResultFacts
}

// correctTab chooses the tab of the page that was opened, when one that was restored took its place.
func (t *trial) correctTab(ctx context.Context) {
	correction := planning.Correct(t.tabList(ctx).Tabs, t.state.Target)
	if correction == nil || !t.selectTab(ctx, correction) {
		return
	}
	t.SessionTabCorrection, t.state.Drifts = correction, true
}

func (t *trial) selectTab(ctx context.Context, correction *contract.TabCorrection) bool {
	if !t.Plan.Ask(ctx, t.Plan.Sessions.Limits().Dialog, "tab", correction.SelectedTab).Success {
		return false
	}
	if correction.SelectionKind == "tabId" {
		t.state.Target.TabID = correction.SelectedTab
	}
	return true
}

// recoverFromBlank looks for the page that the session has lost.
func (t *trial) recoverFromBlank(ctx context.Context) {
	before := t.Verdict.Before
	correction := planning.Correct(t.tabList(ctx).Tabs, before)
	if correction != nil && t.selectTab(ctx, correction) {
		tab := t.state.Target.TabID
		t.state.Target = before
		t.state.Target.TabID = tab
		t.state.Drifts = true
		t.SessionTabCorrection = correction
		t.Warnings = append(t.Warnings,
			"Warning: agent_browser detected that this session returned about:blank; the tab of "+before.URL+
				" was chosen again. The command may have run in the empty tab: repeat it if its result looks empty.")
		return
	}
	const summary = "The session shows about:blank in place of its page. No matching tab could be re-selected."
	t.state.Refs.Invalidation = &contract.RefSnapshotInvalidation{Reason: refguard.PageTransition, Summary: summary}
	t.RefSnapshotInvalidation = t.state.Refs.Invalidation
	t.fail(contract.TabDrift, summary+" It was "+before.URL+": open it again, or look for it with `tab list`.")
}
