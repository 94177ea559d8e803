package har

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWrite(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	tool := Tool{Name: "a", Version: "1"}
	require.NoError(t, Write(&out, tool, tool, "", nil, slices.Values([]Entry{{Connection: "1"}, {Connection: "2"}})))
	require.Contains(t, out.String(), `"pages":[]`)
	require.NotContains(t, out.String(), "null", "missing lists are empty ones")
	require.Equal(t, 2, strings.Count(out.String(), `"startedDateTime"`))
	require.NotContains(t, out.String(), "comment")
}

// failing is a disk that is full.
type failing struct{ left int }

func (f *failing) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, errors.New("full")
	}
	return len(b), nil
}

func TestWriteFails(t *testing.T) {
	t.Parallel()
	taken := 0
	entries := func(yield func(Entry) bool) {
		for range 100 {
			taken++
			if !yield(Entry{}) {
				return
			}
		}
	}
	require.ErrorContains(t, Write(&failing{left: 1000}, Tool{}, Tool{}, "x", []Page{{ID: "1"}}, entries), "full")
	require.Less(t, taken, 100, "no more entries are taken then")
}
