package sandbox

import (
	"time"

	"github.com/dlclark/regexp2/v2"
	"github.com/dop251/goja"
)

// clockLag is how far the library's own clock may lag behind on a busy machine. A search that the library ended before
// SearchTime would pass for one without a result.
const clockLag = time.Second

// furnish makes the world of the script: the language.
func (r *run) furnish() {
	vm := r.vm
	vm.SetMaxCallStackSize(Depth)
	// The engine compiles what its linear matcher does not know with regexp2, and gives no way to bound a search. The
	// bound is taken when an expression is compiled, so that it has to stand before any is.
	regexp2.DefaultMatchTimeout = SearchTime + clockLag
	r.errorType = vm.Get("Error")
	r.parse = callable(vm.Get("JSON").(*goja.Object).Get("parse"))
	bounds := &guard{
		vm:         vm,
		stop:       &r.stop,
		descriptor: callable(vm.Get("Object").(*goja.Object).Get("getOwnPropertyDescriptor")),
	}
	vm.SetPromiseRejectionTracker(func(p *goja.Promise, operation goja.PromiseRejectionOperation) {
		if operation == goja.PromiseRejectionReject {
			r.rejected[p] = p.Result()
		} else {
			delete(r.rejected, p)
		}
	})
	r.withoutCode()
	r.withoutBuffers()
	bounds.install()
}

// withoutCode takes away what makes text into code, by every name that it has.
func (r *run) withoutCode() {
	vm := r.vm
	never := func(goja.ConstructorCall) *goja.Object {
		panic(vm.NewTypeError("Code cannot be made from text in a script: eval and Function are disabled."))
	}
	for _, kind := range []string{
		"(function () {})", "(async function () {})", "(function* () {})",
		"(async function* () {})",
	} {
		v, err := vm.RunString(kind)
		if err != nil {
			continue // the engine does not have this kind
		}
		prototype := v.(*goja.Object).Prototype()
		stand := vm.ToValue(never).(*goja.Object)
		must(stand.DefineDataProperty("prototype", prototype, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE))
		must(prototype.DefineDataProperty("constructor", stand, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE))
		if kind == "(function () {})" {
			must(vm.GlobalObject().Set("Function", stand))
		}
	}
	must(vm.GlobalObject().Set("eval", never))
}

// withoutBuffers takes away what can be of any size.
func (r *run) withoutBuffers() {
	for _, name := range []string{
		"BigInt", "ArrayBuffer", "SharedArrayBuffer", "Atomics", "DataView", "Int8Array", "Uint8Array", "Uint8ClampedArray",
		"Int16Array", "Uint16Array",
		"Int32Array", "Uint32Array", "Float16Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array",
	} {
		must(r.vm.GlobalObject().Delete(name))
	}
}

func callable(v goja.Value) goja.Callable {
	f, ok := goja.AssertFunction(v)
	if !ok {
		panic("the engine lacks a built-in function")
	}
	return f
}

// must is for what cannot fail in an engine that nothing has run in.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
