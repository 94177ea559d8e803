package wording

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClip(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text  string
		most        int
		chars, byte string
	}{
		{"shorter", "abc", 5, "abc", "abc"},
		{"as long", "abc", 3, "abc", "abc"},
		{"longer", "abcd", 3, "abc…", "abc…"},
		{"wide characters", "ääää", 3, "äää…", "ä…"},
		{"as long in characters", "äää", 3, "äää", "ä…"},
		{"nothing fits", "ä", 0, "…", "…"},
		{"not UTF-8", "\xff\xfe\xfd", 2, "\xff\xfe…", "\xff\xfe…"},
		{"empty", "", 0, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.chars, Clip(tt.text, tt.most))
			require.Equal(t, tt.byte, ClipBytes(tt.text, tt.most))
		})
	}
}

func TestQuote(t *testing.T) {
	t.Parallel()
	require.Equal(t, `"a\n\"b\""`, Quote("a\n\"b\""))
	require.Len(t, []rune(Quote(string(make([]rune, 200)))), 80*len(`\x00`)+len(`""`)+1)
}

func TestPlural(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"0 tabs", "1 tab", "2 tabs", "1 entry", "3 entries"},
		[]string{Plural(0, "tab"), Plural(1, "tab"), Plural(2, "tab"), Plural(1, "entry"), Plural(3, "entry")})
}

func TestOneLine(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a b\uFFFD", OneLine("a\nb\xff"))
	require.Equal(t, strings.Repeat("ä", 80)+"…", OneLine(strings.Repeat("ä", 81)))
}
