package header

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/interception"
	"github.com/skua-browser/skua/internal/wording"
)

// Flags reads the values of a flag that is repeated, each of them a header.
func Flags(c *actions.Call, flag string) ([]interception.HeaderField, error) {
	var headers []interception.HeaderField
	for _, word := range c.Strings(flag) {
		h, err := Parse(word)
		if err != nil {
			return nil, c.Invalid("--" + flag + ": " + err.Error())
		}
		headers = append(headers, h)
	}
	return headers, nil
}

// Parse reads "Name: value". Messages do not show the value, which may be a secret.
func Parse(word string) (interception.HeaderField, error) {
	name, value, ok := strings.Cut(word, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	switch {
	case !ok && name == "":
		return interception.HeaderField{}, errors.New("a header is written 'Name: value'")
	case !ok:
		return interception.HeaderField{}, errors.New("a header is written 'Name: value', and there is no colon")
	case !IsToken(name):
		return interception.HeaderField{}, fmt.Errorf("%s is not a header name", wording.Quote(name))
	case !IsFieldValue(value):
		return interception.HeaderField{}, fmt.Errorf("the value of %s has a character that headers cannot have", name)
	}
	return interception.HeaderField{Name: name, Value: value}, nil
}

// ParseJSON reads an object of headers: {"Name":"value"}.
func ParseJSON(text string) ([]interception.HeaderField, error) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New(`an object such as {"X-Name":"value"} is needed`)
	}
	var headers []interception.HeaderField
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, errors.New("it is not valid JSON")
		}
		name, _ := key.(string)
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return nil, errors.New("it is not valid JSON")
		}
		value, err := headerValue(raw)
		if err != nil {
			return nil, fmt.Errorf("the value of %s %w", wording.Quote(name), err)
		}
		h, err := Parse(name + ":" + value)
		switch {
		case err != nil:
			return nil, err
		case h.Name != name:
			return nil, fmt.Errorf("%s is not a header name", wording.Quote(name))
		case slices.ContainsFunc(headers, func(o interception.HeaderField) bool { return strings.EqualFold(o.Name, name) }):
			return nil, fmt.Errorf("%s is there twice", name)
		}
		if reason := Unsendable(name); reason != "" {
			return nil, fmt.Errorf("%s cannot be set: %s", name, reason)
		}
		headers = append(headers, h)
	}
	if _, err := dec.Token(); err != nil {
		return nil, errors.New("it is not valid JSON")
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the object")
	}
	return headers, nil
}

func headerValue(raw json.RawMessage) (string, error) {
	switch {
	case raw[0] == '"':
		var s string
		err := json.Unmarshal(raw, &s)
		return s, err
	case raw[0] == '{', raw[0] == '[', bytes.Equal(raw, []byte("null")):
		return "", errors.New("is not text")
	}
	return string(raw), nil
}

// Unsendable says why a header cannot be given to the browser: it sets the header itself, and lets requests fail that
// bring it.
func Unsendable(name string) string {
	switch strings.ToLower(name) {
	case "host", "content-length", "connection", "keep-alive", "transfer-encoding", "content-transfer-encoding", "te",
		"trailer", "upgrade", "cookie2":
		return "it belongs to the connection, which the browser controls"
	case "set-cookie":
		return "it is a response header"
	}
	return ""
}

// IsToken reports whether s can be the name of a header, or a method.
func IsToken(s string) bool {
	for _, b := range []byte(s) {
		if b <= ' ' || b >= 0x7f || strings.IndexByte(`"(),/:;<=>?@[\]{}`, b) >= 0 {
			return false
		}
	}
	return s != ""
}

// IsFieldValue reports whether s can be the value of a header.
func IsFieldValue(s string) bool {
	for _, b := range []byte(s) {
		if b < ' ' && b != '\t' || b == 0x7f {
			return false
		}
	}
	return true
}
