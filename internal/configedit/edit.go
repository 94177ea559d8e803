package configedit

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// Format is the format of a file.
type Format string

// The formats. JSON has comments and trailing commas where its author wrote some.
const (
	JSON Format = "json"
	TOML Format = "toml"
)

// Member is one member of an entry, in the order in which it is written. A value is a string, a []string or a bool.
type Member struct {
	Key   string
	Value any
}

// errForm says that an entry is there in a form that cannot be changed in place, such as an inline table of TOML.
var errForm = errors.New("it is written in a form that cannot be changed in place")

// format is what each format does with the text of a file, without a byte order mark. Both know only where to change
// it; that the change is the one that was meant is checked by what they decode.
type format interface {
	decode(text []byte) (map[string]any, error)
	set(text []byte, path []string, members []Member) ([]byte, error)
	remove(text []byte, path []string) ([]byte, error)
}

func (f Format) of() format {
	if f == TOML {
		return tomlText{}
	}
	return jsonText{}
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// Set writes the members of the entry at a path and makes what is missing on the way to it. Other members of the entry
// stay. An empty text is an empty file.
func Set(f Format, text []byte, path []string, members []Member) ([]byte, error) {
	body, marked := bytes.CutPrefix(text, byteOrderMark)
	before, err := f.of().decode(body)
	if err != nil {
		return nil, err
	}
	want, err := with(before, path, members)
	if err != nil {
		return nil, err
	}
	if reflect.DeepEqual(before, want) {
		return text, nil
	}
	after, err := f.of().set(body, path, members)
	return checked(f, after, want, marked, err)
}

// Remove takes the entry at a path away, and the tables around it that have no other entry. Nothing happens if it is
// not there.
func Remove(f Format, text []byte, path []string) ([]byte, error) {
	body, marked := bytes.CutPrefix(text, byteOrderMark)
	before, err := f.of().decode(body)
	if err != nil {
		return nil, err
	}
	if !has(before, path) {
		return text, nil
	}
	after := body
	for n := len(path); n > 0; n-- {
		want := without(before, path[:n])
		after, err = f.of().remove(after, path[:n])
		if after, err = checked(f, after, want, false, err); err != nil {
			return nil, err
		}
		if before = want; n == 1 || len(inside(before, path[:n-1])) > 0 {
			break
		}
		if f == TOML { // where a table has no header of its own, it is gone with its last entry
			break
		}
	}
	if marked {
		after = append(slices.Clone(byteOrderMark), after...)
	}
	return after, nil
}

// Has reports whether a file has an entry at a path.
func Has(f Format, text []byte, path []string) (bool, error) {
	all, err := f.of().decode(bytes.TrimPrefix(text, byteOrderMark))
	return err == nil && has(all, path), err
}

// Members returns the members of the entry at a path that are texts, lists of texts or truth values.
func Members(f Format, text []byte, path []string) (map[string]any, error) {
	all, err := f.of().decode(bytes.TrimPrefix(text, byteOrderMark))
	if err != nil {
		return nil, err
	}
	members := map[string]any{}
	for key, value := range inside(all, path) {
		switch v := value.(type) {
		case string, bool:
			members[key] = v
		case []any:
			list := make([]string, 0, len(v))
			for _, word := range v {
				if text, ok := word.(string); ok {
					list = append(list, text)
				}
			}
			if len(list) == len(v) {
				members[key] = list
			}
		}
	}
	return members, nil
}

// Empty reports whether a file has no entry and no comment.
func Empty(f Format, text []byte) bool {
	left := bytes.TrimSpace(bytes.TrimPrefix(text, byteOrderMark))
	if f == JSON {
		left = bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimPrefix(left, []byte("{")), []byte("}")))
	}
	return len(left) == 0
}

// checked returns a changed text if it says what it is to say.
func checked(f Format, after []byte, want map[string]any, marked bool, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	got, err := f.of().decode(after)
	if err != nil || !same(got, want, f) {
		return nil, errForm
	}
	if marked {
		after = append(slices.Clone(byteOrderMark), after...)
	}
	return after, nil
}

// same compares two files. In TOML a table without entries may be left out.
func same(a, b map[string]any, f Format) bool {
	if f == TOML {
		a, b = pruned(a), pruned(b)
	}
	return reflect.DeepEqual(a, b)
}

func pruned(m map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range m {
		if t, ok := v.(map[string]any); ok {
			if t = pruned(t); len(t) == 0 {
				continue
			}
			v = t
		}
		out[k] = v
	}
	return out
}

func inside(m map[string]any, path []string) map[string]any {
	for _, key := range path {
		m, _ = m[key].(map[string]any)
	}
	return m
}

func has(m map[string]any, path []string) bool {
	_, ok := inside(m, path[:len(path)-1])[path[len(path)-1]]
	return ok
}

// with returns what a file is to say that has the members.
func with(m map[string]any, path []string, members []Member) (map[string]any, error) {
	out := make(map[string]any, len(m)+1)
	maps.Copy(out, m)
	if len(path) == 0 {
		for _, member := range members {
			out[member.Key] = decoded(member.Value)
		}
		return out, nil
	}
	child, there := m[path[0]]
	table, ok := child.(map[string]any)
	if there && !ok && child != nil {
		return nil, fmt.Errorf("%q is not a table", path[0])
	}
	table, err := with(table, path[1:], members)
	out[path[0]] = table
	return out, err
}

func without(m map[string]any, path []string) map[string]any {
	out := maps.Clone(m)
	if len(path) == 1 {
		delete(out, path[0])
	} else if table, ok := m[path[0]].(map[string]any); ok {
		out[path[0]] = without(table, path[1:])
	}
	return out
}

// decoded is a value as a decoder returns it.
func decoded(v any) any {
	list, ok := v.([]string)
	if !ok {
		return v
	}
	all := make([]any, len(list))
	for i, s := range list {
		all[i] = s
	}
	return all
}
