package sandbox

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/dop251/goja"

	"github.com/skua-browser/skua/internal/plainjson"
	"github.com/skua-browser/skua/internal/wording"
)

// queued is a call that waits for its turn.
type queued struct {
	request request
	line    int // of the script; 0 means not known
	resolve func(any) error
	reject  func(any) error
}

// provide gives the script its functions and constants.
func (r *run) provide(s *start) {
	global := r.vm.GlobalObject()
	methods := map[string][]string{}
	for i, full := range s.Functions {
		on, name := global, full
		if object, method, is := strings.Cut(full, "."); is {
			if global.Get(object) == nil {
				must(global.Set(object, r.vm.NewObject()))
			}
			on, name = global.Get(object).(*goja.Object), method
			methods[object] = append(methods[object], method)
		}
		must(on.Set(name, named(r.vm, name, func(fc goja.FunctionCall) goja.Value { return r.ask(i, full, fc) })))
	}
	for object, names := range methods {
		must(global.Get(object).(*goja.Object).SetPrototype(r.missing(object, names)))
	}
	for name, raw := range s.Values {
		must(global.Set(name, r.hand(raw)))
	}
	must(global.Set("emit", r.emit))
}

// missing returns the prototype of an object with these methods. Using a method that does not exist throws an error
// with its name.
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

// nearMethod is the method that a wrong name may stand for: the first that begins with it, such as getText for get,
// else one that is spelled much like it, or empty.
func nearMethod(name string, names []string) string {
	for _, one := range names {
		if strings.HasPrefix(one, name) {
			return one
		}
	}
	return wording.Nearest(name, names)
}

// ask puts a call at the end of the queue, whatever its form, and returns a promise of the answer.
func (r *run) ask(function int, name string, fc goja.FunctionCall) goja.Value {
	r.attempts++
	if r.attempts > r.calls {
		object, _, _ := strings.Cut(name, ".") // the limit is of one function, or of the object that has many
		r.end(&ending{
			ValidationError,
			fmt.Sprintf("Script call limit exceeded: a script may call %s %d times.", object, r.calls),
		})
		panic(r.vm.NewGoError(r.stop.Load()))
	}
	q := queued{request: request{Function: function}, line: r.lineNow()}
	if args, err := r.arguments(fc.Arguments); err != nil {
		q.request.Invalid = name + " was called with something that is not JSON: " + err.Error() + "."
	} else if q.request.Args = args; len(args) > MessageBytes {
		q.request.Args, q.request.Invalid = nil, fmt.Sprintf("A call of %s must be %d bytes or less.", name, MessageBytes)
	}
	promise, resolve, reject := r.vm.NewPromise()
	q.resolve, q.reject = func(v any) error { return resolve(v) }, func(v any) error { return reject(v) }
	r.queue = append(r.queue, q)
	return r.vm.ToValue(promise)
}

// arguments returns the arguments of a call as JSON.
func (r *run) arguments(values []goja.Value) ([]byte, error) {
	args := []any{}
	for i, v := range given(values) {
		value, _, err := r.plain(v, argumentName(i))
		if err != nil {
			return nil, err
		}
		args = append(args, value)
	}
	return plainjson.Marshal(args)
}

// given are the arguments without those at the end that are undefined: a caller that leaves out an optional one writes
// that.
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

// dispatch has the host run a call, and settles its promise.
func (r *run) dispatch(q queued) error {
	if err := r.host.send(news{Call: &q.request}); err != nil {
		os.Exit(1) // the host is gone
	}
	r.handed++
	answer := <-r.answers
	if answer.Error != nil {
		return q.reject(r.throwable(answer.Error, q.line))
	}
	return q.resolve(r.hand(answer.Value))
}

// throwable makes an Error of the script's engine, whose stack names the line of the call.
func (r *run) throwable(e *thrown, line int) goja.Value {
	o, err := r.vm.New(r.errorType, r.vm.ToValue(e.Message))
	if err != nil { // it was interrupted
		return goja.Undefined()
	}
	stack := e.Message
	if line > 0 {
		stack += fmt.Sprintf("\n\tat %s:%d:1", sourceName, line+linesBefore)
	}
	must(o.Set("stack", stack))
	for name, raw := range e.Fields {
		must(o.Set(name, r.hand(raw)))
	}
	r.thrownBy[o] = thrownCall{r.handed, line}
	return o
}

// thrownCall is a call that threw: which one it was, counted from 1, and from which line it was made.
type thrownCall struct {
	call, line int
}

// hand makes an answer into plain objects of the script's engine: nothing that the script does to them reaches the
// host.
func (r *run) hand(raw []byte) goja.Value {
	v, err := r.parse(goja.Undefined(), r.vm.ToValue(string(raw)))
	if err != nil { // it was interrupted
		return goja.Undefined()
	}
	return v
}

// emit is emit of the script.
func (r *run) emit(fc goja.FunctionCall) goja.Value {
	value, size, err := r.plain(fc.Argument(0), "value")
	if err != nil {
		panic(r.vm.NewTypeError("emit takes values that JSON can represent: " + err.Error()))
	}
	r.out.Emits++
	if r.outBytes += size + 1; r.outBytes > OutputBytes {
		r.end(&ending{ScriptError, outputLimit})
		panic(r.vm.NewGoError(r.stop.Load()))
	}
	r.emitted = append(r.emitted, value)
	return goja.Undefined()
}
