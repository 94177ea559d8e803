package actions

import (
	"errors"
	"fmt"
	"strings"

	"github.com/skua-browser/skua/actions/grammar"
)

// checkCommand returns what is wrong with a command apart from its arguments, flags and examples.
func checkCommand(c *Command) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
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

// CheckExamples parses every example of every command. It is for tests: a process that starts has no time for it.
func (r *Registry) CheckExamples() error {
	var errs []error
	for _, c := range r.commands {
		for _, ex := range c.Examples {
			words, err := grammar.SplitWords(ex.Line)
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
