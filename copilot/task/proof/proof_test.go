package proof

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A phrase counts at the bounds of words, also where cells of a table are written without a space between them.
func TestShows(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		line, phrase string
		want         bool
	}{
		{"9 Ann Lee ann@a.test", "ann", true},
		{"9Ann Leeann@a.testAdmin", "ann", true},
		{"9Ann LeeAdminActive", "admin", true},
		{"9Ann LeeAdminActive", "ann lee", true},
		{"Planned for May", "ann", false},
		{"Annual report", "ann", false},
		{"Annual reportAnn", "ann", true},
		{"1a", "a", false},
		{"Straße\u0130Ann", "ann", false}, // the offsets of its small letters are others
		{"anything", "", false},
	} {
		require.Equal(t, tt.want, shows(tt.line, tt.phrase), "%q shows %q", tt.line, tt.phrase)
	}
}
