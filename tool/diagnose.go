package tool

import "context"

// diagnose finds out what the command does not say of its outcome.
func (c *call) diagnose(context.Context) {}
