package wording

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	candidates := []string{
		"click", "dblclick", "get text", "snapshot", "screenshot", "scroll", "scrollintoview",
		"is visible",
	}
	tests := []struct{ name, word, want string }{
		{"different case", "CLICK", "click"},
		{"swap", "clcik", "click"},
		{"missing letter", "snapsht", "snapshot"},
		{"surplus letter", "scrolll", "scroll"},
		{"underscore", "get_text", "get text"},
		{"unique beginning", "dbl", "dblclick"},
		{"beginning of several", "sc", ""},
		{"nearest of several", "screenshoot", "screenshot"},
		{"nothing like it", "frobnicate", ""},
		{"only dashes", "--", ""},
		{"empty", "", ""},
		{"long", strings.Repeat("click", 9), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, Nearest(tt.word, candidates))
		})
	}
}
