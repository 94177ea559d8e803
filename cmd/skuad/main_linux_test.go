package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/session/daemon"
)

// programs is the directory with the two programs as they are shipped, built by TestMain.
var programs string

func TestMain(m *testing.M) { os.Exit(withPrograms(m.Run)) }

func withPrograms(run func() int) int {
	if programs = os.Getenv("SKUA_PROGRAMS"); programs != "" { // they are built already
		return run()
	}
	dir, err := os.MkdirTemp("", "sk")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if out, err := exec.Command("sh", "../../scripts/build", dir).CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "scripts/build: %v\n%s", err, out)
		return 1
	}
	programs = dir
	return run()
}

// callLimit bounds each call of the client, so that a hang names its command.
const callLimit = time.Minute

// user is a user with their own home, temporary files and hosts. At the end of the test their hosts are ended, and no
// process that the hosts started may be left.
type user struct {
	base string   // holds all of the following; short, since a socket's path must be
	run  string   // SKUA_SOCKET_DIR
	tmp  string   // TMPDIR: the profiles of browsers are below it
	cwd  string   // where he works
	bin  string   // where his programs are
	env  []string // besides those that every user has
}

func newUser(t testing.TB) *user {
	t.Helper()
	u, err := makeUser()
	require.NoError(t, err)
	t.Cleanup(func() {
		for _, complaint := range u.leave() {
			t.Error(complaint)
		}
	})
	return u
}

func makeUser() (*user, error) {
	base, err := os.MkdirTemp("", "sk")
	if err != nil {
		return nil, err
	}
	u := &user{
		base: base, run: filepath.Join(base, "run"), tmp: filepath.Join(base, "tmp"),
		cwd: filepath.Join(base, "home"), bin: programs,
	}
	for _, dir := range []string{u.run, u.tmp, u.cwd} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, err
		}
	}
	return u, nil
}

// environ is the environment of the programs. It has no variables of the test's own environment, except for the choice
// of the browser.
func (u *user) environ() []string {
	env := []string{
		"SKUA_NO_SANDBOX_NOTE=1", // as root, each first reply would have it; TestMissingSandboxOnTheLine looks for it
		"HOME=" + u.cwd, "TMPDIR=" + u.tmp, "SKUA_SOCKET_DIR=" + u.run, "PATH=" + u.bin + ":" + os.Getenv("PATH"),
	}
	for _, name := range []string{"SKUA_EXECUTABLE_PATH", "AGENT_BROWSER_EXECUTABLE_PATH"} {
		if v := os.Getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return append(env, u.env...)
}

// result is what a caller of the client sees.
type result struct {
	Out, Err string
	Code     int
}

// command prepares a call of the client.
func (u *user) command(args ...string) (cmd *exec.Cmd, cancel func()) {
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	cmd = exec.CommandContext(ctx, filepath.Join(u.bin, "skua"), args...)
	cmd.Dir = u.cwd
	cmd.Env = u.environ()
	return cmd, cancel
}

// call runs the client to its end.
func (u *user) call(t testing.TB, args ...string) result {
	t.Helper()
	cmd, cancel := u.command(args...)
	defer cancel()
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	require.True(t, cmd.ProcessState.Exited(), "skua %q did not end in %v", args, callLimit)
	return result{out.String(), errOut.String(), cmd.ProcessState.ExitCode()}
}

// effectsOfEarlier are the lines of what earlier commands led to. A page or an app decides when that is, and so which
// reply has them.
var effectsOfEarlier = regexp.MustCompile("(?m)^⚠ since `.*\n")

// works runs the client, which must succeed without a warning of its own, and returns what it prints without the last
// newline.
func (u *user) works(t testing.TB, args ...string) string {
	t.Helper()
	got := u.call(t, args...)
	got.Err = effectsOfEarlier.ReplaceAllString(got.Err, "")
	require.Equal(t, result{Out: got.Out}, got, "skua %q", args)
	return strings.TrimSuffix(got.Out, "\n")
}

// started is a call of the client that goes on.
type started struct {
	cmd      *exec.Cmd
	out, err bytes.Buffer
	done     chan struct{}
}

// start runs the client in the background. It ends with the test at the latest.
func (u *user) start(t testing.TB, args ...string) *started {
	t.Helper()
	cmd, cancel := u.command(args...)
	s := &started{cmd: cmd, done: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = &s.out, &s.err
	require.NoError(t, cmd.Start())
	go func() {
		defer close(s.done)
		_ = cmd.Wait()
	}()
	t.Cleanup(func() {
		cancel()
		<-s.done
	})
	return s
}

// result waits for the end of the call.
func (s *started) result() result {
	<-s.done
	return result{s.out.String(), s.err.String(), s.cmd.ProcessState.ExitCode()}
}

// host returns the process id of the user's host.
func (u *user) host(t testing.TB) int {
	t.Helper()
	id, err := daemon.FindHost(t.Context(), u.run, "")
	require.NoError(t, err)
	require.NotZero(t, id.PID, "no host is running")
	return id.PID
}

// namespaces are those that the user had hosts in, the ordinary one first.
func (u *user) namespaces() []string {
	names := []string{""}
	entries, _ := os.ReadDir(filepath.Join(u.run, "namespaces")) // there is none as long as no caller asked for one
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// leaveLimit is how long the processes of a host may take to end after it was told to.
const leaveLimit = time.Minute

// leave ends the user's hosts by closing their sessions and by their process ids, and returns what is not as it should
// be then.
func (u *user) leave() (complaints []string) {
	complain := func(format string, args ...any) { complaints = append(complaints, fmt.Sprintf(format, args...)) }
	var watched []process
	find := func(namespace string) int {
		id, err := daemon.FindHost(context.Background(), u.run, namespace)
		if err != nil {
			complain("the host of %q: %v", namespace, err)
		}
		watched = append(watched, tree(id.PID)...)
		return id.PID
	}
	for _, namespace := range u.namespaces() {
		if find(namespace) == 0 {
			continue
		}
		args := []string{"close", "--all"}
		if namespace != "" {
			args = append(args, "--namespace", namespace)
		}
		cmd, cancel := u.command(args...)
		if out, err := cmd.CombinedOutput(); err != nil {
			complain("close --all: %v: %s", err, out)
		}
		cancel()
		// It may be another host now: the client replaces one that is older than its own.
		if pid := find(namespace); pid != 0 {
			if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
				complain("ending the host %d: %v", pid, err)
			}
		}
	}
	for deadline := time.Now().Add(leaveLimit); ; time.Sleep(20 * time.Millisecond) {
		left := alive(watched)
		if len(left) == 0 { // only then are all processes of the machine read
			left = mentioning(u.base)
		}
		if len(left) == 0 {
			break
		}
		if time.Now().After(deadline) {
			complain("processes are left: %v", left)
			for _, p := range left {
				_ = syscall.Kill(p.pid, syscall.SIGKILL)
			}
			break
		}
	}
	if err := os.RemoveAll(u.base); err != nil {
		complain("%v", err)
	}
	return complaints
}
