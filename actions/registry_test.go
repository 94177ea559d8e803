package actions

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/guard/policy"
)

// commandWith returns a command that a registry takes, changed.
func commandWith(change func(*Command)) []Command {
	run := func(context.Context, *Call) (Result, error) { return Result{}, nil }
	c := Command{
		Spec:     Spec{Name: "do", Group: "G", Summary: "Do it"},
		Schedule: Schedule{Effect: Reads},
		Safety:   Safety{Families: policy.Does()},
		Run:      run,
	}
	change(&c)
	return []Command{c}
}

func TestNewRegistryRefuses(t *testing.T) {
	t.Parallel()
	with := commandWith
	args := func(args ...Arg) []Command { return with(func(c *Command) { c.Args = args }) }
	flags := func(flags ...Flag) []Command { return with(func(c *Command) { c.Flags = flags }) }
	tests := []struct {
		name     string
		commands []Command
		want     string
	}{
		{"empty name", with(func(c *Command) { c.Name = "" }), `command "": the name "" is not made of lower-case words`},
		{"two spaces", with(func(c *Command) { c.Name = "do  it" }), `the name "do  it" is not made of`},
		{"upper case", with(func(c *Command) { c.Name = "Do" }), `the name "Do" is not made of`},
		{"bad alias", with(func(c *Command) { c.Aliases = []string{"-x"} }), `the name "-x" is not made of`},
		{"same name", append(with(func(*Command) {}), with(func(*Command) {})...), `the name "do" is taken by "do"`},
		{"same alias", with(func(c *Command) { c.Aliases = []string{"do"} }), `the name "do" is taken by "do"`},
		{"no group", with(func(c *Command) { c.Group = "" }), `no group`},
		{"no effect", with(func(c *Command) { c.Effect = 0 }), `no effect bits`},
		{"contradicting effects", with(func(c *Command) { c.Effect = NoBrowser | Mutates }), `has no effect on a page`},
		{"no summary", with(func(c *Command) { c.Summary = "" }), `the summary must be`},
		{"a period", with(func(c *Command) { c.Summary = "Do it." }), `the summary must be`},
		{"nothing for rules", with(func(c *Command) { c.Safety = Safety{} }), `it does not say what rules know it by`},
		{"a tool without words", with(func(c *Command) {
			c.Tools = []AgentTool{{Name: "browser_do"}}
		}), `tool "browser_do" needs a name, a title and a description`},
		{"a tool's parameter", with(func(c *Command) {
			c.Tools = []AgentTool{{Name: "browser_do", Title: "Do", About: "Do it.", Params: []Param{{Name: "speed"}}}}
		}), `tool browser_do: the parameter "speed" is not an argument or flag of the command`},
		{"no run", with(func(c *Command) { c.Run = nil }), `no run function`},
		{"argument name", args(Arg{Name: "A b"}), `<A b>: the name is not one lower-case word`},
		{"argument twice", args(Arg{Name: "a"}, Arg{Name: "a"}), `"a" is used twice`},
		{"argument like a global", args(Arg{Name: "session"}), `"session" is used twice`},
		{
			"required after optional", args(Arg{Name: "a", Optional: true}, Arg{Name: "b"}),
			`<b>: it follows an optional argument`,
		},
		{"after text", args(Arg{Name: "a", Kind: Text}, Arg{Name: "b"}), `<a>: it takes all remaining words`},
		{"after list", args(Arg{Name: "a", Kind: List}, Arg{Name: "b"}), `<a>: it takes all remaining words`},
		{"bool argument", args(Arg{Name: "a", Kind: Bool}), `<a>: this kind is for flags`},
		{"default of a required argument", args(Arg{Name: "a", Default: "x"}), `a required argument has no default`},
		{
			"bad default of an argument", args(Arg{Name: "a", Kind: Int, Optional: true, Default: "x"}),
			`the default "x" is not a whole number`,
		},
		{"flag name", flags(Flag{Name: "--a"}), `the name is not one lower-case word`},
		{"flag twice", flags(Flag{Name: "a"}, Flag{Name: "a"}), `"a" is used twice`},
		{"flag like an argument", with(func(c *Command) {
			c.Args, c.Flags = []Arg{{Name: "a"}}, []Flag{{Name: "a"}}
		}), `"a" is used twice`},
		{"flag like a global", flags(Flag{Name: "timeout"}), `"timeout" is used twice`},
		{"short like a global", flags(Flag{Name: "a", Short: "v"}), `-v is used twice`},
		{"short twice", flags(Flag{Name: "a", Short: "a"}, Flag{Name: "b", Short: "a"}), `-a is used twice`},
		{"short too long", flags(Flag{Name: "a", Short: "ab"}), `the short form must be one letter`},
		{"short digit", flags(Flag{Name: "a", Short: "1"}), `the short form must be one letter`},
		{"text flag", flags(Flag{Name: "a", Kind: Text}), `this kind is for arguments`},
		{"bool with default", flags(Flag{Name: "a", Kind: Bool, Default: "true"}), `a Bool has no value`},
		{"optional value", flags(Flag{Name: "a", OptionalBool: true}), `OptionalBool is for Bool`},
		{"split", flags(Flag{Name: "a", Split: strings.Fields}), `Split is for List`},
		{"bad default", flags(Flag{Name: "a", OneOf: []string{"x", "y"}, Default: "z"}), `the default "z" is not x or y`},
		{"variable", flags(Flag{Name: "a", Env: "A"}), `Env, PerRow, Key, Project and Merges are for global flags`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, err := NewRegistry(tt.commands)
			require.ErrorContains(t, err, tt.want)
			require.Nil(t, r)
		})
	}
}

func TestCheckExamples(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"do --bogus": `command "do": example "do --bogus": Unknown flag: --bogus for do`,
		"do '":       `has a ' that is not closed`,
		"--help":     `it is not a line of this command`,
	} {
		r, err := NewRegistry(commandWith(func(c *Command) { c.Examples = []Example{{Line: line}} }))
		require.NoError(t, err)
		require.ErrorContains(t, r.CheckExamples(), want)
	}
}

func TestNewRegistryListsEverything(t *testing.T) {
	t.Parallel()
	_, err := NewRegistry([]Command{{Spec: Spec{Name: "a"}}, {Spec: Spec{Name: "B"}}})
	require.ErrorContains(t, err, `command "a": it has no group`)
	require.ErrorContains(t, err, `command "a": it has no run function`)
	require.ErrorContains(t, err, `command "B": the name "B" is not made of`)
}

func TestRegistryLookup(t *testing.T) {
	t.Parallel()
	commands := sampleCommands()
	r, err := NewRegistry(commands)
	require.NoError(t, err)
	commands[0].Name = "changed"
	c, ok := r.Lookup("goto")
	require.True(t, ok)
	require.Equal(t, "open", c.Name, "the registry has its own copy")
	_, ok = r.Lookup("get")
	require.False(t, ok, "a family is not a command")
	all := r.Commands()
	require.Len(t, all, len(commands))
	require.Equal(t, "open", all[0].Name)
	all[0] = nil
	require.NotNil(t, r.Commands()[0])
}
