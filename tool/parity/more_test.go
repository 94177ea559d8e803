package parity

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
)

var update = flag.Bool("update", false, "write the section about what agent-browser has not into docs/parity.md")

func TestExtrasAreOnThePage(t *testing.T) {
	t.Parallel()
	all, err := ReadExtras(os.DirFS("../../testdata/parity"))
	require.NoError(t, err)
	require.NotEmpty(t, all)
	for _, e := range all {
		known := false
		for _, c := range catalog.Registry().Commands() {
			known = known || c.Name == e.Command || strings.HasPrefix(c.Name, e.Command+" ")
		}
		require.True(t, known, e.Command)
		page, _, _ := strings.Cut(e.Page, "#")
		require.FileExists(t, filepath.Join("../../docs", page))
	}
	const file = "../../docs/parity.md"
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	want := WithExtras(string(page), all)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(want), 0o644))
		return
	}
	require.Equal(t, want, string(page), "go test ./tool/parity -update writes it")
}

func TestReadExtrasRefuses(t *testing.T) {
	t.Parallel()
	_, err := ReadExtras(fstest.MapFS{extras: {Data: []byte("# all\n\na | b | c.md\nfew | cells\n")}})
	require.ErrorContains(t, err, "more.txt:4")
}
