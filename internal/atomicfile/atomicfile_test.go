package atomicfile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/atomicfile"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a", "b", "file")
	for _, text := range []string{"first", "second, which is longer", "3rd"} {
		require.NoError(t, atomicfile.Write(path, []byte(text)))
		got, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, text, string(got))
	}
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Zero(t, info.Mode().Perm()&0o077, "others can read it")
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, entries, 1, "something was left beside the file")
}

func TestWriteRefuses(t *testing.T) {
	dir := t.TempDir()
	require.ErrorContains(t, atomicfile.Write(dir, []byte("x")), "is a folder")

	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.Error(t, atomicfile.Write(filepath.Join(file, "below"), []byte("x")))
}

// TestErrorsNameTheFile has files that cannot be written: the name of the temporary file is nothing to a caller.
func TestErrorsNameTheFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	long := filepath.Join(dir, strings.Repeat("n", 300))
	err := atomicfile.Write(long, []byte("x"))
	require.Error(t, err)
	require.Contains(t, err.Error(), long)
	require.NotContains(t, err.Error(), atomicfile.Prefix)
	require.NotContains(t, atomicfile.Reason(err).Error(), dir)

	f, err := atomicfile.Create(filepath.Join(dir, "file"))
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "file"), 0o700))
	_, err = f.Commit()
	require.ErrorContains(t, err, filepath.Join(dir, "file"))
	require.NotContains(t, err.Error(), atomicfile.Prefix)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1, "nothing is left beside it")
}

func TestSweep(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, atomicfile.Prefix+"unfinished"), nil, 0o600))
	require.NoError(t, atomicfile.Write(filepath.Join(dir, "kept"), []byte("text")))
	atomicfile.Sweep(dir)
	atomicfile.Sweep(filepath.Join(dir, "nowhere"))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.Equal(t, "kept", entries[0].Name())
}
