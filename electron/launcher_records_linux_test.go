package electron_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/internal/procgroup"
)

// hostVariable makes the test binary a host that keeps a launched app and waits to be killed: see TestHostKilled.
const hostVariable = "SKUA_TEST_KEEPER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(hostVariable); dir != "" {
		host(dir, os.Args[1], os.Args[2:])
		return
	}
	os.Exit(m.Run())
}

// host launches an app, tells its record, and waits for the end of its input.
func host(dir, executable string, args []string) {
	k, err := electron.NewLauncher(electron.LauncherOptions{Dir: dir})
	if err == nil {
		o := electron.LaunchOptions{
			ExecutablePath: executable, Args: append(args, "--test-no-webview"),
			Timeout: electron.MaxLaunchTimeout,
		}
		if args[0] == "--test-port-file=none" {
			go k.Launch(context.Background(), o) //nolint:errcheck // it never returns
		} else {
			var l *electron.Launched
			if l, err = k.Launch(context.Background(), o); err == nil {
				_ = json.NewEncoder(os.Stdout).Encode(l.Record)
			}
		}
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	_, _ = os.Stdin.Read(make([]byte, 1))
}

func TestHostKilled(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"13.8 13.16 an app that works":            "--test-windows=2",
		"13.8 13.16 an app that refuses to end":   "--test-refuse-exit",
		"13.8 13.16 an app that forked away":      "--test-fork",
		"13.8 13.16 windows that left its group":  "--test-detach",
		"13.8 13.16 windows that outlived it":     "--test-exit-with-port-alive",
		"13.8 13.16 an app that is not ready yet": "--test-port-file=none",
	}
	for name, flag := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app := sample(t)
			dir := t.TempDir()
			owner := exec.Command(os.Args[0], app.Executable, flag)
			owner.Env = append(os.Environ(), hostVariable+"="+dir)
			stdin, err := owner.StdinPipe()
			require.NoError(t, err)
			defer stdin.Close()
			stdout, err := owner.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, owner.Start())
			defer func() { _ = owner.Process.Kill(); _ = owner.Wait() }()

			var r electron.Record
			if flag == "--test-port-file=none" {
				eventually(t, func() bool {
					records, _ := filepath.Glob(filepath.Join(dir, "*.json"))
					if len(records) != 1 || len(app.Processes()) < 2 {
						return false
					}
					text, err := os.ReadFile(records[0])
					return err == nil && json.Unmarshal(text, &r) == nil
				})
			} else {
				line, err := bufio.NewReader(stdout).ReadBytes('\n')
				require.NoError(t, err)
				require.NoError(t, json.Unmarshal(line, &r), string(line))
			}
			require.NotEmpty(t, app.Processes())
			require.DirExists(t, r.UserDataDir)

			// A running host keeps its apps when another host starts.
			other, err := electron.NewLauncher(electron.LauncherOptions{Dir: dir})
			require.NoError(t, err)
			require.Empty(t, other.Records())
			require.NoError(t, other.Close(t.Context()))
			require.NotEmpty(t, app.Processes())

			require.NoError(t, owner.Process.Kill())
			_ = owner.Wait()
			eventually(t, func() bool {
				return len(app.Processes())+len(procgroup.FindByPath(r.UserDataDir)) == 0
			}, "the app outlived its host")

			k := launcher(t, dir)
			eventually(t, func() bool { return state(k, r.LaunchID) == electron.Dead })
			nothingOf(t, r.UserDataDir)
			left, err := filepath.Glob(filepath.Join(dir, "*"))
			require.NoError(t, err)
			require.Equal(t, []string{filepath.Join(dir, r.LaunchID+".json")}, left, "except for the record of the launch")
			s, err := k.Status(t.Context(), r.LaunchID)
			require.NoError(t, err)
			require.Equal(t, "dead", s.State)
		})
	}
}

func TestRecord(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	app := sample(t)
	k := launcher(t, dir)
	before := time.Now().UnixMilli()
	l := launch(t, k, app)
	r := l.Record
	read := func() (fields map[string]any) {
		text, err := os.ReadFile(filepath.Join(dir, r.LaunchID+".json"))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &fields))
		return fields
	}
	t.Run("13.8 what it holds", func(t *testing.T) {
		require.Regexp(t, `^electron-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, r.LaunchID)
		require.NoError(t, k.Attached(r.LaunchID, "work"))
		fields := read()
		created, _ := fields["createdAtMs"].(float64)
		require.GreaterOrEqual(t, int64(created), before)
		delete(fields, "createdAtMs")
		require.Equal(t, map[string]any{
			"version": 1.0, "launchId": r.LaunchID, "launchedByWrapper": true, "appName": "Sample Notes", "appPath": app.Dir,
			"executablePath": app.Executable,
			"userDataDir":    r.UserDataDir, "port": float64(r.Port), "pid": float64(r.PID), "sessionName": "work",
			"webSocketDebuggerUrl": r.WebSocketDebuggerURL, "cleanupState": "active",
		}, fields)
		info, err := os.Stat(filepath.Join(dir, r.LaunchID+".json"))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	})
	t.Run("13.8 what it says in the end, to a later launcher too", func(t *testing.T) {
		cleaned(t, k, app, r)
		require.Equal(t, "cleaned", read()["cleanupState"])
		later := launcher(t, dir)
		require.Equal(t, electron.Cleaned, state(later, r.LaunchID))
		s, err := later.Status(t.Context(), r.LaunchID)
		require.NoError(t, err)
		require.Equal(t, "cleaned", s.State)
		require.Equal(t, "work", later.Records()[0].SessionName)
	})
}

// orphan writes the record of a launch whose owner was killed where nothing ends its app, and makes its profile.
func orphan(t *testing.T, dir string, pid int) electron.Record {
	t.Helper()
	r := electron.Record{
		Version: 1, LaunchID: "electron-11111111-2222-4333-8444-555555555555", LaunchedByWrapper: true, AppName: "Left",
		ExecutablePath: "/bin/left", PID: pid,
		UserDataDir: filepath.Join(t.TempDir(), "app-left"), CreatedAtMs: time.Now().UnixMilli(),
		CleanupState: electron.Active,
	}
	text, err := json.Marshal(r)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, r.LaunchID+".json"), text, 0o600))
	require.NoError(t, os.Mkdir(r.UserDataDir, 0o700))
	require.NoError(t, os.WriteFile(r.UserDataDir+".lock", nil, 0o600))
	return r
}

// process starts a process that stays, whose command line has the arguments.
func process(t *testing.T, args ...string) *procgroup.Group {
	t.Helper()
	g, err := procgroup.Start(exec.Command("sh", append([]string{"-c", "sleep 1000; :", "sh"}, args...)...),
		procgroup.Options{})
	require.NoError(t, err)
	t.Cleanup(func() {
		g.Kill()
		<-g.Gone()
	})
	return g
}

func TestTakeOver(t *testing.T) {
	t.Parallel()
	t.Run("13.12 an app that outlived its host is known again, and can be cleaned up", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		r := orphan(t, dir, 0)
		g := process(t, "--user-data-dir="+r.UserDataDir)
		eventually(t, func() bool { return len(procgroup.FindByPath(r.UserDataDir)) == 1 })
		k := launcher(t, dir)
		require.Equal(t, electron.Active, state(k, r.LaunchID))
		s, err := k.Status(t.Context(), r.LaunchID)
		require.NoError(t, err)
		require.True(t, s.PIDAlive)
		require.Equal(t, g.PID(), s.PID)
		c, err := k.Cleanup(t.Context(), r.LaunchID, electron.CleanupOptions{Timeout: patience})
		require.NoError(t, err)
		require.Equal(t, electron.Cleaned, c.State, "%+v", c)
		<-g.Done()
		groupEnds(t, g.PID())
		nothingOf(t, r.UserDataDir)
	})
	t.Run("13.12 it is dead once it ends by itself", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		r := orphan(t, dir, 0)
		g := process(t, "--user-data-dir="+r.UserDataDir)
		eventually(t, func() bool { return len(procgroup.FindByPath(r.UserDataDir)) == 1 })
		k := launcher(t, dir)
		g.Kill()
		<-k.Ended(r.LaunchID)
		eventually(t, func() bool { return state(k, r.LaunchID) == electron.Dead })
		nothingOf(t, r.UserDataDir)
	})
	t.Run("13.12 an id that is another process's by now gets no signal", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		stranger := process(t, "--user-data-dir=/somewhere/else")
		r := orphan(t, dir, stranger.PID())
		k := launcher(t, dir)
		eventually(t, func() bool { return state(k, r.LaunchID) == electron.Dead })
		nothingOf(t, r.UserDataDir)
		_, err := k.Cleanup(t.Context(), r.LaunchID, electron.CleanupOptions{})
		require.NoError(t, err)
		require.True(t, procgroup.Alive(stranger.PID()))
	})
	t.Run("13.8 what is not a record of ours is left alone", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		precious := t.TempDir()
		for name, text := range map[string]string{
			"electron-newer.json": `{"version": 2, "launchId": "electron-newer", "userDataDir": "` + precious +
				`/app-x", "cleanupState": "active"}`,
			"electron-other.json": `{"version": 1, "launchId": "electron-other", "userDataDir": "` + precious +
				`", "cleanupState": "active"}`,
			"electron-renamed.json": `{"version": 1, "launchId": "electron-else", "userDataDir": "` + precious +
				`/app-x", "cleanupState": "active"}`,
			"electron-torn.json": `{"version": 1, "laun`,
			"notes.json":         `{}`,
		} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		}
		require.NoError(t, os.Mkdir(filepath.Join(precious, "app-x"), 0o700))
		k, err := electron.NewLauncher(electron.LauncherOptions{Dir: dir})
		require.NoError(t, err)
		require.Empty(t, k.Records())
		require.NoError(t, k.Close(t.Context()))
		require.DirExists(t, filepath.Join(precious, "app-x"))
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, left, 5)
	})
	t.Run("13.8 the records of the newest launches are kept for a while", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		now := time.Now().UnixMilli()
		for i := range 40 {
			id := fmt.Sprintf("electron-%02d", i)
			at := now - int64(i)*1000
			if i == 3 {
				at = now - 25*time.Hour.Milliseconds()
			}
			text := fmt.Sprintf(
				`{"version": 1, "launchId": %q, "userDataDir": "/tmp/app-x", "cleanupState": "cleaned", "createdAtMs": %d, "finishedAtMs": %d}`, id, at, at)
			require.NoError(t, os.WriteFile(filepath.Join(dir, id+".json"), []byte(text), 0o600))
		}
		k := launcher(t, dir)
		require.Len(t, k.Records(), 32)
		require.Equal(t, electron.Cleaned, state(k, "electron-00"))
		require.Empty(t, state(k, "electron-03"))
		require.Empty(t, state(k, "electron-39"))
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, left, 32)
	})
}

// A launcher that cannot clean up leaves what is left to the next one.
func TestCloseLeavesWhatItCannotClean(t *testing.T) {
	t.Parallel()
	t.Run("13.12 13.16 the profile of an app whose port lives", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		k, err := electron.NewLauncher(electron.LauncherOptions{Dir: dir})
		require.NoError(t, err)
		server, tell := debugPort(t, window)
		l := launch(t, k, scripted(t, tell+"; exec sleep 1000"))
		err = k.Close(t.Context())
		require.ErrorContains(t, err, "debug-port: failed")
		require.DirExists(t, l.Record.UserDataDir)

		stranger, err := electron.NewLauncher(electron.LauncherOptions{Dir: t.TempDir()})
		require.NoError(t, err)
		require.NoError(t, stranger.Close(t.Context()))
		require.DirExists(t, l.Record.UserDataDir, "kept by a launcher that has no record of the app")

		next := launcher(t, dir)
		require.Equal(t, electron.Partial, state(next, l.Record.LaunchID))
		c, err := next.Cleanup(t.Context(), l.Record.LaunchID, electron.CleanupOptions{Timeout: time.Second})
		require.NoError(t, err)
		require.NotEqual(t, electron.Cleaned, c.State)
		require.DirExists(t, l.Record.UserDataDir, "kept by the next one too")
		server.Close()
		eventually(t, func() bool { return state(next, l.Record.LaunchID) == electron.Dead })
		nothingOf(t, l.Record.UserDataDir)
	})
}

// groupEnds waits until the kernel has ended the processes of a group that were killed.
func groupEnds(t *testing.T, pgid int) {
	t.Helper()
	require.Eventually(t, func() bool { return len(procgroup.Members(pgid)) == 0 }, patience, time.Millisecond)
}
