package diagnose

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A program that is started by a link finds axe-core beside the file, where the package manager put both.
func TestBesideProgram(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir()) // on macOS the folder of temporary files is below a link
	require.NoError(t, err)
	lib, bin := filepath.Join(dir, "lib"), filepath.Join(dir, "bin")
	require.NoError(t, os.Mkdir(lib, 0o700))
	require.NoError(t, os.Mkdir(bin, 0o700))
	file, link := filepath.Join(lib, "skuad"), filepath.Join(bin, "skuad")
	require.NoError(t, os.WriteFile(file, nil, 0o700))
	if err := os.Symlink("../lib/skuad", link); err != nil {
		t.Skipf("links are not possible here: %v", err)
	}
	require.Equal(t, []string{filepath.Join(lib, axeFile)}, besideProgram(file))
	require.Equal(t, []string{filepath.Join(bin, axeFile), filepath.Join(lib, axeFile)}, besideProgram(link))
}
