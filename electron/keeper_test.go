package electron_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/electron"
	electronapp "github.com/skua-browser/skua/testdata/electron"
)

// patience bounds what is waited for in tests; it is there for machines that are slow, and passes only when something is wrong.
const patience = 2 * time.Minute

// sample makes an app whose processes are its test's alone. What outlives the test is ended, and fails it.
func sample(t *testing.T) electronapp.App {
	t.Helper()
	app, err := electronapp.Generate(t.Context(), electronapp.Options{Dir: filepath.Join(t.TempDir(), "Sample"), Name: "sample", ProductName: "Sample Notes"})
	require.NoError(t, err)
	t.Cleanup(func() {
		left := app.Processes()
		app.Kill()
		require.Empty(t, left, "processes of the app outlived the test")
	})
	return app
}

// keeper returns a keeper whose launches are cleaned up at the end of the test.
func keeper(t *testing.T, dir string) *electron.Keeper {
	t.Helper()
	k, err := electron.NewKeeper(electron.KeeperOptions{Dir: dir})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, k.Close(context.Background())) })
	return k
}

// launch launches an app that misbehaves as the flags say.
func launch(t *testing.T, k *electron.Keeper, app electronapp.App, flags ...string) *electron.Launched {
	t.Helper()
	l, err := k.Launch(t.Context(), electron.LaunchOptions{ExecutablePath: app.Executable, Args: flags, Timeout: electron.MaxLaunchTimeout})
	require.NoError(t, err)
	return l
}

func TestLaunchAndCleanup(t *testing.T) {
	t.Parallel()
	app := sample(t)
	k := keeper(t, t.TempDir())
	l := launch(t, k, app)
	require.True(t, time.Since(time.UnixMilli(l.Record.CreatedAtMs)) < patience)
	require.DirExists(t, l.Record.UserDataDir)
	require.Contains(t, app.Processes(), l.Record.PID)
	c, err := k.Cleanup(t.Context(), l.Record.LaunchID, electron.CleanupOptions{})
	require.NoError(t, err)
	require.Equal(t, electron.Cleaned, c.State, "%+v", c)
	require.NoDirExists(t, l.Record.UserDataDir)
	require.Empty(t, app.Processes())
}
