package script

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/dop251/goja"

	"github.com/skua-browser/skua/internal/plainjson"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/tool/contract"
)

// callForm is how browser is called, for messages.
const callForm = `browser({args: ["get", "title"], stdin?: string, timeoutMs?: number})`

// ask is browser of the script: it puts a call at the end of the queue, whatever its form, and returns a promise of the reply.
func (r *run) ask(fc goja.FunctionCall) goja.Value {
	r.attempts++
	if r.attempts > Calls {
		r.end(contract.ValidationError, fmt.Sprintf("Script call limit exceeded: a script may call browser %d times.", Calls))
		panic(r.vm.NewGoError(r.stop.Load()))
	}
	q := queued{}
	var wrong string
	q.call, q.bytes, wrong = r.readCall(fc.Argument(0))
	if wrong != "" {
		reply := Refusal(contract.ValidationError, wrong)
		q.refused = &reply
	}
	promise, resolve, _ := r.vm.NewPromise()
	q.resolve = func(v any) error { return resolve(v) }
	r.queue = append(r.queue, q)
	return r.vm.ToValue(promise)
}

// readCall reads the argument of browser. It is copied first, so that nothing of the script's runs while it is looked at.
func (r *run) readCall(v goja.Value) (c Call, size int, wrong string) {
	raw, size, err := r.plain(v, "the call")
	if err != nil {
		return c, 0, "browser was called with something that is not JSON: " + err.Error() + ". Use " + callForm
	}
	if size > MessageBytes {
		return c, 0, fmt.Sprintf("A call of browser must be %d bytes or less.", MessageBytes)
	}
	form, ok := raw.(map[string]any)
	if !ok {
		return c, size, "browser takes one object: " + callForm
	}
	for name := range form {
		if !slices.Contains([]string{"args", "stdin", "timeoutMs"}, name) {
			return c, size, "browser does not know " + name + ". Use " + callForm
		}
	}
	args, ok := form["args"].([]any)
	if !ok || len(args) == 0 {
		return c, size, "browser needs args, a list of at least one word: " + callForm
	}
	for _, a := range args {
		word, ok := a.(string)
		if !ok {
			return c, size, "The words of args must be strings. Use " + callForm
		}
		c.Args = append(c.Args, word)
	}
	if stdin, given := form["stdin"]; given {
		text, ok := stdin.(string)
		if !ok {
			return c, size, "stdin must be a string."
		}
		c.Stdin = &text
	}
	if ms, given := form["timeoutMs"]; given {
		n, ok := ms.(float64)
		if !ok || n <= 0 || n != math.Trunc(n) || n > 1<<53 {
			return c, size, "timeoutMs must be a positive integer when provided."
		}
		c.Timeout = time.Duration(min(n, float64(MaxTimeout.Milliseconds()))) * time.Millisecond
	}
	return c, size, ""
}

// dispatch runs a call and returns its reply as a value of the script's own.
func (r *run) dispatch(q queued) goja.Value {
	began := time.Now()
	reply, left := Reply{}, r.left()
	switch {
	case q.refused != nil:
		reply = *q.refused
	case r.traffic+int64(q.bytes) > TotalBytes:
		reply = overLimit("all calls and answers together", TotalBytes)
	default:
		r.traffic += int64(q.bytes)
		clamped := q.call.Timeout <= 0 || q.call.Timeout > left
		if clamped {
			q.call.Timeout = left
		}
		r.working.Store(false)
		reply = r.browser(r.ctx, q.call)
		r.working.Store(true)
		if clamped && reply.FailureCategory == contract.TimedOut && r.left() < left/10 {
			r.timedOut() // the call had all that the script has left
		}
	}
	reply, raw := r.fit(reply)
	if reply.Refused {
		r.out.fail(reply.FailureCategory, reply.Error)
	}
	r.out.Steps = append(r.out.Steps, Step{Call: q.call, Reply: reply, Took: time.Since(began)})
	return r.hand(raw)
}

// fit is a reply in the size that a script may get, and its JSON.
func (r *run) fit(reply Reply) (Reply, []byte) {
	reply.Summary, reply.Text = wording.Clip(reply.Summary, SummaryChars-1), wording.Clip(reply.Text, TextChars-1)
	raw, err := plainjson.Marshal(reply)
	switch {
	case err != nil:
		reply = upstream("The answer is not JSON: " + err.Error())
	case len(raw) > MessageBytes:
		reply = overLimit("an answer", MessageBytes)
	case r.traffic+int64(len(raw)) > TotalBytes:
		reply = overLimit("all calls and answers together", TotalBytes)
	default:
		r.traffic += int64(len(raw))
		return reply, raw
	}
	raw, _ = plainjson.Marshal(reply)
	return reply, raw
}

// overLimit is the reply in place of one that is too large.
func overLimit(what string, limit int) Reply {
	message := fmt.Sprintf("IPC response limit: %s must be %d bytes or less. Ask for less, such as `get text` of a part of the page.", what, limit)
	return upstream(message)
}

func upstream(message string) Reply {
	return Reply{Error: message, FailureCategory: contract.UpstreamError, ResultCategory: contract.Failure, Summary: message, Text: message}
}

// hand makes a reply into plain objects of the script's engine: nothing that the script does to them reaches the tool.
func (r *run) hand(raw []byte) goja.Value {
	v, err := r.parse(goja.Undefined(), r.vm.ToValue(string(raw)))
	if err != nil { // it was interrupted
		return goja.Undefined()
	}
	return v
}

func (r *run) left() time.Duration {
	deadline, _ := r.ctx.Deadline()
	return max(time.Until(deadline), time.Millisecond)
}

// emit is emit of the script.
func (r *run) emit(fc goja.FunctionCall) goja.Value {
	value, size, err := r.plain(fc.Argument(0), "value")
	if err != nil {
		panic(r.vm.NewTypeError("emit takes values that JSON can represent: " + err.Error()))
	}
	r.out.Emits++
	if r.outBytes += size + 1; r.outBytes > OutputBytes {
		r.end(contract.ScriptError, outputLimit)
		panic(r.vm.NewGoError(r.stop.Load()))
	}
	r.emitted = append(r.emitted, value)
	return goja.Undefined()
}
