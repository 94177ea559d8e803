package atomicfile_test

import (
	"os"
	"path/filepath"
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

func TestSweep(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f, err := atomicfile.Create(filepath.Join(dir, "unfinished"))
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.NoError(t, atomicfile.Write(filepath.Join(dir, "kept"), []byte("text")))
	atomicfile.Sweep(dir)
	atomicfile.Sweep(filepath.Join(dir, "nowhere"))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.Equal(t, "kept", entries[0].Name())
}
