package tool

import (
	"context"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// trackSession notes what later calls of the session have to know: its routes, and who traces.
func (c *call) trackSession() {
	if c.plan.stateless {
		return
	}
	if c.plan.rows == nil {
		if c.answer.Success {
			c.track(&c.words)
		}
		return
	}
	for i, row := range c.answer.Rows {
		if row.Success && i < len(c.plan.rows) {
			c.track(&c.plan.rows[i])
		}
	}
}

func (c *call) track(line *argv.Words) {
	c.state.Routes, c.state.Tracing = c.state.Routes.After(line), c.state.Tracing.After(line)
}

// oneTracer refuses what would be in the way of a trace that the session has begun. Some backends say so themselves.
func (c *call) oneTracer(context.Context) *contract.Refusal {
	if c.backend.Can().GuardsTraces || c.plan.stateless {
		return nil
	}
	if why := c.state.Tracing.Conflict(&c.words); why != "" {
		return contract.Refuse(contract.ValidationError, why)
	}
	return nil
}
