package grammar

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func TestSplitWords(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, line string
		want       []string
	}{
		{"empty", "", nil},
		{"blanks", " \t\r\n ", nil},
		{"words", "  click\t@e2\n--new-tab ", []string{"click", "@e2", "--new-tab"}},
		{"single quotes", `fill @e1 'a "b" \ $c'`, []string{"fill", "@e1", `a "b" \ $c`}},
		{"double quotes", `fill @e1 "it's \"x\" \\ \$y \n"`, []string{"fill", "@e1", `it's "x" \ $y \n`}},
		{"quotes within a word", `a'b c'"d e"f`, []string{"ab cd ef"}},
		{"empty words", `a '' ""`, []string{"a", "", ""}},
		{"backslash", `a\ b \'c\\`, []string{"a b", `'c\`}},
		{"a joined line", "a \\\n b\\\nc \"d\\\ne\"", []string{"a", "bc", "de"}},
		{"no comment", "a #b", []string{"a", "#b"}},
		{"no expansion", "$HOME * ~ `x`", []string{"$HOME", "*", "~", "`x`"}},
		{"several bytes", "tippe 'schöne Grüße' 日本", []string{"tippe", "schöne Grüße", "日本"}},
		{"newline in quotes", "a 'b\nc'", []string{"a", "b\nc"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := SplitWords(tt.line)
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(tt.want, got))
		})
	}
}

func TestSplitWordsRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, line, want string }{
		{"single quote", `a 'b`, `The command line 'a 'b' has a ' that is not closed`},
		{"double quote", `a "b\"`, `The command line 'a "b\"' has a " that is not closed`},
		{"backslash", `a \`, `The command line 'a \' ends with a backslash that quotes nothing`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			words, err := SplitWords(tt.line)
			require.EqualError(t, err, tt.want)
			require.Equal(t, InvalidValue, UsageTypeOf(err))
			require.Nil(t, words)
		})
	}
}

// FuzzSplitWords checks that the split neither invents nor loses anything: words, quoted again, split into themselves;
// and a line without quoting splits at its blanks.
func FuzzSplitWords(f *testing.F) {
	for _, line := range []string{``, `a b`, `a 'b c' "d\"e" f\ g`, `'`, `"`, `\`, "a\\\nb", `'' ""`, "\xff '\x00'"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		words, err := SplitWords(line)
		if err != nil {
			require.Nil(t, words)
			require.ErrorContains(t, err, "The command line '")
			require.True(t, strings.ContainsAny(line, `'"\`), "only quoting can be wrong")
			return
		}
		again, err := SplitWords(JoinWords(words))
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(words, again))
		if !strings.ContainsAny(line, `'"\`) {
			fields := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\r\n", r) })
			require.Equal(t, strings.Join(fields, "\x00"), strings.Join(words, "\x00"))
			require.Len(t, words, len(fields))
		}
	})
}
