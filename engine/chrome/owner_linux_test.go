package chrome

import (
	"bufio"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/procgroup"
	"github.com/skua-browser/skua/internal/profile"
)

// TestOwnerKilled runs an owner in a process of its own, kills that, and watches the browser go. A stopped browser stands for one
// that hangs and cannot notice that its pipe was closed.
func TestOwnerKilled(t *testing.T) {
	t.Parallel()
	for _, hangs := range []bool{false, true} {
		t.Run(fmt.Sprintf("hangs=%t", hangs), func(t *testing.T) {
			t.Parallel()
			forEach(t, func(t *testing.T, path string) {
				// Short, as a system's temporary directory is: the name of the test would make the path of Chromium's socket too long.
				tmp, err := os.MkdirTemp("", "own")
				require.NoError(t, err)
				t.Cleanup(func() { require.NoError(t, os.RemoveAll(tmp)) })
				owner := exec.Command(os.Args[0])
				owner.Env = append(os.Environ(), ownerVariable+"="+path, "TMPDIR="+tmp)
				stdin, err := owner.StdinPipe()
				require.NoError(t, err)
				stdout, err := owner.StdoutPipe()
				require.NoError(t, err)
				require.NoError(t, owner.Start())
				t.Cleanup(func() { _ = stdin.Close(); _ = owner.Wait() })
				line, err := bufio.NewReader(stdout).ReadString('\n')
				require.NoError(t, err)
				number, dir, ok := strings.Cut(strings.TrimSpace(line), " ")
				require.True(t, ok, line)
				pid, err := strconv.Atoi(number)
				require.NoError(t, err, line)
				require.NotEmpty(t, procgroup.Members(pid))
				require.DirExists(t, dir)

				if hangs {
					require.NoError(t, syscall.Kill(pid, syscall.SIGSTOP))
				}
				killed := time.Now()
				require.NoError(t, owner.Process.Kill())
				require.Eventually(t, func() bool { return len(procgroup.Members(pid)) == 0 }, 15*time.Second, 20*time.Millisecond, "the browser outlived its owner")
				t.Logf("all processes gone after %v", time.Since(killed).Round(time.Millisecond))

				profile.Sweep(filepath.Dir(dir), profilePrefix, time.Now(), nil, slog.New(slog.DiscardHandler))
				entries, err := os.ReadDir(filepath.Dir(dir))
				require.NoError(t, err)
				require.Empty(t, entries)
				others, err := filepath.Glob(filepath.Join(tmp, "*hrom*"))
				require.NoError(t, err)
				require.Empty(t, others, "nothing is left beside the profile either")
			})
		})
	}
}
