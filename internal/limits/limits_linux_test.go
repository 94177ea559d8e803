package limits

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const limitedVariable = "SKUA_TEST_LIMITS"

// TestLow reads the limits of a process that has some: this test, started again by a shell.
func TestLow(t *testing.T) {
	if os.Getenv(limitedVariable) != "" {
		kinds := map[Kind]uint64{}
		for _, l := range Low() {
			kinds[l.Kind] = l.Value
		}
		require.Equal(t, uint64(100), kinds[Files])
		require.Equal(t, uint64(4000<<10), kinds[FileSize])
		require.Equal(t, uint64(60), kinds[CPUTime])
		require.NotContains(t, kinds, Stack)
		return
	}
	t.Parallel()
	own, err := os.Executable()
	require.NoError(t, err)
	// The shell counts files in blocks of 512 bytes. A soft limit of files is raised by programs, so that the hard one
	// counts.
	cmd := exec.Command("sh", "-c",
		`ulimit -Sn 50 && ulimit -Hn 100 && ulimit -f 8000 && ulimit -t 60 && ulimit -s 8192 && exec "$0" -test.run '^TestLow$'`, own)
	cmd.Env = append(os.Environ(), limitedVariable+"=1")
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func TestOomKills(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.events")
	require.Zero(t, oomKills(path))
	require.NoError(t, os.WriteFile(path, []byte("low 0\nmax 7\noom 3\noom_kill 2\noom_group_kill 1\n"), 0o600))
	require.Equal(t, 2, oomKills(path))
}
