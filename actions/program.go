package actions

import (
	"context"

	"github.com/skua-browser/skua/engine/fault"
)

// AllowSelfConfirm is the flag by which an owner lets an agent confirm what it asked for itself.
const AllowSelfConfirm = "allow-self-confirm"

// NotHere is the answer of a host, or of a batch, that is to run a program.
func NotHere(_ context.Context, c *Call) (Result, error) {
	name := c.Name()
	return Result{}, fault.New(fault.Usage, "`%s` is a program of its own and not a command of a session", name).About(name).
		WithHint("%s", "Start it by `skua "+name+"`, outside of a batch.")
}
