package tool

import (
	"context"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/planning"
)

// follow notes which page the session shows after the command: natively the engine says it with each answer; what agent-browser prints
// speaks of it here and there. Later steps find the page before the command in c.before, and the one after it in c.state.target.
func (c *call) follow(context.Context) {
	c.before = c.state.target
	if c.plan.stateless {
		return
	}
	switch {
	case c.answer.Page != nil:
		c.state.target = *c.answer.Page
	default:
		c.state.sees(planning.PageOf(c.registryCommand(c.words.Rest()), c.answer.Data))
		for _, row := range c.answer.Rows {
			c.state.sees(planning.PageOf(c.registryCommand(row.Command), row.Result))
		}
	}
	if target := c.state.target; target != (contract.PageTarget{}) {
		c.details.SessionTabTarget = &target
	}
}

// sees adds what is newly known of the session's page. Only who has the session's turn may call it.
func (s *sessionState) sees(page contract.PageTarget, ok bool) {
	if ok {
		s.target = planning.Merge(s.target, page)
	}
}

// registryCommand returns the command that words begin with, nil when it is none of ours.
func (c *call) registryCommand(words []string) *actions.Command {
	for n := min(len(words), 3); n > 0; n-- {
		if cmd, ok := c.tool.registry.Lookup(strings.Join(words[:n], " ")); ok {
			return cmd
		}
	}
	return nil
}
