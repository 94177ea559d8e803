package actions

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/guard/policy"
)

// sampleCommands is a small registry with every form that the grammar knows.
func sampleCommands() []Command {
	run := func(context.Context, *Call) (Result, error) { return Result{}, nil }
	selector := Arg{Name: "selector", Kind: Selector, Help: "The element: a ref, CSS or XPath"}
	commands := []Command{
		{
			Spec: Spec{
				Name: "open", Aliases: []string{"goto", "navigate"}, Group: GroupNavigation, Summary: "Open a page",
				Help: "Without an address it only starts the browser.\n\nAn address <without> a scheme is *https*, but " +
					"`localhost:*` is http.",
				Args: []Arg{{Name: "url", Kind: URL, Optional: true, Help: "The address"}},
				Flags: []Flag{{
					Name: "wait-until", Value: "state", OneOf: []string{"load", "domcontentloaded", "none"}, Default: "load",
					Help: "What to wait for",
				}},
				Examples: []Example{
					{Line: "open example.com", Note: "waits for `load`"},
					{Line: "goto localhost:3000 --wait-until none"},
				},
			},
			Schedule: Schedule{Effect: Mutates | Navigates},
		},
		{
			Spec: Spec{
				Name: "snapshot", Group: GroupReading, Summary: "Show the page",
				Flags: []Flag{
					{Name: "interactive", Short: "i", Kind: Bool, Help: "Only elements that can be acted on"},
					{Name: "compact", Short: "c", Kind: Bool, Help: "Leave empty structure out"},
					{Name: "depth", Short: "d", Kind: Int, Help: "How deep"},
					{Name: "selector", Short: "s", Help: "Only below this element"},
				},
				Examples: []Example{{Line: "snapshot -ic -d 3", Note: "short"}},
			},
			Schedule: Schedule{Effect: Reads},
		},
		{
			Spec:     Spec{Name: "get text", Group: GroupReading, Summary: "Print an element's text", Args: []Arg{selector}},
			Schedule: Schedule{Effect: Reads},
		},
		{
			Spec:     Spec{Name: "get title", Group: GroupReading, Summary: "Print the page's title"},
			Schedule: Schedule{Effect: Reads},
		},
		{
			Spec: Spec{
				Name: "get url", Group: GroupReading, Summary: "Print the page's address",
				Examples: []Example{{Line: "get url"}},
			},
			Schedule: Schedule{Effect: Reads},
		},
		{
			Spec: Spec{
				Name: "click", Group: GroupActions, Summary: "Click an element", Args: []Arg{selector},
				Flags:    []Flag{{Name: "new-tab", Kind: Bool, Help: "Open the link in a new tab"}},
				Examples: []Example{{Line: "click @e2"}, {Line: "click '#a > b' --new-tab", Note: "in a new tab"}},
			},
			Schedule: Schedule{Effect: Reads | Mutates | Navigates},
		},
		{
			Spec: Spec{
				Name: "type", Group: GroupActions, Summary: "Type text",
				Args: []Arg{selector, {Name: "text", Kind: Text, Optional: true, Help: "The text"}},
				Flags: []Flag{
					{Name: "delay", Kind: Duration, Help: "Time between keys"},
					{Name: "clear", Short: "x", Kind: Bool, Help: "Empty it first"},
				},
			},
			Schedule: Schedule{Effect: Mutates},
		},
		{
			Spec: Spec{
				Name: "select", Group: GroupActions, Summary: "Choose options",
				Args:     []Arg{selector, {Name: "values", Kind: List, Value: "value", Help: "Value or label"}},
				Flags:    []Flag{{Name: "tag", Kind: List, Help: "A tag"}, {Name: "out", Kind: Path, Help: "Where to"}},
				Examples: []Example{{Line: "select @e1 red green --tag a,b --tag c"}},
			},
			Schedule: Schedule{Effect: Mutates},
		},
		{
			Spec: Spec{
				Name: "scroll", Group: GroupActions, Summary: "Scroll the page",
				Args: []Arg{
					{
						Name: "direction", Optional: true, Default: "down", OneOf: []string{"up", "down", "left", "right"},
						Help: "Where to",
					},
					{Name: "px", Kind: Int, Optional: true, Default: "300", Help: "How far"},
					{Name: "scale", Kind: Number, Optional: true, Default: "1.5", Help: "By how much more"},
				},
			},
			Schedule: Schedule{Effect: Mutates},
		},
		{
			Spec: Spec{
				Name: "tab", Group: GroupTabs, Summary: "Switch to a tab",
				Args: []Arg{{Name: "which", Value: "tab", Optional: true, Help: "Its id or label"}},
			},
			Schedule: Schedule{Effect: Control},
		},
		{
			Spec:     Spec{Name: "tab list", Aliases: []string{"tabs"}, Group: GroupTabs, Summary: "List the tabs"},
			Schedule: Schedule{Effect: Control | Reads},
		},
		{
			Spec: Spec{
				Name: "tab new", Group: GroupTabs, Summary: "Open a tab",
				Args: []Arg{{Name: "url", Kind: URL, Optional: true}},
			},
			Schedule: Schedule{Effect: Control},
		},
		{
			Spec:     Spec{Name: "session", Group: GroupSessions, Summary: "Print the session's name"},
			Schedule: Schedule{Effect: NoBrowser | Control},
		},
		{
			Spec:     Spec{Name: "session list", Group: GroupSessions, Summary: "List the sessions"},
			Schedule: Schedule{Effect: NoBrowser | Control},
		},
		{
			Spec: Spec{
				Name: "batch", Group: GroupSessions, Summary: "Run several commands",
				Args:  []Arg{{Name: "commands", Kind: List, Optional: true, Value: "command", Help: "Commands, each in quotes"}},
				Stdin: Without("commands"),
			},
			Schedule: Schedule{Effect: Mutates | Closes},
		},
	}
	for i := range commands {
		commands[i].Run, commands[i].Safety.Families = run, policy.Does()
	}
	return commands
}

// Sample is the registry for tests of what is made of a registry.
var Sample = sample

func sample(t testing.TB) *Registry {
	t.Helper()
	r, err := NewRegistry(sampleCommands())
	require.NoError(t, err)
	return r
}

// environment returns a lookup in a map.
func environment(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}
