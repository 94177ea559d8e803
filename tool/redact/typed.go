package redact

import (
	"encoding/json"
	"reflect"
	"slices"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/internal/plainjson"
)

// other redacts a value of a type of its own as the JSON of it would be: by the names that its members have there. The
// value is copied where something changes. One that writes its JSON itself becomes JSON-shaped.
func (r *Redactor) other(v any) any {
	switch v := v.(type) {
	case *actions.Reported:
		return r.reported(v)
	case interface{ Typed() any }:
		return r.Value(fact.Value(v))
	}
	value := reflect.ValueOf(v)
	if !walkable(value.Type()) {
		return r.Value(jsonShaped(v))
	}
	if clean, ok := r.typed(value); ok {
		return clean.Interface()
	}
	return v
}

func (r *Redactor) reported(v *actions.Reported) any {
	own, shown := r.Value(v.Own), v.Shown()
	reports, reportsChanged := r.typed(reflect.ValueOf(shown))
	if !reportsChanged && !changed(own, v.Own) {
		return v
	}
	clean := &actions.Reported{Own: own, Reports: shown}
	if reportsChanged {
		clean.Reports, _ = reflect.TypeAssert[fact.Reports](reports)
	}
	return clean
}

// jsonShaped returns what the JSON of a value says; nil for what has none.
func jsonShaped(v any) (shaped any) {
	text, err := plainjson.Marshal(v)
	if err != nil || json.Unmarshal(text, &shaped) != nil {
		return nil
	}
	return shaped
}

var (
	rawType  = reflect.TypeFor[json.RawMessage]()
	timeType = reflect.TypeFor[time.Time]()
)

// typed is Value for a value of a Go type that is walkable. Ok is false if it has no secret.
func (r *Redactor) typed(v reflect.Value) (clean reflect.Value, ok bool) {
	if v.Type() == rawType {
		return r.raw(v, r.Value)
	}
	switch v.Kind() {
	case reflect.String:
		return cleanText(v, r.Text(v.String()))
	case reflect.Struct:
		if v.Type() == timeType {
			return v, false
		}
		return r.typedObject(v)
	case reflect.Map:
		return r.typedMap(v)
	}
	return parts(v, r.typed, r.Value)
}

// typedMember is member for a value of a Go type.
func (r *Redactor) typedMember(name string, v reflect.Value) (clean reflect.Value, ok bool) {
	if v.Kind() == reflect.Interface && !v.IsNil() {
		was := v.Interface()
		return inInterface(v, was, r.member(name, was))
	}
	switch name {
	case "args", "command", "argv", "exampleArgs", "effectiveArgs", "cleanArgs":
		if v.Type() == stringsType && v.Len() > 0 {
			was, _ := reflect.TypeAssert[[]string](v)
			now := r.Args(was)
			return reflect.ValueOf(now), &now[0] != &was[0]
		}
	case "stdin":
		if v.Kind() == reflect.String {
			return cleanText(v, r.Stdin(v.String()))
		}
	}
	switch {
	case !isSecret(name, inData), describesTyped(v):
		return r.typed(v)
	case v.Kind() == reflect.String && v.String() == name:
		return cleanText(v, Mark)
	}
	return r.typedHide(v)
}

// typedHide is hide for a value of a Go type.
func (r *Redactor) typedHide(v reflect.Value) (clean reflect.Value, ok bool) {
	if v.Type() == rawType {
		return r.raw(v, r.hide)
	}
	switch v.Kind() {
	case reflect.String:
		if v.Len() == 0 || isPlaceholder(v.String()) || slices.Contains(r.handed, v.String()) {
			return v, false
		}
		r.learn(v.String())
		return cleanText(v, Mark)
	case reflect.Struct:
		return withFields(v, func(_ string, field reflect.Value) (reflect.Value, bool) { return r.typedHide(field) })
	case reflect.Map:
		return withItems(v, func(_ string, item reflect.Value) (reflect.Value, bool) { return r.typedHide(item) })
	}
	return parts(v, r.typedHide, r.hide)
}

// hideOther is hide for a value of a type of its own.
func (r *Redactor) hideOther(v any) any {
	value := reflect.ValueOf(v)
	if !walkable(value.Type()) {
		return r.hide(jsonShaped(v))
	}
	if clean, ok := r.typedHide(value); ok {
		return clean.Interface()
	}
	return v
}

// typedObject is object for a struct.
func (r *Redactor) typedObject(v reflect.Value) (clean reflect.Value, ok bool) {
	isPair := false
	if value := textField(v, "value"); value != "" && isTypedPair(v) {
		r.learn(value)
		isPair = true
	}
	return withFields(v, func(name string, field reflect.Value) (reflect.Value, bool) {
		if isPair && name == "value" {
			return mark(field), true
		}
		return r.typedMember(name, field)
	})
}

// mark is Mark as a value of a text's type, or of a pointer to one.
func mark(of reflect.Value) reflect.Value {
	if of.Kind() == reflect.Pointer {
		fresh := reflect.New(of.Type().Elem())
		fresh.Elem().SetString(Mark)
		return fresh
	}
	return reflect.ValueOf(Mark).Convert(of.Type())
}

// raw redacts the JSON of a page by what it says.
func (r *Redactor) raw(v reflect.Value, redact func(any) any) (reflect.Value, bool) {
	var was any
	if v.Len() == 0 || json.Unmarshal(v.Bytes(), &was) != nil {
		return v, false
	}
	now := redact(was)
	if !changed(now, was) {
		return v, false
	}
	text, err := plainjson.Marshal(now)
	if err != nil {
		return v, false
	}
	return reflect.ValueOf(json.RawMessage(text)), true
}

func cleanText(v reflect.Value, clean string) (reflect.Value, bool) {
	if clean == v.String() {
		return v, false
	}
	return reflect.ValueOf(clean).Convert(v.Type()), true
}

// parts redacts what a pointer or list holds by part, and what an interface holds by dynamic.
func parts(
	v reflect.Value, part func(reflect.Value) (reflect.Value, bool), dynamic func(any) any,
) (clean reflect.Value, ok bool) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return v, false
		}
		was := v.Interface()
		return inInterface(v, was, dynamic(was))
	case reflect.Pointer:
		if v.IsNil() {
			return v, false
		}
		inner, ok := part(v.Elem())
		if !ok {
			return v, false
		}
		fresh := reflect.New(v.Type().Elem())
		fresh.Elem().Set(inner)
		return fresh, true
	case reflect.Slice, reflect.Array:
		var fresh reflect.Value
		for i := range v.Len() {
			item, ok := part(v.Index(i))
			if !ok {
				continue
			}
			if !fresh.IsValid() {
				fresh = copied(v)
			}
			fresh.Index(i).Set(item)
		}
		return fresh, fresh.IsValid()
	}
	return v, false
}

// inInterface returns what an interface is to hold in place of what it held.
func inInterface(v reflect.Value, was, now any) (clean reflect.Value, ok bool) {
	switch {
	case now == nil:
		return reflect.Zero(v.Type()), true
	case !changed(now, was):
		return v, false
	}
	return reflect.ValueOf(now), true
}

// copied is a list of its own with the same items.
func copied(v reflect.Value) reflect.Value {
	fresh := reflect.New(v.Type()).Elem()
	if v.Kind() == reflect.Slice {
		fresh.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
	}
	reflect.Copy(fresh, v)
	return fresh
}

// typedMap is object for a map that is not JSON-shaped.
func (r *Redactor) typedMap(v reflect.Value) (clean reflect.Value, ok bool) {
	if members, isObject := reflect.TypeAssert[map[string]any](v); isObject {
		now := r.object(members)
		return reflect.ValueOf(now), changed(now, members)
	}
	isPair := false
	if text := func(key string) reflect.Value {
		return v.MapIndex(reflect.ValueOf(key).Convert(v.Type().Key()))
	}; text("value").IsValid() {
		pair, _ := jsonShaped(v.Interface()).(map[string]any)
		value, _ := pair["value"].(string)
		if isPair = value != "" && isSecretPair(pair); isPair {
			r.learn(value)
		}
	}
	clean, ok = withItems(v, func(key string, item reflect.Value) (reflect.Value, bool) {
		if isPair && key == "value" {
			return mark(item), true
		}
		return r.typedMember(key, item)
	})
	for it := v.MapRange(); it.Next(); { // a name may be an address, or hold a secret
		key, changed := cleanText(it.Key(), r.Text(it.Key().String()))
		if !changed {
			continue
		}
		if !ok {
			ok, clean = true, withoutChange(v)
		}
		clean.SetMapIndex(key, clean.MapIndex(it.Key()))
		clean.SetMapIndex(it.Key(), reflect.Value{})
	}
	return clean, ok
}

// withItems returns a map with other items for the keys for which change has one.
func withItems(
	v reflect.Value, change func(key string, item reflect.Value) (reflect.Value, bool),
) (clean reflect.Value, ok bool) {
	for it := v.MapRange(); it.Next(); {
		now, changed := change(it.Key().String(), it.Value())
		if !changed {
			continue
		}
		if !ok {
			ok, clean = true, withoutChange(v)
		}
		clean.SetMapIndex(it.Key(), now)
	}
	return clean, ok
}

// withoutChange is a map of its own with the same items.
func withoutChange(v reflect.Value) reflect.Value {
	fresh := reflect.MakeMapWithSize(v.Type(), v.Len())
	for it := v.MapRange(); it.Next(); {
		fresh.SetMapIndex(it.Key(), it.Value())
	}
	return fresh
}

// withFields returns a struct with other values in the members for which change has one.
func withFields(
	v reflect.Value, change func(name string, v reflect.Value) (reflect.Value, bool),
) (clean reflect.Value, ok bool) {
	for _, f := range fieldsOf(v.Type()) {
		was := v.FieldByIndex(f.index)
		if f.leftOut(was) {
			continue
		}
		now, changed := change(f.name, was)
		if !changed {
			continue
		}
		if !ok {
			ok = true
			clean = reflect.New(v.Type()).Elem()
			clean.Set(v)
		}
		clean.FieldByIndex(f.index).Set(now)
	}
	return clean, ok
}

// textField returns the text of a member; empty if it is not one.
func textField(v reflect.Value, name string) string {
	for _, f := range fieldsOf(v.Type()) {
		if f.name != name {
			continue
		}
		value := v.FieldByIndex(f.index)
		if value.Kind() == reflect.Pointer && !value.IsNil() {
			value = value.Elem()
		}
		if value.Kind() == reflect.String {
			return value.String()
		}
	}
	return ""
}

// isTypedPair is isSecretPair for a struct.
func isTypedPair(v reflect.Value) bool {
	named := false
	for _, f := range fieldsOf(v.Type()) {
		switch f.name {
		case "name":
			named = true
		case "httpOnly", "sameSite", "sourceScheme", "expires":
			if textField(v, "name") != "" && !f.leftOut(v.FieldByIndex(f.index)) {
				return true
			}
		}
	}
	return named && isSecret(textField(v, "name"), inData)
}

// describesTyped is describes for a value of a Go type.
func describesTyped(v reflect.Value) bool {
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return false
	}
	kind, _ := jsonShaped(v.Interface()).(map[string]any)
	return describes(kind)
}
