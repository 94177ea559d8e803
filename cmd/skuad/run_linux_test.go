package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	paperPage = "data:text/html,<title>One</title><button%20id=Two%20onclick=document.title=this.id>Go</button>"
	runLimit  = time.Minute
)

// alone prepares a command line that is run without a host.
func (u *user) alone(stdin string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(u.bin, "skuad"), append([]string{"run"}, args...)...)
	cmd.Dir, cmd.Stdin = u.cwd, strings.NewReader(stdin)
	cmd.Env = append(u.environ(), "SKUA_SOCKET_DIR=/dev/null") // no socket can be below a file
	return cmd
}

// Where no socket can be made, a batch runs all the same, and leaves nothing behind; newUser looks for that.
func TestRunWithoutSockets(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	out, err := u.alone("", "batch", "open "+paperPage, "get title").Output()
	require.NoError(t, err)
	require.Contains(t, string(out), "One")
	out, err = u.alone(`[["open","`+paperPage+`"],["snapshot","-i"],["click","@e1"],["get","title"]]`, "--json", "batch").
		Output()
	require.NoError(t, err)
	require.Contains(t, string(out), `"title":"Two"`)
	cmd, cancel := u.command("--json", "batch") // the client comes to the same when it is told
	defer cancel()
	cmd.Env = append(cmd.Env, "SKUA_NO_SOCKETS=1")
	cmd.Stdin = strings.NewReader(`[["open","` + paperPage + `"],["get","title"]]`)
	out, err = cmd.Output()
	require.NoError(t, err)
	require.Contains(t, string(out), `"title":"One"`)
	_, err = u.alone("", "get", "title", "--bogus").Output()
	failed := new(exec.ExitError)
	require.ErrorAs(t, err, &failed)
	require.Equal(t, 1, failed.ExitCode())
	require.Contains(t, string(failed.Stderr), "Unknown flag: --bogus")
}

// Ending it ends its browser.
func TestRunIsEnded(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			cmd := u.alone("", "batch", "open "+paperPage, "wait --fn false --timeout 60000")
			require.NoError(t, cmd.Start())
			require.Eventually(t, func() bool { return len(renderers(cmd.Process.Pid)) > 0 }, runLimit, 20*time.Millisecond)
			all := tree(cmd.Process.Pid)
			require.NoError(t, cmd.Process.Signal(signal))
			require.Error(t, cmd.Wait())
			requireGone(t, all)
		})
	}
}
