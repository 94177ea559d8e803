package sandbox

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/dop251/goja"
)

// guarded is a built-in function that looks at what it is asked before it does it.
type guarded func(fc goja.FunctionCall, original func() goja.Value) goja.Value

// guard puts bounds on the built-in functions that make much out of little, and on those that go through what is not a real array.
func (r *run) guard() {
	vm := r.vm
	arrays, strs := r.prototype("Array"), r.prototype("String")
	for _, name := range []string{
		"at", "concat", "copyWithin", "entries", "every", "fill", "filter", "find", "findIndex", "findLast", "findLastIndex", "flatMap", "forEach", "includes",
		"indexOf", "keys", "lastIndexOf", "map", "pop", "push", "reduce", "reduceRight", "reverse", "shift", "slice", "some", "sort", "splice", "toReversed", "toSorted",
		"toSpliced", "unshift", "values", "with",
	} {
		r.wrap(arrays, name, r.countElements)
	}
	for _, name := range []string{"join", "toString", "toLocaleString"} {
		r.replaceJoin(arrays, name)
	}
	r.wrap(arrays, "flat", r.countFlat)
	r.wrap(vm.Get("Array").(*goja.Object), "from", func(fc goja.FunctionCall, original func() goja.Value) goja.Value {
		r.checkLength(fc.Argument(0))
		return original()
	})
	r.wrap(strs, "repeat", func(fc goja.FunctionCall, original func() goja.Value) goja.Value {
		r.checkCharacters(product(length(fc.This), fc.Argument(0).ToInteger()))
		return original()
	})
	for _, name := range []string{"padStart", "padEnd"} {
		r.wrap(strs, name, func(fc goja.FunctionCall, original func() goja.Value) goja.Value {
			r.checkCharacters(fc.Argument(0).ToInteger())
			return original()
		})
	}
	r.wrap(strs, "concat", func(fc goja.FunctionCall, original func() goja.Value) goja.Value {
		total := length(fc.This)
		for _, a := range fc.Arguments {
			total += length(a)
		}
		r.checkCharacters(total)
		return original()
	})
	for _, name := range []string{"replace", "replaceAll"} {
		r.wrap(strs, name, r.countReplacing)
	}
	r.wrap(vm.Get("String").(*goja.Object), "raw", func(fc goja.FunctionCall, original func() goja.Value) goja.Value {
		if o, ok := fc.Argument(0).(*goja.Object); ok {
			r.checkLength(o.Get("raw"))
		}
		return original()
	})
	reflection := vm.Get("Reflect").(*goja.Object)
	apply := func(at int) guarded {
		return func(fc goja.FunctionCall, original func() goja.Value) goja.Value {
			r.checkLength(fc.Argument(at))
			return original()
		}
	}
	r.wrap(reflection, "apply", apply(2))
	r.wrap(reflection, "construct", apply(1))
	r.wrap(r.vm.Get("Function").(*goja.Object).Get("prototype").(*goja.Object), "apply", apply(1))
	r.guardSearches()
	r.guardJSON()
}

func (r *run) prototype(name string) *goja.Object {
	return r.vm.Get(name).(*goja.Object).Get("prototype").(*goja.Object)
}

// wrap puts a guarded function in the place of a built-in one.
func (r *run) wrap(on *goja.Object, name string, g guarded) {
	original, ok := goja.AssertFunction(orUndefined(on.Get(name)))
	if !ok {
		return // the engine does not have it
	}
	must(on.DefineDataProperty(name, r.named(name, r.guarding(original, g)), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
}

func (r *run) guarding(original goja.Callable, g guarded) func(goja.FunctionCall) goja.Value {
	return func(fc goja.FunctionCall) goja.Value {
		r.check()
		return g(fc, func() goja.Value {
			v, err := original(fc.This, fc.Arguments...)
			if err != nil {
				panic(err)
			}
			return v
		})
	}
}

// named makes a function with the name that the built-in one has.
func (r *run) named(name string, f func(goja.FunctionCall) goja.Value) goja.Value {
	v := r.vm.ToValue(f)
	must(v.(*goja.Object).DefineDataProperty("name", r.vm.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	return v
}

// check throws when the script has to end. Built-in functions that call each other reach it where the engine looks for no interruption.
func (r *run) check() {
	if why := r.stop.Load(); why != nil {
		panic(r.vm.NewGoError(why))
	}
}

func (e *ending) Error() string { return e.Message }

func (r *run) tooLarge(format string, args ...any) {
	constructor := r.vm.Get("RangeError")
	message := fmt.Sprintf(format, args...)
	o, err := r.vm.New(constructor, r.vm.ToValue(message))
	if err != nil {
		panic(r.vm.NewTypeError(message))
	}
	panic(o)
}

func (r *run) checkCharacters(n int64) {
	if n > Characters {
		r.tooLarge("A script may make texts of %d characters, and this one would have up to %d.", Characters, n)
	}
}

var proxy = reflect.TypeFor[goja.Proxy]()

// checkLength refuses to go through too many elements. What says its length by a function, or stands for something else, could say another one
// later, so that it is refused too.
func (r *run) checkLength(v goja.Value) int64 {
	o, ok := v.(*goja.Object)
	if !ok {
		return 0
	}
	if o.ExportType() == proxy {
		r.tooLarge("A script cannot use a Proxy as a list.")
	}
	if o.ClassName() != "Array" && o.ClassName() != "Arguments" && r.computed(o) {
		r.tooLarge("A script cannot use an object whose length is a function as a list.")
	}
	n := length(o)
	if n > Elements {
		r.tooLarge("A script may go through lists of %d elements, and this one has %d.", Elements, n)
	}
	return n
}

// computed reports whether an object's length, or that of what it inherits from, is an accessor or belongs to a proxy.
func (r *run) computed(o *goja.Object) bool {
	describe := r.descriptor
	for at := o; at != nil; at = at.Prototype() {
		if at.ExportType() == proxy {
			return true
		}
		d, err := describe(goja.Undefined(), at, r.vm.ToValue("length"))
		if err != nil {
			return true
		}
		if found, ok := d.(*goja.Object); ok {
			_, data := found.Get("value"), found.Get("get")
			return data != nil
		}
	}
	return false
}

// length is how long a text or a list says it is.
func length(v goja.Value) int64 {
	switch x := v.(type) {
	case goja.String:
		return int64(x.Length())
	case *goja.Object:
		n := x.Get("length")
		if n == nil {
			return 0
		}
		if _, ok := n.(*goja.Object); ok {
			return Elements + 1
		}
		return n.ToInteger()
	case nil:
		return 0
	}
	return int64(len(v.String()))
}

func product(a, b int64) int64 {
	if a > 0 && b > (1<<62)/a {
		return 1 << 62
	}
	return a * b
}

// countElements is for the functions of arrays.
func (r *run) countElements(fc goja.FunctionCall, original func() goja.Value) goja.Value {
	total := r.checkLength(fc.This)
	for _, a := range fc.Arguments {
		if o, ok := a.(*goja.Object); ok && o.ClassName() != "Function" {
			total += r.checkLength(o)
		}
	}
	if total > Elements {
		r.tooLarge("A script may go through lists of %d elements, and these have %d.", Elements, total)
	}
	return original()
}

// countFlat counts what flat would make of arrays, which may contain the same one again and again.
func (r *run) countFlat(fc goja.FunctionCall, original func() goja.Value) goja.Value {
	deep := int64(1)
	if d := fc.Argument(0); !goja.IsUndefined(d) {
		deep = d.ToInteger()
	}
	left := int64(Elements)
	var count func(o *goja.Object, deep int64, nested int)
	count = func(o *goja.Object, deep int64, nested int) {
		if nested > Depth {
			r.tooLarge("A script's arrays may be nested %d deep.", Depth)
		}
		n := r.checkLength(o)
		if left -= n; left < 0 {
			r.tooLarge("A script may go through lists of %d elements.", Elements)
		}
		if deep <= 0 {
			return
		}
		for i := range n {
			if inner, ok := o.Get(fmt.Sprint(i)).(*goja.Object); ok && inner.ClassName() == "Array" {
				r.check()
				count(inner, deep-1, nested+1)
			}
		}
	}
	if o, ok := fc.This.(*goja.Object); ok {
		count(o, deep, 0)
	}
	return original()
}

// countReplacing bounds what a replacement can grow to.
func (r *run) countReplacing(fc goja.FunctionCall, original func() goja.Value) goja.Value {
	if _, ok := fc.Argument(1).(*goja.Object); ok {
		return original() // a function: it is called for each, and can be ended there
	}
	n, with := length(fc.This), fc.Argument(1).String()
	each := int64(len(with))
	if strings.Contains(with, "$`") || strings.Contains(with, "$'") {
		each += n * int64(strings.Count(with, "$"))
	}
	times := n + 1
	if o, ok := fc.Argument(0).(*goja.Object); !ok {
		times = int64(strings.Count(fc.This.String(), fc.Argument(0).String()))
	} else if o.ClassName() == "RegExp" && !strings.Contains(orUndefined(o.Get("flags")).String(), "g") {
		times = 1
	}
	r.checkCharacters(n + product(times, each))
	return original()
}

// guardSearches bounds the time of regular expressions, and their size.
func (r *run) guardSearches() {
	expressions := r.prototype("RegExp")
	timed := func(fc goja.FunctionCall, original func() goja.Value) goja.Value {
		began := time.Now()
		v := original()
		if time.Since(began) >= SearchTime {
			r.tooLarge("The search with the regular expression took more than %v; it may track back too much.", SearchTime)
		}
		return v
	}
	for _, name := range []string{"exec", "test"} {
		r.wrap(expressions, name, timed)
	}
	small := func(fc goja.FunctionCall, original func() goja.Value) goja.Value {
		if _, ok := fc.Argument(0).(*goja.Object); !ok && length(fc.Argument(0)) > pattern {
			r.tooLarge("A script's regular expressions may have %d characters.", pattern)
		}
		return original()
	}
	r.wrap(expressions, "compile", small)
	for _, name := range []string{"match", "matchAll", "search"} {
		r.wrap(r.prototype("String"), name, small)
	}
	replace := callable(expressions.GetSymbol(goja.SymReplace))
	must(expressions.DefineDataPropertySymbol(goja.SymReplace, r.named("[Symbol.replace]", r.guarding(replace, func(fc goja.FunctionCall, original func() goja.Value) goja.Value {
		return r.countReplacing(goja.FunctionCall{This: fc.Argument(0), Arguments: []goja.Value{fc.This, fc.Argument(1)}}, original)
	})), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
}
