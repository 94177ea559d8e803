package tool

import "context"

// reserve makes sure, before anything runs, that the files of the call can be written.
func (c *call) reserve(context.Context) *refusal { return nil }
