package session

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestReadable(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "0 (never)", 1500 * time.Millisecond: "1.5s", 10 * time.Second: "10s", 10 * time.Minute: "10m",
		90 * time.Second: "1m30s", time.Hour: "1h", 90 * time.Minute: "1h30m", time.Hour + time.Second: "1h0m1s",
	} {
		require.Equal(t, want, formatDuration(d))
	}
}
