package tool

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/redact"
)

// mask is a redactor with the command line that it was made for.
type mask struct {
	redactor *redact.Redactor
	args     []string
	stdin    []byte
}

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
	if c.mask.redactor == nil || !slices.Equal(c.mask.args, args) || string(c.mask.stdin) != string(stdin) {
		learned := c.mask.redactor
		c.mask = mask{redactor: redact.New(args, stdin), args: args, stdin: stdin}
		c.mask.redactor.Learn(learned)
	}
	return c.mask.redactor
}

// typedSecrets learns the texts that went into fields whose content is not shown, as the browser said.
func (c *call) typedSecrets() {
	c.secrets().Learn(c.answer.Learned)
	learn := func(w *argv.Words) {
		typed := w.Typed()
		c.secrets().Also(strings.Join(typed, " "))
		c.secrets().Also(typed...)
	}
	if c.answer.Secret {
		learn(&c.words)
	}
	for i := range c.answer.Rows {
		if c.answer.Rows[i].Secret && i < len(c.plan.Rows) {
			learn(&c.plan.Rows[i])
		}
	}
}
