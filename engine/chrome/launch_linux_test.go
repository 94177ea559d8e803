package chrome

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/procgroup"
	"github.com/skua-browser/skua/internal/testprogram"
)

// fakeBrowser writes a shell script that acts as a browser.
func fakeBrowser(t testing.TB, script string) string {
	t.Helper()
	return testprogram.Write(t, filepath.Join(t.TempDir(), "chromium"), "#!/bin/sh\n"+script)
}

// launch launches a browser that is closed at the end of the test.
func launch(t testing.TB, o Options) *Process {
	t.Helper()
	p, err := Launch(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close(context.Background())) })
	return p
}

// awaitDone waits for the end of a browser, which is due.
func awaitDone(t testing.TB, p *Process) {
	t.Helper()
	select {
	case <-p.Done():
	case <-time.After(20 * time.Second):
		require.Fail(t, "the browser did not end", p.StderrTail())
	}
}

// awaitGone waits until the kernel has ended all processes of a group. Their files, by which their end is known, are
// closed a moment earlier.
func awaitGone(t testing.TB, pgid int) {
	t.Helper()
	require.Eventually(t, func() bool { return len(procgroup.Members(pgid)) == 0 }, stragglerGrace, time.Millisecond)
}

func TestLaunchFailures(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		script string
		reason string
		says   []string
	}{
		{
			"missing library",
			"echo 'chromium: error while loading shared libraries: libgbm.so.1: cannot open shared object file' >&2; exit 127",
			"library-missing",
			[]string{"libgbm.so.1", "exit status 127"},
		},
		{
			"sandbox", "echo '[1:1:0101/1.1:FATAL:zygote_host_impl_linux.cc(132)] No usable sandbox!' >&2; kill -TRAP $$",
			"sandbox-refused",
			[]string{"No usable sandbox!", "signal"},
		},
		{
			"in use", "echo Opening in existing browser session.; exit 0", "profile-in-use",
			[]string{"Opening in existing browser session."},
		},
		{"silent end", "exit 0", "unknown", []string{"It said nothing", "exit status 0"}},
		{
			"many words", "i=0; while [ $i -lt 2000 ]; do echo noise $i; i=$((i+1)); done; echo the point >&2; exit 3",
			"unknown",
			[]string{"the point", "exit status 3"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			path := fakeBrowser(t, tt.script)
			p := launch(t, Options{ExecutablePath: path, Headless: true})
			awaitDone(t, p)
			err := p.Err()
			require.Equal(t, fault.BrowserLaunch, fault.CodeOf(err))
			e, ok := errors.AsType[*fault.Error](err)
			require.True(t, ok, "%v", err)
			require.Equal(t, tt.reason, e.Facts["reason"])
			require.ErrorContains(t, err, path)
			for _, s := range tt.says {
				require.ErrorContains(t, err, s)
			}
			require.NoError(t, p.Close(t.Context()))
			require.NoDirExists(t, p.profile.Dir())
			require.ErrorIs(t, p.Err(), err, "closing changes nothing about why it ended")
		})
	}
}

func TestNotStarted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	elf := append([]byte("\x7fELF\x02\x01\x01"), make([]byte, 200)...) // no machine has the number 0
	tests := []struct {
		name string
		o    Options
		code fault.Code
		says string
	}{
		{
			"wrong architecture",
			Options{ExecutablePath: testprogram.Write(t, filepath.Join(dir, "elf"), string(elf))},
			fault.BrowserLaunch, "architecture",
		},
		{
			"no interpreter",
			Options{ExecutablePath: testprogram.Write(t, filepath.Join(dir, "script"), "#!/nonexistent/sh\n")},
			fault.BrowserLaunch, "another system",
		},
		{"no such file", Options{ExecutablePath: filepath.Join(dir, "none")}, fault.BrowserMissing, "none"},
		{
			"no browser",
			Options{Env: []string{"PATH=" + dir, "SKUA_EXECUTABLE_PATH=" + dir + "/gone"}},
			fault.BrowserMissing,
			"SKUA_EXECUTABLE_PATH",
		},
		{"profile under a file", Options{
			ExecutablePath: testprogram.Write(t, filepath.Join(dir, "b"), "#!/bin/sh\n"),
			UserDataDir:    filepath.Join(dir, "b", "p"),
		}, fault.BrowserLaunch, "cannot be made"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.o.Headless = true
			p, err := Launch(t.Context(), tt.o)
			require.Nil(t, p)
			require.Equal(t, tt.code, fault.CodeOf(err))
			require.ErrorContains(t, err, tt.says)
		})
	}

	t.Run("headed shell", func(t *testing.T) {
		t.Parallel()
		shell := testprogram.Write(t, filepath.Join(dir, "chrome-headless-shell"), "#!/bin/sh\n")
		_, err := Launch(t.Context(), Options{ExecutablePath: shell})
		require.Equal(t, fault.BrowserLaunch, fault.CodeOf(err))
		require.ErrorContains(t, err, "cannot show a window")
	})
	t.Run("no time left", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := Launch(ctx, Options{Headless: true})
		require.Equal(t, fault.Canceled, fault.CodeOf(err))
	})
}

// A browser that worked and then ended is gone; it did not fail to start.
func TestEndAfterAnswer(t *testing.T) {
	t.Parallel()
	p := launch(t,
		Options{
			Headless:       true,
			ExecutablePath: fakeBrowser(t, `printf '{"id":1}\0' >&4; read line <&3; echo out of order >&2; exit 3`),
		})
	r, w := p.Pipe()
	buf := make([]byte, 16)
	n, err := r.Read(buf)
	require.NoError(t, err)
	require.Equal(t, "{\"id\":1}\x00", string(buf[:n]))
	require.NoError(t, p.Err(), "it runs")
	_, err = w.Write([]byte("end\n"))
	require.NoError(t, err)
	awaitDone(t, p)
	require.Equal(t, fault.BrowserGone, fault.CodeOf(p.Err()))
	require.ErrorContains(t, p.Err(), "out of order")
	require.Contains(t, p.StderrTail(), "out of order")
}

// A browser that ignores the end of its pipe, and its helper, are killed when the caller's time is over.
func TestCloseKillsTheGroup(t *testing.T) {
	t.Parallel()
	p := launch(t, Options{Headless: true, ExecutablePath: fakeBrowser(t, `trap '' TERM HUP INT
(trap '' TERM HUP INT; exec sleep 1000) &
printf x >&4
while :; do sleep 1000; done`)})
	r, _ := p.Pipe()
	_, err := r.Read(make([]byte, 1))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, p.Close(ctx))
	awaitDone(t, p)
	require.NoError(t, p.Err(), "its owner wanted that")
	require.NoDirExists(t, p.profile.Dir())
	awaitGone(t, p.PID())
	p.Kill() // harmless
}

func TestKill(t *testing.T) {
	t.Parallel()
	p := launch(t, Options{Headless: true, ExecutablePath: fakeBrowser(t, "sleep 1000 & wait")})
	p.Kill()
	awaitDone(t, p)
	require.NoError(t, p.Err())
	require.NoError(t, p.Close(t.Context()))
	require.NoDirExists(t, p.profile.Dir())
	awaitGone(t, p.PID())
}

// A helper that left the process group keeps the browser's standard error open; the end is told all the same.
func TestEndWithAStrayHelper(t *testing.T) {
	t.Parallel()
	stray := filepath.Join(t.TempDir(), "pid")
	p := launch(t,
		Options{
			Headless: true,
			ExecutablePath: fakeBrowser(t,
				"setsid sh -c 'echo $$ >"+stray+"; exec sleep 30' & while [ ! -s "+stray+" ]; do :; done; exit 0"),
		})
	t.Cleanup(func() { killStray(t, stray) })
	awaitDone(t, p)
	require.Equal(t, fault.BrowserLaunch, fault.CodeOf(p.Err()))
}
