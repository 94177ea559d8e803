package sandbox

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// workers returns the workers of this process.
func workers(t *testing.T) (pids []int) {
	t.Helper()
	lists, err := filepath.Glob("/proc/self/task/*/children")
	require.NoError(t, err)
	for _, list := range lists {
		children, _ := os.ReadFile(list)
		for child := range strings.FieldsSeq(string(children)) {
			line, _ := os.ReadFile("/proc/" + child + "/cmdline")
			if strings.TrimRight(string(line), "\x00") == workerName {
				var pid int
				_, err := fmt.Sscan(child, &pid)
				require.NoError(t, err)
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// The tests of this file look at all workers of this process, so that they run one after the other, before those that
// run beside each other.
func TestProcessOfAScript(t *testing.T) {
	t.Setenv("SKUA_ENCRYPTION_KEY", "a key")
	look := func(f func(pid int)) Function {
		return Function{Name: "look", Call: func(context.Context, []any) Answer {
			pids := workers(t)
			require.Len(t, pids, 1)
			f(pids[0])
			return Answer{Value: true}
		}}
	}
	t.Run("it has no environment and no files", func(t *testing.T) {
		got := Run(t.Context(), Program{Source: `return look()`, Functions: []Function{look(func(pid int) {
			env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
			require.NoError(t, err)
			require.Empty(t, env)
			files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
			require.NoError(t, err)
			for _, f := range files {
				to, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%s", pid, f.Name()))
				require.NotContains(t, to, "/home", "the pipes and what the runtime opens")
				require.NotContains(t, to, "socket:")
			}
		})}})
		require.Empty(t, got.Failure, got.Message)
		require.Equal(t, true, got.Data)
		require.Empty(t, workers(t), "it ends with the script")
	})
	t.Run("it is killed from outside", func(t *testing.T) {
		got := Run(t.Context(), Program{Source: `await look(); for (;;) {}`, Functions: []Function{look(func(pid int) {
			require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
		})}})
		require.Equal(t, ScriptError, got.Failure)
		require.Contains(t, got.Message, "The script's process ended: signal: killed")
	})
}

// A worker takes no more than its limits, whatever the script makes at once.
func TestMemoryOfTheProcess(t *testing.T) {
	for name, source := range map[string]string{
		"a text that doubles":            `let s = "x"; for (;;) s += s`,
		"texts that double":              `const all = []; for (;;) { let s = "x".repeat(1e6); for (let i = 0; i < 4; i++) s += s; all.push(s) }`,
		"two lists that feed each other": `let a = [1], b = [2]; for (;;) { a = a.concat(b); b = b.concat(a) }`,
		"joined":                         `let s = "x".repeat(8e6); for (;;) s = [s, s].join("")`,
	} {
		t.Run(name, func(t *testing.T) {
			got := Run(t.Context(), Program{Source: source})
			require.Equal(t, ScriptError, got.Failure, got.Message)
			require.Regexp(t, "needs more than 64 MiB of memory|RangeError", got.Message)
		})
	}
	if raceDetector {
		return // its shadow is larger than any bound
	}
	var used syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_CHILDREN, &used))
	require.Less(t, used.Maxrss>>10, int64(2*(HeapBytes+margin)>>20), "MiB of the largest child")
}

func TestScriptThatHearsNothing(t *testing.T) {
	// The engine looks for no interruption in a search that tracks back, which lasts SearchTime at least.
	source := `await ready(); /^(?=a)(a+)+$/.test("a".repeat(60) + "b")`
	ctx, cancel := context.WithCancel(t.Context())
	ready := Function{Name: "ready", Call: func(context.Context, []any) Answer { cancel(); return Answer{} }}
	got := Run(ctx, Program{Source: source, Functions: []Function{ready}})
	require.Equal(t, Aborted, got.Failure, got.Message)
	require.Len(t, got.Steps, 1)
	require.Empty(t, workers(t))
}

func TestWorkerEndsWithItsHost(t *testing.T) {
	w, err := newWorker()
	require.NoError(t, err)
	defer w.end()
	require.NoError(t,
		w.send(order{Start: &start{
			Source: `await ready(); for (;;) {}`, Memory: HeapBytes, Seconds: 600, Calls: 1,
			Functions: []string{"ready"},
		}}))
	var n news
	require.NoError(t, w.receive(&n))
	require.NotNil(t, n.Call)
	require.NoError(t, w.send(order{Answer: &reply{Value: []byte("1")}}))
	require.NoError(t, w.pipes[0].Close())
	select {
	case <-w.group.Done():
	case <-time.After(time.Minute):
		t.Fatal("a worker without a host runs on")
	}
}
