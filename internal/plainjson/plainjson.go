package plainjson

import (
	"bytes"
	"encoding/json"
)

// Marshal returns v in one line, without a newline at its end.
func Marshal(v any) ([]byte, error) { return MarshalIndent(v, "") }

// MarshalIndent returns v with a line for each element, indented by its depth, and without a newline at its end.
func MarshalIndent(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Quote returns a string as JSON, which is a literal of JavaScript as well.
func Quote(s string) string {
	b, _ := Marshal(s) // of a string it cannot fail
	return string(b)
}
