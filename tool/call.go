package tool

import (
	"context"
	"strings"

	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/desktop"
	"github.com/skua-browser/skua/tool/input"
	"github.com/skua-browser/skua/tool/planning"
	"github.com/skua-browser/skua/tool/redact"
	"github.com/skua-browser/skua/tool/reply"
	"github.com/skua-browser/skua/tool/running"
	"github.com/skua-browser/skua/tool/verdict"
)

// done is a call that has been run.
type done struct {
	*contract.Result
	data    any             // of the result, not shortened for a model
	answer  any             // the data of the backend's answer
	session desktop.Session // that it ran in
	secrets *redact.Redactor
}

// Call runs a call. It never returns nil, and every failure is a result too.
func (t *Tool) Call(ctx context.Context, r Request) *contract.Result { return t.run(ctx, r).Result }

// run turns the parameters of a call into a line, and runs that as its mode is run.
func (t *Tool) run(ctx context.Context, r Request) done {
	if r.Backend == nil {
		r.Backend = t.backend
	}
	line, err := input.Compile(&r.Params)
	secrets := secretsOf(line, &r.Params)
	if refusal := impossible(line, err, r.Backend.Can()); refusal != nil {
		d := reply.Begin(line)
		if d.Args == nil {
			d.Args = r.Args
		}
		return done{Result: reply.Refused(d, refusal, nil, r.Caller).Result(secrets), secrets: secrets}
	}
	switch {
	case line.Mode == contract.ModeScript && line.Args == nil:
		return done{Result: t.runScript(ctx, r, line, secrets)}
	case line.Mode == contract.ModeElectron:
		return done{Result: t.runElectron(ctx, r, line, secrets)}
	}
	return t.runLine(ctx, r, line, secrets)
}

// runLine takes a line through the stages of a call: it is planned, run, judged and shown.
func (t *Tool) runLine(ctx context.Context, r Request, line *input.Line, secrets *redact.Redactor) done {
	plan, leave, refusal := t.desk(r.Backend).Plan(ctx, line, r.Prompt)
	defer leave()
	secrets = plan.Secrets(secrets)
	where := desktop.Session{Backend: r.Backend, Key: plan.Key}
	if refusal != nil {
		draft := reply.Refused(reply.Planned(plan), refusal, verdict.AfterRefusal(plan, refusal), r.Caller)
		return done{Result: draft.Result(secrets), session: where, secrets: secrets}
	}
	watch := verdict.Before(ctx, plan, t.apps)
	report := r.reporter(secrets)
	report("Running agent-browser " + strings.Join(secrets.Args(line.Args), " "))
	answer := running.Run(ctx, plan, running.People{
		Prompt:  r.Prompt,
		Approve: r.Approve,
		Hand:    r.Hand,
		Report:  report,
	}, secrets)
	found := verdict.Of(ctx, verdict.Case{
		Plan:   plan,
		Answer: answer,
		Watch:  watch,
		Files:  t.files,
		Apps:   t.apps,
		SelfConfirm: t.owner(r.Backend).
			SelfConfirm(),
		Redact: secrets.Text,
	})
	draft := reply.Of(reply.Case{
		Plan:             plan,
		Answer:           answer,
		Verdict:          found,
		Caller:           r.Caller,
		Secrets:          secrets,
		Cwd:              t.options.Cwd,
		Files:            t.files,
		Spills:           t.spills,
		Persistent:       t.options.StateDir != "",
		InlineImageBytes: t.limits.InlineImageBytes,
	})
	return done{
		Result:  draft.Result(secrets),
		data:    draft.Data(),
		answer:  answer.Data,
		session: where,
		secrets: secrets,
	}
}

// impossible refuses a line that is wrong, or that its backend cannot run.
func impossible(line *input.Line, wrong error, can backend.Abilities) *contract.Refusal {
	switch {
	case wrong != nil:
		return contract.Refuse(contract.ValidationError, wrong.Error())
	case line.Mode == contract.ModeScript && line.Args != nil && !can.RunsPrograms:
		return contract.Refuse(contract.ValidationError,
			"session=current needs the native backend: agent-browser itself cannot run programs. Leave session out, or "+
				"send a job.")
	case line.Observe && !can.ShowsChanges:
		return contract.Refuse(contract.ValidationError,
			"observe needs the native backend: agent-browser itself cannot show what an action changed. Run `snapshot "+
				"-i` after it.")
	}
	return nil
}

// secretsOf returns what keeps the secrets of a line out of everything that leaves the call. Where there is no line, it
// knows what the caller gave.
func secretsOf(line *input.Line, p *contract.Params) *redact.Redactor {
	args, stdin := line.Args, line.Stdin
	if args == nil {
		args = p.Args
	}
	if stdin == nil && p.Stdin != nil {
		stdin = []byte(*p.Stdin)
	}
	return redact.New(args, stdin)
}

// reporter tells the caller of progress, without secrets.
func (r *Request) reporter(secrets *redact.Redactor) func(text string) {
	progress := r.Progress
	if progress == nil {
		return func(string) {}
	}
	return func(text string) { progress(secrets.Text(text)) }
}

// reserveOutput plans where the result goes of a mode that runs no command line of its own.
func (t *Tool) reserveOutput(b backend.Backend, line *input.Line) (*planning.Output, *contract.Refusal) {
	to := planning.NewOutput(line.Output, b, backend.Invocation{Cwd: t.options.Cwd, Env: t.options.Env})
	return to, to.Reserve(t.files, nil)
}
