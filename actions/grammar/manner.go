package grammar

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/internal/plainjson"
)

// NameWords are the words of a name of commands or flags: "get cdp-url" has three.
func NameWords(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == '-' })
}

// CamelCase writes words as names in JavaScript are written: getCdpUrl.
func CamelCase(words []string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			w = strings.ToUpper(w[:1]) + w[1:]
		}
		b.WriteString(w)
	}
	return b.String()
}

// FlagManner says how a library for another language writes a value as words of the command line. The libraries know
// the manners by these names.
type FlagManner string

// The manners.
const (
	FlagAsBool     FlagManner = "bool"     // --flag, if true
	FlagAsSwitch   FlagManner = "switch"   // --flag=true, --flag=false
	FlagAsValue    FlagManner = "value"    // --flag=value
	FlagAsList     FlagManner = "list"     // --flag=value for each
	FlagAsOptional FlagManner = "optional" // --flag for true, else --flag=value
)

// Manner returns how the flag's words are made.
func (f *Flag) Manner() FlagManner {
	switch {
	case f.Kind == Bool && f.OptionalBool:
		return FlagAsSwitch
	case f.Kind == Bool:
		return FlagAsBool
	case f.Kind == List:
		return FlagAsList
	case f.OptionalValue:
		return FlagAsOptional
	}
	return FlagAsValue
}

// WordsOf returns the words of the flag for a JSON-shaped value of a program.
func (f *Flag) WordsOf(value any) ([]string, error) {
	values := []any{value}
	manner := f.Manner()
	switch truth, is := value.(bool); {
	case value == nil:
		return nil, nil
	case manner == FlagAsBool && !is:
		return nil, fmt.Errorf("must be true or false, not %v", value)
	case manner == FlagAsBool && !truth:
		return nil, nil
	case manner == FlagAsBool, manner == FlagAsOptional && is && truth:
		return []string{"--" + f.Name}, nil
	}
	if list, is := value.([]any); is && manner == FlagAsList {
		values = list
	}
	words := make([]string, 0, len(values))
	for _, one := range values {
		word, err := valueWord(one, f.Value)
		if err != nil {
			return nil, err
		}
		words = append(words, "--"+f.Name+"="+word)
	}
	return words, nil
}

// valueWord is [Word] of a value whose JSON is taken, where that is what usage lines print for it.
func valueWord(value any, shown string) (string, error) {
	switch value.(type) {
	case map[string]any, []any:
		if TakesJSON(shown) {
			text, err := plainjson.Marshal(value)
			return string(text), err
		}
	}
	return Word(value)
}

// WordOf returns the word of the argument for a JSON-shaped value of a program.
func (a *Arg) WordOf(value any) (string, error) { return valueWord(value, a.Value) }

// Word writes a value of a program as a word.
func Word(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return v, nil
	case bool:
		return strconv.FormatBool(v), nil
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	case nil:
		return "", errors.New("is missing")
	}
	return "", fmt.Errorf("must be a text or a number, not %T", value)
}
