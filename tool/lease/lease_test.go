package lease_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/lease"
)

func TestName(t *testing.T) {
	t.Parallel()
	a, b := lease.Name(), lease.Name()
	require.NotEqual(t, a, b)
	require.Regexp(t, `^piab-script-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, a, "2.8.8")
	require.True(t, lease.IsName(a))
}

func TestLeases(t *testing.T) {
	t.Parallel()
	of := func(name string) lease.Lease {
		return lease.Lease{Session: name, Backend: "native", CloseArgs: lease.CloseArgs(name)}
	}
	t.Run("2.8.11 one that is held belongs to its holder; one that was left is taken over", func(t *testing.T) {
		t.Parallel()
		dir := filepath.Join(t.TempDir(), "leases")
		h, err := lease.Take(dir, of(lease.Name()))
		require.NoError(t, err)
		require.NoError(t, h.Launching())
		require.Empty(t, lease.Abandoned(dir))
		h.Leave()
		left := lease.Abandoned(dir)
		require.Len(t, left, 1)
		require.True(t, left[0].LaunchAttempted)
		require.Equal(t, []string{"--session", h.Session, "close"}, left[0].CloseArgs)
		left[0].Done()
		require.Empty(t, lease.Abandoned(dir))
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Empty(t, entries)
	})
	name := lease.Name()
	good := `{"sessionName":"` + name + `","backend":"native","closeCommandArgs":["--session","` + name +
		`","close"],"launchAttempted":true}`
	forged := map[string]struct {
		file, content string
		mode          os.FileMode
		taken         bool
	}{
		"2.8.11 as we write it":          {name, good, 0o600, true},
		"2.8.11 forged: another command": {name, strings.Replace(good, `"close"`, `"eval"`, 1), 0o600, false},
		"2.8.11 forged: another session": {
			name,
			strings.Replace(good, `["--session","`+name, `["--session","mine`, 1), 0o600, false,
		},
		"2.8.11 forged: the name of another file": {lease.Name(), good, 0o600, false},
		"2.8.11 forged: a session of the caller's": {
			lease.Prefix + "mine",
			strings.ReplaceAll(good, name, lease.Prefix+"mine"), 0o600, false,
		},
		"2.8.11 forged: others could have written": {name, good, 0o666, false},
		"2.8.11 forged: no JSON":                   {name, "close", 0o600, false},
	}
	for what, tt := range forged {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "leases")
			require.NoError(t, os.Mkdir(dir, 0o700))
			path := filepath.Join(dir, tt.file+".json")
			require.NoError(t, os.WriteFile(path, []byte(tt.content), 0o600))
			require.NoError(t, os.Chmod(path, tt.mode))
			left := lease.Abandoned(dir)
			require.Equal(t, tt.taken, len(left) == 1)
			for _, h := range left {
				h.Leave()
			}
			require.FileExists(t, path)
		})
	}
	t.Run("2.8.11 forged: a link", func(t *testing.T) {
		t.Parallel()
		root := t.TempDir()
		dir := filepath.Join(root, "leases")
		require.NoError(t, os.Mkdir(dir, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(root, "x"), []byte(good), 0o600))
		require.NoError(t, os.Symlink(filepath.Join(root, "x"), filepath.Join(dir, name+".json")))
		require.Empty(t, lease.Abandoned(dir))
	})
}
