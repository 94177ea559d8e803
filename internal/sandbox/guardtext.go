package sandbox

import (
	"strconv"

	"github.com/dop251/goja"
)

// replaceJoin makes the functions that write an array as text again: one array may contain another many times, at every level, so that a few
// lines stand for any length of text.
func (r *run) replaceJoin(on *goja.Object, name string) {
	active, left := map[*goja.Object]bool{}, int64(0)
	join := func(fc goja.FunctionCall) goja.Value {
		r.check()
		list := fc.This.ToObject(r.vm)
		n := r.checkLength(list)
		if active[list] {
			return r.vm.ToValue("") // it contains itself
		}
		if len(active) > Depth {
			r.tooLarge("A script's arrays may be nested %d deep.", Depth)
		}
		const nested = 32 // what an array in an array costs, in elements
		if len(active) == 0 {
			left = Elements
		}
		if left -= n + nested; left < -nested {
			r.tooLarge("A script may make a text of lists of %d elements.", Elements)
		}
		active[list] = true
		defer delete(active, list)
		separator := ","
		if s := fc.Argument(0); name == "join" && !goja.IsUndefined(s) {
			separator = s.String()
		}
		var b goja.StringBuilder
		size, between := int64(0), r.vm.ToValue(separator).(goja.String)
		for i := range n {
			if i%1024 == 0 {
				r.check()
			}
			if i > 0 {
				size += int64(between.Length())
				r.checkCharacters(size)
				b.WriteString(between)
			}
			item := list.Get(strconv.FormatInt(i, 10))
			if item == nil || goja.IsUndefined(item) || goja.IsNull(item) {
				continue
			}
			text := r.textOf(item, name)
			size += int64(text.Length())
			r.checkCharacters(size)
			b.WriteString(text)
		}
		return b.String()
	}
	must(on.DefineDataProperty(name, r.named(name, join), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
}

func (r *run) textOf(item goja.Value, name string) goja.String {
	if name == "toLocaleString" {
		o := item.ToObject(r.vm)
		if local, ok := goja.AssertFunction(orUndefined(o.Get(name))); ok {
			v, err := local(item)
			if err != nil {
				panic(err)
			}
			item = v
		}
	}
	if text, ok := item.(goja.String); ok {
		return text
	}
	return r.vm.ToValue(item.String()).(goja.String)
}

// guardJSON bounds how deep JSON goes and how long it gets.
func (r *run) guardJSON() {
	on := r.vm.Get("JSON").(*goja.Object)
	r.wrap(on, "parse", func(fc goja.FunctionCall, original func() goja.Value) goja.Value {
		text := fc.Argument(0).String()
		r.checkCharacters(int64(len(text)))
		if nesting(text) > Depth {
			r.tooLarge("JSON may be nested %d deep in a script.", Depth)
		}
		return original()
	})
	stringify := callable(on.Get("stringify"))
	must(on.DefineDataProperty("stringify", r.named("stringify", func(fc goja.FunctionCall) goja.Value {
		r.check()
		w := &writing{run: r, own: fc.Argument(1)}
		w.indent = 1
		if space := fc.Argument(2); !goja.IsUndefined(space) {
			w.indent = 10
		}
		v, err := stringify(goja.Undefined(), fc.Argument(0), w.replacer(), fc.Argument(2))
		if err != nil {
			panic(err)
		}
		return v
	}), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
}

// writing is one JSON.stringify: it counts what is about to be written.
type writing struct {
	run     *run
	own     goja.Value     // the script's replacer
	holders []*goja.Object // that are being written, each within the one before
	indent  int64
	size    int64
}

func (w *writing) replacer() goja.Value {
	r := w.run
	function, _ := goja.AssertFunction(w.own)
	var only map[string]bool
	if list, ok := w.own.(*goja.Object); ok && function == nil && list.ClassName() == "Array" {
		only = map[string]bool{}
		for i := range r.checkLength(list) {
			only[orUndefined(list.Get(strconv.FormatInt(i, 10))).String()] = true
		}
	}
	return r.vm.ToValue(func(fc goja.FunctionCall) goja.Value {
		r.check()
		holder, key, value := fc.This.ToObject(r.vm), fc.Argument(0), fc.Argument(1)
		for len(w.holders) > 0 && w.holders[len(w.holders)-1] != holder {
			w.holders = w.holders[:len(w.holders)-1]
		}
		if len(w.holders) == 0 {
			w.holders = append(w.holders, holder)
		}
		switch {
		case function != nil:
			v, err := function(holder, key, value)
			if err != nil {
				panic(err)
			}
			value = v
		case only != nil && len(w.holders) > 1 && holder.ClassName() != "Array" && !only[key.String()]:
			return goja.Undefined()
		}
		w.size += 4 + length(key) + w.indent*int64(len(w.holders))
		if s, ok := value.(goja.String); ok {
			w.size += int64(s.Length())
		}
		r.checkCharacters(w.size)
		if o, ok := value.(*goja.Object); ok {
			if len(w.holders) > Depth {
				r.tooLarge("JSON may be nested %d deep in a script, and must not contain itself.", Depth)
			}
			w.holders = append(w.holders, o)
		}
		return value
	})
}

// nesting is how deep the brackets of a JSON text go.
func nesting(text string) (deepest int) {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
			deepest = max(deepest, depth)
		case c == ']' || c == '}':
			depth--
		}
	}
	return deepest
}
