package procgroup

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// ownerVariable makes the test binary an owner of a group that waits to be killed: see TestOwnerKilled.
const ownerVariable = "SKUA_TEST_GROUP"

func TestMain(m *testing.M) {
	if mode := os.Getenv(ownerVariable); mode != "" {
		own(mode)
		return
	}
	os.Exit(m.Run())
}

func own(mode string) {
	if mode != "lenient" && mode != "strict" {
		words, err := ownGuarded(mode)
		if err != nil {
			words = err.Error()
		}
		fmt.Println(words)
		_, _ = os.Stdin.Read(make([]byte, 1))
		return
	}
	g, err := Start(exec.Command("sleep", "1000"), Options{Lenient: mode == "lenient"})
	if err != nil {
		fmt.Println("error", err)
		return
	}
	fmt.Println(g.PID())
	_, _ = os.Stdin.Read(make([]byte, 1))
}

// start starts a shell script that says "ready" when the test may go on.
func start(t *testing.T, script string) *Group {
	t.Helper()
	cmd := exec.Command("sh", "-c", script)
	words, childWords, err := os.Pipe()
	require.NoError(t, err)
	cmd.Stdout = childWords
	g, err := Start(cmd, Options{})
	require.NoError(t, err)
	require.NoError(t, childWords.Close())
	t.Cleanup(func() {
		g.Kill()
		awaitDone(t, g)
		_ = words.Close()
	})
	line, err := bufio.NewReader(words).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "ready\n", line)
	return g
}

func awaitDone(t *testing.T, g *Group) {
	t.Helper()
	select {
	case <-g.Done():
	case <-time.After(time.Minute):
		require.Fail(t, "the group did not end")
	}
}

func awaitEmpty(t *testing.T, pgid int) {
	t.Helper()
	require.Eventually(t, func() bool { return len(Members(pgid)) == 0 }, time.Minute, 10*time.Millisecond)
}

func TestGroupEnds(t *testing.T) {
	t.Parallel()
	const helper = "sleep 1000 & "
	tests := []struct {
		name, script string
		end          func(*Group)
		exit         string
	}{
		{"by itself, its helpers with it", helper + "echo ready; exit 3", func(*Group) {}, "exit status 3"},
		{"asked", helper + "echo ready; wait", (*Group).Terminate, "signal: terminated"},
		{
			"killed though it refuses", "trap '' TERM; (trap '' TERM; exec sleep 1000) & echo ready; while :; do wait; done",
			func(g *Group) {
				g.Terminate()
				g.Kill()
			}, "signal: killed",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			g := start(t, test.script)
			test.end(g)
			awaitDone(t, g)
			awaitEmpty(t, g.PID())
			require.Equal(t, test.exit, g.Exit())
			require.Error(t, g.Err())
			g.Kill() // harmless, although the id may be reused
			g.Terminate()
		})
	}
}

func TestGroupRuns(t *testing.T) {
	t.Parallel()
	g := start(t, "sleep 1000 & echo ready; wait")
	require.Len(t, Members(g.PID()), 2)
	require.NoError(t, g.Err())
	require.Empty(t, g.Exit())
}

func TestNotStarted(t *testing.T) {
	t.Parallel()
	_, err := Start(exec.Command("/nonexistent/program"), Options{})
	require.ErrorIs(t, err, os.ErrNotExist)
}

// startOwner runs an owner in a process of its own, and returns its output behind the line in which it tells its
// processes.
func startOwner(t *testing.T, mode string) (owner *exec.Cmd, stdout io.Reader, line string) {
	t.Helper()
	owner = exec.Command(os.Args[0])
	owner.Env = append(os.Environ(), ownerVariable+"="+mode)
	stdin, err := owner.StdinPipe()
	require.NoError(t, err)
	t.Cleanup(func() { _ = stdin.Close() })
	stdout, err = owner.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, owner.Start())
	line, err = bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	return owner, stdout, line
}

// TestOwnerKilled runs an owner in a process of its own and kills that.
func TestOwnerKilled(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"strict", "lenient"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			owner, stdout, line := startOwner(t, mode)
			pid, err := strconv.Atoi(strings.TrimSpace(line))
			require.NoError(t, err, line)
			require.Equal(t, []int{pid}, Members(pid))
			require.NoError(t, owner.Process.Kill())
			_, _ = io.Copy(io.Discard, stdout)
			_ = owner.Wait()
			if mode == "lenient" {
				require.Equal(t, []int{pid}, Members(pid))
				require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
			}
			awaitEmpty(t, pid)
		})
	}
}
