package actions

import (
	"slices"

	"github.com/skua-browser/skua/actions/grammar"
)

// Input is a parsed command line with the command that it is a line of.
type Input struct {
	*grammar.Parsed
	registry *Registry
	cmd      *Command        // nil when only help or the version was asked for
	private  map[string]bool // what is masked everywhere, also in the journal
}

// Hide masks the value of an argument or a flag everywhere.
func (in *Input) Hide(name string) {
	if in.private == nil {
		in.private = map[string]bool{}
	}
	in.private[name] = true
}

// Registry returns the registry whose grammar it was read by.
func (in *Input) Registry() *Registry { return in.registry }

// Command returns the command, nil when there is none because help or the version was asked for.
func (in *Input) Command() *Command { return in.cmd }

// WantsStdin reports whether the command reads the caller's standard input. Others must not: an agent often leaves a
// pipe open there that never ends.
func (in *Input) WantsStdin() bool {
	return in.Asks() == grammar.AskNothing && in.cmd != nil && in.cmd.Stdin != nil && in.cmd.Stdin(in)
}

// Without is the Stdin of a command that reads it in place of an argument.
func Without(arg string) func(*Input) bool { return func(in *Input) bool { return !in.Has(arg) } }

// With is the Alters of a command that only looks when an argument is not given.
func With(arg string) func(*Input) bool { return func(in *Input) bool { return in.Has(arg) } }

// NamesTarget reports whether the command acts on an element that its arguments name. Those that read as well find it
// in ways of their own.
func (in *Input) NamesTarget() bool {
	c := in.cmd
	return c.Effect.Has(Reads) || slices.ContainsFunc(c.Args, func(a Arg) bool {
		return a.Kind == Selector && (!a.Optional || in.Has(a.Name))
	})
}
