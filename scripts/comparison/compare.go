package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// result is what one of the two made of a row: as text, and as JSON.
type result struct{ text, json outcome }

// differences tells in what ours is not what theirs is. More than theirs is no difference: members of the data, and an effect behind "Done".
func differences(theirs, ours result, ignore []string) []string {
	var found []string
	if theirs.text.code != ours.text.code {
		found = append(found, fmt.Sprintf("exit code %d, not %d", ours.text.code, theirs.text.code))
	}
	if !sameText(theirs.text.out, ours.text.out) {
		found = append(found, "text")
	}
	if theirs.text.code != 0 && !sameError(theirs.text.err, ours.text.err) {
		found = append(found, "error text")
	}
	var a, b any
	if json.Unmarshal([]byte(theirs.json.out), &a) != nil || json.Unmarshal([]byte(ours.json.out), &b) != nil {
		if theirs.json.out != ours.json.out {
			found = append(found, "JSON")
		}
		return found
	}
	if path := missing(a, b, "", ignore); path != "" {
		found = append(found, "JSON "+path)
	}
	return found
}

// sameText: of ours, what follows the dot on the first line and whole further lines do not count.
func sameText(theirs, ours string) bool {
	ours, _, _ = strings.Cut(ours, " · ")
	return theirs == ours || theirs != "" && strings.HasPrefix(ours, theirs+"\n")
}

// sameError: the first line counts, and ours may go on where theirs ends. What follows is usage, which tells of more flags.
func sameError(theirs, ours string) bool {
	first := func(s string) string {
		s, _, _ = strings.Cut(s, "\n")
		return strings.TrimSuffix(strings.TrimPrefix(s, "✗ "), ".")
	}
	return strings.HasPrefix(first(ours), first(theirs))
}

// missing returns the path of the first member of theirs that ours has not, or has with another value; "" when there is none.
func missing(theirs, ours any, path string, ignore []string) string {
	switch a := theirs.(type) {
	case map[string]any:
		b, ok := ours.(map[string]any)
		if !ok {
			return at(path)
		}
		for key, value := range a {
			if message, ok := value.(string); ok && key == "error" {
				if said, _ := b[key].(string); !sameError(message, said) {
					return at(path + ".error")
				}
				continue
			}
			if key == "lifecycle" || slices.Contains(ignore, key) {
				continue
			}
			got, there := b[key]
			if !there && value != nil {
				return at(path + "." + key)
			}
			if p := missing(value, got, path+"."+key, ignore); p != "" {
				return p
			}
		}
		return ""
	case []any:
		b, ok := ours.([]any)
		if !ok || len(a) != len(b) {
			return at(path)
		}
		for i := range a {
			if p := missing(a[i], b[i], fmt.Sprintf("%s[%d]", path, i), ignore); p != "" {
				return p
			}
		}
		return ""
	}
	if theirs != ours {
		return at(path)
	}
	return ""
}

func at(path string) string {
	if path == "" {
		return "as a whole"
	}
	return strings.TrimPrefix(path, ".")
}
