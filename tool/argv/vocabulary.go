package argv

import (
	"strings"
	"sync"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/actions/trait"
)

// vocabulary is what the command registry says, in the form that reading a line needs.
type vocabulary struct {
	registry *actions.Registry
	globals  map[string]flagKind  // by name without dashes
	shorts   map[string]string    // of globals: the long name of a letter
	own      map[string]flagKind  // flags of commands by name, as far as commands agree on whether they have a value
	secrets  map[string]bool      // names of flags whose values are secret
	families map[string]bool      // first words that several commands share
	begins   map[string]bool      // words that a command's name begins with
	kinds    map[string]trait.Set // by these words: the traits of all commands that begin so
	longest  int                  // words of the longest command
}

// flagKind says what may follow a flag.
type flagKind uint8

const (
	noValue flagKind = iota + 1
	optionalBool
	aValue
	dashValue     // a value that may look like a flag
	optionalValue // the next word, unless that looks like a flag, or begins the command
)

func (k flagKind) needsValue() bool { return k == aValue || k == dashValue }

// programOnly returns the global flags of the agent-browser program that the registry does not have.
func programOnly() map[string]flagKind {
	return map[string]flagKind{
		"action-policy": aValue, "allowed-domains": aValue, "auto-connect": optionalBool, "ca-cert": aValue,
		"cdp-headers": aValue,
		"config":      aValue, "confirm-actions": aValue, "flows": aValue, "known": aValue,
		"confirm-interactive": optionalBool,
		"content-boundaries":  optionalBool, "device": aValue,
		"download-path": aValue, "engine": aValue, "extension": aValue, "headers": aValue, "hide-scrollbars": aValue,
		"max-output": aValue,
		"model":      aValue, "no-ca-cert": noValue, "profile": aValue, "provider": aValue, "quiet": noValue,
		"restore":          optionalValue,
		"restore-check-fn": aValue, "restore-check-text": aValue, "restore-check-url": aValue, "restore-save": aValue,
		"screenshot-dir":    aValue,
		"screenshot-format": aValue, "screenshot-quality": aValue, "session-name": aValue, "state": aValue,
		"use-system-ca": optionalBool,
	}
}

func kindOf(f *actions.Flag) flagKind {
	switch {
	case f.Kind == actions.Bool && f.OptionalBool:
		return optionalBool
	case f.Kind == actions.Bool:
		return noValue
	case f.DashValue:
		return dashValue
	case f.OptionalValue:
		return optionalValue
	}
	return aValue
}

var theVocabulary = sync.OnceValue(func() *vocabulary {
	registry := catalog.Registry()
	g := &vocabulary{
		registry: registry,
		globals:  programOnly(),
		own:      map[string]flagKind{},
		secrets:  map[string]bool{},
		families: map[string]bool{},
		begins:   map[string]bool{},
		kinds:    map[string]trait.Set{},
		shorts:   map[string]string{"p": "provider", "q": "quiet"},
	}
	for _, f := range actions.Globals() {
		g.globals[f.Name] = kindOf(&f)
		g.secrets[f.Name] = f.Secret
		if f.Short != "" {
			g.shorts[f.Short] = f.Name
		}
	}
	for _, c := range registry.Commands() {
		for i := range c.Flags {
			kind := kindOf(&c.Flags[i])
			g.secrets[c.Flags[i].Name] = g.secrets[c.Flags[i].Name] || c.Flags[i].Secret
			if other, known := g.own[c.Flags[i].Name]; known && other.needsValue() != kind.needsValue() {
				kind = 0
			}
			g.own[c.Flags[i].Name] = kind
		}
		for _, name := range append([]string{c.Name}, c.Aliases...) {
			words := strings.Fields(name)
			g.longest = max(g.longest, len(words))
			g.begins[words[0]] = true
			g.kinds[words[0]] |= c.Traits
			if len(words) > 1 {
				g.families[words[0]] = true
			}
		}
	}
	return g
})

// Registry returns the commands that lines are read by.
func Registry() *actions.Registry { return theVocabulary().registry }

// Lookup returns the registry's command with this name or alias, nil when there is none.
func Lookup(name string) *actions.Command {
	c, _ := theVocabulary().registry.Lookup(name)
	return c
}

// Yielding returns the first command whose results may be a T; nil means that there is none.
func Yielding[T any]() *actions.Command {
	for _, c := range Registry().Commands() {
		if actions.Yields[T](c) {
			return c
		}
	}
	return nil
}

// IsGlobal reports whether every command takes the flag, and whether a value must follow it. The name is with its
// dashes.
func IsGlobal(flag string) (global, needsValue bool) {
	g := theVocabulary()
	name, ok := strings.CutPrefix(flag, "--")
	if !ok {
		name = g.shorts[strings.TrimPrefix(flag, "-")]
	}
	kind := g.globals[name]
	return kind != 0, kind.needsValue()
}

// flagOf finds a flag of a command (nil: none is known yet, or it is not in the registry) or a global, by the word
// without its value.
func (g *vocabulary) flagOf(c *actions.Command, word string) (name string, kind flagKind, global bool) {
	long, isLong := strings.CutPrefix(word, "--")
	if !isLong {
		long = ""
	}
	if c != nil {
		for i := range c.Flags {
			f := &c.Flags[i]
			if isLong && f.Name == long || !isLong && f.Short != "" && f.Short == word[1:] {
				return f.Name, kindOf(f), false
			}
		}
	}
	if !isLong {
		long = g.shorts[word[1:]]
	}
	if kind := g.globals[long]; kind != 0 {
		return long, kind, true
	}
	if c == nil && isLong {
		return long, g.own[long], false
	}
	return strings.TrimLeft(word, "-"), 0, false
}
