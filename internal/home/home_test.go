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
