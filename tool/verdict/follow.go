package verdict

import (
	"context"
	"strings"

	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/refguard"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/diagnosis"
)

// follow notes what the command led to: which page the session shows, and which refs it has. The engine says it with
// each answer; what agent-browser prints speaks of it here and there.
func (t *trial) follow(ctx context.Context) {
	p, a, state := t.Plan, t.Answer, t.state
	if p.Stateless {
		return
	}
	if p.Managed && a.Started {
		p.Sessions.Own(p.Key)
	}
	switch {
	case a.Page != nil:
		state.Target = *a.Page
		if t.titleOfBefore() {
			state.Target.Title = ""
		}
	default:
		state.Sees(conversation.PageOf(&a.ResultFacts))
		for i := range a.Rows {
			if row := &a.Rows[i]; row.Success {
				state.Sees(conversation.PageOf(&row.ResultFacts))
			}
		}
	}
	if p.Words.EndsSession() && a.Success {
		state.Target = contract.PageTarget{}
	}
	t.look(ctx)
	page, shown := conversation.PageOf(&a.ResultFacts)
	if a.Success && (p.Words.EndsSession() || shown && page.URL != "") {
		state.Unseen = false
	}
	t.SessionTabTargetUnknown = state.Unseen
	t.recoverTab(ctx)
	t.checkPage()
	t.followRefs()
	if target := state.Target; target != (contract.PageTarget{}) {
		t.SessionTabTarget = &target
	}
}

// titleOfBefore reports whether the reported title may be that of the previous page: a page that has just been opened
// has no title yet, and nothing that the command read says otherwise.
func (t *trial) titleOfBefore() bool {
	page, before := t.Answer.Page, t.Verdict.Before
	was, _, _ := strings.Cut(before.URL, "#")
	is, _, _ := strings.Cut(page.URL, "#")
	return was != "" && is != was && page.Title == before.Title &&
		backend.Read[look.TitleResult](&t.Answer.Answer).Title != page.Title
}

// look asks a session which page it shows after a command that may have left the page, where the answer does not say.
// Failed moves are asked about, too, since they may have gone halfway.
func (t *trial) look(ctx context.Context) {
	p, a, state := t.Plan, t.Answer, t.state
	if p.Can().TellsPage || p.Rows != nil || a.TimedOut || a.Aborted || !a.Started {
		return
	}
	clicks, leaves := p.Words.Does(trait.Clicks), refguard.MayLosePage(&p.Words)
	if !leaves && !clicks || !a.Success && clicks {
		return
	}
	if page, shown := conversation.PageOf(&a.ResultFacts); a.Success && shown && page.URL != "" {
		state.Unseen = false
		return
	}
	url := p.Get(ctx, diagnosis.Patience, "url")
	if url == "" {
		state.Unseen = state.Unseen || leaves && (p.Words.Does(trait.Traverses) || !p.Words.Does(trait.LookAgain))
		return
	}
	page := contract.PageTarget{URL: url}
	known := url == t.Verdict.Before.URL && t.Verdict.Before.Title != ""
	if !known && !strings.HasPrefix(strings.ToLower(url), "file:") && url != "about:blank" {
		page.Title = p.Get(ctx, diagnosis.Patience, "title")
	}
	state.Unseen = false
	state.Sees(page, true)
}
