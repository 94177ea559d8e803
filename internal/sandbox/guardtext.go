package sandbox

import (
	"strconv"

	"github.com/dop251/goja"
)

// replaceJoin makes the functions that write an array as text again: one array may contain another many times, at every
// level, so that a few lines stand for any length of text.
func (g *guard) replaceJoin(on *goja.Object, name string) {
	active, left := map[*goja.Object]bool{}, int64(0)
	join := func(fc goja.FunctionCall) goja.Value {
		g.check()
		list := fc.This.ToObject(g.vm)
		n := g.checkLength(list)
		if active[list] {
			return g.vm.ToValue("") // it contains itself
		}
		if len(active) > Depth {
			g.tooLarge("A script's arrays may be nested %d deep.", Depth)
		}
		const nested = 32 // what an array in an array costs, in elements
		if len(active) == 0 {
			left = Elements
		}
		if left -= n + nested; left < -nested {
			g.tooLarge("A script may make a text of lists of %d elements.", Elements)
		}
		active[list] = true
		defer delete(active, list)
		separator := ","
		if s := fc.Argument(0); name == "join" && !goja.IsUndefined(s) {
			separator = s.String()
		}
		var b goja.StringBuilder
		size, between := int64(0), g.vm.ToValue(separator).(goja.String)
		for i := range n {
			if i%1024 == 0 {
				g.check()
			}
			if i > 0 {
				size += int64(between.Length())
				g.checkCharacters(size)
				b.WriteString(between)
			}
			item := list.Get(strconv.FormatInt(i, 10))
			if item == nil || goja.IsUndefined(item) || goja.IsNull(item) {
				continue
			}
			text := g.textOf(item, name)
			size += int64(text.Length())
			g.checkCharacters(size)
			b.WriteString(text)
		}
		return b.String()
	}
	must(on.DefineDataProperty(name, named(g.vm, name, join), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
}

func (g *guard) textOf(item goja.Value, name string) goja.String {
	if name == "toLocaleString" {
		o := item.ToObject(g.vm)
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
	return g.vm.ToValue(item.String()).(goja.String)
}

// guardJSON bounds how deep JSON goes and how long it gets.
func (g *guard) guardJSON() {
	on := g.vm.Get("JSON").(*goja.Object)
	g.wrap(on, "parse", func(fc goja.FunctionCall, original func() goja.Value) goja.Value {
		text := fc.Argument(0).String()
		g.checkCharacters(int64(len(text)))
		if nesting(text) > Depth {
			g.tooLarge("JSON may be nested %d deep in a script.", Depth)
		}
		return original()
	})
	stringify := callable(on.Get("stringify"))
	must(on.DefineDataProperty("stringify", named(g.vm, "stringify", func(fc goja.FunctionCall) goja.Value {
		g.check()
		w := &writing{guard: g, own: fc.Argument(1)}
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
	guard   *guard
	own     goja.Value     // the script's replacer
	holders []*goja.Object // that are being written, each within the one before
	indent  int64
	size    int64
}

func (w *writing) replacer() goja.Value {
	g := w.guard
	function, _ := goja.AssertFunction(w.own)
	var only map[string]bool
	if list, ok := w.own.(*goja.Object); ok && function == nil && list.ClassName() == "Array" {
		only = map[string]bool{}
		for i := range g.checkLength(list) {
			only[orUndefined(list.Get(strconv.FormatInt(i, 10))).String()] = true
		}
	}
	return g.vm.ToValue(func(fc goja.FunctionCall) goja.Value {
		g.check()
		holder, key, value := fc.This.ToObject(g.vm), fc.Argument(0), fc.Argument(1)
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
		g.checkCharacters(w.size)
		if o, ok := value.(*goja.Object); ok {
			if len(w.holders) > Depth {
				g.tooLarge("JSON may be nested %d deep in a script, and must not contain itself.", Depth)
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
