package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// within runs the client in a shell that has set the stage with a script.
func (u *user) within(t testing.TB, script string, args ...string) result {
	t.Helper()
	cmd, cancel := u.command(args...)
	defer cancel()
	shell, err := exec.LookPath("sh")
	require.NoError(t, err)
	cmd.Args = append([]string{"sh", "-c", script + ` && exec "$0" "$@"`, cmd.Path}, args...)
	cmd.Path = shell
	var out, errOut strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	require.True(t, cmd.ProcessState.Exited(), "%q did not end in %v", script, callLimit)
	return result{out.String(), errOut.String(), cmd.ProcessState.ExitCode()}
}

// What a limit of the system keeps from working fails with the name of the limit, soon, and leaves nothing. newUser
// looks for processes.
func TestLimits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		limit  string
		names  string // in the reply
		doctor string // what doctor says of it
	}{
		{"-n 20", "20 open files (ulimit -n)", "Only 20 files may be open at once"},
		{"-n 32", "32 open files (ulimit -n)", "Only 32 files may be open at once"},
		{"-v 2000000", "2000000 KB of address space (ulimit -v)", "only 2000000 KB of address space (ulimit -v) are allowed"},
		{"-v 775000", "775000 KB of address space (ulimit -v)", ""}, // hardly enough for the host, which doctor needs, too
		{"-f 10", "10 KB in a file (ulimit -f)", "only 10 KB in a file (ulimit -f) are allowed"},
		{"-d 100000", "100000 KB of memory (ulimit -d)", "only 100000 KB of memory (ulimit -d) are allowed"},
		{"-s 50", "50 KB of stack (ulimit -s)", "only 50 KB of stack (ulimit -s) are allowed"},
	} {
		t.Run(tt.limit, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			// Of file size the shell counts in blocks of 512 bytes.
			limit := strings.Replace(tt.limit, "-f 10", "-f 20", 1)
			got := u.within(t, "ulimit "+limit, "open", "data:text/html,<title>T</title>page")
			require.Equal(t, 1, got.Code, "%+v", got)
			require.Empty(t, got.Out)
			require.Contains(t, got.Err, tt.names)
			require.NotContains(t, got.Err, "sandbox was refused")
			if tt.doctor != "" {
				require.Contains(t, u.within(t, "ulimit "+limit, "doctor", "--offline", "--quick").Out, tt.doctor)
			}
			u.hasNoProfiles(t)
		})
	}
}

// hasNoProfiles checks that no temporary profile of a browser is left.
func (u *user) hasNoProfiles(t testing.TB) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(u.tmp, "skua-*", "profiles", "*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestMissingParts runs skua where the system lacks what Chromium expects, in a mount namespace.
func TestMissingParts(t *testing.T) {
	t.Parallel()
	const stage = "unshare --mount --propagation private sh -c "
	if out, err := exec.Command("unshare", "--mount", "--propagation", "private", "true").CombinedOutput(); err != nil {
		t.Skipf("this user gets no mount namespace: %s", out)
	}
	within := func(u *user, mounts string, args ...string) result {
		return u.within(t, `set -- "$0" "$@"; exec `+stage+`'`+mounts+` && exec "$@"' sh "$@"; true`, args...)
	}

	t.Run("no proc", func(t *testing.T) {
		t.Parallel()
		u := newUser(t)
		u.env = append(u.env, "PATH=/usr/bin:/bin")
		got := within(u, "umount -l /proc", "open", "about:blank")
		require.Equal(t, 1, got.Code, "%+v", got)
		require.Contains(t, got.Err, "this system has no /proc, without which Chromium does not run")
		got = within(u, "umount -l /proc", "doctor", "--offline", "--quick")
		require.Contains(t, got.Out, "This system has no /proc")
		u.hasNoProfiles(t)
	})
	t.Run("no shared memory", func(t *testing.T) {
		t.Parallel()
		u := newUser(t)
		const devices = "mount -t tmpfs none /dev && mknod /dev/null c 1 3 && mknod /dev/urandom c 1 9 && ln -s " +
			"/proc/self/fd /dev/fd"
		got := within(u, devices, "open", "data:text/html,<title>T</title>page")
		require.Equal(t, result{Out: "✓ T\n  data:text/html,<title>T</title>page\n"}, got)
		require.Contains(t, within(u, devices, "doctor", "--offline", "--quick").Out, "/dev/shm is missing or small")
	})
	t.Run("temporary folder that is read-only", func(t *testing.T) {
		t.Parallel()
		u := newUser(t)
		got := within(u, "mount -t tmpfs -o ro none "+u.tmp, "open", "data:text/html,<title>T</title>page")
		require.Equal(t, result{Out: "✓ T\n  data:text/html,<title>T</title>page\n"}, got,
			"the profile is in the user's cache then")
	})
	t.Run("no folder for temporary files at all", func(t *testing.T) {
		t.Parallel()
		u := newUser(t)
		got := within(u, "mount -t tmpfs -o ro none "+u.tmp+" && mount -t tmpfs -o ro none "+u.cwd, "open", "about:blank")
		require.Equal(t, 1, got.Code, "%+v", got)
		require.Contains(t, got.Err, "Set TMPDIR to a directory that you can write to.")
	})
}
