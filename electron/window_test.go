package electron

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestLaunchWindow(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ asked, want time.Duration }{
		"13.4 the default":      {0, 15 * time.Second},
		"13.4 nothing sensible": {-time.Second, 15 * time.Second},
		"13.4 as asked":         {time.Second, time.Second},
		"13.4 the cap":          {time.Hour, 120 * time.Second},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, launchWindow(test.asked))
		})
	}
}
