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
			Name: "open", Aliases: []string{"goto", "navigate"}, Group: GroupNavigation, Summary: "Open a page", Effect: Mutates | Navigates,
			Args: []Arg{{Name: "url", Kind: URL, Optional: true, Help: "The address"}},
			Flags: []Flag{{
				Name: "wait-until", Value: "state", OneOf: []string{"load", "domcontentloaded", "none"}, Default: "load",
				Help: "What to wait for",
			}},
			Help:     "Without an address it only starts the browser.\n\nAn address <without> a scheme is *https*, but `localhost:*` is http.",
			Examples: []Example{{Line: "open example.com", Note: "waits for `load`"}, {Line: "goto localhost:3000 --wait-until none"}},
		},
		{
			Name: "snapshot", Group: GroupReading, Summary: "Show the page", Effect: Reads,
			Flags: []Flag{
				{Name: "interactive", Short: "i", Kind: Bool, Help: "Only elements that can be acted on"},
				{Name: "compact", Short: "c", Kind: Bool, Help: "Leave empty structure out"},
				{Name: "depth", Short: "d", Kind: Int, Help: "How deep"},
				{Name: "selector", Short: "s", Help: "Only below this element"},
			},
			Examples: []Example{{Line: "snapshot -ic -d 3", Note: "short"}},
		},
		{Name: "get text", Group: GroupReading, Summary: "Print an element's text", Effect: Reads, Args: []Arg{selector}},
		{Name: "get title", Group: GroupReading, Summary: "Print the page's title", Effect: Reads},
		{Name: "get url", Group: GroupReading, Summary: "Print the page's address", Effect: Reads, Examples: []Example{{Line: "get url"}}},
		{
			Name: "click", Group: GroupActions, Summary: "Click an element", Effect: Reads | Mutates | Navigates, Args: []Arg{selector},
			Flags:    []Flag{{Name: "new-tab", Kind: Bool, Help: "Open the link in a new tab"}},
			Examples: []Example{{Line: "click @e2"}, {Line: "click '#a > b' --new-tab", Note: "in a new tab"}},
		},
		{
			Name: "type", Group: GroupActions, Summary: "Type text", Effect: Mutates,
			Args:  []Arg{selector, {Name: "text", Kind: Text, Optional: true, Help: "The text"}},
			Flags: []Flag{{Name: "delay", Kind: Duration, Help: "Time between keys"}, {Name: "clear", Short: "x", Kind: Bool, Help: "Empty it first"}},
		},
		{
			Name: "select", Group: GroupActions, Summary: "Choose options", Effect: Mutates,
			Args:     []Arg{selector, {Name: "values", Kind: List, Value: "value", Help: "Value or label"}},
			Flags:    []Flag{{Name: "tag", Kind: List, Help: "A tag"}, {Name: "out", Kind: Path, Help: "Where to"}},
			Examples: []Example{{Line: "select @e1 red green --tag a,b --tag c"}},
		},
		{
			Name: "scroll", Group: GroupActions, Summary: "Scroll the page", Effect: Mutates,
			Args: []Arg{
				{Name: "direction", Optional: true, Default: "down", OneOf: []string{"up", "down", "left", "right"}, Help: "Where to"},
				{Name: "px", Kind: Int, Optional: true, Default: "300", Help: "How far"},
				{Name: "scale", Kind: Number, Optional: true, Default: "1.5", Help: "By how much more"},
			},
		},
		{Name: "tab", Group: GroupTabs, Summary: "Switch to a tab", Effect: Control, Args: []Arg{{Name: "which", Value: "tab", Optional: true, Help: "Its id or label"}}},
		{Name: "tab list", Aliases: []string{"tabs"}, Group: GroupTabs, Summary: "List the tabs", Effect: Control | Reads},
		{Name: "tab new", Group: GroupTabs, Summary: "Open a tab", Effect: Control, Args: []Arg{{Name: "url", Kind: URL, Optional: true}}},
		{Name: "session", Group: GroupSessions, Summary: "Print the session's name", Effect: NoBrowser | Control},
		{Name: "session list", Group: GroupSessions, Summary: "List the sessions", Effect: NoBrowser | Control},
		{
			Name: "batch", Group: GroupSessions, Summary: "Run several commands", Effect: Mutates | Closes, Stdin: Without("commands"),
			Args: []Arg{{Name: "commands", Kind: List, Optional: true, Value: "command", Help: "Commands, each in quotes"}},
		},
	}
	for i := range commands {
		commands[i].Run, commands[i].Policy.Families = run, policy.Does()
	}
	return commands
}

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
