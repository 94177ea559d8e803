package redact

import (
	"cmp"
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Which members the JSON of a Go value has, and whether that is made of its fields at all.

// field is a member that the JSON of a struct has.
type field struct {
	name                string
	index               []int
	omitEmpty, omitZero bool
}

var fieldsByType sync.Map // of reflect.Type to []field

func fieldsOf(t reflect.Type) []field {
	if known, ok := fieldsByType.Load(t); ok {
		return known.([]field) //nolint:forcetypeassert // there is nothing else in it
	}
	list := appendFields(nil, t, nil)
	fieldsByType.Store(t, list)
	return list
}

// appendFields appends the fields of a struct, then those of the structs that it embeds, as far as none of their name
// is there already.
func appendFields(list []field, t reflect.Type, index []int) []field {
	var embedded []reflect.StructField
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case embeds(f):
			embedded = append(embedded, f)
		case name == "-" && options == "", !f.IsExported():
		default:
			name = cmp.Or(name, f.Name)
			if slices.ContainsFunc(list, func(other field) bool { return other.name == name }) {
				continue
			}
			words := strings.Split(options, ",")
			at := append(slices.Clone(index), f.Index...)
			list = append(list, field{name, at, slices.Contains(words, "omitempty"), slices.Contains(words, "omitzero")})
		}
	}
	for _, f := range embedded {
		list = appendFields(list, f.Type, append(slices.Clone(index), f.Index...))
	}
	return list
}

// embeds reports whether a field is a struct whose members stand among those of the struct around it.
func embeds(f reflect.StructField) bool {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct
}

// leftOut reports whether the JSON of a struct does not have a member.
func (f *field) leftOut(v reflect.Value) bool {
	if f.omitZero && v.IsZero() {
		return true
	}
	if !f.omitEmpty {
		return false
	}
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

var walkableTypes sync.Map // of reflect.Type to bool

// walkable reports whether the JSON of a type is made of its fields and items, so that it can be redacted by them.
func walkable(t reflect.Type) bool {
	if known, ok := walkableTypes.Load(t); ok {
		return known == true
	}
	is := isWalkable(t, map[reflect.Type]bool{})
	walkableTypes.Store(t, is)
	return is
}

func isWalkable(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] || t == rawType || t == timeType {
		return true
	}
	seen[t] = true
	if implements[json.Marshaler](t) || implements[encoding.TextMarshaler](t) {
		return false
	}
	switch t.Kind() {
	case reflect.Interface:
		return t.NumMethod() == 0
	case reflect.Pointer:
		return isWalkable(t.Elem(), seen)
	case reflect.Slice, reflect.Array:
		return t.Elem().Kind() != reflect.Uint8 && isWalkable(t.Elem(), seen)
	case reflect.Map:
		return t.Key().Kind() == reflect.String && !implements[encoding.TextMarshaler](t.Key()) && isWalkable(t.Elem(), seen)
	case reflect.Struct:
		for f := range t.Fields() {
			embedsPointer := f.Anonymous && f.Type.Kind() == reflect.Pointer
			if _, options, _ := strings.Cut(f.Tag.Get("json"), ","); embedsPointer || strings.Contains(options, "string") {
				return false
			}
			if (f.IsExported() || f.Anonymous) && f.Tag.Get("json") != "-" && !isWalkable(f.Type, seen) {
				return false
			}
		}
		return true
	case reflect.Chan, reflect.Func, reflect.UnsafePointer, reflect.Complex64, reflect.Complex128:
		return false
	}
	return true
}

func implements[T any](t reflect.Type) bool {
	wanted := reflect.TypeFor[T]()
	return t.Implements(wanted) || reflect.PointerTo(t).Implements(wanted)
}
