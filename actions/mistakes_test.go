package actions

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/internal/fault"
)

func TestParseMistakes(t *testing.T) {
	t.Parallel()
	const (
		clickUsage    = "Usage: skua click <selector> [--new-tab]"
		snapshotUsage = "Usage: skua snapshot [--interactive] [--compact] [--depth <n>] [--selector <value>]"
		typeUsage     = "Usage: skua type <selector> [text] [--delay <ms>] [--clear]"
		selectUsage   = "Usage: skua select <selector> <value...> [--tag <list>]... [--out <path>]"
		scrollUsage   = "Usage: skua scroll [up|down|left|right] [px] [scale]"
		generalUsage  = "Usage: skua [global flags] <command> [arguments] [flags]"
		getURLUsage   = "Usage: skua get url"
		literally     = "If it is not a flag, put `--` before it: what follows `--` is never a flag."
	)
	tests := []struct {
		name    string
		argv    []string
		typ     grammar.UsageType
		subject string
		lines   []string
	}{
		// Commands.
		{
			"unknown command",
			[]string{"frobnicate"},
			grammar.UnknownCommand, "frobnicate",
			[]string{"Unknown command: frobnicate"},
		},
		{
			"typing mistake",
			[]string{"clikc", "@e1"},
			grammar.UnknownCommand, "clikc",
			[]string{"Unknown command: clikc", "Did you mean `click`?"},
		},
		{
			"case",
			[]string{"Click", "@e1"},
			grammar.UnknownCommand, "Click",
			[]string{"Unknown command: Click", "Did you mean `click`?"},
		},
		{
			"beginning",
			[]string{"snap"},
			grammar.UnknownCommand, "snap",
			[]string{"Unknown command: snap", "Did you mean `snapshot`?"},
		},
		{
			"joined words",
			[]string{"get-title"},
			grammar.UnknownCommand, "get-title",
			[]string{"Unknown command: get-title", "Did you mean `get title`?"},
		},
		{
			"last word",
			[]string{"title"},
			grammar.UnknownCommand, "title",
			[]string{"Unknown command: title", "Did you mean `get title`?"},
		},
		{
			"family",
			[]string{"gett", "title"},
			grammar.UnknownCommand, "gett",
			[]string{"Unknown command: gett", "Did you mean `get`?"},
		},
		{
			"alias",
			[]string{"navigat"},
			grammar.UnknownCommand, "navigat",
			[]string{"Unknown command: navigat", "Did you mean `navigate`?"},
		},
		{"empty word", []string{""}, grammar.UnknownCommand, "", []string{"Unknown command: "}},
		{"quoted whole", []string{"click @e1"}, grammar.UnknownCommand, "click @e1", []string{
			"Unknown command: click @e1",
			"It is one word because of its quotes: give the command, its arguments and flags as words of their own.",
		}},
		{"quoted name", []string{"get title"}, grammar.UnknownCommand, "get title", []string{
			"Unknown command: get title",
			"It is one word because of its quotes: give the command, its arguments and flags as words of their own.",
		}},
		{
			"unknown command before a help flag",
			[]string{"frobnicate", "--help"},
			grammar.UnknownCommand, "frobnicate",
			[]string{"Unknown command: frobnicate"},
		},
		{
			"unknown command after a help flag",
			[]string{"--help", "frobnicate"},
			grammar.UnknownCommand, "frobnicate",
			[]string{"Unknown command: frobnicate"},
		},
		{
			"help word",
			[]string{"help", "frobnicate"},
			grammar.UnknownCommand, "frobnicate",
			[]string{"Unknown command: frobnicate"},
		},
		{
			"control characters",
			[]string{"a\nb\x1b[0m\xff"},
			grammar.UnknownCommand, "a\nb\x1b[0m\xff",
			[]string{"Unknown command: a b [0m\uFFFD"},
		},
		{
			"a huge word",
			[]string{strings.Repeat("ä", 200_000)},
			grammar.UnknownCommand, strings.Repeat("ä", 200_000),
			[]string{"Unknown command: " + strings.Repeat("ä", 80) + "…"},
		},
		{
			"no subcommand",
			[]string{"get"},
			grammar.UnknownSubcommand, "(none)",
			[]string{"Unknown subcommand: (none)", "Valid options: text, title, url"},
		},
		{
			"no subcommand, a flag",
			[]string{"get", "--bogus", "url"},
			grammar.UnknownSubcommand, "(none)",
			[]string{"Unknown subcommand: (none)", "Valid options: text, title, url"},
		},
		{
			"unknown subcommand",
			[]string{"get", "frob"},
			grammar.UnknownSubcommand, "frob",
			[]string{"Unknown subcommand: frob", "Valid options: text, title, url"},
		},
		{
			"unknown subcommand with a suggestion",
			[]string{"get", "tilte"},
			grammar.UnknownSubcommand, "tilte",
			[]string{"Unknown subcommand: tilte", "Valid options: text, title, url", "Did you mean `get title`?"},
		},
		{
			"unknown subcommand of a command",
			[]string{"session", "frob"},
			grammar.UnknownSubcommand, "frob",
			[]string{"Unknown subcommand: frob", "Valid options: list"},
		},

		// Arguments.
		{
			"missing",
			[]string{"click"},
			grammar.MissingArguments, "click",
			[]string{"Missing arguments for: click", clickUsage},
		},
		{
			"missing with a flag",
			[]string{"click", "--new-tab"},
			grammar.MissingArguments, "click",
			[]string{"Missing arguments for: click", clickUsage},
		},
		{
			"missing list",
			[]string{"select", "@e1"},
			grammar.MissingArguments, "select",
			[]string{"Missing arguments for: select", selectUsage},
		},
		{"surplus", []string{"click", "a", "b"}, grammar.UnexpectedArgument, "b", []string{
			"Unexpected argument: b", clickUsage,
			"If it belongs to the word before it, quote both together.",
		}},
		{
			"surplus without arguments",
			[]string{"get", "url", "x"},
			grammar.UnexpectedArgument, "x",
			[]string{"Unexpected argument: x", getURLUsage},
		},
		{
			"surplus number",
			[]string{"get", "url", "-5"},
			grammar.UnexpectedArgument, "-5",
			[]string{"Unexpected argument: -5", getURLUsage},
		},
		{"surplus after the subcommand's", []string{"tab", "a", "b"}, grammar.UnexpectedArgument, "b", []string{
			"Unexpected argument: b",
			"Usage: skua tab [tab]", "If it belongs to the word before it, quote both together.",
		}},
		{
			"not one of",
			[]string{"scroll", "bogus"},
			grammar.InvalidValue, "scroll direction",
			[]string{"scroll direction expects up, down, left, or right, got 'bogus'", scrollUsage},
		},
		{
			"no whole number",
			[]string{"scroll", "up", "1.5"},
			grammar.InvalidValue, "scroll px",
			[]string{"scroll px expects a whole number, got '1.5'", scrollUsage},
		},
		{
			"too large a number",
			[]string{"scroll", "up", "99999999999999999999"},
			grammar.InvalidValue, "scroll px",
			[]string{"scroll px expects a whole number, got '99999999999999999999'", scrollUsage},
		},
		{
			"no number",
			[]string{"scroll", "up", "1", "abc"},
			grammar.InvalidValue, "scroll scale",
			[]string{"scroll scale expects a finite number, got 'abc'", scrollUsage},
		},
		{
			"infinite",
			[]string{"scroll", "up", "1", "Inf"},
			grammar.InvalidValue, "scroll scale",
			[]string{"scroll scale expects a finite number, got 'Inf'", scrollUsage},
		},
		{
			"not a number",
			[]string{"scroll", "up", "1", "nan"},
			grammar.InvalidValue, "scroll scale",
			[]string{"scroll scale expects a finite number, got 'nan'", scrollUsage},
		},
		{
			"hexadecimal",
			[]string{"scroll", "up", "1", "0x1p3"},
			grammar.InvalidValue, "scroll scale",
			[]string{"scroll scale expects a finite number, got '0x1p3'", scrollUsage},
		},

		// Flags.
		{
			"unknown flag",
			[]string{"click", "--bogus", "@e1"},
			grammar.UnknownFlag, "--bogus",
			[]string{"Unknown flag: --bogus for click", clickUsage, literally},
		},
		{
			"unknown flag with value",
			[]string{"click", "@e1", "--bogus=x"},
			grammar.UnknownFlag, "--bogus",
			[]string{"Unknown flag: --bogus for click", clickUsage, literally},
		},
		{
			"unknown flag, suggestion",
			[]string{"click", "@e1", "--new-tba"},
			grammar.UnknownFlag, "--new-tba",
			[]string{"Unknown flag: --new-tba for click", clickUsage, "Did you mean `--new-tab`?", literally},
		},
		{
			"unknown flag, a global suggested",
			[]string{"get", "url", "--jsno"},
			grammar.UnknownFlag, "--jsno",
			[]string{"Unknown flag: --jsno for get url", getURLUsage, "Did you mean `--json`?"},
		},
		{
			"spelling",
			[]string{"click", "@e1", "--newTab"},
			grammar.UnknownFlag, "--newTab",
			[]string{"Unknown flag: --newTab for click", clickUsage, "Did you mean `--new-tab`?", literally},
		},
		{
			"one dash",
			[]string{"snapshot", "-selector", "main"},
			grammar.UnknownFlag, "-selector",
			[]string{"Unknown flag: -selector for snapshot", snapshotUsage, "Did you mean `--selector`?"},
		},
		{
			"glued value",
			[]string{"snapshot", "-d3"},
			grammar.UnknownFlag, "-d3",
			[]string{"Unknown flag: -d3 for snapshot", snapshotUsage},
		},
		{
			"value for several",
			[]string{"snapshot", "-ic=1"},
			grammar.UnknownFlag, "-ic",
			[]string{"Unknown flag: -ic for snapshot", snapshotUsage},
		},
		{
			"unknown letter",
			[]string{"snapshot", "-q"},
			grammar.UnknownFlag, "-q",
			[]string{"Unknown flag: -q for snapshot", snapshotUsage},
		},
		{
			"text that starts with dashes",
			[]string{"type", "@e1", "--text", "x"},
			grammar.UnknownFlag, "--text",
			[]string{
				"Unknown flag: --text for type", typeUsage,
				"<text> has no flag: leave out --text, and write its value alone.",
			},
		},
		{
			"text within dashes",
			[]string{"type", "@e1", "a", "---"},
			grammar.UnknownFlag, "---",
			[]string{"Unknown flag: --- for type", typeUsage, literally},
		},
		{
			"text that starts with a dash",
			[]string{"type", "@e1", "-bogus"},
			grammar.UnknownFlag, "-bogus",
			[]string{"Unknown flag: -bogus for type", typeUsage, literally},
		},
		{
			"before the command",
			[]string{"--bogus", "click", "@e1"},
			grammar.UnknownFlag, "--bogus",
			[]string{"Unknown flag: --bogus", generalUsage},
		},
		{"alone", []string{"--bogus"}, grammar.UnknownFlag, "--bogus", []string{"Unknown flag: --bogus", generalUsage}},
		{
			"a command's before another command",
			[]string{"--new-tab", "snapshot"},
			grammar.UnknownFlag, "--new-tab",
			[]string{
				"Unknown flag: --new-tab for snapshot",
				"Usage: skua snapshot [--interactive] [--compact] [--depth <n>] [--selector <value>]",
			},
		},
		{
			"a command's letter before the command",
			[]string{"-i", "snapshot"},
			grammar.UnknownFlag, "-i",
			[]string{"Unknown flag: -i", generalUsage, "The flags of a command come after the command."},
		},
		{
			"no value at the end",
			[]string{"get", "url", "--session"},
			grammar.MissingArguments, "--session",
			[]string{"--session needs a value: --session <name>", getURLUsage},
		},
		{
			"no value before a flag",
			[]string{"--session", "--json", "get", "url"},
			grammar.MissingArguments, "--session",
			[]string{
				"--session needs a value: --session <name>", generalUsage,
				"If --json is the value, write --session=--json",
			},
		},
		{
			"no value before a letter",
			[]string{"snapshot", "-s", "-i"},
			grammar.MissingArguments, "-s",
			[]string{"-s needs a value: -s <value>", snapshotUsage, "If -i is the value, write --selector=-i"},
		},
		{
			"no value before --",
			[]string{"snapshot", "-s", "--"},
			grammar.MissingArguments, "-s",
			[]string{"-s needs a value: -s <value>", snapshotUsage, "If -- is the value, write --selector=--"},
		},
		{
			"two values",
			[]string{"snapshot", "-d", "1", "--depth", "2"},
			grammar.InvalidValue, "--depth",
			[]string{"--depth takes one value and was given two: '1' and '2'", snapshotUsage},
		},
		{
			"two equal values",
			[]string{"snapshot", "-d", "1", "-d=1"},
			grammar.InvalidValue, "-d",
			[]string{"-d takes one value and was given two: '1' and '1'", snapshotUsage},
		},
		{
			"two values for a global",
			[]string{"--session", "a", "get", "url", "--session", "b"},
			grammar.InvalidValue, "--session",
			[]string{"--session takes one value and was given two: 'a' and 'b'", getURLUsage},
		},
		{
			"yes and no",
			[]string{"get", "url", "--headed", "--headed=no"},
			grammar.InvalidValue, "--headed",
			[]string{"--headed takes one value and was given two: 'true' and 'no'", getURLUsage},
		},
		{
			"bad int",
			[]string{"snapshot", "--depth", "x"},
			grammar.InvalidValue, "--depth",
			[]string{"--depth expects a whole number, got 'x'", snapshotUsage},
		},
		{
			"bad bool",
			[]string{"snapshot", "--compact=maybe"},
			grammar.InvalidValue, "--compact",
			[]string{"--compact expects true or false, got 'maybe'", snapshotUsage},
		},
		{
			"empty bool",
			[]string{"snapshot", "--compact="},
			grammar.InvalidValue, "--compact",
			[]string{"--compact expects true or false, got ''", snapshotUsage},
		},
		{
			"empty path",
			[]string{"select", "a", "b", "--out="},
			grammar.InvalidValue, "--out",
			[]string{"--out expects a path, got ''", selectUsage},
		},
		{
			"bad duration",
			[]string{"type", "@e1", "--delay", "abc"},
			grammar.InvalidValue, "--delay",
			[]string{"--delay expects a number in ms, got 'abc'", typeUsage},
		},
		{
			"negative duration",
			[]string{"get", "url", "--timeout", "-5"},
			grammar.InvalidValue, "--timeout",
			[]string{"--timeout expects a number in ms, got '-5'", getURLUsage},
		},
		{
			"negative duration with unit",
			[]string{"get", "url", "--timeout", "-5s"},
			grammar.InvalidValue, "--timeout",
			[]string{"--timeout expects a number in ms, got '-5s'", getURLUsage},
		},
		{
			"endless duration",
			[]string{"get", "url", "--timeout", "9223372036854775807"},
			grammar.InvalidValue, "--timeout",
			[]string{"--timeout expects a number in ms, got '9223372036854775807'", getURLUsage},
		},
		{
			"not one of the flag's",
			[]string{"open", "--wait-until", "Load"},
			grammar.InvalidValue, "--wait-until",
			[]string{
				"--wait-until expects load, domcontentloaded, or none, got 'Load'",
				"Usage: skua open [url] [--wait-until <state>]",
			},
		},
		{"under its alias", []string{"goto", "a", "b"}, grammar.UnexpectedArgument, "b", []string{
			"Unexpected argument: b",
			"Usage: skua goto [url] [--wait-until <state>]", "If it belongs to the word before it, quote both together.",
		}},
	}
	r := sample(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			in, err := r.Parse(tt.argv, ParseOptions{})
			require.Nil(t, in)
			require.Equal(t, strings.Join(tt.lines, "\n"), errorText(err))
			require.Equal(t, tt.typ, grammar.UsageTypeOf(err))
			e, ok := errors.AsType[*fault.Error](err)
			require.True(t, ok)
			require.Equal(t, fault.Usage, e.Code)
			require.Equal(t, tt.subject, e.Subject)
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestParseBadEnvironment(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, variable, value, want string }{
		{
			"bool", "AGENT_BROWSER_HEADED", "maybe",
			"AGENT_BROWSER_HEADED expects true or false, got 'maybe'\nUsage: skua get url",
		},
		{
			"duration", "SKUA_DEFAULT_TIMEOUT", "soon",
			"SKUA_DEFAULT_TIMEOUT expects a number in ms, got 'soon'\nUsage: skua get url",
		},
		{
			"idle", "AGENT_BROWSER_IDLE_TIMEOUT_MS", "-1",
			"AGENT_BROWSER_IDLE_TIMEOUT_MS expects a number in ms, got '-1'\nUsage: skua get url",
		},
	}
	r := sample(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := r.Parse([]string{"get", "url"},
				ParseOptions{Getenv: environment(map[string]string{tt.variable: tt.value})})
			require.EqualError(t, err, tt.want)
			require.Equal(t, grammar.InvalidValue, grammar.UsageTypeOf(err))
		})
	}
}

func TestUsageJSON(t *testing.T) {
	t.Parallel()
	r := sample(t)
	_, err := r.Parse([]string{"click"}, ParseOptions{Program: "agent-browser"})
	require.Equal(t, `{"error":"Missing arguments for: click\nUsage: agent-browser click <selector> [--new-tab]",`+
		`"success":false,"type":"missing_arguments","code":"usage"}`, string(grammar.UsageJSON(err)))
	_, err = r.Parse([]string{`"`}, ParseOptions{})
	require.Equal(t, `{"error":"Unknown command: \"","success":false,"type":"unknown_command","code":"usage"}`,
		string(grammar.UsageJSON(err)))
	require.Nil(t, grammar.UsageJSON(fault.New(fault.Timeout, "late")), "no usage error")
	require.Nil(t, grammar.UsageJSON(fault.New(fault.Usage, "untyped")), "a usage error without its type")
	require.Nil(t, grammar.UsageJSON(nil))
}

func TestInputErrors(t *testing.T) {
	t.Parallel()
	r := sample(t)
	in, err := r.Parse([]string{"goto"}, ParseOptions{})
	require.NoError(t, err)
	err = in.Missing("url")
	require.EqualError(t, err, "Missing arguments for: goto\nUsage: skua goto <url> [--wait-until <state>]")
	require.Equal(t, grammar.MissingArguments, grammar.UsageTypeOf(err))
	err = in.Invalid("--state can only be used with a selector wait")
	require.EqualError(t, err,
		"--state can only be used with a selector wait\nUsage: skua goto [url] [--wait-until <state>]")
	require.Equal(t, grammar.InvalidValue, grammar.UsageTypeOf(err))
}
