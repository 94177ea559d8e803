package fault

import "encoding/json"

// MessageIn returns what the error field of another program's JSON answer says: a text, the field message of an object,
// else the JSON as it is.
func MessageIn(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var object struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(raw, &object) == nil && object.Message != "" {
		return object.Message
	}
	return string(raw)
}
