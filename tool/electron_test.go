package tool_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/contract"
)

// putApp lays out an app as Electron does, below the home of the caller.
func putApp(t testing.TB, home, name string) (executable string) {
	t.Helper()
	dir := filepath.Join(home, "Applications", name)
	for file, text := range map[string]string{
		name: "\x7fELF", "icudtl.dat": "", "chrome_100_percent.pak": "", "LICENSES.chromium.html": "", "version": "42.1.3",
		"resources/app/package.json": `{"productName":"` + name + `","version":"1.2.3"}`,
	} {
		path := filepath.Join(dir, file)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o755))
	}
	executable, err := filepath.EvalSymlinks(filepath.Join(dir, name))
	require.NoError(t, err)
	return executable
}

func TestElectron(t *testing.T) {
	t.Parallel()
	t.Run("13.2 list shows what is installed and starts nothing", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		painter := putApp(t, c.dir, "Painter")
		putApp(t, c.dir, "Slack")
		r := c.call(contract.Params{Electron: json.RawMessage(`{"action":"list","query":"` + c.dir + `"}`)})
		require.False(t, r.IsError, textOf(r))
		require.Contains(t, textOf(r), "- Painter 1.2.3 — "+painter+"\n")
		require.Contains(t, textOf(r), "[likely sensitive: chat]")
		list := r.Details.Electron
		require.Equal(t, 1, list.SensitiveAppCount)
		require.Equal(t, 50, list.MaxResults)
		require.False(t, list.ProfileIsolation.ReusesExistingSignedInProfile)
		require.Nil(t, r.Details.ExitCode, "nothing was run")
		r = c.call(contract.Params{Electron: json.RawMessage(`{"action":"list","query":"` + c.dir + `","maxResults":1}`)})
		require.Equal(t, 1, r.Details.Electron.OmittedCount)
		r = c.call(contract.Params{Electron: json.RawMessage(`{"action":"list","query":"no app has this name"}`)})
		none, err := json.Marshal(r.Details.Electron)
		require.NoError(t, err)
		require.Contains(t, string(none), `"apps":[]`)
	})
}
