package sandbox

import (
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"
	"time"

	"github.com/dop251/goja"
)

// guarded is a built-in function that looks at what it is asked before it does it.
type guarded func(fc goja.FunctionCall, original func() goja.Value) goja.Value

// guard bounds what a script can have the engine do.
type guard struct {
	vm         *goja.Runtime
	stop       *atomic.Pointer[ending] // why the script has to end, once it has to
	descriptor goja.Callable           // of the engine, whatever the script does to its world
}

// install puts bounds on the built-in functions that make much out of little, and on those that go through what is not
// a real array.
func (g *guard) install() {
	arrays, strs := g.prototype("Array"), g.prototype("String")
	for _, name := range []string{
		"at", "concat", "copyWithin", "entries", "every", "fill", "filter", "find", "findIndex", "findLast", "findLastIndex",
		"flatMap", "forEach", "includes",
		"indexOf", "keys", "lastIndexOf", "map", "pop", "push", "reduce", "reduceRight", "reverse", "shift", "slice", "some",
		"sort", "splice", "toReversed", "toSorted",
		"toSpliced", "unshift", "values", "with",
	} {
		g.wrap(arrays, name, g.countElements)
	}
	for _, name := range []string{"join", "toString", "toLocaleString"} {
		g.replaceJoin(arrays, name)
	}
	g.wrap(arrays, "flat", g.countFlat)
	g.wrap(g.vm.Get("Array").(*goja.Object), "from", func(fc goja.FunctionCall, original func() goja.Value) goja.Value {
		g.checkLength(fc.Argument(0))
		return original()
	})
	g.wrap(strs, "repeat", func(fc goja.FunctionCall, original func() goja.Value) goja.Value {
		g.checkCharacters(product(length(fc.This), fc.Argument(0).ToInteger()))
		return original()
	})
	for _, name := range []string{"padStart", "padEnd"} {
		g.wrap(strs, name, func(fc goja.FunctionCall, original func() goja.Value) goja.Value {
			g.checkCharacters(fc.Argument(0).ToInteger())
			return original()
		})
	}
	g.wrap(strs, "concat", func(fc goja.FunctionCall, original func() goja.Value) goja.Value {
		total := length(fc.This)
		for _, a := range fc.Arguments {
			total += length(a)
		}
		g.checkCharacters(total)
		return original()
	})
	for _, name := range []string{"replace", "replaceAll"} {
		g.wrap(strs, name, g.countReplacing)
	}
	g.wrap(g.vm.Get("String").(*goja.Object), "raw", func(fc goja.FunctionCall, original func() goja.Value) goja.Value {
		if o, ok := fc.Argument(0).(*goja.Object); ok {
			g.checkLength(o.Get("raw"))
		}
		return original()
	})
	reflection := g.vm.Get("Reflect").(*goja.Object)
	apply := func(at int) guarded {
		return func(fc goja.FunctionCall, original func() goja.Value) goja.Value {
			g.checkLength(fc.Argument(at))
			return original()
		}
	}
	g.wrap(reflection, "apply", apply(2))
	g.wrap(reflection, "construct", apply(1))
	g.wrap(g.vm.Get("Function").(*goja.Object).Get("prototype").(*goja.Object), "apply", apply(1))
	g.guardSearches()
	g.guardJSON()
}

func (g *guard) prototype(name string) *goja.Object {
	return g.vm.Get(name).(*goja.Object).Get("prototype").(*goja.Object)
}

// wrap puts a guarded function in the place of a built-in one.
func (g *guard) wrap(on *goja.Object, name string, look guarded) {
	original, ok := goja.AssertFunction(orUndefined(on.Get(name)))
	if !ok {
		return // the engine does not have it
	}
	must(on.DefineDataProperty(name, named(g.vm, name, g.guarding(original, look)), goja.FLAG_TRUE, goja.FLAG_TRUE,
		goja.FLAG_FALSE))
}

func (g *guard) guarding(original goja.Callable, look guarded) func(goja.FunctionCall) goja.Value {
	return func(fc goja.FunctionCall) goja.Value {
		g.check()
		return look(fc, func() goja.Value {
			v, err := original(fc.This, fc.Arguments...)
			if err != nil {
				panic(err)
			}
			return v
		})
	}
}

// named makes a function with the name that the built-in one has.
func named(vm *goja.Runtime, name string, f func(goja.FunctionCall) goja.Value) goja.Value {
	v := vm.ToValue(f)
	must(v.(*goja.Object).DefineDataProperty("name", vm.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	return v
}

// check throws when the script has to end. Built-in functions that call each other reach it where the engine looks for
// no interruption.
func (g *guard) check() {
	if why := g.stop.Load(); why != nil {
		panic(g.vm.NewGoError(why))
	}
}

func (e *ending) Error() string { return e.Message }

func (g *guard) tooLarge(format string, args ...any) {
	constructor := g.vm.Get("RangeError")
	message := fmt.Sprintf(format, args...)
	o, err := g.vm.New(constructor, g.vm.ToValue(message))
	if err != nil {
		panic(g.vm.NewTypeError(message))
	}
	panic(o)
}

func (g *guard) checkCharacters(n int64) {
	if n > Characters {
		g.tooLarge("A script may make texts of %d characters, and this one would have up to %d.", Characters, n)
	}
}

var proxy = reflect.TypeFor[goja.Proxy]()

// checkLength refuses to go through too many elements. What says its length by a function, or stands for something
// else, could say another one later, so that it is refused too.
func (g *guard) checkLength(v goja.Value) int64 {
	o, ok := v.(*goja.Object)
	if !ok {
		return 0
	}
	if o.ExportType() == proxy {
		g.tooLarge("A script cannot use a Proxy as a list.")
	}
	if o.ClassName() != "Array" && o.ClassName() != "Arguments" && g.computed(o) {
		g.tooLarge("A script cannot use an object whose length is a function as a list.")
	}
	n := length(o)
	if n > Elements {
		g.tooLarge("A script may go through lists of %d elements, and this one has %d.", Elements, n)
	}
	return n
}

// computed reports whether an object's length, or that of what it inherits from, is an accessor or belongs to a proxy.
func (g *guard) computed(o *goja.Object) bool {
	describe := g.descriptor
	for at := o; at != nil; at = at.Prototype() {
		if at.ExportType() == proxy {
			return true
		}
		d, err := describe(goja.Undefined(), at, g.vm.ToValue("length"))
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
func (g *guard) countElements(fc goja.FunctionCall, original func() goja.Value) goja.Value {
	total := g.checkLength(fc.This)
	for _, a := range fc.Arguments {
		if o, ok := a.(*goja.Object); ok && o.ClassName() != "Function" {
			total += g.checkLength(o)
		}
	}
	if total > Elements {
		g.tooLarge("A script may go through lists of %d elements, and these have %d.", Elements, total)
	}
	return original()
}

// countFlat counts what flat would make of arrays, which may contain the same one again and again.
func (g *guard) countFlat(fc goja.FunctionCall, original func() goja.Value) goja.Value {
	deep := int64(1)
	if d := fc.Argument(0); !goja.IsUndefined(d) {
		deep = d.ToInteger()
	}
	left := int64(Elements)
	var count func(o *goja.Object, deep int64, nested int)
	count = func(o *goja.Object, deep int64, nested int) {
		if nested > Depth {
			g.tooLarge("A script's arrays may be nested %d deep.", Depth)
		}
		n := g.checkLength(o)
		if left -= n; left < 0 {
			g.tooLarge("A script may go through lists of %d elements.", Elements)
		}
		if deep <= 0 {
			return
		}
		for i := range n {
			if inner, ok := o.Get(fmt.Sprint(i)).(*goja.Object); ok && inner.ClassName() == "Array" {
				g.check()
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
func (g *guard) countReplacing(fc goja.FunctionCall, original func() goja.Value) goja.Value {
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
	g.checkCharacters(n + product(times, each))
	return original()
}

// guardSearches bounds the time of regular expressions, and their size.
func (g *guard) guardSearches() {
	expressions := g.prototype("RegExp")
	timed := func(fc goja.FunctionCall, original func() goja.Value) goja.Value {
		began := time.Now()
		v := original()
		if time.Since(began) >= SearchTime {
			g.tooLarge("The search with the regular expression took more than %v; it may track back too much.", SearchTime)
		}
		return v
	}
	for _, name := range []string{"exec", "test"} {
		g.wrap(expressions, name, timed)
	}
	small := func(fc goja.FunctionCall, original func() goja.Value) goja.Value {
		if _, ok := fc.Argument(0).(*goja.Object); !ok && length(fc.Argument(0)) > pattern {
			g.tooLarge("A script's regular expressions may have %d characters.", pattern)
		}
		return original()
	}
	g.wrap(expressions, "compile", small)
	for _, name := range []string{"match", "matchAll", "search"} {
		g.wrap(g.prototype("String"), name, small)
	}
	replace := callable(expressions.GetSymbol(goja.SymReplace))
	must(expressions.DefineDataPropertySymbol(goja.SymReplace,
		named(g.vm, "[Symbol.replace]",
			g.guarding(replace, func(fc goja.FunctionCall, original func() goja.Value) goja.Value {
				return g.countReplacing(goja.FunctionCall{
					This:      fc.Argument(0),
					Arguments: []goja.Value{fc.This, fc.Argument(1)},
				}, original)
			})), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
}
