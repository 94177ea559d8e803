package actions

import (
	"encoding/json"
	"reflect"

	"github.com/skua-browser/skua/internal/plainjson"
)

// Add puts a member into the data of a result: what is told of every command of a kind, beside what is the command's own. Data that is no
// object, or writes itself (a snapshot), keeps what it is.
func (r *Result) Add(name string, value any) {
	switch data := r.Data.(type) {
	case nil:
		r.Data = map[string]any{name: value}
	case map[string]any:
		data[name] = value
	case *extended:
		data.members[name] = value
	case json.Marshaler:
	default:
		if reflect.Indirect(reflect.ValueOf(data)).Kind() == reflect.Struct {
			r.Data = &extended{data, map[string]any{name: value}}
		}
	}
}

// Origin returns where the data is from, and whether it says so: a map by its member origin, a typed result by its method PageOrigin.
func (r *Result) Origin() (origin string, told bool) {
	data := r.Data
	if e, ok := data.(*extended); ok {
		data = e.own
	}
	switch data := data.(type) {
	case map[string]any:
		origin, _ = data["origin"].(string)
		return origin, data["origin"] != nil
	case interface{ PageOrigin() string }:
		return data.PageOrigin(), true
	}
	return "", false
}

// extended is a typed result with members that are not its own, which stand behind those in JSON.
type extended struct {
	own     any
	members map[string]any
}

func (e *extended) MarshalJSON() ([]byte, error) {
	own, err := plainjson.Marshal(e.own)
	if err != nil {
		return nil, err
	}
	members, err := plainjson.Marshal(e.members)
	if err != nil || string(own) == "{}" {
		return members, err
	}
	return append(append(own[:len(own)-1], ','), members[1:]...), nil
}
