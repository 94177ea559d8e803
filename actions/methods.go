package actions

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions/grammar"
)

// IsMethod reports whether programs have the command as a method: it works in the session's browser, and leaves the
// session.
func (c *Command) IsMethod() bool {
	return !c.Rows && !c.Program && !c.Effect.Has(NoBrowser) && !c.EndsSession() && !c.ChoosesBrowser()
}

// MethodWords are those of the command as a method: get, text for `get text`.
func (c *Command) MethodWords() []string { return grammar.NameWords(cmp.Or(c.Method, c.Name)) }

// MethodName is the command as a method: getText for `get text`.
func (c *Command) MethodName() string { return grammar.CamelCase(c.MethodWords()) }

// MethodLine returns the command line of a call of the command as a method: its arguments in order, and last, if it is
// an object, its options by the names of its flags. Values are JSON-shaped. It is the counterpart of commandLine of the
// library for TypeScript.
func (c *Command) MethodLine(given []any) ([]string, error) {
	var options map[string]any
	if n := len(given); n > 0 {
		if o, is := given[n-1].(map[string]any); is && (n > len(c.Args) || !grammar.TakesJSON(c.Args[n-1].Value)) {
			given, options = given[:n-1], o
		}
	}
	if len(given) > len(c.Args) && !c.endsInMany() {
		return nil, fmt.Errorf("%s: takes %d arguments, and got %d; options are one object at the end", c.MethodName(),
			len(c.Args), len(given))
	}
	var forAll []string
	words := strings.Fields(c.Name)
	for _, key := range slices.Sorted(maps.Keys(options)) {
		flag, global := c.methodFlag(key)
		if flag == nil {
			return nil, fmt.Errorf("%s: has no option %q", c.MethodName(), key)
		}
		its, err := flag.WordsOf(options[key])
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
		arg := &c.Args[min(i, len(c.Args)-1)]
		list, is := value.([]any)
		if !is || grammar.TakesJSON(arg.Value) {
			list = []any{value}
		}
		for _, one := range list {
			word, err := arg.WordOf(one)
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
	named := func(f Flag) bool { return grammar.CamelCase(grammar.NameWords(f.Name)) == key }
	if i := slices.IndexFunc(c.Flags, named); i >= 0 {
		return &c.Flags[i], false
	}
	globals := Globals()
	if i := slices.IndexFunc(globals, func(f Flag) bool { return f.PerRow && named(f) }); i >= 0 {
		return &globals[i], true
	}
	return nil, false
}
