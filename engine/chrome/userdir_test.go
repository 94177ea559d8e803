package chrome

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

func TestClaimUserDir(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "profile")
	lock, err := claimUserDir(t.Context(), dir)
	require.NoError(t, err)
	_, err = claimUserDir(t.Context(), dir)
	require.True(t, fault.Is(err, fault.BrowserLaunch))
	require.ErrorContains(t, err, "in use")
	require.ErrorContains(t, err, dir)
	require.ErrorContains(t, ProfileFree(dir), "in use")
	require.NoError(t, lock.Close())
	require.NoError(t, ProfileFree(dir))
	require.NoError(t, ProfileFree(dir), "to ask is not to claim")
	lock, err = claimUserDir(t.Context(), dir)
	require.NoError(t, err)
	require.NoError(t, lock.Close())

	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err = claimUserDir(t.Context(), file)
	require.True(t, fault.Is(err, fault.BrowserLaunch))
	require.ErrorContains(t, err, file)
}
