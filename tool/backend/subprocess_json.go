package backend

import (
	"bytes"
	"encoding/json"

	"github.com/skua-browser/skua/internal/plainjson"
)

// members are the members of a JSON object of another program.
type members map[string]json.RawMessage

// membersOf returns the members of a value; nil means that it is not an object.
func membersOf(value json.RawMessage) (m members) {
	if bytes.HasPrefix(value, []byte("{")) {
		_ = json.Unmarshal(value, &m) // it is JSON
	}
	return m
}

// membersIn returns the members of what has been decoded, or is of a type; nil means that it is not an object.
func membersIn(data any) members {
	text, err := plainjson.Marshal(data)
	if err != nil {
		return nil
	}
	return membersOf(text)
}

// items returns the items of a member; nil means that it is not an array.
func (m members) items(name string) []json.RawMessage { return itemsOf(m[name]) }

// text returns a member that is a text; else it is empty.
func (m members) text(name string) string { return textOf(m[name]) }

// object returns the members of a member; nil means that it is not an object.
func (m members) object(name string) members { return membersOf(m[name]) }

// is reports whether a member is true.
func (m members) is(name string) bool { return string(m[name]) == "true" }

// itemsOf returns the items of a value; nil means that it is not an array.
func itemsOf(value json.RawMessage) (items []json.RawMessage) {
	if bytes.HasPrefix(value, []byte("[")) {
		_ = json.Unmarshal(value, &items) // it is JSON
	}
	return items
}

func textOf(value json.RawMessage) (text string) {
	if bytes.HasPrefix(value, []byte(`"`)) {
		_ = json.Unmarshal(value, &text) // it is JSON
	}
	return text
}

// decoded is a value as it is without a type, or nil.
func decoded(value json.RawMessage) (data any) {
	if value != nil {
		_ = json.Unmarshal(value, &data) // it is JSON
	}
	return data
}

// decoded is the object as it is without a type.
func (m members) decoded() any {
	text, _ := json.Marshal(m) // its members are JSON
	return decoded(text)
}
