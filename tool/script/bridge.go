package script

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/skua-browser/skua/internal/sandbox"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/tool/contract"
)

// callForm is how browser is called, for messages.
const callForm = `browser({args: ["get", "title"], stdin?: string, timeoutMs?: number})`

// Run runs a script to its end. It returns soon after ctx is canceled or the time is over.
func Run(ctx context.Context, p Program) Outcome {
	ran := sandbox.Run(ctx, sandbox.Program{
		Source: p.Source, Timeout: p.Timeout, Memory: p.Memory,
		Functions: []sandbox.Function{{
			Name: "browser",
			Call: func(ctx context.Context, args []any) sandbox.Answer { return answer(p.browse(ctx, args)) },
			Invalid: func(message string) sandbox.Answer {
				return answer(Refusal(contract.ValidationError, message+" Use "+callForm))
			},
			TooLarge: func(message string) sandbox.Answer { return answer(upstream(message)) },
		}},
	})
	out := Outcome{
		Data:    ran.Data,
		HasData: ran.HasData,
		Failure: contract.FailureCategory(ran.Failure),
		Message: ran.Message,
		Emits:   ran.Emits,
		Took:    ran.Took,
	}
	for _, s := range ran.Steps {
		c, _ := readCall(s.Args)
		reply, _ := s.Answer.Value.(Reply)
		out.Steps = append(out.Steps, Step{Call: c, Reply: reply, Took: s.Took})
	}
	return out
}

// browse runs a call of browser, with no more time than the script has left.
func (p *Program) browse(ctx context.Context, args []any) Reply {
	c, wrong := readCall(args)
	if wrong != "" {
		return Refusal(contract.ValidationError, wrong)
	}
	deadline, _ := ctx.Deadline()
	left := max(time.Until(deadline), time.Millisecond)
	clamped := c.Timeout <= 0 || c.Timeout > left
	if clamped {
		c.Timeout = left
	}
	reply := p.Browser(ctx, c)
	reply.Summary, reply.Text = wording.Clip(reply.Summary, summaryChars-1), wording.Clip(reply.Text, textChars-1)
	reply.clamped = clamped
	return reply
}

func answer(r Reply) sandbox.Answer {
	a := sandbox.Answer{Value: r, TimedOut: r.clamped && r.FailureCategory == contract.TimedOut}
	if r.Refused {
		a.End, a.Message = sandbox.Failure(r.FailureCategory), r.Error
	}
	return a
}

// readCall reads the argument of browser.
func readCall(args []any) (c Call, wrong string) {
	if len(args) == 0 {
		return c, "browser takes one object: " + callForm
	}
	form, ok := args[0].(map[string]any)
	if !ok {
		return c, "browser takes one object: " + callForm
	}
	for name := range form {
		if !slices.Contains([]string{"args", "stdin", "timeoutMs"}, name) {
			return c, "browser does not know " + name + ". Use " + callForm
		}
	}
	words, ok := form["args"].([]any)
	if !ok || len(words) == 0 {
		return c, "browser needs args, a list of at least one word: " + callForm
	}
	for _, a := range words {
		word, ok := a.(string)
		if !ok {
			return c, "The words of args must be strings. Use " + callForm
		}
		c.Args = append(c.Args, word)
	}
	if stdin, given := form["stdin"]; given {
		text, ok := stdin.(string)
		if !ok {
			return c, "stdin must be a string."
		}
		c.Stdin = &text
	}
	if ms, given := form["timeoutMs"]; given {
		n, ok := ms.(float64)
		if !ok || n <= 0 || n != math.Trunc(n) || n > 1<<53 {
			return c, "timeoutMs must be a positive integer when provided."
		}
		c.Timeout = time.Duration(min(n, float64(maxTimeout.Milliseconds()))) * time.Millisecond
	}
	return c, ""
}

func upstream(message string) Reply {
	return Reply{
		Error:           message,
		FailureCategory: contract.UpstreamError,
		ResultCategory:  contract.Failure,
		Summary:         message,
		Text:            message,
	}
}
