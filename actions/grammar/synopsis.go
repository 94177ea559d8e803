package grammar

import (
	"slices"
	"strings"
)

// SynopsisOfAll is the usage of the program, when no command is known yet.
const SynopsisOfAll = "[global flags] <command> [arguments] [flags]"

func (c *Command) synopsis(name string, required ...string) string {
	return Synopsis(name, c.Args, c.Flags, required...)
}

// Synopsis returns the usage of a command under one of its names, without the program and the flags that many commands
// have. Optional arguments that are named as required are shown so.
func Synopsis(name string, args []Arg, flags []Flag, required ...string) string {
	var b strings.Builder
	b.WriteString(Form(name, args, required...))
	for i := range flags {
		f := &flags[i]
		if f.Common {
			continue
		}
		b.WriteString(" [--" + f.Name)
		if f.Kind != Bool {
			b.WriteString(" <" + placeholder(flagSlot(f, false)) + ">")
		}
		b.WriteString("]")
		if f.Kind == List {
			b.WriteString("...")
		}
	}
	return b.String()
}

// Form returns the synopsis without flags.
func Form(name string, args []Arg, required ...string) string {
	var b strings.Builder
	b.WriteString(name)
	for i := range args {
		a := &args[i]
		text := argumentShown(a)
		if a.Kind == List {
			text += "..."
		}
		if a.Optional && !slices.Contains(required, a.Name) {
			b.WriteString(" [" + text + "]")
		} else {
			b.WriteString(" <" + text + ">")
		}
	}
	return b.String()
}

// argumentShown returns what stands for an argument: its alternatives when they are few, else its value word or name.
func argumentShown(a *Arg) string {
	const few = 4
	switch n := len(a.OneOf); {
	case a.Value != "":
		return a.Value
	case n > 0 && n <= few:
		return strings.Join(a.OneOf, "|")
	}
	return a.Name
}

// placeholder returns what stands for a flag's value.
func placeholder(s *slot) string {
	if s.flag.Value != "" {
		return s.flag.Value
	}
	switch s.kind {
	case Int:
		return "n"
	case Number:
		return "number"
	case Path:
		return "path"
	case Duration:
		return "ms"
	case List:
		return "list"
	default:
		return "value"
	}
}

// Listed returns an argument as lists with its description name it, where the alternatives follow anyway.
func (a *Arg) Listed() string {
	if a.Value != "" {
		return a.Value
	}
	return a.Name
}

// describe returns the help of an argument or flag with its alternatives and default.
func describe(help string, kind Kind, oneOf []string, fallback string) string {
	var parts []string
	if len(oneOf) > 0 {
		parts = append(parts, strings.Join(oneOf, ", "))
	}
	if kind == List {
		parts = append(parts, "may be repeated")
	}
	if fallback != "" {
		parts = append(parts, "default: "+fallback)
	}
	if len(parts) > 0 {
		help += " (" + strings.Join(parts, "; ") + ")"
	}
	return strings.TrimSpace(help)
}

// Described returns the help of an argument. The usage line shows whether it takes several words.
func (a *Arg) Described() string { return describe(a.Help, String, a.OneOf, a.Default) }

// Described returns the help of a flag.
func (f *Flag) Described() string { return describe(f.Help, f.Kind, f.OneOf, f.Default) }

// Listed returns a flag as the help lists it: "-d, --depth <n>".
func (f *Flag) Listed() string {
	s := "--" + f.Name
	if f.Short != "" {
		s = "-" + f.Short + ", " + s
	}
	switch value := placeholder(flagSlot(f, false)); {
	case f.OptionalValue:
		s += " [" + value + "]"
	case f.Kind != Bool || f.Value != "":
		s += " <" + value + ">"
	}
	return s
}
