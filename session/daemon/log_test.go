package daemon_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/session/daemon"
)

func TestLogIsBounded(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "skua.log")
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600) // as the client opens it
	require.NoError(t, err)
	defer file.Close()
	_, err = file.WriteString("of the host before\n")
	require.NoError(t, err)
	log := daemon.NewBoundedLog(file, path)
	most := int64(0)
	for i := range 100_000 {
		_, err := fmt.Fprintf(log, "line %06d %s\n", i, strings.Repeat("x", 88))
		require.NoError(t, err)
		if i%1000 == 0 {
			info, err := os.Stat(path)
			require.NoError(t, err)
			most = max(most, info.Size())
		}
	}
	require.LessOrEqual(t, most, int64(4<<20))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	require.Equal(t, "older lines were removed", lines[0])
	require.Greater(t, len(lines), 10_000)
	for i, line := range lines[1:] {
		require.True(t, strings.HasPrefix(line, fmt.Sprintf("line %06d ", 100_000-len(lines)+1+i)), line)
	}
}

func TestLogThatIsNoFile(t *testing.T) {
	t.Parallel()
	read, write, err := os.Pipe()
	require.NoError(t, err)
	defer read.Close()
	defer write.Close()
	require.Same(t, write, daemon.NewBoundedLog(write, "/dev/null"))
}
