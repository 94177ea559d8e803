package chrome

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

func TestEndFault(t *testing.T) {
	t.Parallel()
	const bus = "[1:2:1121/073859.852748:ERROR:dbus/bus.cc:405] Failed to connect to the bus: no such file\n"
	tests := []struct {
		name   string
		exit   string
		said   string
		reason string
		says   []string
	}{
		{
			"library", "exit status 127",
			"/opt/chrome: error while loading shared libraries: libnss3.so: cannot open shared object file: No such file or " +
				"directory\n",
			"library-missing",
			[]string{"libnss3.so is missing", "ldd"},
		},
		{
			"library on a mac", "signal: abort trap",
			"dyld[7]: Library not loaded: /usr/lib/libfoo.dylib\n  Referenced from: x\n",
			"library-missing",
			[]string{"/usr/lib/libfoo.dylib is missing"},
		},
		{
			"old system", "exit status 1",
			"/opt/chrome: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.36' not found (required by /opt/chrome)\n",
			"system-too-old",
			[]string{"GLIBC_2.36"},
		},
		{
			"root", "exit status 1",
			"[20512:20512:1121/073859.909503:ERROR:content/browser/zygote_host/zygote_host_impl_linux.cc:103] Running as root " +
				"without --no-sandbox is not supported. See https://crbug.com/638180.\n",
			"sandbox-refused",
			[]string{"Running as root", "--no-sandbox"},
		},
		{
			"no sandbox", "signal: trace/breakpoint trap",
			"[7:7:0101/1.1:FATAL:content/browser/zygote_host/zygote_host_impl_linux.cc:132] No usable sandbox! Update your " +
				"kernel.\n#0 0x55d\n#1 0x55e\n",
			"sandbox-refused",
			[]string{"No usable sandbox", "user namespaces"},
		},
		{
			"namespace", "signal: trace/breakpoint trap",
			"Failed to move to new namespace: PID namespaces supported, but failed: errno = Operation not permitted\n",
			"sandbox-refused", nil,
		},
		{
			"in use", "exit status 0", "Opening in existing browser session.\n", "profile-in-use",
			[]string{"another browser uses"},
		},
		{
			"in use, seen by the lock", "exit status 21",
			"[9:9:0101/1.1:ERROR:chrome/browser/process_singleton_posix.cc:345] Failed to create /p/SingletonLock: File " +
				"exists (17)\n",
			"profile-in-use", nil,
		},
		{"in use, by its status alone", "exit status 21", "", "profile-in-use", []string{"It said nothing"}},
		{
			"profile not writable", "exit status 21",
			"[9:9:0101/1.1:ERROR:chrome/browser/process_singleton_posix.cc:345] Failed to create /p/SingletonLock: Permission " +
				"denied (13)\n",
			"profile-not-writable", nil,
		},
		{
			"no display", "exit status 1",
			"[1:1:1121/073859.851423:ERROR:ui/ozone/platform/x11/ozone_platform_x11.cc:257] Missing X server or $DISPLAY\n" +
				"[1:1:1121/073859.851458:ERROR:ui/aura/env.cc:253] The platform failed to initialize.  Exiting.\n" + bus,
			"no-display",
			[]string{"Missing X server or $DISPLAY", "apt-get install xvfb", "--headed"},
		},
		{"architecture", "exit status 126", "/bin/sh: 1: /opt/chrome: Exec format error\n", "wrong-architecture", nil},
		{
			"snap", "exit status 1",
			"Command '/usr/bin/chromium-browser' requires the chromium snap to be installed.\nPlease install it with:\n",
			"snap-missing",
			[]string{"snap install chromium"},
		},
		{
			"shared memory", "signal: aborted",
			"[1:1:0101/1.1:ERROR:base/memory/platform_shared_memory_region_posix.cc:214] Creating shared memory in " +
				"/dev/shm/.org.chromium.Chromium.x failed: No space left on device (28)\n", "shared-memory",
			[]string{"--shm-size"},
		},
		{"full disk", "exit status 1", "write: No space left on device\n", "disk-full", []string{"TMPDIR"}},
		{
			"settings cut by a full disk", "exit status 1",
			"[1:1:0101/1.1:ERROR:headless/lib/browser/headless_browser_impl.cc:313] Failed to read prefs in '/p/Local " +
				"State', error: 1\n" +
				"[3:3:0101/1.1:WARNING:sandbox/policy/linux/sandbox_linux.cc:405] InitializeSandbox() called with multiple " +
				"threads in process gpu-process.\n",
			"profile-damaged",
			[]string{"the file /p/Local State of its profile is damaged", "move it away"},
		},
		{
			"settings that are a folder", "exit status 1",
			"[1:1:0101/1.1:ERROR:headless/lib/browser/headless_browser_impl.cc:313] Failed to read prefs in '/p/Local " +
				"State', error: 4\n",
			"profile-not-readable",
			[]string{"/p/Local State", "cannot be read"},
		},
		{
			"a warning that healthy browsers have", "exit status 1",
			"[3:3:0101/1.1:WARNING:sandbox/policy/linux/sandbox_linux.cc:405] InitializeSandbox() called with multiple " +
				"threads in process gpu-process.\n",
			"unknown", nil,
		},
		{
			"sandbox that fails", "signal: trace/breakpoint trap",
			"[3:3:0101/1.1:FATAL:sandbox/linux/services/credentials.cc:137] Check failed: . : Operation not permitted (1)\n",
			"sandbox-refused", nil,
		},
		{
			"nothing known", "signal: segmentation fault", bus + "Something odd\n", "unknown",
			[]string{"Something odd", "signal: segmentation fault", "--version"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := endFault("/opt/chrome", tt.exit, tt.said, false, nil)
			require.Equal(t, fault.BrowserLaunch, fault.CodeOf(err))
			e, ok := errors.AsType[*fault.Error](err)
			require.True(t, ok, "%v", err)
			require.Equal(t, tt.reason, e.Facts["reason"])
			require.ErrorContains(t, err, `"/opt/chrome"`)
			require.ErrorContains(t, err, tt.exit)
			require.NotContains(t, err.Error(), "dbus")
			for _, s := range tt.says {
				require.ErrorContains(t, err, s)
			}
		})
	}

	gone := endFault("/opt/chrome", "signal: killed", "Running as root without --no-sandbox", true, nil)
	require.Equal(t, fault.BrowserGone, fault.CodeOf(gone))
	require.ErrorContains(t, gone, "signal: killed")
	closed := endFault("/opt/chrome", "exit status 0", "something", true, nil)
	require.Equal(t, fault.BrowserGone, fault.CodeOf(closed))
	require.ErrorContains(t, closed, "was closed")
	require.NotContains(t, closed.Error(), "unexpectedly", "its user closed the window, or a client sent Browser.close")
}

func TestStartFault(t *testing.T) {
	t.Parallel()
	existing, err := os.Executable()
	require.NoError(t, err)
	tests := []struct {
		name string
		path string
		err  error
		says string
	}{
		{"no permission", "/b", syscall.EACCES, "noexec"},
		{"no loader", existing, &fs.PathError{Op: "fork/exec", Path: existing, Err: syscall.ENOENT}, "another system"},
		{"wrong format", "/b", &fs.PathError{Op: "fork/exec", Path: "/b", Err: syscall.ENOEXEC}, "architecture"},
		{"no processes", "/b", syscall.EAGAIN, "end other programs"},
		{"something else", "/b", syscall.EIO, "could not be started"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := startFault(tt.path, tt.err)
			require.Equal(t, fault.BrowserLaunch, fault.CodeOf(got))
			require.ErrorIs(t, got, tt.err)
			require.ErrorContains(t, got, tt.path)
			require.ErrorContains(t, got, tt.says)
		})
	}
}

func TestLastWords(t *testing.T) {
	t.Parallel()
	require.Empty(t, LastWords("\n  \n"))
	require.Equal(t, "ERROR:a/b.cc:3: Broken", LastWords("[11:22:1121/073859.85:ERROR:a/b.cc:3] Broken\n#0 0x123 main\n"))
	require.Equal(t, "3 | 4 | 5 | 6", LastWords("1\n2\n3\n4\n5\n6\n"))
	long := LastWords(strings.Repeat("é", 2*lineBytes))
	require.Less(t, len(long), lineBytes+10)
	require.True(t, strings.HasSuffix(long, "é…"), long)
}
