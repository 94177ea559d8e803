package sandbox

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/parser"

	"github.com/skua-browser/skua/internal/plainjson"
)

// run is one script that runs, in its worker. Everything but stop is for the goroutine that runs it.
type run struct {
	host    *link
	answers chan *reply
	vm      *goja.Runtime
	calls   int // how often functions may be called
	out     report

	stop atomic.Pointer[ending] // why the script has to end, once it has to

	queue     []queued
	attempts  int
	handed    int // calls that the host got
	emitted   []any
	outBytes  int
	rejected  map[*goja.Promise]goja.Value // promises that failed, and that no code waits for
	thrownBy  map[*goja.Object]thrownCall  // errors of calls
	parse     goja.Callable                // of the engine, whatever the script does to its world
	errorType goja.Value
}

func (e *ending) String() string { return e.Message }

func newRun(host *link, s *start) *run {
	r := &run{
		host:     host,
		answers:  make(chan *reply, 1),
		vm:       goja.New(),
		calls:    s.Calls,
		rejected: map[*goja.Promise]goja.Value{},
		thrownBy: map[*goja.Object]thrownCall{},
	}
	r.furnish()
	r.provide(s)
	return r
}

// obey takes the host's orders. Without a host this process has no purpose.
func (r *run) obey() {
	for {
		var o order
		if err := r.host.receive(&o); err != nil {
			os.Exit(1)
		}
		if o.End != nil {
			r.end(o.End)
		}
		if o.Answer != nil {
			r.answers <- o.Answer
		}
	}
}

// end interrupts the script.
func (r *run) end(why *ending) {
	if r.stop.CompareAndSwap(nil, why) {
		r.vm.Interrupt(why)
	}
}

// run runs the script to its end, and fills in the report.
func (r *run) run(source string) {
	defer func() {
		if p := recover(); p != nil { // the engine's own panics
			r.out.fail(ScriptError, fmt.Sprintf("The script made its engine fail: %v", p))
		}
	}()
	program, err := compile(source)
	if err != nil {
		r.out.fail(ScriptError, "The script could not be read: "+syntax(err))
		return
	}
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

// turn runs the calls one after the other until none is left, also those that the script did not wait for. It reports
// whether the script may go on.
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
		r.out.fail(why.Category, why.Message)
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
	var value any
	switch {
	case len(r.emitted) == 1:
		value = r.emitted[0]
	case len(r.emitted) > 1:
		value = r.emitted
	case returned == nil || goja.IsUndefined(returned):
		return
	default:
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
	}
	raw, err := plainjson.Marshal(value)
	if err != nil {
		r.out.fail(ScriptError, "The script failed: "+firstLine(err.Error()))
		return
	}
	r.out.Data = raw
}

var outputLimit = fmt.Sprintf(
	"The script's output must be %d bytes or less. Emit only what is needed, not whole pages.", OutputBytes)

// blame notes the call that threw the value which ended the script.
func (r *run) blame(v goja.Value) {
	if o, ok := v.(*goja.Object); ok {
		if by, ok := r.thrownBy[o]; ok {
			r.out.Thrown, r.out.Line = by.call, by.line
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
