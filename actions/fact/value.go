package fact

import (
	"encoding/json"
	"reflect"

	"github.com/skua-browser/skua/internal/plainjson"
	"github.com/skua-browser/skua/snapshot"
)

// Source is implemented by result types that add to the facts.
type Source interface {
	AddFacts(f *Facts)
}

// Add adds the facts that the data of a result has to f.
func Add(data any, f *Facts) {
	switch data := Value(data).(type) {
	case Source:
		data.AddFacts(f)
	case snapshot.Data:
		f.Refs = &HandedOut{Refs: data.Refs, Text: data.Snapshot, Whole: true}
		f.Page.URL = data.Origin
	case snapshot.DeltaData:
		f.Refs = &HandedOut{}
		f.Page.URL = data.Origin
	}
}

// Value returns data as a value of its declared type: what a pointer points to, and what data that writes its JSON by
// itself is a form of.
func Value(data any) any {
	if d, ok := data.(interface{ Typed() any }); ok {
		return d.Typed()
	}
	if v := reflect.ValueOf(data); v.Kind() == reflect.Pointer && !v.IsNil() && v.Elem().Kind() == reflect.Struct {
		return v.Elem().Interface()
	}
	return data
}

// As returns data as a type. Data that is JSON-shaped, since another program answered, is read into the type; members
// that it does not have, or that are of another form there, are zero then. ok is false for what is neither.
func As[T any](data any) (typed T, ok bool) {
	if typed, ok = Value(data).(T); ok {
		return typed, true
	}
	switch data.(type) {
	case map[string]any, []any:
		if text, err := plainjson.Marshal(data); err == nil {
			_ = json.Unmarshal(text, &typed)
		}
		return typed, true
	}
	return typed, false
}

// Read returns what data says in the members of a type, of which it is or to which its JSON is read. What it does not
// have, or has in another form, is zero.
func Read[T any](data any) (typed T) {
	if data == nil {
		return typed
	}
	if typed, ok := Value(data).(T); ok {
		return typed
	}
	if text, err := plainjson.Marshal(data); err == nil {
		_ = json.Unmarshal(text, &typed)
	}
	return typed
}
