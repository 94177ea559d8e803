package sandbox

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dop251/goja"

	"github.com/skua-browser/skua/internal/plainjson"
	"github.com/skua-browser/skua/internal/wording"
)

// queued is a call that waits for its turn.
type queued struct {
	function *Function
	args     []any
	bytes    int
	refused  *Answer // the arguments cannot be handed out
	line     int     // of the script; 0: not known
	resolve  func(any) error
	reject   func(any) error
}

// provide gives the script its functions and constants.
func (r *run) provide(p *Program) {
	global := r.vm.GlobalObject()
	methods := map[string][]string{}
	for i := range p.Functions {
		f := &p.Functions[i]
		on, name := global, f.Name
		if object, method, is := strings.Cut(f.Name, "."); is {
			if global.Get(object) == nil {
				must(global.Set(object, r.vm.NewObject()))
			}
			on, name = global.Get(object).(*goja.Object), method
			methods[object] = append(methods[object], method)
		}
		must(on.Set(name, r.named(name, func(fc goja.FunctionCall) goja.Value { return r.ask(f, fc) })))
	}
	for object, names := range methods {
		must(global.Get(object).(*goja.Object).SetPrototype(r.missing(object, names)))
	}
	for name, value := range p.Values {
		raw, err := plainjson.Marshal(value)
		must(err)
		must(global.Set(name, r.hand(raw)))
	}
	must(global.Set("emit", r.emit))
}

// missing is the prototype of an object with these methods: what the object lacks is an error that names a method of it.
func (r *run) missing(object string, names []string) *goja.Object {
	plain := r.vm.NewObject()
	return r.vm.ToValue(r.vm.NewProxy(plain, &goja.ProxyTrapConfig{
		Get: func(_ *goja.Object, name string, _ goja.Value) goja.Value {
			if v := plain.Get(name); v != nil || name == "then" || name == "toJSON" { // JavaScript itself asks for these two
				return v
			}
			message := object + " has no method " + name + "."
			if near := nearMethod(name, names); near != "" {
				message += " Did you mean " + object + "." + near + "?"
			}
			panic(r.vm.NewTypeError(message))
		},
	})).(*goja.Object)
}

// nearMethod is the method that a wrong name may stand for: the first that begins with it, such as getText for get, else one that is spelled much
// like it; empty: none.
func nearMethod(name string, names []string) string {
	for _, one := range names {
		if strings.HasPrefix(one, name) {
			return one
		}
	}
	return wording.Nearest(name, names)
}

// ask puts a call at the end of the queue, whatever its form, and returns a promise of the answer.
func (r *run) ask(f *Function, fc goja.FunctionCall) goja.Value {
	r.attempts++
	if r.attempts > r.calls {
		r.end(ValidationError, fmt.Sprintf("Script call limit exceeded: a script may call %s %d times.", r.called(f), r.calls))
		panic(r.vm.NewGoError(r.stop.Load()))
	}
	q := queued{function: f, line: r.lineNow()}
	for i, v := range given(fc.Arguments) {
		value, size, err := r.plain(v, argumentName(i))
		if err == nil {
			q.args, q.bytes = append(q.args, value), q.bytes+size
		}
		var wrong string
		switch {
		case err != nil:
			wrong = f.Name + " was called with something that is not JSON: " + err.Error() + "."
		case q.bytes > MessageBytes:
			wrong = fmt.Sprintf("A call of %s must be %d bytes or less.", f.Name, MessageBytes)
		default:
			continue
		}
		q.refused = new(f.invalid(wrong))
		break
	}
	promise, resolve, reject := r.vm.NewPromise()
	q.resolve, q.reject = func(v any) error { return resolve(v) }, func(v any) error { return reject(v) }
	r.queue = append(r.queue, q)
	return r.vm.ToValue(promise)
}

// called names what the limit of calls is about: one function, or the object that has many.
func (r *run) called(f *Function) string {
	object, _, _ := strings.Cut(f.Name, ".")
	return object
}

// given are the arguments without those at the end that are undefined: a caller that leaves out an optional one writes that.
func given(args []goja.Value) []goja.Value {
	for len(args) > 0 && goja.IsUndefined(args[len(args)-1]) {
		args = args[:len(args)-1]
	}
	return args
}

func argumentName(i int) string {
	if i == 0 {
		return "the argument"
	}
	return "argument " + strconv.Itoa(i+1)
}

// lineNow is the line of the script that runs.
func (r *run) lineNow() int {
	for _, frame := range r.vm.CaptureCallStack(0, nil) {
		if at := frame.Position(); frame.SrcName() == sourceName && at.Line > linesBefore {
			return at.Line - linesBefore
		}
	}
	return 0
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

// dispatch runs a call and settles its promise.
func (r *run) dispatch(q queued) error {
	began := time.Now()
	answer, left := Answer{}, r.left()
	switch {
	case q.refused != nil:
		answer = *q.refused
	case r.traffic+int64(q.bytes) > TotalBytes:
		answer = q.function.tooLarge(overLimit("all calls and answers together", TotalBytes))
	default:
		r.traffic += int64(q.bytes)
		r.working.Store(false)
		answer = q.function.Call(r.ctx, q.args)
		r.working.Store(true)
		if answer.TimedOut && r.left() < left/10 {
			r.timedOut() // the call had all that the script has left
		}
	}
	answer, raw := r.fit(q.function, answer)
	if answer.End != "" {
		r.out.fail(answer.End, answer.Message)
		r.end(answer.End, answer.Message)
	}
	r.out.Steps = append(r.out.Steps, Step{Function: q.function.Name, Args: q.args, Answer: answer, Took: time.Since(began)})
	r.overdue()
	if answer.Error != nil {
		return q.reject(r.throwable(answer.Error, q.line))
	}
	return q.resolve(r.hand(raw))
}

// fit is an answer in the size that a script may get, and its JSON.
func (r *run) fit(f *Function, answer Answer) (Answer, []byte) {
	encode := func() ([]byte, error) {
		if answer.Error != nil {
			return plainjson.Marshal(answer.Error.Fields)
		}
		return plainjson.Marshal(answer.Value)
	}
	raw, err := encode()
	switch {
	case err != nil:
		answer = f.tooLarge("The answer is not JSON: " + err.Error())
	case len(raw) > MessageBytes:
		answer = f.tooLarge(overLimit("an answer", MessageBytes))
	case r.traffic+int64(len(raw)) > TotalBytes:
		answer = f.tooLarge(overLimit("all calls and answers together", TotalBytes))
	default:
		r.traffic += int64(len(raw))
		return answer, raw
	}
	raw, _ = encode()
	return answer, raw
}

// overLimit says that something is too large.
func overLimit(what string, limit int) string {
	return fmt.Sprintf("IPC response limit: %s must be %d bytes or less. Ask for less, such as `get text` of a part of the page.", what, limit)
}

// throwable makes an Error of the script's engine, whose stack names the line of the call.
func (r *run) throwable(e *Error, line int) goja.Value {
	o, err := r.vm.New(r.errorType, r.vm.ToValue(e.Message))
	if err != nil { // it was interrupted
		return goja.Undefined()
	}
	stack := e.Message
	if line > 0 {
		stack += fmt.Sprintf("\n\tat %s:%d:1", sourceName, line+linesBefore)
	}
	must(o.Set("stack", stack))
	for name, value := range e.Fields {
		if raw, err := plainjson.Marshal(value); err == nil {
			must(o.Set(name, r.hand(raw)))
		}
	}
	r.thrownBy[o] = thrownCall{e, line}
	return o
}

// thrownCall is what a call threw, and from which line it was made.
type thrownCall struct {
	err  *Error
	line int
}

// hand makes an answer into plain objects of the script's engine: nothing that the script does to them reaches the host.
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
		r.end(ScriptError, outputLimit)
		panic(r.vm.NewGoError(r.stop.Load()))
	}
	r.emitted = append(r.emitted, value)
	return goja.Undefined()
}
