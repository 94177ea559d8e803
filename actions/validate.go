package actions

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// checkCommand returns what is wrong with a command apart from its arguments, flags and examples.
func checkCommand(c *Command) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	for _, name := range append([]string{c.Name}, c.Aliases...) {
		words := strings.Split(name, " ")
		if slices.ContainsFunc(words, func(w string) bool { return !isName(w) }) {
			fault("the name %q is not made of lower-case words separated by one space", name)
		}
	}
	if c.Summary == "" || strings.HasSuffix(c.Summary, ".") || strings.Contains(c.Summary, "\n") {
		fault("the summary must be one line without trailing period")
	}
	faults = append(faults, checkResultData(c)...)
	if c.Group == "" {
		fault("it has no group")
	}
	if c.Effect == 0 {
		fault("it has no effect bits")
	}
	if c.Effect.Has(InTab) && (!c.OneTab() || c.Rows || c.Effect.Has(Control)) {
		fault("what works in its tab alone is about one tab, waits for its turn, and runs no other commands")
	}
	if c.Effect.Has(NoBrowser) && c.Effect&(Reads|Mutates|Navigates) != 0 {
		fault("what needs no browser has no effect on a page")
	}
	if c.Safety.Families == nil {
		fault("it does not say what rules know it by (Safety.Families)")
	}
	if c.Run == nil {
		fault("it has no run function")
	}
	return append(faults, checkTools(c)...)
}

// checkArg returns what is wrong with the i-th argument of a command.
func checkArg(c *Command, i int) (faults []string) {
	a := c.Args[i]
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Sprintf("<%s>: ", a.Name)+fmt.Sprintf(format, args...))
	}
	if !isName(a.Name) {
		fault("the name is not one lower-case word")
	}
	if a.Kind == Bool || a.Kind == Duration || a.Kind > Duration {
		fault("this kind is for flags")
	}
	if (a.Kind == Text || a.Kind == List) && i != len(c.Args)-1 {
		fault("it takes all remaining words and must be the last argument")
	}
	if i > 0 && c.Args[i-1].Optional && !a.Optional {
		fault("it follows an optional argument and must be optional")
	}
	if a.Unless != "" && (a.Optional || !slices.ContainsFunc(c.Flags, func(f Flag) bool { return f.Name == a.Unless })) {
		fault("what takes the place of a required argument is a flag of the command")
	}
	if a.Default != "" {
		if !a.Optional {
			fault("a required argument has no default")
		}
		if expects := argSlot(&a).check(a.Default); expects != "" {
			fault("the default %q is not %s", a.Default, expects)
		}
	}
	return faults
}

// checkFlag returns what is wrong with a flag.
func checkFlag(s *slot) (faults []string) {
	f := s.flag
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if !isName(f.Name) {
		fault("the name is not one lower-case word")
	}
	if f.Short != "" && (len(f.Short) != 1 || !isLetter(f.Short[0])) {
		fault("the short form must be one letter")
	}
	if f.Kind == Selector || f.Kind == URL || f.Kind == Text || f.Kind > Duration {
		fault("this kind is for arguments")
	}
	if f.Kind == Bool && ((f.Value != "" && !f.OptionalBool) || f.Default != "" || len(f.OneOf) > 0 || f.DashValue) {
		fault("a Bool has no value, default, alternatives or dash value")
	}
	if f.Kind != Bool && f.OptionalBool {
		fault("OptionalBool is for Bool")
	}
	if f.Kind != List && f.Split != nil {
		fault("Split is for List")
	}
	if f.Merges && f.Kind != List {
		fault("Merges is for List")
	}
	if f.Default != "" {
		for _, word := range s.split(f.Default) {
			if expects := s.check(word); expects != "" {
				fault("the default %q is not %s", word, expects)
			}
		}
	}
	return faults
}

// CheckExamples parses every example of every command. It is for tests: a process that starts has no time for it.
func (r *Registry) CheckExamples() error {
	var errs []error
	for _, c := range r.commands {
		for _, ex := range c.Examples {
			words, err := SplitWords(ex.Line)
			if err == nil {
				var in *Input
				if in, err = r.Parse(words, ParseOptions{}); err == nil && in.cmd != c {
					err = fmt.Errorf("it is not a line of this command")
				}
			}
			if err != nil {
				errs = append(errs, fmt.Errorf("command %q: example %q: %w", c.Name, ex.Line, err))
			}
		}
	}
	return errors.Join(errs...)
}

// isName reports whether s is a lower-case word of letters, digits and inner dashes that starts with a letter.
func isName(s string) bool {
	for i, c := range []byte(s) {
		lower := c >= 'a' && c <= 'z'
		if !lower && (i == 0 || c != '-' && (c < '0' || c > '9')) {
			return false
		}
	}
	return s != "" && !strings.HasSuffix(s, "-")
}

// isLetter reports whether c is an ASCII letter.
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
