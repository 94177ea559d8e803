package run

import "github.com/skua-browser/skua/actions"

// Progress reports to the caller what a long command does now, if the caller follows it.
func Progress(c *actions.Call, line string) {
	if c.Report != nil {
		c.Report(line)
	}
}
