package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
)

// file is the content of a configuration file.
type file struct {
	words    map[string][]string // by flag
	keys     map[string]string   // by flag: its key in the file
	merges   map[string]bool     // by flag: adds to the values of other files
	sections map[string]json.RawMessage
	ignored  []string // keys that an untrusted file may not set
	unknown  []string // all other keys
}

// parse reads a configuration file: a JSON object. If a permitted key is wrong, the whole file is rejected. Errors name
// line, column and key, and never a value, which may be a secret.
func (r *Reader) parse(text []byte, trusted bool, home string) (*file, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	f := &file{
		words:    map[string][]string{},
		keys:     map[string]string{},
		merges:   map[string]bool{},
		sections: map[string]json.RawMessage{},
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, errors.New("it is empty; {} says nothing")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	open, err := d.Token()
	if err != nil {
		return nil, syntaxError(text, err)
	}
	if open != json.Delim('{') {
		return nil, errors.New("expected a JSON object of settings")
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, syntaxError(text, err)
		}
		key, _ := name.(string)
		place := d.InputOffset()
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, syntaxError(text, err)
		}
		if err := r.addKey(f, key, value, trusted, home); err != nil {
			return nil, fmt.Errorf("%w (%s)", err, position(text, place))
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, syntaxError(text, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("something follows the JSON object (%s)", position(text, d.InputOffset()))
	}
	slices.Sort(f.ignored)
	slices.Sort(f.unknown)
	return f, nil
}

// addKey reads one key of a file.
func (r *Reader) addKey(f *file, key string, value json.RawMessage, trusted bool, home string) error {
	i := slices.IndexFunc(r.flags, func(flag actions.Flag) bool { return flag.ConfigKey() == key })
	if i < 0 {
		section := slices.IndexFunc(actions.ConfigSections(), func(s actions.ConfigSection) bool { return s.Key == key })
		switch {
		case section < 0, !trusted && key != "$schema" && key != "version":
			f.unknown = append(f.unknown, key)
		default:
			f.sections[key] = bytes.Clone(value)
		}
		return nil
	}
	flag := &r.flags[i]
	if !trusted && !flag.Project {
		f.ignored = append(f.ignored, key)
		return nil
	}
	if string(value) == "null" { // the same as a missing key
		return nil
	}
	words, expects := read(flag, value, home)
	if expects != "" {
		return fmt.Errorf("%s expects %s", key, expects)
	}
	f.words[flag.Name], f.keys[flag.Name], f.merges[flag.Name] = words, key, flag.Merges
	return nil
}

// read returns the words of a value, or what the flag expects instead.
func read(flag *actions.Flag, value json.RawMessage, home string) (words []string, expects string) {
	switch value[0] {
	case 't', 'f':
		if flag.Kind != actions.Bool {
			return nil, Expected(flag)
		}
		return []string{string(value)}, ""
	case '"':
		if flag.Kind == actions.Bool {
			return nil, Expected(flag)
		}
		var text string
		if json.Unmarshal(value, &text) != nil {
			return nil, Expected(flag)
		}
		words = flag.Words(text)
	case '[':
		if flag.Kind != actions.List || json.Unmarshal(value, &words) != nil {
			return nil, Expected(flag)
		}
	case '{':
		if flag.Kind != actions.String || flag.Value != "json" {
			return nil, Expected(flag)
		}
		var compact bytes.Buffer
		if json.Compact(&compact, value) != nil {
			return nil, Expected(flag)
		}
		words = []string{compact.String()}
	default: // a number
		if flag.Kind == actions.Bool || flag.Kind == actions.List || flag.Kind == actions.Path || len(flag.OneOf) > 0 {
			return nil, Expected(flag)
		}
		words = []string{string(value)}
	}
	for i, word := range words {
		if strings.ContainsRune(word, 0) {
			return nil, "text without zero bytes"
		}
		if flag.HasPath() {
			words[i] = expand(word, home)
		}
		if flag.Expects(word) != "" {
			return nil, Expected(flag)
		}
	}
	return words, ""
}

// Expected describes the values that the key of a flag takes.
func Expected(flag *actions.Flag) string {
	if len(flag.OneOf) > 0 {
		quoted := make([]string, len(flag.OneOf))
		for i, word := range flag.OneOf {
			quoted[i] = `"` + word + `"`
		}
		return strings.Join(quoted, " or ")
	}
	switch flag.Kind {
	case actions.Bool:
		return "true or false"
	case actions.Int:
		return "a whole number"
	case actions.Number:
		return "a number"
	case actions.Duration:
		return `a number of ms, or a string such as "10s", "3m" or "1h"`
	case actions.List:
		return "a string, or an array of strings"
	case actions.Path:
		return "a string, the path"
	}
	if flag.Value == "json" {
		return "an object, or its JSON as a string"
	}
	return "a string"
}

// syntaxError says where text stops being JSON. A Decoder reports offsets in its buffer, so the text is parsed again.
func syntaxError(text []byte, err error) error {
	var whole json.RawMessage
	if again := json.Unmarshal(text, &whole); again != nil {
		err = again
	}
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("no JSON (%s): %w", position(text, wrong.Offset-1), err)
	}
	return fmt.Errorf("no JSON: %w", err)
}

// position returns the line and column of a byte, both from 1.
func position(text []byte, offset int64) string {
	before := text[:min(max(offset, 0), int64(len(text)))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Sprintf("line %d, column %d", line, column)
}

// ignoredNote says which keys of a project's file were ignored. It names only known flags: other keys are untrusted
// text.
func ignoredNote(n int, name string, ignored []string, c caller) string {
	setting := "settings"
	if n == 1 {
		setting = "setting"
	}
	which := ""
	if len(ignored) > 0 {
		which = " (" + strings.Join(ignored, ", ") + ")"
	}
	where := "a file that --config names"
	if own := c.userFile(); own != "" {
		where = c.shown(own) + ", or in " + where
	}
	return fmt.Sprintf(
		"ignoring %d unsupported %s from %s%s: a project's file is not trusted. Set them in %s, or trust the "+
			"project with %s=1",
		n, setting, name, which, where, trustVariable)
}
