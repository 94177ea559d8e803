package tool

import (
	"context"

	"github.com/skua-browser/skua/tool/contract"
)

// runScript runs JavaScript that drives the browser.
func (c *call) runScript(context.Context) *contract.Result {
	return c.refused(refuse(contract.ValidationError, "script cannot be run yet."))
}
