package chrome

import (
	"bufio"
	"context"
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

// TestOwnerKilled runs an owner in a process of its own, kills that, and watches the browser go. A stopped browser
// stands for one that hangs and cannot notice that its pipe was closed.
func TestOwnerKilled(t *testing.T) {
	t.Parallel()
	for _, hangs := range []bool{false, true} {
		t.Run(fmt.Sprintf("hangs=%t", hangs), func(t *testing.T) {
			t.Parallel()
			forEach(t, func(t *testing.T, path string) {
				// Short, as a system's temporary directory is: the name of the test would make the path of Chromium's socket too
				// long.
				tmp, err := os.MkdirTemp("", "own")
				require.NoError(t, err)
				t.Cleanup(func() { require.NoError(t, os.RemoveAll(tmp)) })
				owner, pid, _, dir := startOwner(t, path, "TMPDIR="+tmp)
				require.NotEmpty(t, procgroup.Members(pid))
				require.DirExists(t, dir)

				if hangs {
					require.NoError(t, syscall.Kill(pid, syscall.SIGSTOP))
				}
				killed := time.Now()
				require.NoError(t, owner.Process.Kill())
				require.Eventually(t, func() bool {
					return len(procgroup.Members(pid)) == 0
				}, 15*time.Second, 20*time.Millisecond, "the browser outlived its owner")
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

// startOwner starts an owner of a browser, and returns the browser's process, the owner's end of the pipe to it, and
// its profile, too.
func startOwner(t *testing.T, path string, env ...string) (owner *exec.Cmd, pid int, pipe, dir string) {
	t.Helper()
	owner = exec.Command(os.Args[0])
	owner.Env = append(append(os.Environ(), ownerVariable+"="+path), env...)
	stdin, err := owner.StdinPipe()
	require.NoError(t, err)
	stdout, err := owner.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, owner.Start())
	t.Cleanup(func() { _ = stdin.Close(); _ = owner.Wait() })
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	words := strings.SplitN(strings.TrimSpace(line), " ", 3)
	require.Len(t, words, 3, line)
	pid, err = strconv.Atoi(words[0])
	require.NoError(t, err, line)
	return owner, pid, fmt.Sprintf("/proc/%d/fd/%s", owner.Process.Pid, words[1]), words[2]
}

// The next browser in a profile waits until the last one, whose owner was killed, has written it. One that does not see
// yet that its pipe was closed stands for one that is slow.
func TestProfileOfAKilledOwner(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, path string) {
		dir := filepath.Join(t.TempDir(), "kept")
		owner, pid, name, _ := startOwner(t, path, ownerProfile+"="+dir)
		t.Cleanup(func() { _ = syscall.Kill(-pid, syscall.SIGKILL) })
		pipe, err := os.OpenFile(name, os.O_WRONLY, 0)
		require.NoError(t, err)
		defer pipe.Close()
		require.NoError(t, owner.Process.Kill())
		_ = owner.Wait()

		ctx, cancel := context.WithTimeout(t.Context(), 10*departurePause)
		defer cancel()
		_, err = Launch(ctx, Options{ExecutablePath: path, Headless: true, UserDataDir: dir})
		require.ErrorContains(t, err, "in use by another browser")

		require.NoError(t, pipe.Close())
		next := launch(t, Options{ExecutablePath: path, Headless: true, UserDataDir: dir})
		cookies, err := newPeer(next).call("Storage.getCookies", nil, "")
		require.NoError(t, err)
		require.Contains(t, fmt.Sprint(cookies), "value:ann")
	})
}
