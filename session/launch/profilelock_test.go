package launch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/internal/fault"
)

// A service that could not open a page, since another one has its profile, does not start.
func TestProfileIsOfOneService(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "kept", "profile")
	first, err := NewBrowsers(BrowsersOptions{Registry: catalog.Registry(), Profile: dir})
	require.NoError(t, err)
	require.NoError(t, first.SetAddress("127.0.0.1:9224"))
	_, err = NewBrowsers(BrowsersOptions{Registry: catalog.Registry(), Profile: dir})
	require.ErrorContains(t, err, dir)
	require.ErrorContains(t, err, fmt.Sprintf("process %d", os.Getpid()))
	require.ErrorContains(t, err, "on 127.0.0.1:9224")
	f, ok := errors.AsType[*fault.Error](err)
	require.True(t, ok)
	require.Equal(t, map[string]any{"reason": "profile-in-use", "pid": os.Getpid(), "address": "127.0.0.1:9224"}, f.Facts)
	require.Contains(t, f.Hint, "mcp --serve http://127.0.0.1:9224")
	other, err := NewBrowsers(BrowsersOptions{Registry: catalog.Registry(), Profile: dir + "2"})
	require.NoError(t, err)
	other.Close(t.Context())
	first.Close(t.Context())
	second, err := NewBrowsers(BrowsersOptions{Registry: catalog.Registry(), Profile: dir})
	require.NoError(t, err, "it is free again")
	second.Close(t.Context())
	second.Close(t.Context())
}

func TestProfileOfABrowser(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	// What a browser of another process holds, by the lock that its owner keeps for it.
	lock := flock.New(filepath.Join(dir, ".skua.lock"))
	held, err := lock.TryLock()
	require.NoError(t, err)
	require.True(t, held)
	_, err = lockProfile(dir, 0)
	require.ErrorContains(t, err, "in use by another browser")
	require.NoError(t, lock.Close())
	h, err := lockProfile(dir, 0)
	require.NoError(t, err, "the service that was refused holds nothing")
	h.release()
}

// What a service that was killed wrote about itself is not a lock.
func TestProfileOfAKilledService(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t,
		os.WriteFile(filepath.Join(dir, profileHolderFile), []byte(`{"pid":1,"address":"127.0.0.1:1"}`), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, profileLockFile), nil, 0o600))
	h, err := lockProfile(dir, 0)
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(dir, profileHolderFile))
	require.NoError(t, err)
	require.Contains(t, string(text), fmt.Sprintf(`"pid":%d`, os.Getpid()))
	require.NotContains(t, string(text), "address")
	require.NoError(t, os.WriteFile(filepath.Join(dir, profileHolderFile), []byte("{"), 0o600))
	_, err = lockProfile(dir, 0)
	require.ErrorContains(t, err, "in use by another service")
	h.release()
}
