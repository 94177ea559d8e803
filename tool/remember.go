package tool

import "context"

// remember keeps what later calls need to know of this one.
func (c *call) remember(context.Context) {
	if c.plan.implicit && c.answer.Success {
		c.tool.mu.Lock()
		c.tool.managed = managed{name: c.plan.key.name, active: true}
		c.tool.mu.Unlock()
	}
}
