package grammar

import (
	"fmt"
	"slices"
	"strings"
)

// Table is the grammar of all command lines. It is safe for concurrent use, since nothing in it changes.
type Table struct {
	commands []Command
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
	place  int
	args   []*slot
	spec   slots // arguments, flags and globals by name
	flags  slots // flags and globals by name
	shorts slots // flags and globals by letter
}

// NewTable returns an empty table for commands that all take these flags, and what is wrong with the flags. The keys of
// configuration files that are taken already belong to no flag.
func NewTable(globals []Flag, taken []string) (t *Table, faults []string) {
	t = &Table{
		names:    map[string]*entry{},
		starts:   map[string]bool{},
		families: map[string][]string{},
		flags:    slots{shared: map[string]*slot{}},
		shorts:   slots{shared: map[string]*slot{}},
		letters:  map[string]bool{},
		own:      map[string]*slot{},
	}
	keys := map[string]bool{}
	for _, key := range taken {
		keys[key] = true
	}
	for i := range globals {
		s := flagSlot(&globals[i], true)
		t.globals = append(t.globals, s)
		t.flags.shared[s.name] = s
		if s.flag.Short != "" {
			t.shorts.shared[s.flag.Short] = s
		}
		for _, fault := range checkFlag(s) {
			faults = append(faults, fmt.Sprintf("global --%s: %s", s.name, fault))
		}
		if key := s.flag.ConfigKey(); key != "" {
			if keys[key] {
				faults = append(faults, fmt.Sprintf("global --%s: the key %s is taken", s.name, key))
			}
			keys[key] = true
		}
	}
	return t, faults
}

// Lookup returns the place of the command with this name or alias, in the order in which they were added.
func (t *Table) Lookup(name string) (place int, ok bool) {
	if e := t.names[name]; e != nil {
		return e.place, true
	}
	return 0, false
}

// Begins reports whether names of commands begin with these words and go on.
func (t *Table) Begins(words string) bool { return t.starts[words] }

// Family returns the words that may follow a beginning of names.
func (t *Table) Family(beginning string) []string { return t.families[beginning] }

// Add puts a command into the table and returns what is wrong with it.
func (t *Table) Add(command Command) (faults []string) {
	c := &command
	own := func() map[string]*slot { return map[string]*slot{} }
	e := &entry{
		cmd:    c,
		place:  len(t.commands),
		spec:   slots{own(), t.flags.shared},
		flags:  slots{own(), t.flags.shared},
		shorts: slots{own(), t.shorts.shared},
	}
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
		if other, known := t.own[s.name]; !known {
			t.own[s.name] = s
		} else if other != nil && (other.kind == Bool) != (s.kind == Bool) {
			t.own[s.name] = nil
		}
		if short := s.flag.Short; short != "" {
			if e.shorts.get(short) != nil {
				fault("-%s is used twice", short)
			}
			e.shorts.own[short] = s
			if s.flag.Early {
				t.letters[short] = true
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
		if t.names[name] != nil {
			fault("the name %q is taken by %q", name, t.names[name].cmd.Name)
		}
		t.names[name] = e
		words := strings.Split(name, " ")
		if slices.ContainsFunc(words, func(w string) bool { return !isName(w) }) {
			fault("the name %q is not made of lower-case words separated by one space", name)
		}
		for n := 1; n < len(words); n++ {
			start := strings.Join(words[:n], " ")
			t.starts[start] = true
			if i == 0 && !slices.Contains(t.families[start], words[n]) {
				t.families[start] = append(t.families[start], words[n])
			}
		}
	}
	t.commands = append(t.commands, command)
	return faults
}
