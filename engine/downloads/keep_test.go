package downloads

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Downloads of one name that end at the same time get names of their own: none takes the place of another.
func TestPlaceReplacesNothing(t *testing.T) {
	t.Parallel()
	const n = 32
	from, dir := t.TempDir(), filepath.Join(t.TempDir(), "kept")
	var all sync.WaitGroup
	start := make(chan struct{})
	places := make([]string, n)
	errs := make([]error, n)
	for i := range n {
		file := filepath.Join(from, fmt.Sprint(i))
		require.NoError(t, os.WriteFile(file, fmt.Append(nil, i), 0o600))
		all.Go(func() {
			<-start
			places[i], errs[i] = place(file, dir, "report.pdf")
		})
	}
	close(start)
	all.Wait()
	for i, at := range places {
		require.NoError(t, errs[i])
		text, err := os.ReadFile(at)
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint(i), string(text), at)
	}
	kept, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, kept, n)
	left, err := os.ReadDir(from)
	require.NoError(t, err)
	require.Empty(t, left)
}
