package electron_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/electron/appfiles"
	electronapp "github.com/skua-browser/skua/testdata/electron"
)

// The app that tests launch is known by the same marks as a real one.
func TestSampleApp(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	app, err := electronapp.Generate(t.Context(), electronapp.Options{
		Dir: filepath.Join(home, ".local", "share", "Sample Notes"), Name: "sample-notes", ProductName: "Sample Notes",
		Version:     "2.0.1",
		DesktopFile: filepath.Join(home, ".local", "share", "applications"),
	})
	require.NoError(t, err)

	i, err := appfiles.Inspect(app.Executable)
	require.NoError(t, err)
	require.Equal(t, &appfiles.Inspection{
		Evidence: []string{"app.asar", "version", "chromium-resources"}, Name: "Sample Notes", Version: "2.0.1",
		ElectronVersion: electronapp.ElectronVersion,
	}, i)

	require.NoError(t, os.Remove(filepath.Join(app.Dir, "version")))
	i, err = appfiles.Inspect(app.Executable)
	require.NoError(t, err)
	require.Equal(t, electronapp.ElectronVersion, i.ElectronVersion, "by the mark in the executable")

	archive, err := appfiles.OpenArchive(filepath.Join(app.Dir, "resources", "app.asar"))
	require.NoError(t, err)
	defer archive.Close()
	for name, says := range map[string]string{
		"package.json": `"productName": "Sample Notes"`,
		"index.html":   "<h1>Sample notes</h1>", "help.html": "<h1>Help</h1>",
	} {
		text, err := archive.ReadFile(name)
		require.NoError(t, err)
		require.Contains(t, string(text), says)
	}

	found, err := electron.Here(func(name string) string {
		return map[string]string{"HOME": home, "XDG_DATA_DIRS": filepath.Join(home, "none")}[name]
	}).Discover(t.Context(), electron.Query{Text: home})
	require.NoError(t, err)
	require.Len(t, found.Apps, 1)
	require.Equal(t, "Sample Notes", found.Apps[0].Name)
	require.Equal(t, app.Executable, found.Apps[0].ExecutablePath)
	require.True(t, strings.HasPrefix(found.Apps[0].DesktopID, "sample-notes"), found.Apps[0].DesktopID)
}
