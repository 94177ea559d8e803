//go:build unix

package userfile

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A pipe that nothing writes to is refused at once, also behind a link.
func TestPipe(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	_, err := Read(t.Context(), pipe, 10)
	require.ErrorIs(t, err, ErrNotRegular)
	_, err = Open(t.Context(), pipe)
	require.ErrorIs(t, err, ErrNotRegular)
	_, err = Stat(t.Context(), pipe)
	require.ErrorIs(t, err, ErrNotRegular)
}
