package sandbox

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/dop251/goja"

	"github.com/skua-browser/skua/internal/wording"
)

// plain copies a value of the script into what its JSON says, and returns about how many bytes that has. What JSON
// would leave out or change without a word is an error that says where it is.
func (r *run) plain(v goja.Value, what string) (any, int, error) {
	c := &copying{run: r}
	out, err := c.value(v, what, 0)
	return out, c.size, err
}

// copying is one value on its way out.
type copying struct {
	run  *run
	size int
}

var errLeftOut = errors.New("left out")

func (c *copying) value(v goja.Value, where string, depth int) (any, error) {
	c.size += 2
	switch {
	case c.size > MessageBytes:
		return nil, fmt.Errorf("it has more than %d bytes", MessageBytes)
	case c.run.stop.Load() != nil:
		return nil, errors.New(c.run.stop.Load().Message)
	case depth > Depth:
		return nil, errors.New(wording.Clip(where, 80) + " is nested too deep, or contains itself")
	case v == nil || goja.IsUndefined(v):
		if depth > 0 {
			return nil, errLeftOut
		}
		return nil, errors.New(where + " is undefined")
	case goja.IsNull(v):
		return nil, nil
	}
	if o, ok := v.(*goja.Object); ok {
		return c.object(o, where, depth)
	}
	switch x := v.Export().(type) {
	case bool:
		return x, nil
	case int64:
		c.size += 4
		return float64(x), nil
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("%s is %v", where, x)
		}
		c.size += 8
		return x, nil
	case string:
		c.size += len(x)
		return x, nil
	}
	return nil, fmt.Errorf("%s is a %s", where, v.ExportType())
}

// strange are the objects whose JSON is an empty object, with what to do about it.
var strange = map[string]string{
	"Map": "; use Object.fromEntries(map)", "Set": "; use [...set]", "WeakMap": "", "WeakSet": "", "RegExp": "",
	"Error":   "; use String(error)",
	"Promise": "; await it first",
}

func (c *copying) object(o *goja.Object, where string, depth int) (any, error) {
	if _, ok := goja.AssertFunction(o); ok {
		return nil, errors.New(where + " is a function")
	}
	if to, ok := goja.AssertFunction(orUndefined(o.Get("toJSON"))); ok {
		v, err := to(o)
		if err != nil {
			return nil, err
		}
		if nested, ok := v.(*goja.Object); !ok || nested != o {
			return c.value(v, where, depth+1)
		}
	}
	class := o.ClassName()
	for _, kind := range []string{class, orUndefined(o.GetSymbol(goja.SymToStringTag)).String()} {
		if advice, ok := strange[kind]; ok {
			return nil, errors.New(where + " is a " + kind + advice)
		}
	}
	switch class {
	case "String", "Number", "Boolean":
		return c.value(o.ToString().ToString(), where, depth+1)
	case "Array":
		list := []any{}
		for i, n := int64(0), o.Get("length").ToInteger(); i < n; i++ {
			item, err := c.value(o.Get(strconv.FormatInt(i, 10)), where+"["+strconv.FormatInt(i, 10)+"]", depth+1)
			if err != nil && !errors.Is(err, errLeftOut) {
				return nil, err
			}
			list = append(list, item)
		}
		return list, nil
	}
	form := map[string]any{}
	for _, key := range o.Keys() {
		item, err := c.value(o.Get(key), where+"."+key, depth+1)
		switch {
		case errors.Is(err, errLeftOut):
			continue
		case err != nil:
			return nil, err
		}
		c.size += len(key) + 2
		form[key] = item
	}
	return form, nil
}

func orUndefined(v goja.Value) goja.Value {
	if v == nil {
		return goja.Undefined()
	}
	return v
}
