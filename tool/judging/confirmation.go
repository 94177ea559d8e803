package judging

import "strings"

// Confirmation returns the id of the confirmation that the data asks for: a marker has to say that it is one, and the id must not be blank.
func Confirmation(data any) (id string, ok bool) {
	m, _ := data.(map[string]any)
	if m == nil {
		return "", false
	}
	if marked(m) {
		if id := confirmationID(m); id != "" {
			return id, true
		}
	}
	for _, key := range []string{"confirmation", "pendingConfirmation", "pending_confirmation"} {
		inner, _ := m[key].(map[string]any)
		if inner == nil || !marked(m) && !marked(inner) {
			continue
		}
		if id := confirmationID(inner); id != "" {
			return id, true
		}
	}
	return "", false
}

func marked(m map[string]any) bool {
	for _, key := range []string{"confirmation_required", "confirmationRequired", "requires_confirmation", "requiresConfirmation"} {
		if m[key] == true {
			return true
		}
	}
	for _, key := range []string{"type", "status", "kind"} {
		if m[key] == "confirmation_required" {
			return true
		}
	}
	return false
}

func confirmationID(m map[string]any) string {
	for _, key := range []string{"confirmation_id", "confirmationId", "id"} {
		if s, _ := m[key].(string); strings.TrimSpace(s) != "" {
			return strings.TrimSpace(s)
		}
	}
	return ""
}
