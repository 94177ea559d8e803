package appfiles

import (
	"bytes"
	"encoding/json"
)

// The header of an archive is JSON with some ten thousand entries, of which two or three are needed. These functions
// find a member without parsing the others, which are only skipped. In a text that is not JSON they find no members, or
// wrong ones, and do no other harm.

// member returns the value of a member of an object.
func member(object []byte, name string) (value []byte, ok bool) {
	for key, value := range members(object) {
		if keyIs(key, name) {
			return value, true
		}
	}
	return nil, false
}

// members yields the names of an object's members, in quotes and as they are written, and their values.
func members(object []byte) func(yield func(key, value []byte) bool) {
	return func(yield func(key, value []byte) bool) {
		i := blank(object, 0)
		if i >= len(object) || object[i] != '{' {
			return
		}
		for i++; ; i++ {
			i = blank(object, i)
			if i >= len(object) || object[i] != '"' {
				return
			}
			end := skipText(object, i)
			key := object[i:end]
			if i = blank(object, end); i >= len(object) || object[i] != ':' {
				return
			}
			i = blank(object, i+1)
			end = skipValue(object, i)
			if end == i || !yield(key, object[i:end]) {
				return
			}
			if i = blank(object, end); i >= len(object) || object[i] != ',' {
				return
			}
		}
	}
}

func keyIs(key []byte, name string) bool {
	if bytes.IndexByte(key, '\\') < 0 {
		return len(key) >= 2 && string(key[1:len(key)-1]) == name
	}
	return unquoted(key) == name
}

// unquoted decodes a JSON string; "" if it is not one.
func unquoted(text []byte) (s string) {
	if json.Unmarshal(text, &s) != nil {
		return ""
	}
	return s
}

func blank(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// skipText returns where a string ends that begins at i.
func skipText(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(b)
}

// skipValue returns where a value ends that begins at i; i itself when there is none.
func skipValue(b []byte, i int) int {
	depth := 0
	for ; i < len(b); i++ {
		switch b[i] {
		case '"':
			i = skipText(b, i) - 1
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth--; depth < 0 {
				return i
			}
		case ',', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return i
			}
			continue
		default:
			if depth > 0 {
				continue
			}
			for i+1 < len(b) && bytes.IndexByte([]byte(",]} \t\n\r"), b[i+1]) < 0 {
				i++
			}
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(b)
}
