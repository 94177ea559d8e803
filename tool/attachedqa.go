package tool

import (
	"context"
	"strings"

	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/judging"
)

// preflight makes sure that a check of the page that is there has one to check.
func (c *call) preflight(ctx context.Context) *contract.Refusal {
	if c.mode != contract.ModeQA || !c.details.CompiledQAPreset.Checks.Attached {
		return nil
	}
	if !c.plan.before.Active {
		return contract.Refuse(contract.ValidationError, "qa.attached requires an active attached session. Open or connect to a page first, or give qa.url.")
	}
	answer := c.probe(ctx, c.watchdog(), "get", "url")
	url := answer.Field("url")
	if answer.Success && (strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://")) {
		if c.state.Target.URL != url {
			c.state.Target = contract.PageTarget{URL: url}
		}
		return nil
	}
	found := "the session shows " + url
	if !answer.Success {
		found = "its address could not be read: " + answer.Error
	} else if url == "" {
		found = "the session shows no page"
	}
	c.details.NextActions = judging.In(c.boundTo(), []contract.NextAction{
		judging.Act("list-tabs-before-qa-attached", "See which tab has the page to check.", "tab", "list"),
		judging.Act("snapshot-before-qa-attached", "See what the session shows.", "snapshot", "-i"),
	})
	return contract.Refuse(contract.ValidationError, "qa.attached requires an http(s) page URL, and "+found+".")
}
