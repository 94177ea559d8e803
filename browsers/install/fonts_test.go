package install

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFontFiles(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	getenv := func(name string) string { return map[string]string{"HOME": home}[name] }
	before := slices.Collect(FontFiles(getenv)) // those of the system
	dir := filepath.Join(home, ".local/share/fonts/deep")
	require.NoError(t, os.MkdirAll(dir, 0o700))
	for _, name := range []string{"a.ttf", "b.otf", "notes.txt"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	require.ElementsMatch(t, append(before, filepath.Join(dir, "a.ttf"), filepath.Join(dir, "b.otf")),
		slices.Collect(FontFiles(getenv)))
	require.True(t, HasFonts(getenv))
}
