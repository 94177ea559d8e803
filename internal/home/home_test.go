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
		"home": {map[string]string{"HOME": root}, "", filepath.Join(root, ".skua", "states"), false},
		"a namespace": {
			map[string]string{"HOME": root},
			"n", filepath.Join(root, ".skua", "namespaces", "n", "states"),
			false,
		},
		"ours wins": {
			map[string]string{"HOME": root, "SKUA_HOME": filepath.Join(root, "x")},
			"",
			filepath.Join(root, "x", "states"), false,
		},
		"relative names": {
			map[string]string{"HOME": "h", "SKUA_HOME": "x", "USERPROFILE": root},
			"",
			filepath.Join(root, ".skua", "states"), false,
		},
		"nothing": {nil, "", "", true},
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
	open := map[string]bool{
		"screenshots": true, "har": true, "heaps": true, "traces": true, "profiles": true,
		"browsers": true,
	}
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

// TestUnusableHome: a home folder in which no files can be counts as none, and what was asked for by name does not.
func TestUnusableHome(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	at := func(name string) string { return filepath.Join(root, name) }
	for _, name := range []string{"fresh", "used/.skua", "closed", "read/.skua", "taken"} {
		require.NoError(t, os.MkdirAll(at(name), 0o700))
	}
	for _, name := range []string{"file", "taken/.skua"} {
		require.NoError(t, os.WriteFile(at(name), nil, 0o600))
	}
	for _, name := range []string{"closed", "read", "read/.skua"} {
		require.NoError(t, os.Chmod(at(name), 0o500))
		t.Cleanup(func() { _ = os.Chmod(at(name), 0o700) }) // so that it can be removed
	}
	temp := filepath.Join(os.TempDir(), "skua-screenshots")
	for _, tt := range []struct {
		name      string
		env       map[string]string
		dir       string // empty: there is none
		fails     string
		artifacts string
		superuser bool // may do what the folder's mode denies
	}{
		{"not made yet", map[string]string{"HOME": at("fresh")}, at("fresh/.skua"), "", at("fresh/.skua/screenshots"), true},
		{"used", map[string]string{"HOME": at("used")}, at("used/.skua"), "", at("used/.skua/screenshots"), true},
		{"missing", map[string]string{"HOME": at("none")}, "", "does not exist", temp, true},
		{"a file", map[string]string{"HOME": at("file")}, "", "is not a folder", temp, true},
		{"below a file", map[string]string{"HOME": at("file/h")}, "", "cannot be looked at", temp, true},
		{"a file where ours is", map[string]string{"HOME": at("taken")}, "", "has something else at .skua", temp, true},
		{
			"the other variable",
			map[string]string{"HOME": at("none"), "USERPROFILE": at("used")},
			at("used/.skua"), "",
			at("used/.skua/screenshots"), true,
		},
		{"cannot be written to", map[string]string{"HOME": at("closed")}, "", "cannot be written to", temp, false},
		{"can only be read", map[string]string{"HOME": at("read")}, at("read/.skua"), "", temp, false},
		{
			"asked for",
			map[string]string{"HOME": at("used"), "SKUA_HOME": at("none/x")},
			at("none/x"), "",
			at("none/x/screenshots"), true,
		},
		{
			"asked for, a file",
			map[string]string{"HOME": at("used"), "SKUA_HOME": at("file")},
			at("file"), "",
			at("file/screenshots"), true,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if os.Geteuid() == 0 && !tt.superuser {
				t.Skip("the superuser may write there")
			}
			getenv := func(name string) string { return tt.env[name] }
			dir, err := Dir(getenv)
			require.Equal(t, tt.dir, dir)
			require.Equal(t, tt.artifacts, Artifacts(getenv, Screenshots))
			require.True(t, IsArtifacts(getenv, tt.artifacts))
			if tt.fails == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, tt.fails+": set HOME, or SKUA_HOME to a folder")
		})
	}
}
