package argv

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRead(t *testing.T) {
	t.Parallel()
	type want struct {
		session, namespace, command, subcommand, entry string
		positionals                                    []string
		help, version, json                            bool
	}
	tests := map[string]struct {
		line string
		want want
	}{
		"nothing":      {"", want{}},
		"one word":     {"back", want{command: "back", entry: "back"}},
		"alias":        {"goto x.com", want{command: "goto", entry: "open", positionals: []string{"x.com"}}},
		"key is press": {"key Enter", want{command: "key", entry: "press", positionals: []string{"Enter"}}},
		"two words": {
			"get text @e1",
			want{command: "get", subcommand: "text", entry: "get text", positionals: []string{"@e1"}},
		},
		"three words": {
			"network har start",
			want{command: "network", subcommand: "har start", entry: "network har start"},
		},
		"short form of a pair": {"cookies", want{command: "cookies", entry: "cookies get"}},
		"family, unknown word": {"network frob x", want{command: "network", subcommand: "frob", positionals: []string{"x"}}},
		"unknown": {
			"nonsense save me --frob u",
			want{command: "nonsense", subcommand: "save", positionals: []string{"me", "u"}},
		},
		"session in front": {
			"--session s click @e1",
			want{session: "s", command: "click", entry: "click", positionals: []string{"@e1"}},
		},
		"session behind": {
			"click @e1 --session s",
			want{session: "s", command: "click", entry: "click", positionals: []string{"@e1"}},
		},
		"session, equals":       {"--session=s back", want{session: "s", command: "back", entry: "back"}},
		"session without value": {"fill #x --session", want{command: "fill", entry: "fill", positionals: []string{"#x"}}},
		"namespace": {
			"--namespace n --session s back",
			want{session: "s", namespace: "n", command: "back", entry: "back"},
		},
		"optional boolean": {"--headed false open x", want{command: "open", entry: "open", positionals: []string{"x"}}},
		"optional boolean, none": {
			"--headed open x",
			want{command: "open", entry: "open", positionals: []string{"x"}},
		},
		"value left out":       {"--restore open x", want{command: "open", entry: "open", positionals: []string{"x"}}},
		"left out, two words":  {"--restore get url", want{command: "get", subcommand: "url", entry: "get url"}},
		"value not left out":   {"--restore k open x", want{command: "open", entry: "open", positionals: []string{"x"}}},
		"such a value, behind": {"open x --restore open", want{command: "open", entry: "open", positionals: []string{"x"}}},
		"value of a flag":      {"snapshot -i --depth 3", want{command: "snapshot", entry: "snapshot"}},
		"bool takes no value": {
			"click --new-tab @e1",
			want{command: "click", entry: "click", positionals: []string{"@e1"}},
		},
		"the program's own": {
			"--profile Default -p ios open x",
			want{command: "open", entry: "open", positionals: []string{"x"}},
		},
		"args may have dashes": {
			"--args --no-sandbox open x",
			want{command: "open", entry: "open", positionals: []string{"x"}},
		},
		"find": {
			"find role button click --name Save",
			want{command: "find", subcommand: "role", entry: "find role", positionals: []string{"button", "click"}},
		},
		"help":            {"click --help", want{command: "click", entry: "click", help: true}},
		"help, letter":    {"-h", want{help: true}},
		"version":         {"--version", want{version: true}},
		"json":            {"--json get url", want{command: "get", subcommand: "url", entry: "get url", json: true}},
		"json turned off": {"--json false get url", want{command: "get", subcommand: "url", entry: "get url"}},
		"no flags after --": {
			"type @e1 -- --json",
			want{command: "type", entry: "type", positionals: []string{"@e1", "--json"}},
		},
		"a number is not a flag": {
			"mouse move -5 10",
			want{command: "mouse", subcommand: "move", entry: "mouse move", positionals: []string{"-5", "10"}},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := Read(strings.Fields(tt.line))
			got := want{w.Session, w.Namespace, w.Command, w.Subcommand, "", w.Positionals, w.Help, w.Version, w.JSON}
			if w.Entry != nil {
				got.entry = w.Entry.Name
			}
			require.Equal(t, tt.want, got)
		})
	}
}

func TestFlags(t *testing.T) {
	t.Parallel()
	w := Read([]string{"--headed", "false", "--session", "s", "wait", "--text", "@e1 there", "--timeout=5"})
	require.Equal(t, 4, w.Start)
	require.Equal(t, []string{"wait", "--text", "@e1 there", "--timeout=5"}, w.Rest())
	require.True(t, w.Flag("headed").Off())
	require.False(t, w.Has("headed"))
	require.Equal(t, "@e1 there", w.Value("text"))
	require.Equal(t,
		Flag{
			Name: "timeout", Token: "--timeout", Value: "5", HasValue: true, Inline: true, Index: 7, Global: true,
			NeedsValue: true,
		},
		*w.Flag("timeout"))
	require.Nil(t, w.Flag("load"))
	require.Equal(t, []string{"--headed", "false", "wait", "--text", "@e1 there", "--timeout=5"}, w.Without("session"))
	global, needs := IsGlobal("-p")
	require.True(t, global && needs)
}

func TestBatch(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		args  []string
		stdin string
		want  []string
		err   string
	}{
		"5.9 rows of stdin": {
			[]string{"batch", "--bail"},
			`[["open","x"],["get","url"]]`,
			[]string{"open", "get url"},
			"",
		},
		"5.9 raw strings come first": {
			[]string{"batch", "--bail", `fill @e1 "two words"`, "back"},
			`[["open","x"]]`,
			[]string{"fill", "back"},
			"",
		},
		"5.9 only --bail is a flag": {[]string{"batch", "--frob x", "back"}, "", []string{"x", "back"}, ""},
		"no batch":                  {[]string{"open", "x"}, `[["open","x"]]`, nil, ""},
		"nothing":                   {[]string{"batch"}, "", nil, ""},
		"no array":                  {[]string{"batch"}, `{}`, nil, "batch stdin must be a JSON array"},
		"no row":                    {[]string{"batch"}, `[["back"],"open x"]`, nil, "step 1 must be an array of strings"},
		"an open quote":             {[]string{"batch", `fill @e1 "x`}, "", nil, "batch step 0: "},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := Read(tt.args)
			rows, err := Batch(&w, []byte(tt.stdin))
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			var got []string
			for i := range rows {
				got = append(got, rows[i].Name())
			}
			require.Equal(t, tt.want, got)
		})
	}
	row, err := SplitRow(`fill @e1 'it''s' "a b"`)
	require.NoError(t, err)
	require.Equal(t, []string{"@e1", "its", "a b"}, row.Positionals)
}

func BenchmarkRead(b *testing.B) {
	args := []string{"--json", "--session", "piab-x", "click", "@e1"}
	Read(args)
	b.ReportAllocs()
	for b.Loop() {
		Read(args)
	}
}
