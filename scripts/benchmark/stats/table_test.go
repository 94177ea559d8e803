package stats

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTable(t *testing.T) {
	t.Parallel()
	table := Table{{"Operation", "skua"}, {"click", "1.0 ms"}}
	var text strings.Builder
	require.NoError(t, table.WriteText(&text))
	require.Equal(t, "Operation  skua\nclick      1.0 ms\n", text.String())
	require.Equal(t, "| Operation | skua |\n|---|---|\n| click | 1.0 ms |\n", table.Markdown())
}

func TestUpdateDocument(t *testing.T) {
	t.Parallel()
	const begin, end = "<!-- bench --x writes what follows -->\n", "<!-- end of what bench --x writes -->\n"
	path := filepath.Join(t.TempDir(), "page.md")
	require.NoError(t, os.WriteFile(path, []byte("# Before\n"+begin+"old\n"+end+"After\n"), 0o644))
	require.NoError(t, UpdateDocument(path, "bench --x", "new\n"))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "# Before\n"+begin+"new\n"+end+"After\n", string(text))
	require.ErrorContains(t, UpdateDocument(path, "bench --y", "new\n"), "the marks are missing")
}
