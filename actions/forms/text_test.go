package forms

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What a field makes of a text by itself is that text; what only resembles it is not.
func TestShowsAs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, value, text string
		want              bool
	}{
		{"a mask", "24/12/2026", "24122026", true},
		{"a mask with a country's code", "+1 (555) 765-4321", "5557654321", true},
		{"a number with its groups", "1,500.00", "1500", true},
		{"a currency", "$1,500", "1500", true},
		{"another date", "24/12/2025", "25/12/2026", false},
		{"behind what was there", "112", "12", false},
		{"ends so", "12026", "2026", false},
		{"another number", "15.00", "1500", false},
		{"less", "12/29", "122999", false},
		{"nothing", "", "abc", false},
		{"more", "abcdef", "abc", false},
	} {
		require.Equal(t, tt.want, showsAs(tt.value, tt.text), tt.name)
	}
}
