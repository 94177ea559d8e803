package shape

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"
)

// Kind is what a JSON value is.
type Kind uint8

// The kinds.
const (
	Any Kind = iota // whatever JSON has
	Bool
	Int
	Number
	String
	List
	Map
	Object
)

// Type is the JSON of a Go type. Types of one Go type are one pointer, so that types may contain themselves.
type Type struct {
	Kind   Kind
	Go     reflect.Type // of an Object: the struct
	Elem   *Type        // of a List or Map
	Fields []Field      // of an Object
	Null   bool         // it may be null
}

// Field is a member of an object. A list or map is null only where its tag says `shape:"null"`, a pointer wherever it
// is not left out.
type Field struct {
	Name     string
	Type     *Type
	Optional bool // it is left out when it says nothing

	Struct reflect.Type // the struct that declares it, which may be embedded
	Go     string       // its name there
}

// Shaped is a type that writes its JSON itself, as that of another type.
type Shaped interface {
	// JSONShape returns an empty value of the type that the JSON is like.
	JSONShape() any
}

var (
	mu    sync.Mutex
	types = map[reflect.Type]*Type{}
)

// Of returns the shape of a value's type. It panics for a type whose JSON it cannot tell, which is a mistake in the
// program.
func Of(value any) *Type {
	mu.Lock()
	defer mu.Unlock()
	return of(reflect.TypeOf(value))
}

// Both a pointer and a value may have the method.
func implements[T any](t reflect.Type) bool {
	wanted := reflect.TypeFor[T]()
	return t.Implements(wanted) || reflect.PointerTo(t).Implements(wanted)
}

func of(t reflect.Type) *Type {
	if known := types[t]; known != nil {
		return known
	}
	if t == nil || t.Kind() == reflect.Interface {
		return &Type{Kind: Any}
	}
	if t.Kind() == reflect.Pointer {
		made := *of(t.Elem())
		if made.Kind != Any {
			made.Null = true
		}
		types[t] = &made
		return &made
	}
	made := &Type{}
	types[t] = made
	switch {
	case implements[Shaped](t):
		shaped, _ := reflect.TypeAssert[Shaped](reflect.New(t))
		*made = *of(reflect.TypeOf(shaped.JSONShape()))
	case t == reflect.TypeFor[json.RawMessage]():
	case t == reflect.TypeFor[time.Time]():
		made.Kind = String
	case implements[json.Marshaler](t):
		panic(fmt.Sprintf("shape: %v writes its JSON itself; give it the method JSONShape", t))
	case implements[encoding.TextMarshaler](t):
		made.Kind = String
	default:
		made.plain(t)
	}
	return made
}

// plain fills in the shape of a type that writes no JSON of its own.
func (made *Type) plain(t reflect.Type) {
	switch t.Kind() {
	case reflect.Bool:
		made.Kind = Bool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8,
		reflect.Uint16, reflect.Uint32, reflect.Uint64:
		made.Kind = Int
	case reflect.Float32, reflect.Float64:
		made.Kind = Number
	case reflect.String:
		made.Kind = String
	case reflect.Slice, reflect.Array:
		if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 {
			made.Kind = String // base64
			return
		}
		made.Kind, made.Elem = List, of(t.Elem())
	case reflect.Map:
		made.Kind, made.Elem = Map, of(t.Elem())
	case reflect.Struct:
		made.Kind, made.Go = Object, t
		made.Fields = fields(t)
	default:
		panic(fmt.Sprintf("shape: %v has no JSON", t))
	}
}

// fields are the members of a struct, those of embedded ones where these stand.
func fields(t reflect.Type) (list []Field) {
	for f := range t.Fields() {
		tag, tagged := f.Tag.Lookup("json")
		name, options, _ := strings.Cut(tag, ",")
		if tag == "-" || !f.IsExported() && !f.Anonymous {
			continue
		}
		if f.Anonymous && name == "" {
			embedded, absent := f.Type, false
			if embedded.Kind() == reflect.Pointer {
				embedded, absent = embedded.Elem(), true
			}
			if embedded.Kind() == reflect.Struct {
				for _, inner := range fields(embedded) {
					inner.Optional = inner.Optional || absent
					list = append(list, inner)
				}
				continue
			}
		}
		if !tagged || name == "" {
			name = f.Name
		}
		made := of(f.Type)
		if f.Tag.Get("shape") == "null" {
			nullable := *made
			nullable.Null = true
			made = &nullable
		}
		optional := strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
		if optional && made.Null { // what would be null is left out
			present := *made
			present.Null = false
			if f.Type.Kind() == reflect.Pointer {
				made = of(f.Type.Elem())
			} else {
				made = &present
			}
		}
		list = append(list, Field{
			Name:     name,
			Type:     made,
			Optional: optional,
			Struct:   t,
			Go:       f.Name,
		})
	}
	return shadowed(list)
}

// shadowed leaves out members that have the name of one that is declared nearer.
func shadowed(list []Field) []Field {
	kept := list[:0]
	for i, f := range list {
		hidden := false
		for j, g := range list {
			hidden = hidden || g.Name == f.Name && i != j && g.Struct != f.Struct && nearer(g.Struct, f.Struct)
		}
		if !hidden {
			kept = append(kept, f)
		}
	}
	return kept
}

// nearer reports whether a embeds b.
func nearer(a, b reflect.Type) bool {
	for f := range a.Fields() {
		if !f.Anonymous {
			continue
		}
		inner := f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		if inner == b || inner.Kind() == reflect.Struct && nearer(inner, b) {
			return true
		}
	}
	return false
}
