package tool

import (
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// compile checks the parameters and turns the input mode into a command line.
func (c *call) compile() *refusal {
	if len(c.params.Args) == 0 {
		return refuse(contract.ValidationError, "Provide exactly one of script, args, semanticAction, job, qa, sourceLookup, networkSourceLookup, or electron.")
	}
	c.mode, c.args = contract.ModeArgs, c.params.Args
	if c.params.Stdin != nil {
		c.stdin = []byte(*c.params.Stdin)
	}
	c.words = argv.Read(c.args)
	c.details.Args, c.details.Command, c.details.Subcommand = c.args, c.words.Command, c.words.Subcommand
	c.details.SessionMode = c.params.SessionMode
	if c.details.SessionMode == "" {
		c.details.SessionMode = contract.Auto
	}
	return nil
}
