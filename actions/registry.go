package actions

import (
	"errors"
	"fmt"
	"slices"

	"github.com/skua-browser/skua/actions/grammar"
)

// Registry is the set of all commands with their grammar. It is safe for concurrent use, since nothing in it changes.
type Registry struct {
	*grammar.Table
	commands []*Command // in the table's order
}

// ParseOptions give Parse the program, environment and configuration of a command line.
type ParseOptions = grammar.Options

// NewRegistry checks the commands and returns their registry. The error lists everything that is wrong with them.
// Whether their examples can be parsed is asked by [Registry.CheckExamples].
func NewRegistry(commands []Command) (*Registry, error) {
	sections := ConfigSections()
	taken := make([]string, len(sections))
	for i, section := range sections {
		taken[i] = section.Key
	}
	table, faults := grammar.NewTable(Globals(), taken)
	r := &Registry{Table: table}
	commands = slices.Clone(commands)
	slices.SortStableFunc(commands, func(a, b Command) int { return a.Group.place() - b.Group.place() })
	for i := range commands {
		c := &commands[i]
		r.commands = append(r.commands, c)
		for _, fault := range append(checkCommand(c), table.Add(c.words())...) {
			faults = append(faults, fmt.Sprintf("command %q: %s", c.Name, fault))
		}
	}
	if len(faults) > 0 {
		errs := make([]error, len(faults))
		for i, fault := range faults {
			errs[i] = errors.New(fault)
		}
		return nil, fmt.Errorf("command registry: %w", errors.Join(errs...))
	}
	return r, nil
}

// words is what the grammar knows of the command.
func (c *Command) words() grammar.Command {
	return grammar.Command{
		Name:     c.Name,
		Aliases:  c.Aliases,
		Synonyms: c.Synonyms,
		Args:     c.Args,
		Flags:    c.Flags,
		Repairs:  c.Effect.Has(NoBrowser) && !c.Effect.Has(Closes),
	}
}

// Commands returns all commands, group by group in the order of the help, and in a group as they were registered.
func (r *Registry) Commands() []*Command { return slices.Clone(r.commands) }

// Lookup returns the command with this name or alias.
func (r *Registry) Lookup(name string) (*Command, bool) {
	if place, ok := r.Table.Lookup(name); ok {
		return r.commands[place], true
	}
	return nil, false
}

// Parse reads a command line without the program's name, see [grammar.Table.Parse].
func (r *Registry) Parse(argv []string, opts ParseOptions) (*Input, error) {
	parsed, err := r.Table.Parse(argv, opts)
	if err != nil {
		return nil, err
	}
	in := &Input{Parsed: parsed, registry: r}
	if place, ok := parsed.Place(); ok {
		in.cmd = r.commands[place]
	}
	return in, nil
}

// ParseGlobals returns what environment and configuration say of the flags that every command takes, without a command.
func (r *Registry) ParseGlobals(opts ParseOptions) (*Input, error) {
	parsed, err := r.Table.ParseGlobals(opts)
	return &Input{Parsed: parsed, registry: r}, err
}
