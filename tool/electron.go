package tool

import (
	"context"

	"github.com/skua-browser/skua/tool/contract"
)

// runElectron works with desktop apps.
func (c *call) runElectron(context.Context) *contract.Result {
	return c.refused(refuse(contract.ValidationError, "electron cannot be run yet: this version of skua has no runner for desktop apps."))
}
