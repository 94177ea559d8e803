package actions

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	t.Parallel()
	type got struct {
		Command, Name string
		Values        map[string][]string
	}
	tests := []struct {
		name string
		argv []string
		want got
	}{
		{"one word", []string{"snapshot"}, got{"snapshot", "snapshot", nil}},
		{"two words", []string{"get", "title"}, got{"get title", "get title", nil}},
		{"an alias keeps its name", []string{"goto", "a.b"}, got{"open", "goto", map[string][]string{"url": {"a.b"}}}},
		{"an alias of two words", []string{"tabs"}, got{"tab list", "tabs", nil}},
		{"the longest name", []string{"tab", "list"}, got{"tab list", "tab list", nil}},
		{"a shorter name with an argument", []string{"tab", "t2"}, got{"tab", "tab", map[string][]string{"which": {"t2"}}}},
		{"a shorter name alone", []string{"tab"}, got{"tab", "tab", nil}},
		{
			"an argument that spells a subcommand",
			[]string{"tab", "--", "list"},
			got{"tab", "tab", map[string][]string{"which": {"list"}}},
		},
		{"a name after --", []string{"--", "get", "title"}, got{"get title", "get title", nil}},
		{"a name around --", []string{"get", "--", "title"}, got{"get title", "get title", nil}},
		{
			"globals before",
			[]string{"--json", "--session", "a", "get", "title"},
			got{"get title", "get title", map[string][]string{"json": {"true"}, "session": {"a"}}},
		},
		{
			"a flag before the name",
			[]string{"--new-tab", "click", "@e1"},
			got{"click", "click", map[string][]string{"new-tab": {"true"}, "selector": {"@e1"}}},
		},
		{
			"globals inside the name",
			[]string{"get", "--session=a", "title"},
			got{"get title", "get title", map[string][]string{"session": {"a"}}},
		},
		{
			"globals after",
			[]string{"get", "title", "-v", "--timeout", "5s"},
			got{"get title", "get title", map[string][]string{"verbose": {"true"}, "timeout": {"5s"}}},
		},
		{
			"a flag before the argument",
			[]string{"click", "--new-tab", "@e1"},
			got{"click", "click", map[string][]string{"new-tab": {"true"}, "selector": {"@e1"}}},
		},
		{
			"a flag after the argument",
			[]string{"click", "@e1", "--new-tab"},
			got{"click", "click", map[string][]string{"new-tab": {"true"}, "selector": {"@e1"}}},
		},
		{
			"a bool set to false",
			[]string{"click", "@e1", "--new-tab=false"},
			got{"click", "click", map[string][]string{"new-tab": {"false"}, "selector": {"@e1"}}},
		},
		{
			"a local bool leaves true alone",
			[]string{"click", "--new-tab", "true"},
			got{"click", "click", map[string][]string{"new-tab": {"true"}, "selector": {"true"}}},
		},
		{
			"a global bool takes true",
			[]string{"--headed", "true", "get", "url"},
			got{"get url", "get url", map[string][]string{"headed": {"true"}}},
		},
		{
			"a global bool takes false",
			[]string{"get", "url", "--headed", "false"},
			got{"get url", "get url", map[string][]string{"headed": {"false"}}},
		},
		{
			"a global bool leaves other words",
			[]string{"--headed", "get", "url"},
			got{"get url", "get url", map[string][]string{"headed": {"true"}}},
		},
		{
			"a bool twice",
			[]string{"get", "url", "--json", "--json"},
			got{"get url", "get url", map[string][]string{"json": {"true"}}},
		},
		{
			"short flags",
			[]string{"snapshot", "-i", "-d", "3"},
			got{"snapshot", "snapshot", map[string][]string{"interactive": {"true"}, "depth": {"3"}}},
		},
		{
			"short flags in one word",
			[]string{"snapshot", "-icv", "-d=3"},
			got{
				"snapshot", "snapshot",
				map[string][]string{"interactive": {"true"}, "compact": {"true"}, "verbose": {"true"}, "depth": {"3"}},
			},
		},
		{
			"a negative value",
			[]string{"snapshot", "--depth", "-3"},
			got{"snapshot", "snapshot", map[string][]string{"depth": {"-3"}}},
		},
		{
			"a value that starts with a dash",
			[]string{"snapshot", "-s=-x"},
			got{"snapshot", "snapshot", map[string][]string{"selector": {"-x"}}},
		},
		{
			"a value with spaces and a dash",
			[]string{"snapshot", "-s", "-x > b"},
			got{"snapshot", "snapshot", map[string][]string{"selector": {"-x > b"}}},
		},
		{
			"an empty value",
			[]string{"snapshot", "--selector", ""},
			got{"snapshot", "snapshot", map[string][]string{"selector": {""}}},
		},
		{
			"a value with an equals sign",
			[]string{"snapshot", "--selector=[a=b]"},
			got{"snapshot", "snapshot", map[string][]string{"selector": {"[a=b]"}}},
		},
		{
			"browser switches",
			[]string{"--args", "--no-sandbox,--window-size=8,6", "--args", "--x", "get", "url"},
			got{"get url", "get url", map[string][]string{"args": {"--no-sandbox", "--window-size=8,6", "--x"}}},
		},
		{
			"a negative number is an argument",
			[]string{"scroll", "up", "-5", "-.5"},
			got{"scroll", "scroll", map[string][]string{"direction": {"up"}, "px": {"-5"}, "scale": {"-.5"}}},
		},
		{"a dash is an argument", []string{"click", "-"}, got{"click", "click", map[string][]string{"selector": {"-"}}}},
		{"an empty argument", []string{"click", ""}, got{"click", "click", map[string][]string{"selector": {""}}}},
		{
			"text of several words",
			[]string{"type", "@e1", "a", "b  c"},
			got{"type", "type", map[string][]string{"selector": {"@e1"}, "text": {"a", "b  c"}}},
		},
		{"no text", []string{"type", "@e1"}, got{"type", "type", map[string][]string{"selector": {"@e1"}}}},
		{
			"empty text",
			[]string{"type", "@e1", ""},
			got{"type", "type", map[string][]string{"selector": {"@e1"}, "text": {""}}},
		},
		{
			"text that begins with a number",
			[]string{"type", "@e1", "-5"},
			got{"type", "type", map[string][]string{"selector": {"@e1"}, "text": {"-5"}}},
		},
		{
			"text that begins like a list",
			[]string{"type", "@e1", "- one"},
			got{"type", "type", map[string][]string{"selector": {"@e1"}, "text": {"- one"}}},
		},
		{
			"a short flag before text",
			[]string{"type", "@e1", "-x", "a"},
			got{"type", "type", map[string][]string{"selector": {"@e1"}, "clear": {"true"}, "text": {"a"}}},
		},
		{
			"dashes within text",
			[]string{"type", "@e1", "use", "-v", "-x", "-h", "-bogus"},
			got{"type", "type", map[string][]string{"selector": {"@e1"}, "text": {"use", "-v", "-x", "-h", "-bogus"}}},
		},
		{
			"a long flag after text",
			[]string{"type", "@e1", "a", "--delay", "20"},
			got{"type", "type", map[string][]string{"selector": {"@e1"}, "text": {"a"}, "delay": {"20"}}},
		},
		{
			"flags as text",
			[]string{"type", "@e1", "--clear", "--", "--help", "--", "-V"},
			got{"type", "type", map[string][]string{"selector": {"@e1"}, "clear": {"true"}, "text": {"--help", "--", "-V"}}},
		},
		{
			"lists",
			[]string{"select", "@e1", "--tag", "a, b", "red", "--tag=c", "green"},
			got{
				"select", "select",
				map[string][]string{"selector": {"@e1"}, "values": {"red", "green"}, "tag": {"a", "b", "c"}},
			},
		},
	}
	r := sample(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			in, err := r.Parse(tt.argv, ParseOptions{})
			require.NoError(t, err)
			require.Equal(t, grammar.AskNothing, in.Asks())
			g := got{Command: in.Command().Name, Name: in.Name()}
			in.Each(func(name string, _ Kind, words []string) {
				if g.Values == nil {
					g.Values = map[string][]string{}
				}
				g.Values[name] = words
			})
			require.Empty(t, cmp.Diff(tt.want, g))
		})
	}
}

func TestParseAsks(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		argv  []string
		ask   grammar.MetaRequest
		topic string
	}{
		{"nothing", nil, grammar.AskStart, ""},
		{"only globals", []string{"--json"}, grammar.AskStart, ""},
		{"only --", []string{"--"}, grammar.AskStart, ""},
		{"help flag", []string{"--help"}, grammar.AskHelp, ""},
		{"help word", []string{"help"}, grammar.AskHelp, ""},
		{"of a command", []string{"click", "--help"}, grammar.AskHelp, "click"},
		{"of a command with arguments", []string{"click", "-h", "a", "b"}, grammar.AskHelp, "click"},
		{"of an alias", []string{"goto", "-h"}, grammar.AskHelp, "goto"},
		{"before the command", []string{"-h", "get", "text"}, grammar.AskHelp, "get text"},
		{"older than a mistake", []string{"click", "--help", "--bogus"}, grammar.AskHelp, "click"},
		{"of a family", []string{"get", "--help"}, grammar.AskHelp, "get"},
		{"of a command that is a family too", []string{"tab", "--help"}, grammar.AskHelp, "tab"},
		{"help word and command", []string{"help", "get", "text"}, grammar.AskHelp, "get text"},
		{"help word, command, argument", []string{"help", "click", "@e1"}, grammar.AskHelp, "click"},
		{"help word and family", []string{"help", "get"}, grammar.AskHelp, "get"},
		{"version", []string{"-V"}, grammar.AskVersion, ""},
		{"version with json", []string{"--json", "--version"}, grammar.AskVersion, ""},
		{"help and version", []string{"--version", "--help"}, grammar.AskHelp, ""},
		{"help is not meant", []string{"type", "@e1", "-h=false", "a"}, grammar.AskNothing, ""},
	}
	r := sample(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			in, err := r.Parse(tt.argv, ParseOptions{Getenv: environment(map[string]string{"SKUA_HEADED": "banana"})})
			if tt.ask == grammar.AskNothing {
				require.ErrorContains(t, err, "SKUA_HEADED expects true or false, got 'banana'")
				return
			}
			require.NoError(t, err, "a bad variable does not keep help away")
			require.Equal(t, tt.ask, in.Asks())
			require.Equal(t, tt.topic, in.Topic())
		})
	}
}

func TestInputAccessors(t *testing.T) {
	t.Parallel()
	r := sample(t)
	in, err := r.Parse([]string{"scroll", "up", "--timeout", "2s", "--ignore-https-errors"},
		ParseOptions{Program: "agent-browser"})
	require.NoError(t, err)
	require.Equal(t, "agent-browser", in.Program())
	require.Equal(t, "up", in.String("direction"))
	require.True(t, in.Has("direction"))
	require.Equal(t, "<direction>", in.Source("direction"))
	require.Equal(t, 300, in.Int("px"), "the default")
	require.False(t, in.Has("px"), "a default was not given")
	require.Empty(t, in.Source("px"))
	require.InDelta(t, 1.5, in.Float("scale"), 0)
	require.Equal(t, 2*time.Second, in.Duration("timeout"))
	require.Equal(t, time.Hour, in.Duration("idle-timeout"))
	require.True(t, in.Bool("ignore-https-errors"))
	require.False(t, in.Bool("headed"))
	require.Empty(t, in.Strings("args"))
	require.Empty(t, in.String("no-such-name"))

	in, err = r.Parse([]string{"type", "@e1", "a", "", "b"}, ParseOptions{})
	require.NoError(t, err)
	require.Equal(t, "a  b", in.String("text"), "every word counts, also an empty one")
	words := in.Strings("text")
	words[0] = "changed"
	require.Equal(t, []string{"a", "", "b"}, in.Strings("text"))
}

func TestParseEnvironment(t *testing.T) {
	t.Parallel()
	r := sample(t)
	env := environment(map[string]string{
		"SKUA_SESSION": "ours", "AGENT_BROWSER_SESSION": "theirs", "AGENT_BROWSER_PROXY": "http://p:1", "SKUA_PROXY": "",
		"AGENT_BROWSER_HEADED": "on", "SKUA_JSON": "0", "SKUA_ARGS": "--a\n--b", "SKUA_DEFAULT_TIMEOUT": "700",
		"SKUA_NAMESPACE": "n",
	})
	in, err := r.Parse([]string{"get", "url", "--namespace", "given"}, ParseOptions{Getenv: env})
	require.NoError(t, err)
	require.Equal(t, "ours", in.String("session"))
	require.Equal(t, "SKUA_SESSION", in.Source("session"))
	require.Equal(t, "http://p:1", in.String("proxy"))
	require.Equal(t, "AGENT_BROWSER_PROXY", in.Source("proxy"))
	require.True(t, in.Bool("headed"))
	require.True(t, in.Has("json"))
	require.False(t, in.Bool("json"))
	require.Equal(t, []string{"--a", "--b"}, in.Strings("args"))
	require.Equal(t, 700*time.Millisecond, in.Duration("timeout"))
	require.Equal(t, "given", in.String("namespace"))
	require.Equal(t, "--namespace", in.Source("namespace"))

	in, err = r.Parse([]string{"get", "url"}, ParseOptions{})
	require.NoError(t, err)
	require.False(t, in.Has("session"), "without a lookup there is no environment")
}

func TestParseRow(t *testing.T) {
	t.Parallel()
	r := sample(t)
	env := environment(map[string]string{"SKUA_SESSION": "s"})
	batch, err := r.Parse([]string{"batch", "--json", "--timeout", "100", "get url"},
		ParseOptions{Program: "agent-browser", Getenv: env})
	require.NoError(t, err)

	row, err := r.Parse([]string{"--timeout", "7", "get", "url"}, ParseOptions{Within: batch.Parsed})
	require.NoError(t, err)
	require.Equal(t, 7*time.Millisecond, row.Duration("timeout"))
	require.Equal(t, "s", row.String("session"))
	require.True(t, row.Bool("json"))
	require.Equal(t, "agent-browser", row.Program())
	require.False(t, row.Has("commands"), "only globals are handed down")

	row, err = r.Parse([]string{"get", "url"}, ParseOptions{Within: batch.Parsed})
	require.NoError(t, err)
	require.Equal(t, 100*time.Millisecond, row.Duration("timeout"))

	tests := []struct {
		name string
		argv []string
		want string
	}{
		{
			"json",
			[]string{"--json", "get", "url"},
			"--json can't be set for one row of a batch\nIt holds for the whole batch: put it before `batch`.",
		},
		{
			"session after",
			[]string{"get", "url", "--session", "x"},
			"--session can't be set for one row of a batch\nIt holds for the whole batch: put it before `batch`.",
		},
		{
			"short",
			[]string{"-v", "get", "url"},
			"-v can't be set for one row of a batch\nIt holds for the whole batch: put it before `batch`.",
		},
		{"help", []string{"get", "url", "--help"}, "--help can't be set for one row of a batch\nUse it outside of a batch."},
		{"help word", []string{"help"}, "Unknown command: help"},
		{"empty", nil, "A row of a batch needs a command"},
		{"only a flag", []string{"--timeout", "7"}, "A row of a batch needs a command"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := r.Parse(tt.argv, ParseOptions{Within: batch.Parsed})
			require.EqualError(t, err, tt.want)
		})
	}
}

func TestSplitSwitches(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		want     []string
	}{
		{"empty", "", nil},
		{"one", "--a", []string{"--a"}},
		{"commas", "--a,--b, --c", []string{"--a", "--b", "--c"}},
		{"newlines", "--a\n\r\n --b \n", []string{"--a", "--b"}},
		{"a comma in a value", "--window-size=800,600,--b", []string{"--window-size=800,600", "--b"}},
		{"commas at the ends", ",--a,", []string{"--a"}},
		{"a word without dash", "about:blank", []string{"about:blank"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, cmp.Diff(tt.want, splitSwitches(tt.in)))
		})
	}
}

// BenchmarkParse measures what the grammar adds to every command.
func BenchmarkParse(b *testing.B) {
	r := sample(b)
	getenv := environment(map[string]string{"AGENT_BROWSER_SESSION": "s"})
	argv := []string{"--json", "type", "@e1", "some text", "--delay", "20"}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Parse(argv, ParseOptions{Getenv: getenv}); err != nil {
			b.Fatal(err)
		}
	}
}
