package plainjson

import (
	"bytes"
	"encoding/json"
)

// Sorted is MarshalIndent with the members of all objects in the order of their names, whatever types they are of.
func Sorted(v any, indent string) ([]byte, error) {
	text, err := Marshal(v)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var sorted any
	if err := decoder.Decode(&sorted); err != nil {
		return nil, err
	}
	return MarshalIndent(sorted, indent)
}
