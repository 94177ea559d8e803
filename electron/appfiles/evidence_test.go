package appfiles

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/testapps"
)

func TestInspect(t *testing.T) {
	t.Parallel()
	whole := testapps.Electron(t, "app", "app", `{"name":"app","version":"1.0.0"}`)
	without := func(names ...string) map[string]string {
		files := maps.Clone(whole)
		for _, name := range names {
			delete(files, "app/"+name)
		}
		return files
	}
	tests := map[string]struct {
		files    map[string]string
		evidence []string
		version  string
	}{
		"13.6 whole":                     {whole, []string{"app.asar", "version", "chromium-resources"}, "42.1.3"},
		"13.6 version in the executable": {without("version"), []string{"app.asar", "chromium-resources"}, "42.1.3"},
		"13.6 no archive, but Electron's mark": {
			without("resources/app.asar"),
			[]string{"version", "chromium-resources"},
			"42.1.3",
		},
		"13.6 an archive by itself": {without("version", "icudtl.dat", "chrome_100_percent.pak"), nil, ""},
		"13.6 only Chromium":        {without("version", "resources/app.asar"), nil, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			testapps.Write(t, dir, tt.files)
			link := filepath.Join(dir, "link")
			require.NoError(t, os.Symlink(filepath.Join(dir, "app/app"), link))
			i, err := Inspect(link)
			require.NoError(t, err)
			require.Equal(t, tt.evidence, i.Evidence)
			require.Equal(t, tt.version, i.ElectronVersion)
		})
	}
	_, err := Inspect(filepath.Join(t.TempDir(), "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
}
