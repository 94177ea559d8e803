package actions

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Registry is the set of all commands with their grammar. It is safe for concurrent use, since nothing in it changes.
type Registry struct {
	commands []*Command
	names    map[string]*entry   // by name and alias
	starts   map[string]bool     // every proper beginning of a name or alias: "get" of "get text"
	families map[string][]string // the words that may follow a beginning, without aliases
	globals  []*slot
	flags    slots            // the globals by name
	shorts   slots            // the globals by letter
	letters  map[string]bool  // of Bool flags of commands that may stand before these
	own      map[string]*slot // flags of commands by name; nil where commands differ in whether it has a value
}

// entry is a command with its names resolved.
type entry struct {
	cmd    *Command
	args   []*slot
	spec   slots // arguments, flags and globals by name
	flags  slots // flags and globals by name
	shorts slots // flags and globals by letter
}

// NewRegistry checks the commands and returns their registry. The error lists everything that is wrong with them. Whether their examples can be
// parsed is asked by [Registry.CheckExamples].
func NewRegistry(commands []Command) (*Registry, error) {
	r := &Registry{
		names:    map[string]*entry{},
		starts:   map[string]bool{},
		families: map[string][]string{},
		flags:    slots{shared: map[string]*slot{}},
		shorts:   slots{shared: map[string]*slot{}},
		letters:  map[string]bool{},
		own:      map[string]*slot{},
	}
	var errs []error
	globals, keys := Globals(), map[string]bool{}
	for _, section := range ConfigSections() {
		keys[section.Key] = true
	}
	for i := range globals {
		s := flagSlot(&globals[i], true)
		r.globals = append(r.globals, s)
		r.flags.shared[s.name] = s
		if s.flag.Short != "" {
			r.shorts.shared[s.flag.Short] = s
		}
		for _, fault := range checkFlag(s) {
			errs = append(errs, fmt.Errorf("global --%s: %s", s.name, fault))
		}
		if key := s.flag.ConfigKey(); key != "" {
			if keys[key] {
				errs = append(errs, fmt.Errorf("global --%s: the key %s is taken", s.name, key))
			}
			keys[key] = true
		}
	}
	commands = slices.Clone(commands)
	slices.SortStableFunc(commands, func(a, b Command) int { return a.Group.place() - b.Group.place() })
	for i := range commands {
		for _, fault := range r.add(&commands[i]) {
			errs = append(errs, fmt.Errorf("command %q: %s", commands[i].Name, fault))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("command registry: %w", err)
	}
	return r, nil
}

// Commands returns all commands, group by group in the order of the help, and in a group as they were registered.
func (r *Registry) Commands() []*Command { return slices.Clone(r.commands) }

// Lookup returns the command with this name or alias.
func (r *Registry) Lookup(name string) (*Command, bool) {
	if e := r.names[name]; e != nil {
		return e.cmd, true
	}
	return nil, false
}

// Begins reports whether names of commands begin with these words and go on.
func (r *Registry) Begins(words string) bool { return r.starts[words] }

// Family returns the words that may follow a beginning of names.
func (r *Registry) Family(beginning string) []string { return r.families[beginning] }

// add puts one command into the registry and returns what is wrong with it.
func (r *Registry) add(c *Command) []string {
	own := func() map[string]*slot { return map[string]*slot{} }
	e := &entry{cmd: c, spec: slots{own(), r.flags.shared}, flags: slots{own(), r.flags.shared}, shorts: slots{own(), r.shorts.shared}}
	faults := checkCommand(c)
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	put := func(s *slot) {
		if e.spec.get(s.name) != nil {
			fault("%q is used twice: names of arguments, flags and global flags must differ", s.name)
		}
		e.spec.own[s.name] = s
	}
	for i := range c.Args {
		s := argSlot(&c.Args[i])
		put(s)
		e.args = append(e.args, s)
		faults = append(faults, checkArg(c, i)...)
	}
	for i := range c.Flags {
		s := flagSlot(&c.Flags[i], false)
		put(s)
		e.flags.own[s.flag.Name] = s
		if other, known := r.own[s.name]; !known {
			r.own[s.name] = s
		} else if other != nil && (other.kind == Bool) != (s.kind == Bool) {
			r.own[s.name] = nil
		}
		if short := s.flag.Short; short != "" {
			if e.shorts.get(short) != nil {
				fault("-%s is used twice", short)
			}
			e.shorts.own[short] = s
			if s.flag.Early {
				r.letters[short] = true
			}
		}
		for _, f := range checkFlag(s) {
			fault("--%s: %s", s.name, f)
		}
		if f := s.flag; f.Env != "" || f.PerRow || f.Key != "" || f.Project || f.Merges {
			fault("--%s: Env, PerRow, Key, Project and Merges are for global flags", s.name)
		}
	}
	for i, name := range append([]string{c.Name}, c.Aliases...) {
		if r.names[name] != nil {
			fault("the name %q is taken by %q", name, r.names[name].cmd.Name)
		}
		r.names[name] = e
		words := strings.Fields(name)
		for n := 1; n < len(words); n++ {
			start := strings.Join(words[:n], " ")
			r.starts[start] = true
			if i == 0 && !slices.Contains(r.families[start], words[n]) {
				r.families[start] = append(r.families[start], words[n])
			}
		}
	}
	r.commands = append(r.commands, c)
	return faults
}
