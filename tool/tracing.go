package tool

import (
	"github.com/skua-browser/skua/tool/argv"
)

// trackSession notes what later calls of the session have to know: its routes, and who traces.
func (c *call) trackSession() {
	if c.plan.Stateless {
		return
	}
	if c.plan.Rows == nil {
		if c.answer.Success {
			c.track(&c.words)
		}
		return
	}
	for i, row := range c.answer.Rows {
		if row.Success && i < len(c.plan.Rows) {
			c.track(&c.plan.Rows[i])
		}
	}
}

func (c *call) track(line *argv.Words) {
	c.state.Routes, c.state.Tracing = c.state.Routes.After(line), c.state.Tracing.After(line)
}
