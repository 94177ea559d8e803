package home

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOf(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, tt := range map[string]struct {
		env       map[string]string
		namespace string
		want      string
		fails     bool
	}{
		"home":           {map[string]string{"HOME": root}, "", filepath.Join(root, ".skua", "states"), false},
		"a namespace":    {map[string]string{"HOME": root}, "n", filepath.Join(root, ".skua", "namespaces", "n", "states"), false},
		"ours wins":      {map[string]string{"HOME": root, "SKUA_HOME": filepath.Join(root, "x")}, "", filepath.Join(root, "x", "states"), false},
		"relative names": {map[string]string{"HOME": "h", "SKUA_HOME": "x", "USERPROFILE": root}, "", filepath.Join(root, ".skua", "states"), false},
		"nothing":        {nil, "", "", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, err := Subdir(func(k string) string { return tt.env[k] }, tt.namespace, "states")
			if tt.fails {
				require.ErrorIs(t, err, ErrNone)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, dir)
		})
	}
}

func TestMake(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "b")
	require.NoError(t, Make(dir))
	require.NoError(t, Make(dir))
	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.True(t, info.IsDir())
	require.Zero(t, info.Mode().Perm()&0o077)
}

// TestIsPrivate: pages may be shown the files that were made for their callers, and no others of the user's.
func TestIsPrivate(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	getenv := func(k string) string { return map[string]string{"HOME": root}[k] }
	open := map[string]bool{"screenshots": true, "har": true, "heaps": true, "traces": true, "profiles": true, "browsers": true}
	for _, folder := range []string{"states", "auth", "routines", "namespaces"} {
		open[folder] = false
	}
	for folder, want := range open {
		require.Equal(t, !want, IsPrivate(getenv, filepath.Join(root, ".skua", folder, "file")), folder)
	}
	require.True(t, IsPrivate(getenv, filepath.Join(root, ".skua", "key")))
	for _, kind := range artifactKinds {
		require.False(t, IsPrivate(getenv, filepath.Join(Artifacts(getenv, kind), "file")), kind.folder)
		require.True(t, IsArtifacts(getenv, Artifacts(getenv, kind)), kind.folder)
	}
	require.False(t, IsArtifacts(getenv, filepath.Join(root, "screenshots")))
}
