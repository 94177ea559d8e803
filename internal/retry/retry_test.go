package retry

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPasses(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]bool{
		200: false, 400: false, 401: false, 404: false, 408: true, 409: false, 429: true, 500: true, 501: false, 502: true,
		503: true, 504: true, 505: false, 529: true,
	} {
		require.Equal(t, want, IsTransient(status), status)
	}
}

func TestAfter(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"": 0, "3": 3 * time.Second, "0.5": 500 * time.Millisecond, "-1": 0, "soon": 0, "1e300": 0, "NaN": 0,
		"Mon, 02 Jan 2006 15:04:05 GMT": 0,
	} {
		require.Equal(t, want, After(http.Header{"Retry-After": {text}}), text)
	}
	in := After(http.Header{"Retry-After": {time.Now().Add(2 * time.Hour).UTC().Format(http.TimeFormat)}})
	require.Greater(t, in, time.Hour)
	require.LessOrEqual(t, in, 2*time.Hour)
	require.Zero(t, After(nil))
}
