package sandbox

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/parser"
)

// run is one script that runs. Everything but stop is for the goroutine that runs it.
type run struct {
	ctx    context.Context
	vm     *goja.Runtime
	limit  time.Duration
	memory uint64
	calls  int // how often functions may be called
	out    Outcome

	stop    atomic.Pointer[ending] // why the script has to end, once it has to
	working atomic.Bool            // the script itself runs, and not the browser

	queue             []queued
	attempts          int
	traffic           int64
	emitted           []any
	outBytes          int
	rejected          map[*goja.Promise]goja.Value // promises that failed, and that no code waits for
	thrownBy          map[*goja.Object]thrownCall  // errors of calls
	parse, descriptor goja.Callable                // of the engine, whatever the script does to its world
	errorType         goja.Value
}

// ending is why a script has to end before its time.
type ending struct {
	category Failure
	message  string
}

func (e *ending) String() string { return e.message }

// Run runs a script to its end. It returns soon after ctx is canceled or the time is over.
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
	r := &run{
		ctx: limited, vm: goja.New(), limit: p.Timeout, memory: p.Memory, calls: p.Calls,
		rejected: map[*goja.Promise]goja.Value{}, thrownBy: map[*goja.Object]thrownCall{},
	}
	r.furnish()
	r.provide(&p)
	done := make(chan struct{})
	go func() { // ends by itself, by the watch, or is refused everything
		defer close(done)
		r.run(p.Source)
	}()
	r.watch(limited, done)
	select {
	case <-done:
		r.out.Took = time.Since(began)
		return r.out
	default: // it does not react; what it holds is its own from here on
		why := r.stop.Load()
		return Outcome{Failure: why.category, Message: why.message, Took: time.Since(began)}
	}
}

var errTime = errors.New("the script's time limit was reached")

// end interrupts the script.
func (r *run) end(category Failure, message string) {
	if r.stop.CompareAndSwap(nil, &ending{category, message}) {
		r.vm.Interrupt(r.stop.Load())
	}
}

func (r *run) run(source string) {
	defer func() {
		if p := recover(); p != nil { // the engine's own panics must not end the host
			r.out.fail(ScriptError, fmt.Sprintf("The script made its engine fail: %v", p))
		}
	}()
	program, err := compile(source)
	if err != nil {
		r.out.fail(ScriptError, "The script could not be read: "+syntax(err))
		return
	}
	r.working.Store(true)
	main, err := r.vm.RunProgram(program)
	if err != nil {
		r.thrown(err)
		return
	}
	body, _ := goja.AssertFunction(main)
	returned, err := body(goja.Undefined())
	if err != nil {
		r.thrown(err)
		return
	}
	promise, _ := returned.Export().(*goja.Promise)
	delete(r.rejected, promise)
	if !r.turn() {
		return
	}
	switch promise.State() {
	case goja.PromiseStateRejected:
		r.out.fail(ScriptError, "The script failed: "+r.describe(promise.Result()))
		r.blame(promise.Result())
		return
	case goja.PromiseStatePending:
		r.out.fail(ScriptError, "The script waits for a promise that nothing will settle.")
		return
	}
	delete(r.rejected, promise)
	for _, reason := range r.rejected {
		r.out.fail(ScriptError, "A promise of the script failed, and nothing waited for it: "+r.describe(reason))
		r.blame(reason)
		return
	}
	r.finish(promise.Result())
}

// compile reads a script as the body of one async function.
func compile(source string) (*goja.Program, error) {
	parsed, err := goja.Parse(sourceName, "(async () => {\n"+source+"\n})", parser.WithDisableSourceMaps)
	if err != nil {
		return nil, err
	}
	one := false
	if len(parsed.Body) == 1 {
		if statement, ok := parsed.Body[0].(*ast.ExpressionStatement); ok {
			_, one = statement.Expression.(*ast.ArrowFunctionLiteral)
		}
	}
	if !one {
		return nil, errors.New("it must be the body of one async function")
	}
	return goja.CompileAST(parsed, false)
}

// turn runs the calls one after the other until none is left, also those that the script did not wait for. It reports whether the script
// may go on.
func (r *run) turn() bool {
	for len(r.queue) > 0 {
		if r.stopped() {
			return false
		}
		next := r.queue[0]
		r.queue = r.queue[1:]
		if err := r.dispatch(next); err != nil {
			r.thrown(err)
			return false
		}
	}
	return !r.stopped()
}

// stopped notes why the script had to end, if it had to.
func (r *run) stopped() bool {
	why := r.stop.Load()
	if why != nil {
		r.out.fail(why.category, why.message)
	}
	return why != nil
}

// thrown notes what came out of the engine.
func (r *run) thrown(err error) {
	if r.stopped() {
		return
	}
	if overflow, ok := errors.AsType[*goja.StackOverflowError](err); ok {
		r.out.fail(ScriptError, "The script failed: its calls are nested too deep. "+firstLine(overflow.Error()))
		return
	}
	r.out.fail(ScriptError, "The script failed: "+firstLine(err.Error()))
}

// finish decides what the script hands back.
func (r *run) finish(returned goja.Value) {
	switch {
	case len(r.emitted) == 1:
		r.out.Data, r.out.HasData = r.emitted[0], true
	case len(r.emitted) > 1:
		r.out.Data, r.out.HasData = r.emitted, true
	case returned == nil || goja.IsUndefined(returned):
	default:
		var value any
		var size int
		var err error
		if ex := r.vm.Try(func() { value, size, err = r.plain(returned, "the script's value") }); ex != nil {
			err = ex
		}
		switch {
		case r.stopped():
			return
		case err != nil:
			r.out.fail(ScriptError, "The script failed: "+firstLine(err.Error()))
			return
		case size > OutputBytes:
			r.out.fail(ScriptError, outputLimit)
			return
		}
		r.out.Data, r.out.HasData = value, true
	}
}

var outputLimit = fmt.Sprintf("The script's output must be %d bytes or less. Emit only what is needed, not whole pages.", OutputBytes)

// blame notes the call that threw the value which ended the script.
func (r *run) blame(v goja.Value) {
	if o, ok := v.(*goja.Object); ok {
		if by, ok := r.thrownBy[o]; ok {
			r.out.Thrown, r.out.Line = by.err, by.line
		}
	}
}

// describe is what a thrown value says.
func (r *run) describe(v goja.Value) string {
	text := ""
	if ex := r.vm.Try(func() {
		if o, ok := v.(*goja.Object); ok {
			if stack := o.Get("stack"); stack != nil && o.ClassName() == "Error" {
				text = place(stack.String())
				return
			}
		}
		text = v.String()
	}); ex != nil || text == "" {
		return "it threw a value that has no text"
	}
	return text
}
