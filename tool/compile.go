package tool

import (
	"cmp"

	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/input"
)

// compile checks the parameters and turns the input mode into a command line.
func (c *call) compile() *refusal {
	compiled, err := input.Compile(&c.params)
	c.input, c.mode = compiled, compiled.Mode
	c.args, c.stdin, c.words = compiled.Args, compiled.Stdin, compiled.Words
	d := c.details
	d.CompiledDetails = compiled.Details
	d.Args, d.Command, d.Subcommand = c.args, c.words.Command, c.words.Subcommand
	d.SessionMode = cmp.Or(c.params.SessionMode, contract.Auto)
	if err != nil {
		if d.Args == nil {
			d.Args = c.params.Args
		}
		return refuse(contract.ValidationError, err.Error())
	}
	if c.params.Observe && c.backend.Name() == backend.NameSubprocess {
		return refuse(contract.ValidationError, "observe needs the native backend: agent-browser itself cannot show what an action changed. Run snapshot -i after it.")
	}
	return nil
}
