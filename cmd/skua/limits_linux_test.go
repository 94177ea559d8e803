package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// under runs the client with a limit of the shell's ulimit.
func (c client) under(t *testing.T, limit string, args ...string) result {
	t.Helper()
	cmd := c.command(t, args...)
	script := "ulimit " + limit + ` && exec "$0" "$@"`
	cmd.Args = append([]string{"sh", "-c", script}, cmd.Args...)
	cmd.Args[3] = cmd.Path
	var err error
	cmd.Path, err = exec.LookPath("sh")
	require.NoError(t, err)
	var out, errOut strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err = cmd.Run()
	require.True(t, cmd.ProcessState.Exited(), "%v", err)
	return result{out.String(), errOut.String(), cmd.ProcessState.ExitCode()}
}

// Where a limit keeps the client or the host from starting, the reply names it, and nothing is left.
func TestLimits(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		early := strings.HasSuffix(t.Name(), "runtime")
		for _, tt := range []struct {
			limit, names string
			runtime      bool // a client that starts in main cannot tell: the runtime ends it
		}{
			{"-n 5", "only 5 open files (ulimit -n) are allowed", true},
			{"-n 6", "only 6 open files (ulimit -n) are allowed", true},
			{"-n 9", "only 9 open files (ulimit -n) are allowed", false},
			{"-v 300000", "only 300000 KB of address space (ulimit -v) are allowed", true},
			{"-d 20000", "only 20000 KB of memory (ulimit -d) are allowed", true},
		} {
			t.Run(tt.limit, func(t *testing.T) {
				if tt.runtime && !early {
					t.Skip("the Go runtime ends before the client can say anything")
				}
				got := c.under(t, tt.limit, "who")
				require.Equal(t, 1, got.Code, "%+v", got)
				require.Contains(t, got.Err, tt.names)
				require.NotContains(t, got.Err, "goroutine")
				require.NotContains(t, got.Err, "another user")
			})
		}
		require.Equal(t, result{Out: "fine\n"}, c.call(t, "echo", "fine"), "a host that starts without the limit")
		if early {
			require.Equal(t, result{Out: "fine\n"}, c.under(t, "-v 300000", "echo", "fine"),
				"is enough for a client that needs no runtime")
		}
	})
}

func TestLastWords(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for said, want := range map[string]string{
		"":      "",
		"one":   ": one",
		"one\n": ": one",
		"runtime: failed\nfatal error: newosproc\n\nruntime stack:\n": ": runtime: failed; fatal error: newosproc",
	} {
		path := dir + "/log"
		require.NoError(t, os.WriteFile(path, []byte("before\n"+said), 0o600))
		require.Equal(t, want, lastWords(path, int64(len("before\n"))))
	}
	require.Empty(t, lastWords(dir+"/none", 0))
}
