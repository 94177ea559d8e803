package redact

import (
	"maps"
	"reflect"
	"strings"

	"github.com/skua-browser/skua/tool/contract"
)

func sameMap(a, b map[string]any) bool {
	return reflect.ValueOf(a).UnsafePointer() == reflect.ValueOf(b).UnsafePointer()
}

// otherChanged is changed for what is not JSON-shaped.
func otherChanged(clean, was any) bool {
	a, b := reflect.ValueOf(clean), reflect.ValueOf(was)
	if !a.IsValid() || a.Type() != b.Type() {
		return true
	}
	switch b.Kind() {
	case reflect.Map, reflect.Slice, reflect.Pointer:
		return a.UnsafePointer() != b.UnsafePointer()
	}
	return !b.Comparable() || !a.Equal(b)
}

// asWords returns a list of strings, whatever its type.
func asWords(v any) ([]string, bool) {
	switch v := v.(type) {
	case []string:
		return v, len(v) > 0
	case []any:
		out := make([]string, len(v))
		for i, item := range v {
			s, ok := item.(string)
			if !ok {
				return nil, false
			}
			out[i] = s
		}
		return out, len(out) > 0
	}
	return nil, false
}

// wordsAs gives a list the type that it had.
func wordsAs(list []string, was any) any {
	if _, ok := was.([]any); !ok {
		return list
	}
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// Result removes the secrets from a whole result: from every text that it holds, at whatever depth. What the result
// shares with others is copied where it changes.
func (r *Redactor) Result(res *contract.Result) {
	if r.login && res.Details != nil && res.Details.ParseError != "" {
		res.Details.Stdout, res.Details.Stderr, res.Details.Data = "", "", nil
	}
	if res.Details != nil {
		r.fields(reflect.ValueOf(res.Details).Elem())
	}
	for i := range res.Content {
		if c := &res.Content[i]; c.Text != "" {
			c.Text = r.Text(c.Text)
		}
	}
}

// fields redacts the fields of a struct, which is the walk's own to change.
func (r *Redactor) fields(v reflect.Value) {
	t := v.Type()
	for i := range t.NumField() {
		field := v.Field(i)
		if !field.CanSet() || field.IsZero() {
			continue
		}
		f := t.Field(i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			r.fields(field)
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if clean, ok := r.walked(field, name); ok {
			field.Set(clean)
		}
	}
}

var stringsType = reflect.TypeFor[[]string]()

// walked returns a value without secrets; ok is false when it has none.
func (r *Redactor) walked(v reflect.Value, name string) (clean reflect.Value, ok bool) {
	switch v.Kind() {
	case reflect.String:
		return r.walkedText(v, name)
	case reflect.Interface:
		return r.walkedAny(v, name)
	case reflect.Pointer:
		if v.IsNil() || v.Elem().Kind() != reflect.Struct {
			return v, false
		}
		inner, ok := r.walked(v.Elem(), name)
		if !ok {
			return v, false
		}
		fresh := reflect.New(inner.Type())
		fresh.Elem().Set(inner)
		return fresh, true
	case reflect.Struct:
		return r.walkedStruct(v)
	case reflect.Slice:
		return r.walkedSlice(v, name)
	case reflect.Map:
		return r.walkedMap(v)
	}
	return v, false
}

func (r *Redactor) walkedText(v reflect.Value, name string) (reflect.Value, bool) {
	was := v.String()
	var clean string
	if name == "stdin" {
		clean = r.Stdin(was)
	} else {
		clean = r.Text(was)
	}
	if clean == was {
		return v, false
	}
	return reflect.ValueOf(clean).Convert(v.Type()), true
}

func (r *Redactor) walkedAny(v reflect.Value, name string) (reflect.Value, bool) {
	if v.IsNil() {
		return v, false
	}
	was := v.Interface()
	return inInterface(v, was, r.member(name, was))
}

func (r *Redactor) walkedStruct(v reflect.Value) (reflect.Value, bool) {
	var fresh reflect.Value
	t := v.Type()
	for i := range t.NumField() {
		field := v.Field(i)
		if !t.Field(i).IsExported() || field.IsZero() {
			continue
		}
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		clean, ok := r.walked(field, name)
		if !ok {
			continue
		}
		if !fresh.IsValid() {
			fresh = reflect.New(t).Elem()
			fresh.Set(v)
		}
		fresh.Field(i).Set(clean)
	}
	if !fresh.IsValid() {
		return v, false
	}
	return fresh, true
}

func (r *Redactor) walkedSlice(v reflect.Value, name string) (reflect.Value, bool) {
	if v.Type() == stringsType && v.Len() > 0 {
		was := v.Interface().([]string)
		var clean []string
		switch name {
		case "args", "effectiveArgs", "command", "exampleArgs", "cleanArgs", "focusArgs", "clickArgs":
			clean = r.Args(was)
		default:
			clean = r.texts(was)
		}
		return reflect.ValueOf(clean), &clean[0] != &was[0]
	}
	if v.Type().Elem().Kind() == reflect.Uint8 && v.Len() > 0 { // raw JSON
		was := string(v.Bytes())
		clean := r.Text(was)
		return reflect.ValueOf([]byte(clean)).Convert(v.Type()), clean != was
	}
	var fresh reflect.Value
	for i := range v.Len() {
		clean, ok := r.walked(v.Index(i), name)
		if !ok {
			continue
		}
		if !fresh.IsValid() {
			fresh = reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(fresh, v)
		}
		fresh.Index(i).Set(clean)
	}
	if !fresh.IsValid() {
		return v, false
	}
	return fresh, true
}

func (r *Redactor) walkedMap(v reflect.Value) (reflect.Value, bool) {
	switch was := v.Interface().(type) {
	case map[string]any:
		clean := r.object(was)
		return reflect.ValueOf(clean), changed(clean, was)
	case map[string]contract.Ref:
		return r.refs(was)
	}
	var fresh reflect.Value
	for it := v.MapRange(); it.Next(); {
		name := ""
		if it.Key().Kind() == reflect.String {
			name = it.Key().String()
		}
		clean, ok := r.walked(it.Value(), name)
		if !ok && it.Value().Kind() == reflect.String && isSecret(name, inData) {
			clean, ok = reflect.ValueOf(Mark).Convert(it.Value().Type()), true
		}
		if !ok {
			continue
		}
		if !fresh.IsValid() {
			fresh = reflect.MakeMapWithSize(v.Type(), v.Len())
			for all := v.MapRange(); all.Next(); {
				fresh.SetMapIndex(all.Key(), all.Value())
			}
		}
		fresh.SetMapIndex(it.Key(), clean)
	}
	if !fresh.IsValid() {
		return v, false
	}
	return fresh, true
}

// refs redacts the names of a snapshot's refs, of which there may be thousands.
func (r *Redactor) refs(was map[string]contract.Ref) (reflect.Value, bool) {
	var fresh map[string]contract.Ref
	for id, ref := range was {
		clean := r.Text(ref.Name)
		if clean == ref.Name {
			continue
		}
		if fresh == nil {
			fresh = make(map[string]contract.Ref, len(was))
			maps.Copy(fresh, was)
		}
		ref.Name = clean
		fresh[id] = ref
	}
	return reflect.ValueOf(fresh), fresh != nil
}
