package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/skua-browser/skua/internal/plainjson"
)

// Run runs a script to its end, in a process of its own. It returns soon after ctx is canceled or the time is over, and
// the process is gone then.
func Run(ctx context.Context, p Program) Outcome {
	if len(p.Source) > SourceBytes {
		return Outcome{Failure: ValidationError, Message: fmt.Sprintf("script must be %d bytes or less.", SourceBytes)}
	}
	if p.Timeout <= 0 {
		p.Timeout = DefaultTimeout
	}
	if p.Memory == 0 {
		p.Memory = HeapBytes
	}
	if p.Calls <= 0 {
		p.Calls = Calls
	}
	began := time.Now()
	limited, cancel := context.WithTimeoutCause(ctx, p.Timeout, errTime)
	defer cancel()
	h := &host{program: &p, ctx: limited}
	first, err := h.start()
	if err != nil {
		return Outcome{Failure: ScriptError, Message: "The script cannot get its values: " + err.Error()}
	}
	if h.worker, err = newWorker(); err != nil {
		return Outcome{Failure: ScriptError, Message: "The script's process could not be started: " + err.Error()}
	}
	defer h.worker.end()
	done := make(chan struct{})
	go func() { // ends with the script, or with its process below
		defer close(done)
		h.serve(first)
	}()
	select {
	case <-done:
	case <-limited.Done():
		_ = h.worker.send(order{End: h.overdue()})
		grace := time.NewTimer(Grace)
		defer grace.Stop()
		select {
		case <-done:
		case <-grace.C:
		}
		h.fail(h.overdue())
	}
	return h.outcome(time.Since(began))
}

var errTime = errors.New("the script's time limit was reached")

// host is one script as the host sees it.
type host struct {
	ctx     context.Context // of the script's time
	program *Program
	worker  *worker
	traffic int // bytes of all calls and answers; of serve alone

	mu  sync.Mutex
	out Outcome
}

// start is the first order to the worker.
func (h *host) start() (*start, error) {
	p := h.program
	s := &start{
		Source:  p.Source,
		Memory:  p.Memory,
		Seconds: uint64((p.Timeout + Grace + time.Second) / time.Second),
		Calls:   p.Calls,
		Values:  map[string]json.RawMessage{},
	}
	for i := range p.Functions {
		s.Functions = append(s.Functions, p.Functions[i].Name)
	}
	for name, value := range p.Values {
		raw, err := plainjson.Marshal(value)
		if err != nil {
			return nil, err
		}
		s.Values[name] = raw
	}
	return s, nil
}

// serve starts the script and answers its calls until it has ended.
func (h *host) serve(first *start) {
	err := h.worker.send(order{Start: first})
	for err == nil {
		var n news
		if err = h.worker.receive(&n); err != nil {
			break
		}
		switch {
		case n.Done != nil:
			h.done(n.Done)
			return
		case n.Call != nil:
			err = h.answer(n.Call)
		}
	}
	h.fail(h.overdue())
	h.fail(h.worker.lost(err, h.program.Memory))
}

// done notes how the script ended.
func (h *host) done(r *report) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.out.Emits = r.Emits
	h.out.fail(r.Failure, r.Message)
	if at := r.Thrown - 1; at >= 0 && at < len(h.out.Steps) {
		h.out.Thrown, h.out.Line = h.out.Steps[at].Answer.Error, r.Line
	}
	if h.out.Failure == "" && len(r.Data) > 0 {
		if err := json.Unmarshal(r.Data, &h.out.Data); err != nil {
			h.out.fail(ScriptError, "The script's value cannot be read: "+err.Error())
			return
		}
		h.out.HasData = true
	}
}

// answer runs a call and hands its answer to the script.
func (h *host) answer(r *request) error {
	if r.Function < 0 || r.Function >= len(h.program.Functions) {
		return errors.New("there is no such function")
	}
	began := time.Now()
	f := &h.program.Functions[r.Function]
	args, a := h.call(f, r)
	a, raw := h.fit(f, a)
	if over := h.overdue(); over != nil && a.End == "" {
		a.End, a.Message = over.Category, over.Message
	}
	h.mu.Lock()
	h.out.Steps = append(h.out.Steps, Step{Function: f.Name, Args: args, Answer: a, Took: time.Since(began)})
	if a.End != "" {
		h.out.fail(a.End, a.Message)
	}
	h.mu.Unlock()
	o := order{Answer: raw}
	if a.End != "" {
		o.End = &ending{a.End, a.Message}
	}
	return h.worker.send(o)
}

// call runs a call.
func (h *host) call(f *Function, r *request) (args []any, a Answer) {
	if r.Invalid != "" {
		return nil, f.invalid(r.Invalid)
	}
	if err := json.Unmarshal(r.Args, &args); err != nil {
		return nil, f.invalid(f.Name + " was called with something that is not JSON: " + err.Error() + ".")
	}
	if h.traffic+len(r.Args) > TotalBytes {
		return args, f.tooLarge(overLimit("all calls and answers together", TotalBytes))
	}
	h.traffic += len(r.Args)
	left := h.left()
	a = f.Call(h.ctx, args)
	if a.TimedOut && h.left() < left/10 { // the call had all that the script has left
		a.End, a.Message = TimedOut, h.timedOut().Message
	}
	return args, a
}

// fit is an answer in the size that a script may get, and the answer as the worker gets it.
func (h *host) fit(f *Function, a Answer) (Answer, *reply) {
	raw, size, err := encoded(&a)
	large := func(why string) {
		end, message := a.End, a.Message
		a = f.tooLarge(why)
		a.End, a.Message = end, message
		raw, size, _ = encoded(&a)
	}
	switch {
	case err != nil:
		large("The answer is not JSON: " + err.Error())
	case size > MessageBytes:
		large(overLimit("an answer", MessageBytes))
	case h.traffic+size > TotalBytes:
		large(overLimit("all calls and answers together", TotalBytes))
	default:
		h.traffic += size
	}
	return a, raw
}

// encoded returns an answer as the worker gets it, and how many bytes of JSON that is.
func encoded(a *Answer) (r *reply, size int, err error) {
	if a.Error == nil {
		raw, err := plainjson.Marshal(a.Value)
		return &reply{Value: raw}, len(raw), err
	}
	t := &thrown{Message: a.Error.Message, Fields: map[string]json.RawMessage{}}
	for name, value := range a.Error.Fields {
		raw, err := plainjson.Marshal(value)
		if err != nil {
			return nil, 0, err
		}
		t.Fields[name] = raw
		size += len(raw)
	}
	return &reply{Error: t}, size, nil
}

// overLimit says that something is too large.
func overLimit(what string, limit int) string {
	return fmt.Sprintf(
		"IPC response limit: %s must be %d bytes or less. Ask for less, such as `get text` of a part of the page.", what,
		limit)
}

func (f *Function) invalid(message string) Answer {
	if f.Invalid != nil {
		return f.Invalid(message)
	}
	return Answer{Error: &Error{Message: message}}
}

func (f *Function) tooLarge(message string) Answer {
	if f.TooLarge != nil {
		return f.TooLarge(message)
	}
	return Answer{Error: &Error{Message: message}}
}

// overdue is why the script has to end, when its time is over or the caller has given up; nil means that it may go on.
func (h *host) overdue() *ending {
	switch {
	case h.ctx.Err() == nil:
		return nil
	case errors.Is(context.Cause(h.ctx), errTime):
		return h.timedOut()
	default:
		return &ending{Aborted, "The script was aborted."}
	}
}

func (h *host) timedOut() *ending {
	return &ending{TimedOut, fmt.Sprintf("The script timed out after %d ms.", h.program.Timeout.Milliseconds())}
}

// left is the time that the script has left.
func (h *host) left() time.Duration {
	deadline, _ := h.ctx.Deadline()
	return max(time.Until(deadline), time.Millisecond)
}

// fail notes the first failure. Nil does nothing.
func (h *host) fail(why *ending) {
	if why == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.out.fail(why.Category, why.Message)
}

// outcome is how the script ended, also while a call that did not react to its end goes on.
func (h *host) outcome(took time.Duration) Outcome {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := h.out
	out.Took = took
	return out
}
