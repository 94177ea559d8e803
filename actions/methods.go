package actions

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
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

// FlagManner says how the words of a flag are made of a value of a program. The libraries for other languages know these by their names.
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

// IsMethod reports whether programs have the command as a method: it works in the session's browser, and leaves the session.
func (c *Command) IsMethod() bool {
	return !c.Rows && !c.Program && !c.Effect.Has(NoBrowser) && !c.EndsSession() && !c.ChoosesBrowser()
}

// MethodName is the command as a method: getText for `get text`.
func (c *Command) MethodName() string { return CamelCase(NameWords(c.Name)) }

// MethodLine returns the command line of a call of the command as a method: its arguments in order, and last, if it is an object, its options by
// the names of its flags. Values are JSON-shaped. It is the counterpart of commandLine of the library for TypeScript.
func (c *Command) MethodLine(given []any) ([]string, error) {
	var options map[string]any
	if n := len(given); n > 0 {
		if o, is := given[n-1].(map[string]any); is {
			given, options = given[:n-1], o
		}
	}
	if len(given) > len(c.Args) && !c.endsInMany() {
		return nil, fmt.Errorf("%s: takes %d arguments, and got %d; options are one object at the end", c.MethodName(), len(c.Args), len(given))
	}
	var forAll []string
	words := strings.Fields(c.Name)
	for _, key := range slices.Sorted(maps.Keys(options)) {
		flag, global := c.methodFlag(key)
		if flag == nil {
			return nil, fmt.Errorf("%s: has no option %q", c.MethodName(), key)
		}
		its, err := flag.methodWords(options[key])
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: option %s: %w", c.MethodName(), key, err)
		case global:
			forAll = append(forAll, its...)
		default:
			words = append(words, its...)
		}
	}
	words = append(forAll, words...)
	if len(given) == 0 {
		return words, nil
	}
	words = append(words, "--")
	for i, value := range given {
		list, is := value.([]any)
		if !is {
			list = []any{value}
		}
		for _, one := range list {
			word, err := methodWord(one)
			if err != nil {
				return nil, fmt.Errorf("%s: argument %d: %w", c.MethodName(), i+1, err)
			}
			words = append(words, word)
		}
	}
	return words, nil
}

// endsInMany reports whether the last argument takes any number of words.
func (c *Command) endsInMany() bool {
	n := len(c.Args)
	return n > 0 && (c.Args[n-1].Kind == Text || c.Args[n-1].Kind == List)
}

// methodFlag returns the flag of an option, and whether it is one of all commands.
func (c *Command) methodFlag(key string) (flag *Flag, global bool) {
	named := func(f Flag) bool { return CamelCase(NameWords(f.Name)) == key }
	if i := slices.IndexFunc(c.Flags, named); i >= 0 {
		return &c.Flags[i], false
	}
	globals := Globals()
	if i := slices.IndexFunc(globals, func(f Flag) bool { return f.PerRow && named(f) }); i >= 0 {
		return &globals[i], true
	}
	return nil, false
}

func (f *Flag) methodWords(value any) ([]string, error) {
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
		word, err := methodWord(one)
		if err != nil {
			return nil, err
		}
		words = append(words, "--"+f.Name+"="+word)
	}
	return words, nil
}

// methodWord writes a value of a program as a word.
func methodWord(value any) (string, error) {
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
