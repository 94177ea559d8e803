package tool

import (
	"context"
	"strings"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/diagnosis"
)

// observe asks a session which page it shows after a command that may have left the page, where the answer does not say: agent-browser's
// answers rarely do, ours always. Failed moves are asked about, too, since they may have gone halfway.
func (c *call) observe(ctx context.Context) {
	if c.tellsPage() || c.plan.Stateless || c.plan.Rows != nil || c.answer.TimedOut || c.answer.Aborted || !c.answer.Started {
		return
	}
	moves := c.words.Does(trait.Connects | trait.Traverses | trait.ChoosesTab | trait.LoadsState)
	acts := c.words.Does(trait.Leads | trait.FollowsLinks | trait.Evaluates)
	if !moves && !acts || !c.answer.Success && c.words.Does(trait.FollowsLinks) {
		return
	}
	if page, said := conversation.PageOf(c.words.Entry, c.answer.Data); c.answer.Success && said && page.URL != "" {
		c.state.Unseen = false
		return
	}
	url := c.get(ctx, diagnosis.Patience, "url")
	if url == "" {
		c.state.Unseen = c.state.Unseen || moves
		return
	}
	page := contract.PageTarget{URL: url}
	known := url == c.before.URL && c.before.Title != ""
	if !known && !strings.HasPrefix(strings.ToLower(url), "file:") && url != "about:blank" {
		page.Title = c.get(ctx, diagnosis.Patience, "title")
	}
	c.state.Unseen = false
	c.state.Sees(page, true)
}

// sawPage notes that the caller has seen which page the session shows, or opened one.
func (c *call) sawPage() {
	if c.answer.Success && c.words.Does(trait.Opens|trait.ReadsAddress|trait.EndsSession) {
		c.state.Unseen = false
	}
	c.details.SessionTabTargetUnknown = c.state.Unseen
}
