package electron_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/procgroup"
	"github.com/skua-browser/skua/internal/testport"
	"github.com/skua-browser/skua/internal/testprogram"
)

// 13.7: what an app is started with, read from the process itself.
func TestLaunchedProcess(t *testing.T) {
	t.Parallel()
	app := sample(t)
	k := launcher(t, t.TempDir())
	env := append(os.Environ(), "ELECTRON_RUN_AS_NODE=1", "SKUA_TEST_MARK=of the caller")
	cwd := t.TempDir()
	l, err := k.Launch(t.Context(), electron.LaunchOptions{
		ExecutablePath: app.Executable, Args: []string{"--safe-mode", "a file"}, Env: env, Cwd: cwd,
		Timeout: electron.MaxLaunchTimeout,
	})
	require.NoError(t, err)
	r := l.Record
	proc := filepath.Join("/proc", strconv.Itoa(r.PID))
	args, ok := procgroup.Args(r.PID)
	require.True(t, ok)
	text, err := os.ReadFile(filepath.Join(proc, "environ"))
	require.NoError(t, err)
	environ := strings.Split(string(text), "\x00")

	t.Run("13.7 a port that the system chooses, a profile of its own, and no greetings", func(t *testing.T) {
		for _, arg := range []string{
			"--remote-debugging-port=0", "--user-data-dir=" + r.UserDataDir, "--disable-extensions", "--no-first-run",
			"--no-default-browser-check",
		} {
			require.Contains(t, args, arg)
		}
		require.Equal(t, []string{"--safe-mode", "a file"}, args[len(args)-2:])
		require.Equal(t, slices.Contains(args, "--no-sandbox"), l.Exposure != "")
		require.NotZero(t, r.Port)
		port, err := os.ReadFile(filepath.Join(r.UserDataDir, "DevToolsActivePort"))
		require.NoError(t, err)
		number, path, _ := strings.Cut(strings.TrimSpace(string(port)), "\n")
		require.Equal(t, strconv.Itoa(r.Port), number)
		require.Equal(t, "ws://127.0.0.1:"+number+path, r.WebSocketDebuggerURL)
		require.Contains(t, l.Version.UserAgent, "Electron/")
	})
	t.Run("13.7 the profile is private, and short enough for the socket of its lock", func(t *testing.T) {
		info, err := os.Stat(r.UserDataDir)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
		require.LessOrEqual(t, len(r.UserDataDir+"/org.chromium.Chromium.XXXXXX/SingletonSocket"), 107)
		require.Contains(t, environ, "TMPDIR="+r.UserDataDir)
	})
	t.Run("13.7 the caller's environment, except for what would keep it from being a desktop app", func(t *testing.T) {
		require.Contains(t, environ, "SKUA_TEST_MARK=of the caller")
		require.False(t, slices.ContainsFunc(environ, func(e string) bool {
			return strings.HasPrefix(e, "ELECTRON_RUN_AS_NODE")
		}))
		dir, err := os.Readlink(filepath.Join(proc, "cwd"))
		require.NoError(t, err)
		require.Equal(t, cwd, dir)
	})
	t.Run("13.7 a group of its own", func(t *testing.T) {
		require.Contains(t, procgroup.Members(r.PID), r.PID)
		require.NotContains(t, procgroup.Members(r.PID), os.Getpid())
	})
	t.Run("13.4 a window is there when it returns", func(t *testing.T) {
		require.True(t, slices.ContainsFunc(l.Targets, func(target electron.Target) bool {
			return target.Type == electron.PageTarget
		}), "%+v", l.Targets)
	})
	cleaned(t, k, app, r)
}

func TestLaunchFailures(t *testing.T) {
	t.Parallel()
	const stay = "\nsleep 1000 & wait"
	free := testport.Free(t)
	stranger, _ := debugPort(t, window)
	portFile := func(text string) string { return `printf '` + text + `' >"$dir/DevToolsActivePort"` + stay }
	short, long := 2*time.Second, electron.MaxLaunchTimeout // long: it must not be waited for
	tests := map[string]struct {
		script string
		window time.Duration
		code   fault.Code
		says   []string
		want   electron.Diagnostics
	}{
		"13.7 no port file": {
			stay, short, fault.Timeout,
			[]string{"within 2s", "no DevToolsActivePort"},
			electron.Diagnostics{PIDAlive: true, DevToolsActivePort: "missing"},
		},
		"13.7 empty port file": {
			portFile(""), short, fault.Timeout,
			[]string{"is empty"},
			electron.Diagnostics{PIDAlive: true, DevToolsActivePort: "empty"},
		},
		"13.7 invalid port file": {
			portFile("x\\ny"), short, fault.Timeout,
			[]string{"is invalid"},
			electron.Diagnostics{PIDAlive: true, DevToolsActivePort: "invalid"},
		},
		"13.7 a port that is dead": {
			portFile(free + "\\n/devtools/browser/x"), short, fault.Timeout,
			[]string{"does not answer"},
			electron.Diagnostics{PIDAlive: true, DevToolsActivePort: "found", Port: number(t, free)},
		},
		"13.7 a port of another program": {
			portFile(portOf(stranger) + "\\n/devtools/browser/x"), short, fault.Timeout,
			[]string{"does not answer"},
			electron.Diagnostics{PIDAlive: true, DevToolsActivePort: "found", Port: number(t, portOf(stranger))},
		},
		"13.7 data kept elsewhere": {
			"echo 'DevTools listening on ws://127.0.0.1:1234/devtools/browser/x' >&2" + stay, short, fault.Timeout,
			[]string{"127.0.0.1:1234", "keeps its data elsewhere", "by hand"},
			electron.Diagnostics{PIDAlive: true, DevToolsActivePort: "missing", Stderr: "DevTools listening"},
		},
		"13.10 it ends at once": {
			"echo the disk is on fire >&2; exit 3", long, fault.AppLaunch,
			[]string{"the disk is on fire", "exit status 3"},
			electron.Diagnostics{Exit: "exit status 3", DevToolsActivePort: "missing", Stderr: "the disk is on fire"},
		},
		"13.10 it ends of a signal, its helpers stay": {
			"sleep 1000 & kill -SEGV $$; wait", long, fault.AppLaunch,
			[]string{"segmentation fault"},
			electron.Diagnostics{Exit: "signal: segmentation fault", DevToolsActivePort: "missing"},
		},
		"13.10 it needs a display": {
			"echo '[1:1:0101/1.1:ERROR:ozone.cc(1)] Missing X server or $DISPLAY' >&2; exit 1", long, fault.AppLaunch,
			[]string{"no display", "DISPLAY"},
			electron.Diagnostics{Exit: "exit status 1", DevToolsActivePort: "missing", Stderr: "Missing X server"},
		},
		"13.10 it ends well and nothing of it stays": {
			"exit 0", long, fault.AppLaunch,
			[]string{"exit status 0"},
			electron.Diagnostics{Exit: "exit status 0", DevToolsActivePort: "missing"},
		},
		"13.10 it forks, and the other ends": {
			"sleep 0.5 & exit 0", long, fault.AppLaunch,
			[]string{"exit status 0"},
			electron.Diagnostics{Exit: "exit status 0", DevToolsActivePort: "missing"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app := scripted(t, test.script)
			dir := t.TempDir()
			k := launcher(t, dir)
			_, err := k.Launch(t.Context(), electron.LaunchOptions{ExecutablePath: app.Executable, Timeout: test.window})
			f, d := faultOf(t, err)
			require.Equal(t, test.code, f.Code, err)
			for _, words := range test.says {
				require.ErrorContains(t, err, words)
			}
			require.NotZero(t, d.PID)
			require.Equal(t, test.window.Milliseconds(), d.TimeoutMs)
			if test.window == short {
				require.GreaterOrEqual(t, d.ElapsedMs, d.TimeoutMs)
			}
			require.Contains(t, d.Stderr, test.want.Stderr)
			nothingOf(t, d.UserDataDir)
			groupEnds(t, d.PID)
			entries, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Empty(t, entries, "no record of it either")
			require.Empty(t, k.Records())

			d.PID, d.UserDataDir, d.ElapsedMs, d.TimeoutMs, d.Stderr, test.want.Stderr = 0, "", 0, 0, "", ""
			require.Equal(t, test.want, d)
		})
	}
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}

// What the operating system refuses to start leaves nothing behind.
func TestLaunchNotStarted(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text string
		o    electron.LaunchOptions
		code fault.Code
		says string
	}{
		"13.10 no program of this system": {text: "#!/nonexistent/sh\n", code: fault.AppLaunch, says: "another system"},
		"13.10 a folder that is not there": {
			text: "#!/bin/sh\n", o: electron.LaunchOptions{Cwd: "/nonexistent/folder"}, code: fault.Usage,
			says: "/nonexistent/folder",
		},
		"13.5 denied": {
			text: "#!/bin/sh\n", o: electron.LaunchOptions{Deny: []string{"sample"}},
			code: fault.AppBlocked, says: "deny",
		},
		"13.5 not allowed": {
			text: "#!/bin/sh\n", o: electron.LaunchOptions{Allow: []string{"other"}},
			code: fault.AppBlocked, says: "allow",
		},
		"13.3 arguments of ours": {
			text: "#!/bin/sh\n",
			o:    electron.LaunchOptions{Args: []string{"--remote-debugging-port=1"}}, code: fault.Usage, says: "wrapper-owned",
		},
		"13.6 no marks of such apps": {text: "", code: fault.AppUnsuitable, says: "not an Electron app"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app := sample(t)
			started := filepath.Join(t.TempDir(), "started")
			test.o.ExecutablePath = app.Executable
			if test.text == "" {
				test.o.ExecutablePath = filepath.Join(t.TempDir(), "plain")
				require.NoError(t, os.WriteFile(test.o.ExecutablePath, nil, 0o755))
			}
			if test.text == "#!/bin/sh\n" {
				test.text += "touch " + started + "\n"
			}
			if test.text != "" {
				testprogram.Write(t, app.Executable, test.text)
			}
			dir := t.TempDir()
			k := launcher(t, dir)
			_, err := k.Launch(t.Context(), test.o)
			f, _ := faultOf(t, err)
			require.Equal(t, test.code, f.Code, err)
			require.ErrorContains(t, err, test.says)
			require.NotContains(t, f.Facts, "diagnostics", "nothing was started")
			require.NoFileExists(t, started)
			entries, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Empty(t, entries)
		})
	}
}

func TestLaunchAborted(t *testing.T) {
	t.Parallel()
	t.Run("13.10 before it starts", func(t *testing.T) {
		t.Parallel()
		started := filepath.Join(t.TempDir(), "started")
		app := scripted(t, "touch "+started)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := launcher(t, "").Launch(ctx, electron.LaunchOptions{ExecutablePath: app.Executable})
		f, _ := faultOf(t, err)
		require.Equal(t, fault.Canceled, f.Code)
		require.NotContains(t, f.Facts, "diagnostics")
		require.NoFileExists(t, started)
	})
	ends := map[string]struct {
		end  func(cancel context.CancelFunc, k *electron.Launcher) error
		code fault.Code
	}{
		"13.10 while it is waited for": {func(cancel context.CancelFunc, _ *electron.Launcher) error {
			cancel()
			return nil
		}, fault.Canceled},
		"13.10 13.16 by the end of the one that keeps it": {func(_ context.CancelFunc, k *electron.Launcher) error {
			return k.Close(context.Background())
		}, fault.Canceled},
	}
	for name, test := range ends {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			started := filepath.Join(t.TempDir(), "started")
			app := scripted(t, "trap '' TERM; sleep 1000 & touch "+started+"; wait; wait")
			dir := t.TempDir()
			k := launcher(t, dir)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			failed := make(chan error, 1)
			go func() {
				_, err := k.Launch(ctx, electron.LaunchOptions{ExecutablePath: app.Executable, Timeout: electron.MaxLaunchTimeout})
				failed <- err
			}()
			eventually(t, func() bool { _, err := os.Stat(started); return err == nil })
			require.NoError(t, test.end(cancel, k))
			f, d := faultOf(t, <-failed)
			require.Equal(t, test.code, f.Code)
			require.NotZero(t, d.PID)
			nothingOf(t, d.UserDataDir)
			groupEnds(t, d.PID)
			entries, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Empty(t, entries)
		})
	}
	t.Run("13.10 the caller's time is over", func(t *testing.T) {
		t.Parallel()
		app := scripted(t, "sleep 1000")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := launcher(t, "").Launch(ctx,
			electron.LaunchOptions{ExecutablePath: app.Executable, Timeout: electron.MaxLaunchTimeout})
		require.Equal(t, fault.Timeout, fault.CodeOf(err))
	})
}

func TestLaunchWithoutAWindow(t *testing.T) {
	t.Parallel()
	t.Run("13.7 an app without a window is launched when the time is over", func(t *testing.T) {
		t.Parallel()
		k := launcher(t, "") // before the port, which has to be closed when it is closed
		_, tell := debugPort(t, []electron.Target{{ID: "1", Type: "service_worker"}})
		app := scripted(t, tell+"; sleep 1000")
		l, err := k.Launch(t.Context(), electron.LaunchOptions{ExecutablePath: app.Executable, Timeout: time.Second})
		require.NoError(t, err)
		require.Equal(t, "service_worker", l.Targets[0].Type)
	})
	t.Run("13.7 targets are told up to a limit, windows before others", func(t *testing.T) {
		t.Parallel()
		var many []electron.Target
		for i := range 60 {
			many = append(many, electron.Target{ID: fmt.Sprint(i), Type: "iframe", URL: "data:" + strings.Repeat("x", 5000)})
		}
		k := launcher(t, "")
		_, tell := debugPort(t, append(many, window...))
		l := launch(t, k, scripted(t, tell+"; sleep 1000"))
		require.Len(t, l.Targets, electron.MaxTargets)
		require.Equal(t, 61-electron.MaxTargets, l.TargetsCut)
		require.Equal(t, window[0], l.Targets[0])
		require.Less(t, len(l.Targets[1].URL), 2100)
	})
}

func TestLaunchSlowly(t *testing.T) {
	t.Parallel()
	t.Run("13.4 a slow app is waited for", func(t *testing.T) {
		t.Parallel()
		app := sample(t)
		k := launcher(t, "")
		l := launch(t, k, app, "--test-slow-start=2s")
		cleaned(t, k, app, l.Record)
	})
	t.Run("13.4 and not longer than was asked for", func(t *testing.T) {
		t.Parallel()
		app := sample(t)
		k := launcher(t, "")
		began := time.Now()
		_, err := k.Launch(t.Context(),
			electron.LaunchOptions{
				ExecutablePath: app.Executable, Args: []string{"--test-slow-start=10m"},
				Timeout: time.Second,
			})
		require.Equal(t, fault.Timeout, fault.CodeOf(err))
		require.Less(t, time.Since(began), patience)
		require.Empty(t, app.Processes())
	})
}

// An app that forks away and ends is the one that goes on.
func TestLaunchForksAway(t *testing.T) {
	t.Parallel()
	for name, flag := range map[string]string{"13.8 in its group": "--test-fork"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app := sample(t)
			k := launcher(t, t.TempDir())
			l := launch(t, k, app, flag)
			require.Contains(t, app.Processes(), l.Record.PID)
			s, err := k.Status(t.Context(), l.Record.LaunchID)
			require.NoError(t, err)
			require.True(t, s.PIDAlive)
			require.True(t, s.PortAlive)
			require.Equal(t, "active", s.State)
			cleaned(t, k, app, l.Record)
		})
	}
	t.Run("13.8 out of its group", func(t *testing.T) {
		t.Parallel()
		k := launcher(t, t.TempDir())
		_, tell := debugPort(t, window)
		app := scripted(t, `setsid sh -c 'sleep 1000 & wait' x --user-data-dir="$dir" >/dev/null 2>&1 & `+tell+"; exit 0")
		l := launch(t, k, app)
		var named []procgroup.Process
		eventually(t, func() bool { // the shell's child has its command line until it is executed
			named = procgroup.FindByPath(l.Record.UserDataDir)
			return len(named) == 1
		})
		eventually(t, func() bool {
			s, err := k.Status(t.Context(), l.Record.LaunchID)
			return err == nil && s.PIDAlive == (s.PID == named[0].PID)
		})
		c, err := k.Cleanup(t.Context(), l.Record.LaunchID, electron.CleanupOptions{Timeout: time.Second})
		require.NoError(t, err)
		require.Equal(t, electron.StepDone, step(t, c, electron.ProcessStep).Status)
		require.False(t, procgroup.Alive(named[0].PID))
		groupEnds(t, named[0].PID)
	})
}

func TestLaunchAfterClose(t *testing.T) {
	t.Parallel()
	k := launcher(t, "")
	require.NoError(t, k.Close(t.Context()))
	_, err := k.Launch(t.Context(), electron.LaunchOptions{AppName: "any"})
	require.Equal(t, fault.Canceled, fault.CodeOf(err))
	require.False(t, errors.Is(err, context.Canceled))
}
