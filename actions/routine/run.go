package routine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/sandbox"
)

// held ends a program whose call waits to be confirmed: what comes after it counts on it.
const held sandbox.Failure = "held"

// closed ends a program whose session was closed.
const closed sandbox.Failure = "closed"

// maxNotes is how many notes of its calls a program's reply has.
const maxNotes = 20

// program is a program that runs.
type program struct {
	*actions.Call
	changed int // calls that may have changed something, and succeeded
	notes   int
	stop    error // why it was ended
}

func run(ctx context.Context, c *actions.Call) (actions.Result, error) {
	if c.Int("calls") < 1 || c.Int("calls") > maxCalls {
		return actions.Result{}, c.Invalid(fmt.Sprintf("--calls: must be 1 to %d.", maxCalls))
	}
	if d := c.Duration("limit"); d <= 0 || d > maxTime {
		return actions.Result{}, c.Invalid("--limit: must be more than 0, and " + maxTime.String() + " at most.")
	}
	params := any(nil)
	if c.Has("params") {
		if err := json.Unmarshal([]byte(c.String("params")), &params); err != nil {
			return actions.Result{}, c.Invalid("--params: is not JSON: " + err.Error() + ".")
		}
	}
	if c.Has("save") {
		if err := checkName(c, c.String("save")); err != nil {
			return actions.Result{}, err
		}
	}
	code, err := source(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	p := &program{Call: c}
	outcome := sandbox.Run(ctx, sandbox.Program{
		Source:    code,
		Timeout:   c.Duration("limit"),
		Calls:     c.Int("calls"),
		Functions: p.methods(),
		Values: map[string]any{
			"params": params,
		},
	})
	if err := ctx.Err(); err != nil && p.stop == nil {
		p.stop = context.Cause(ctx)
	}
	if err := p.failure(&outcome); err != nil {
		return actions.Result{}, err
	}
	data := Result{Calls: len(outcome.Steps), MS: float64(outcome.Took.Microseconds()) / 1000}
	if outcome.HasData {
		data.Value = outcome.Data
	}
	if data.Saved = c.String("save"); data.Saved != "" {
		if err := keep(c, data.Saved, code); err != nil {
			return actions.Result{}, err
		}
	}
	return actions.Result{Data: data, Text: text(&data, outcome.HasData)}, nil
}

// methods are the commands that work in a page.
func (p *program) methods() []sandbox.Function {
	var all []sandbox.Function
	for _, cmd := range p.Registry().Commands() {
		if cmd.IsMethod() {
			all = append(all, sandbox.Function{
				Name: "page." + cmd.MethodName(),
				Call: func(ctx context.Context, args []any) sandbox.Answer { return p.call(ctx, cmd, args) },
			})
		}
	}
	return all
}

// call runs a call of the program's as a command of the session.
func (p *program) call(ctx context.Context, cmd *actions.Command, args []any) sandbox.Answer {
	line, err := cmd.MethodLine(args)
	var in *actions.Input
	if err == nil {
		in, err = p.Parse(line)
	}
	if err == nil && (in.Asks() != grammar.AskNothing || in.Command() != cmd) {
		err = fault.New(fault.Usage, "%s: its options do not run the command", cmd.MethodName())
	}
	if err == nil && in.WantsStdin() {
		err = fault.New(fault.Usage, "%s: would read standard input; give it its text as an argument", cmd.MethodName())
	}
	if err != nil {
		return thrown(cmd, fault.New(fault.Usage, "%w", err))
	}
	res, err := p.Exec(ctx, in)
	for _, note := range res.Notes {
		if p.notes++; p.notes <= maxNotes {
			p.Note(note)
		}
	}
	switch {
	case actions.IsSessionClosed(err):
		p.stop = err
		return sandbox.Answer{End: closed, Message: err.Error()}
	case err != nil:
		a := thrown(cmd, err)
		a.TimedOut = fault.Is(err, fault.Timeout)
		return a
	case res.Held:
		f := fault.New(fault.ConfirmationRequired, "`%s` must be confirmed first; it was not run. %s", in.Name(), res.Text).
			About(in.Name())
		if waits, ok := res.Data.(actions.HeldResult); ok {
			f = f.With("confirmationId", waits.ConfirmationID)
		}
		p.stop = f
		return sandbox.Answer{End: held, Message: f.Error()}
	}
	if cmd.Effect&(actions.Mutates|actions.Navigates) != 0 {
		p.changed++
	}
	data := res.Data
	if p.Redact != nil {
		data = p.Redact(line, &res)
	}
	if data == nil {
		data = struct{}{}
	}
	return sandbox.Answer{Value: data}
}

// thrown is the answer to a call that failed.
func thrown(cmd *actions.Command, err error) sandbox.Answer {
	fields := map[string]any{"code": fault.CodeOf(err), "command": cmd.Name}
	if f, ok := errors.AsType[*fault.Error](err); ok && f.Facts != nil {
		fields["facts"] = f.Facts
	}
	return sandbox.Answer{Error: &sandbox.Error{Message: err.Error(), Fields: fields, Cause: err}}
}

// failure is the error of a program that did not run to its end.
func (p *program) failure(o *sandbox.Outcome) error {
	if o.Failure == "" {
		return nil
	}
	var f *fault.Error
	at := ""
	switch {
	case p.stop != nil:
		f = about(fault.New(fault.CodeOf(p.stop), "The program ended: %w", p.stop), p.stop)
	case o.Thrown != nil && o.Thrown.Cause != nil:
		if o.Line > 0 {
			at = " in line " + strconv.Itoa(o.Line)
		}
		f = about(fault.New(fault.CodeOf(o.Thrown.Cause), "The program failed%s: %w", at, o.Thrown.Cause), o.Thrown.Cause)
		if o.Line > 0 {
			f = f.With("line", o.Line)
		}
	case o.Failure == sandbox.TimedOut:
		f = fault.New(fault.Timeout, "%s", o.Message).WithHint("--limit gives it more time.")
	case o.Failure == sandbox.ValidationError:
		f = fault.New(fault.Usage, "%s", o.Message).WithHint("--calls allows more, up to %d.", maxCalls)
	default:
		f = fault.New(fault.ScriptFailed, "%s", o.Message)
	}
	return f.With("calls", len(o.Steps)).With("changed", p.changed)
}

// about gives an error the subject and facts of its cause.
func about(f *fault.Error, cause error) *fault.Error {
	if inner, ok := errors.AsType[*fault.Error](cause); ok {
		f.Subject = inner.Subject
		for k, v := range inner.Facts {
			f = f.With(k, v)
		}
	}
	return f
}

// text is the result for people and agents: the value alone.
func text(data *Result, has bool) string {
	var b strings.Builder
	switch v := data.Value.(type) {
	case string:
		b.WriteString(v)
	default:
		if has {
			raw, err := json.Marshal(v)
			if err == nil {
				b.Write(raw)
				break
			}
		}
		fmt.Fprintf(&b, "✓ Ran %d calls", data.Calls)
	}
	if data.Saved != "" {
		b.WriteString("\n✓ Kept as " + data.Saved)
	}
	return b.String()
}
