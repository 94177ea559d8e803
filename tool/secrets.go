package tool

import (
	"slices"

	"github.com/skua-browser/skua/tool/redact"
)

// secrets returns what keeps the secrets of the call's command line out of everything that leaves the call. Before there is a command line,
// it knows what the caller gave.
func (c *call) secrets() *redact.Redactor {
	args, stdin := c.args, c.stdin
	if args == nil {
		args = c.params.Args
	}
	if stdin == nil && c.params.Stdin != nil {
		stdin = []byte(*c.params.Stdin)
	}
	if c.redactor == nil || !slices.Equal(c.redacts, args) || string(c.redactsStdin) != string(stdin) {
		learned := c.redactor
		c.redactor, c.redacts, c.redactsStdin = redact.New(args, stdin), args, stdin
		c.redactor.Learn(learned)
	}
	return c.redactor
}
