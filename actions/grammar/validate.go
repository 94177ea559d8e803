package grammar

import (
	"fmt"
	"slices"
	"strings"
)

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
