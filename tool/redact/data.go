package redact

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
)

// Data returns the data of a command without secrets. name is the command's name in the registry. What it removes, it
// knows from then on, so that it goes from the texts that say the same, too. Values are copied where something changes,
// and shared where nothing does.
//
// The result of a command whose purpose is a secret, such as the token of a lock, names it by a method Handed: it stays
// as it is, here and in the texts.
func (r *Redactor) Data(name string, data any) any {
	if result, ok := data.(interface{ Handed() []string }); ok {
		r.handed = append(r.handed, result.Handed()...)
	}
	switch w := argv.Read(strings.Fields(name)); {
	case w.Akin(trait.ShowsStorage): // the reply says that values are missing, which no result does by itself
		if m, ok := jsonShaped(data).(map[string]any); ok {
			data = r.storage(m)
		}
	case w.Akin(trait.ShowsState):
		data = r.everyValue(jsonShaped(data))
	}
	return r.Value(data)
}

// Value returns data without secrets: by the names that members have in JSON, by the shape of cookies and headers, and
// by how texts look.
func (r *Redactor) Value(v any) any {
	switch v := v.(type) {
	case string:
		return r.Text(v)
	case map[string]any:
		return r.object(v)
	case []any:
		for i, item := range v {
			if clean := r.Value(item); changed(clean, item) {
				out := append([]any(nil), v...)
				out[i] = clean
				for j := i + 1; j < len(out); j++ {
					out[j] = r.Value(out[j])
				}
				return out
			}
		}
	case nil, float64, bool, int, int64:
	case []string:
		return r.texts(v)
	default:
		return r.other(v)
	}
	return v
}

// changed compares what a walk returned with what it was given: containers are the same object as long as nothing in
// them changed.
func changed(clean, was any) bool {
	switch was := was.(type) {
	case string:
		return clean != any(was)
	case float64, bool, nil:
		return false
	case map[string]any:
		m, ok := clean.(map[string]any)
		return !ok || !sameMap(m, was)
	case []any:
		l, ok := clean.([]any)
		return !ok || len(l) != len(was) || len(l) > 0 && &l[0] != &was[0]
	}
	return otherChanged(clean, was)
}

func (r *Redactor) object(m map[string]any) any {
	var out map[string]any
	set := func(name string, v any) {
		if out == nil {
			out = make(map[string]any, len(m)+2)
			maps.Copy(out, m)
		}
		out[name] = v
	}
	if value, ok := m["value"].(string); ok && value != "" && value != Mark && isSecretPair(m) {
		r.learn(value)
		set("value", Mark)
	}
	for name, v := range m {
		if out != nil && name == "value" && out[name] == any(Mark) {
			continue
		}
		if clean := r.member(name, v); changed(clean, v) {
			set(name, clean)
		}
		if clean := r.Text(name); clean != name { // a name may be an address, or hold a secret
			kept := m[name]
			if out != nil {
				kept = out[name]
			}
			set(clean, kept)
			delete(out, name)
		}
	}
	if out == nil {
		return m
	}
	return out
}

// member redacts the value of one member by its name.
func (r *Redactor) member(name string, v any) any {
	switch name {
	case "args", "command", "argv", "exampleArgs", "effectiveArgs", "cleanArgs":
		if list, ok := asWords(v); ok {
			if clean := r.Args(list); &clean[0] != &list[0] {
				return wordsAs(clean, v)
			}
			return v
		}
	case "stdin":
		if s, ok := v.(string); ok {
			return r.Stdin(s)
		}
	}
	switch {
	case !isSecret(name, inData), describes(v), describesTyped(reflect.ValueOf(v)):
		return r.Value(v)
	case v == any(name):
		return Mark // {"password":"password"}: the word itself is not a secret
	}
	return r.hide(v)
}

// describes reports whether a value is the JSON schema of a secret, which says what one looks like and holds none.
func describes(v any) bool {
	m, ok := v.(map[string]any)
	if !ok {
		return false
	}
	for name := range m {
		switch name {
		case "type", "description", "title", "format", "minLength", "maxLength":
		default:
			return false
		}
	}
	kind, _ := m["type"].(string)
	return kind == "string" || kind == "object"
}

// hide removes every text of a value.
func (r *Redactor) hide(v any) any {
	switch v := v.(type) {
	case string:
		if v == "" || isPlaceholder(v) || slices.Contains(r.handed, v) {
			return v
		}
		r.learn(v)
		return Mark
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, item := range v {
			out[name] = r.hide(item)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = r.hide(item)
		}
		return out
	case nil, float64, bool, int, int64:
		return v
	}
	return r.hideOther(v)
}

// learn makes a value known that a program or page handed back. Short ones are not secrets that could be found again in
// a text.
func (r *Redactor) learn(value string) {
	if len(value) >= 8 && len(r.literals) < 4096 {
		r.Also(value)
	}
}

// isSecretPair reports whether an object is a cookie, or a header or parameter that carries credentials: {name, value}.
func isSecretPair(m map[string]any) bool {
	name, ok := m["name"].(string)
	if !ok {
		return false
	}
	for _, member := range [...]string{"httpOnly", "sameSite", "sourceScheme", "expires"} {
		if _, cookie := m[member]; cookie {
			return true
		}
	}
	return isSecret(name, inData)
}

// storage redacts the entries of web storage that look like credentials, and says that it did.
func (r *Redactor) storage(m map[string]any) map[string]any {
	out := make(map[string]any, len(m)+2)
	maps.Copy(out, m)
	note := func(reason string) {
		out["valueRedacted"], out["valueRedactionReason"] = true, reason
	}
	if key, ok := m["key"].(string); ok {
		if value, ok := m["value"].(string); ok {
			if reason := credential(key, value); reason != "" {
				r.learn(value)
				out["value"] = Mark
				note(reason)
			}
		}
	}
	if entries, ok := m["data"].(map[string]any); ok {
		clean := make(map[string]any, len(entries))
		for key, value := range entries {
			clean[key] = value
			text, ok := value.(string)
			if !ok {
				continue
			}
			if reason := credential(key, text); reason != "" {
				r.learn(text)
				clean[key] = Mark
				note(reason)
			}
		}
		out["data"] = clean
	}
	return out
}

// credential says why an entry of web storage looks like a credential; empty if it does not.
func credential(key, value string) string {
	switch {
	case value == "":
		return ""
	case isSecret(key, inData) || isSecret(key, inQuery) && !isPlain(value):
		return "the key is named as credentials are"
	case Patterns(value) != value && !strings.ContainsAny(value, " {["):
		return "the value looks like a credential"
	case len(value) >= 32 && looksRandom(value, 32) && span(value, isToken) == len(value):
		return "the value looks like a token"
	}
	return ""
}

// isPlain holds for short words and numbers: values that are not secrets under a name that only may mean one.
func isPlain(value string) bool { return len(value) < 8 || !looksRandom(value, 8) }

// everyValue removes all values of a saved state: of its cookies and of its storage.
func (r *Redactor) everyValue(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, item := range v {
			if text, ok := item.(string); ok && name == "value" {
				r.learn(text)
				out[name] = Mark
				continue
			}
			if name == "localStorage" || name == "sessionStorage" {
				if entries, ok := item.(map[string]any); ok {
					out[name] = r.hide(entries)
					continue
				}
			}
			out[name] = r.everyValue(item)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = r.everyValue(item)
		}
		return out
	}
	return v
}
