package tool

import (
	"cmp"
	"context"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/diagnosis"
	"github.com/skua-browser/skua/tool/input"
	"github.com/skua-browser/skua/tool/judging"
	"github.com/skua-browser/skua/tool/planning"
)

// call is one call on its way through the tool. Each step reads what those before it left here.
type call struct {
	tool     *Tool
	params   contract.Params
	prompt   string
	progress func(string)
	backend  backend.Backend
	approve  func(ctx context.Context, question string) (bool, error)                              // nil: there is no person to ask
	hand     func(ctx context.Context, text, address string) (done bool, reason string, err error) // nil: the same
	caller   Caller                                                                                // nil: it has agent_browser
	details  *contract.Details

	input    *input.Line // what the parameters were compiled to
	mode     contract.Mode
	args     []string               // of the command line, without --session and --json of ours
	stdin    []byte                 // nil: none
	words    argv.Words             // what args say
	plan     *planning.Plan         // where it runs
	sessions *conversation.Sessions // those of its backend
	state    *conversation.State

	before  contract.PageTarget // what the session showed before the command; what it shows after it is state.target
	watch   diagnosis.Watch     // what was noted before the command
	answer  backend.Answer
	verdict verdict  // what was found out besides
	notes   []string // what steps found out that the model has to see, a paragraph each: present puts them below the command's own text
	content []contract.Content
	whole   any // all of the data that is shown, without secrets: details.data may be a preview of it
	images  []contract.Content

	mask mask // see secrets
}

func (c *call) run(ctx context.Context) *contract.Result {
	if r := c.compile(); r != nil {
		return c.refused(r)
	}
	switch {
	case c.mode == contract.ModeScript && c.args == nil:
		return c.runScript(ctx)
	case c.mode == contract.ModeElectron:
		return c.runElectron(ctx)
	}
	return c.runLine(ctx)
}

// compile checks the parameters and turns the input mode into a command line.
func (c *call) compile() *contract.Refusal {
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
		return contract.Refuse(contract.ValidationError, err.Error())
	}
	if c.mode == contract.ModeScript && c.args != nil && !c.backend.Can().RunsPrograms {
		return contract.Refuse(contract.ValidationError, "session=current needs the native backend: agent-browser itself cannot run programs. Leave session out, or send a job.")
	}
	if c.params.Observe && !c.backend.Can().ShowsChanges {
		return contract.Refuse(contract.ValidationError, "observe needs the native backend: agent-browser itself cannot show what an action changed. Run `snapshot -i` after it.")
	}
	return nil
}

// runLine runs a call that is a command line.
func (c *call) runLine(ctx context.Context) *contract.Result {
	plan, leave, r := c.tool.desk(c.sessions).Plan(ctx, c.input, c.prompt)
	defer leave()
	c.planned(plan)
	if r != nil {
		return c.refused(r)
	}
	c.lookBefore(ctx)
	c.execute(ctx)
	c.follow(ctx)
	c.assess(ctx)
	c.verify(ctx)
	c.diagnose(ctx)
	c.judge()
	c.translate()
	c.remember(ctx)
	c.present()
	c.account()
	c.listSpills()
	c.save()
	return c.result()
}

// planned takes a plan into the call.
func (c *call) planned(p *planning.Plan) {
	c.plan, c.state = p, p.State
	c.args, c.words, c.stdin = p.Args, p.Words, p.Stdin
	c.details.SessionDetails, c.details.NextActions, c.details.Inspection = p.Details, p.After, p.Words.Inspects()
	if p.State != nil {
		p.Secrets(c.secrets())
	}
	c.details.Command, c.details.Subcommand = p.Words.Command, p.Words.Subcommand
}

// reserveOutput plans where the result of a mode goes that runs no command line of its own.
func (c *call) reserveOutput() *contract.Refusal {
	c.plan.Output = planning.NewOutput(c.params.OutputPath, c.backend, backend.Invocation{Cwd: c.tool.options.Cwd, Env: c.tool.options.Env})
	return c.plan.Output.Reserve(c.tool.files, nil)
}

// refused is the result of a call that was not run.
func (c *call) refused(r *contract.Refusal) *contract.Result {
	d := c.details
	d.ResultCategory, d.FailureCategory, d.Error = contract.Failure, r.Category, r.Message
	if r.Category == contract.ValidationError {
		d.ValidationError, d.Error = r.Message, ""
	}
	d.NextActions = judging.AppendUnique(d.NextActions, c.afterRefusal(r)...)
	c.translate()
	c.content = []contract.Content{contract.TextOf(translation{c.caller}.text(r.Message))}
	return c.result()
}

// result is what the caller gets. Every result is made here, and here secrets are taken out of all of it.
func (c *call) result() *contract.Result {
	r := &contract.Result{Content: c.content, Details: c.details, IsError: c.details.ResultCategory == contract.Failure}
	c.secrets().Result(r)
	return r
}
