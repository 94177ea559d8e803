package pagetext

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBounded(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text string
		most int
		want string
	}{
		"short":              {"title", 5, "title"},
		"few of many bytes":  {"äöü", 3, "äöü"},
		"cut":                {"abcdef", 3, "abc… (6 characters)"},
		"between characters": {"äöüß", 2, "äö… (4 characters)"},
		"long":               {strings.Repeat("x", 5_000_000), 2, "xx… (5,000,000 characters)"},
		"not UTF-8":          {"\xff\xff\xff", 1, "\xff… (3 characters)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, Bounded(tt.text, tt.most))
		})
	}
}
