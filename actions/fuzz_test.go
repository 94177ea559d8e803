package actions

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/stretchr/testify/require"
)

// FuzzParse checks that Parse never panics, and that it either refuses a line or keeps every word of it: the input,
// written as a canonical line, is read as the same input, and each word of the original line is found in it.
func FuzzParse(f *testing.F) {
	for _, line := range []string{
		"", "open", "--json get title", "get --session=a title", "get", "tab list", "tab -- list", "-- get url",
		"help get text",
		"click @e1 --new-tab", "click --bogus", "type @e1 use -v --delay 20 now", "type @e1 -- --help --",
		"select a b c --tag=x,y --tag z",
		"scroll up -5 1e3", "snapshot -icv -d=3 -s #a", "--args --no-sandbox,--b open", "--headed true get url", "-V",
		"goto a --wait-until load",
	} {
		f.Add(strings.ReplaceAll(line, " ", "\x00"), false)
		f.Add(strings.ReplaceAll(line, " ", "\x00"), true)
	}
	r := sample(f)
	batch, err := r.Parse([]string{"batch", "--session", "s"}, ParseOptions{})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, line string, row bool) {
		var argv []string
		if line != "" {
			argv = strings.Split(line, "\x00")
		}
		var opts ParseOptions
		if row {
			opts.Within = batch.Parsed
		}
		in, err := r.Parse(slices.Clone(argv), opts)
		if err != nil {
			require.NotEmpty(t, grammar.UsageTypeOf(err), "every refusal has a type: %v", err)
			require.NotEmpty(t, grammar.UsageJSON(err))
			require.LessOrEqual(t, strings.Count(err.Error(), "\n"), 3)
			return
		}
		if in.Asks() != grammar.AskNothing {
			_ = in.Topic() // which any words may be
			return
		}
		given := words(in)
		if row {
			delete(given, "session") // the batch's
		}
		canonical := canonicalLine(in, given)
		again, err := r.Parse(canonical, ParseOptions{})
		require.NoError(t, err, "%q", canonical)
		require.Equal(t, in.Name(), again.Name())
		require.Empty(t, cmp.Diff(given, words(again)), "%q", canonical)
		requireAccounted(t, argv, in)
	})
}

// words returns the values without their sources, and Bools in one spelling.
func words(in *Input) map[string][]string {
	all := map[string][]string{}
	in.Each(func(name string, kind Kind, words []string) {
		all[name] = words
		if kind == Bool {
			all[name] = []string{map[bool]string{true: "true", false: "false"}[in.Bool(name)]}
		}
	})
	return all
}

// canonicalLine writes an input as a line: the command, the flags as --name=value, `--`, and the arguments.
func canonicalLine(in *Input, given map[string][]string) []string {
	line := strings.Fields(in.Name())
	for _, name := range slices.Sorted(maps.Keys(given)) {
		flag := flagThat(in, func(f *Flag) bool { return f.Name == name })
		if flag == nil {
			continue
		}
		values := in.Strings(name)
		if flag.Split != nil {
			values = []string{strings.Join(values, "\n")}
		}
		for _, value := range values {
			line = append(line, "--"+name+"="+value)
		}
		if len(values) == 0 {
			line = append(line, "--"+name+"=")
		}
	}
	line = append(line, "--")
	for _, a := range in.Command().Args {
		if in.Has(a.Name) {
			line = append(line, in.Strings(a.Name)...)
		}
	}
	return line
}

// requireAccounted walks the original line, without the parser's help, and crosses each word off the input.
func requireAccounted(t *testing.T, argv []string, in *Input) {
	t.Helper()
	name := strings.Fields(in.Name())
	var args []string
	for _, a := range in.Command().Args {
		if in.Has(a.Name) {
			args = append(args, in.Strings(a.Name)...)
		}
	}
	for i := 0; i < len(argv); i++ {
		word := argv[i]
		switch {
		case len(name) > 0 && word == name[0]:
			name = name[1:]
		case len(name) == 0 && len(args) > 0 && word == args[0] &&
			(!strings.HasPrefix(word, "--") || slices.Contains(argv[:i], "--")):
			args = args[1:]
		case word == "--":
		default:
			require.True(t, strings.HasPrefix(word, "-"), "the word %d of %q is in nothing", i, argv)
			label, value, has := strings.Cut(strings.TrimLeft(word, "-"), "=")
			f := flagThat(in, func(f *Flag) bool { // the last one of a word like --name, -f or -abc
				return strings.HasPrefix(word, "--") && f.Name == label ||
					!strings.HasPrefix(word, "--") && label != "" && f.Short == label[len(label)-1:]
			})
			require.NotNil(t, f, "the flag %q of %q is in nothing", word, argv)
			require.True(t, in.Has(f.Name), "the flag %q of %q was lost", word, argv)
			if !has && f.Kind != Bool && f.OptionalValue && in.String(f.Name) == "" {
				continue
			}
			if !has && f.Kind != Bool {
				i++
				value = argv[i]
			} else if !has && f.OptionalBool && i+1 < len(argv) && (argv[i+1] == "true" || argv[i+1] == "false") {
				i++
			}
			if f.Kind != Bool {
				for _, part := range f.Words(value) {
					require.Contains(t, in.Strings(f.Name), part, "%q", argv)
				}
			}
		}
	}
	require.Empty(t, name, "%q", argv)
	require.Empty(t, args, "%q", argv)
}

// flagThat returns the flag of the command, or of all commands, that is meant.
func flagThat(in *Input, means func(*Flag) bool) *Flag {
	flags := slices.Concat(in.Command().Flags, Globals())
	for i := range flags {
		if means(&flags[i]) {
			return &flags[i]
		}
	}
	return nil
}
