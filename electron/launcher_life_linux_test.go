package electron_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/procgroup"
	electronapp "github.com/skua-browser/skua/testdata/electron"
)

// hasStopped reports whether all threads of a process have stopped. On a busy machine they go on for a while after the
// signal.
func hasStopped(pid int) bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	return !slices.ContainsFunc(threads, func(path string) bool {
		stat, err := os.ReadFile(path)
		_, state, _ := strings.Cut(string(stat[bytes.LastIndexByte(stat, ')')+1:]), " ")
		return err == nil && !strings.HasPrefix(state, "T") && !strings.HasPrefix(state, "Z")
	})
}

func TestStatus(t *testing.T) {
	t.Parallel()
	app := sample(t)
	k := launcher(t, t.TempDir())
	l, err := k.Launch(t.Context(),
		electron.LaunchOptions{ExecutablePath: app.Executable, Timeout: electron.MaxLaunchTimeout})
	require.NoError(t, err)
	id := l.Record.LaunchID
	t.Run("13.12 windows and webviews as a tree", func(t *testing.T) {
		var s electron.Status
		eventually(t, func() bool {
			var err error
			s, err = k.Status(t.Context(), id)
			return err == nil && slices.ContainsFunc(s.Targets, func(target electron.Target) bool {
				return target.Type == electron.WebviewTarget
			}) && len(s.Targets) == 3
		})
		require.Equal(t, electron.Status{
			LaunchID: id, State: "active", PID: l.Record.PID, PIDAlive: true, Port: l.Record.Port, PortAlive: true,
			Targets: s.Targets, Version: l.Version,
		}, s)
		webview := s.Targets[slices.IndexFunc(s.Targets, func(target electron.Target) bool {
			return target.Type == electron.WebviewTarget
		})]
		parent := s.Targets[slices.IndexFunc(s.Targets, func(target electron.Target) bool {
			return target.ID == webview.ParentID
		})]
		require.Equal(t, electron.PageTarget, parent.Type)
		require.NotEmpty(t, webview.WebSocketDebuggerURL)
	})
	t.Run("13.11 an id that is not known", func(t *testing.T) {
		_, err := k.Status(t.Context(), "electron-none")
		require.Equal(t, fault.LaunchNotFound, fault.CodeOf(err))
		require.ErrorContains(t, err, "No wrapper-tracked Electron launch found for launchId")
		_, err = k.Cleanup(t.Context(), "electron-none", electron.CleanupOptions{})
		require.Equal(t, fault.LaunchNotFound, fault.CodeOf(err))
		require.Equal(t, fault.LaunchNotFound, fault.CodeOf(k.Attached("electron-none", "s")))
		require.Nil(t, k.Ended("electron-none"))
	})
	t.Run("13.14 an app that hangs has no port, and is not waited for", func(t *testing.T) {
		for _, pid := range app.Processes() {
			require.NoError(t, syscall.Kill(pid, syscall.SIGSTOP))
			eventually(t, func() bool { return hasStopped(pid) })
		}
		began := time.Now()
		s, err := k.Status(t.Context(), id)
		require.NoError(t, err)
		require.Less(t, time.Since(began), patience)
		require.True(t, s.PIDAlive)
		require.False(t, s.PortAlive)
		require.Equal(t, "active", s.State)
	})
	t.Run("13.12 a stopped app can be cleaned up, and its state is known after that", func(t *testing.T) {
		c, err := k.Cleanup(t.Context(), id, electron.CleanupOptions{})
		require.NoError(t, err)
		require.Equal(t, electron.Cleaned, c.State, "%+v", c)
		s, err := k.Status(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, "cleaned", s.State)
		require.False(t, s.PIDAlive)
		<-k.Ended(id)
	})
}

func TestAppEndsByItself(t *testing.T) {
	t.Parallel()
	t.Run("13.8 a crash makes it dead at once, and removes its profile", func(t *testing.T) {
		t.Parallel()
		app := sample(t)
		k := launcher(t, t.TempDir())
		l := launch(t, k, app, "--test-crash-after-ready")
		id := l.Record.LaunchID
		<-k.Ended(id)
		eventually(t, func() bool { return state(k, id) == electron.Dead })
		require.Empty(t, app.Processes())
		nothingOf(t, l.Record.UserDataDir)
		s, err := k.Status(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, "dead", s.State)

		only, err := k.Select("", false)
		require.NoError(t, err)
		require.Equal(t, id, only[0].LaunchID)
		cleaned(t, k, app, l.Record)
		require.Equal(t, electron.Cleaned, state(k, id))
	})
	t.Run("13.8 killed from outside", func(t *testing.T) {
		t.Parallel()
		app := sample(t)
		k := launcher(t, t.TempDir())
		l := launch(t, k, app)
		require.NoError(t, syscall.Kill(l.Record.PID, syscall.SIGKILL))
		eventually(t, func() bool { return state(k, l.Record.LaunchID) == electron.Dead })
		require.Empty(t, app.Processes())
		nothingOf(t, l.Record.UserDataDir)
	})
	t.Run("13.12 windows that outlive its process are told, kept, and cleaned up", func(t *testing.T) {
		t.Parallel()
		app := sample(t)
		k := launcher(t, t.TempDir())
		l := launch(t, k, app, "--test-exit-with-port-alive")
		id := l.Record.LaunchID
		<-k.Ended(id)
		var s electron.Status
		eventually(t, func() bool {
			var err error
			s, err = k.Status(t.Context(), id)
			return err == nil && !s.PIDAlive
		})
		require.True(t, s.PortAlive)
		require.Equal(t, "active", s.State)
		require.NotEmpty(t, app.Processes())
		require.DirExists(t, l.Record.UserDataDir)
		cleaned(t, k, app, l.Record)
	})
	t.Run("13.12 its helpers do not stay without a port", func(t *testing.T) {
		t.Parallel()
		k := launcher(t, t.TempDir())
		server, tell := debugPort(t, window)
		app := scripted(t, "sleep 1000 & "+tell+"\nwhile [ -e \"$dir/DevToolsActivePort\" ]; do sleep 0.1; done")
		l := launch(t, k, app)
		server.Close()
		require.NoError(t, os.Remove(filepath.Join(l.Record.UserDataDir, "DevToolsActivePort")))
		eventually(t, func() bool { return state(k, l.Record.LaunchID) == electron.Dead })
		nothingOf(t, l.Record.UserDataDir)
	})
}

func TestCleanup(t *testing.T) {
	t.Parallel()
	for name, flag := range map[string]string{
		"13.12 an app that refuses to end is killed":        "--test-refuse-exit",
		"13.12 windows that left the app's group are found": "--test-detach",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app := sample(t)
			k := launcher(t, t.TempDir())
			l := launch(t, k, app, flag)
			c := cleaned(t, k, app, l.Record)
			require.Equal(t, []string{electron.SessionStep, electron.ProcessStep, electron.PortStep, electron.ProfileStep},
				names(c))
		})
	}
	t.Run("13.12 within five seconds, also of one that refuses", func(t *testing.T) {
		t.Parallel()
		server, tell := debugPort(t, window)
		app := scripted(t, "trap '' TERM\n"+tell+"\nwhile :; do sleep 1000; done")
		k := launcher(t, t.TempDir())
		l := launch(t, k, app)
		server.Close()
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		c, err := k.Cleanup(ctx, l.Record.LaunchID, electron.CleanupOptions{})
		require.NoError(t, err)
		require.Equal(t, electron.Cleaned, c.State, "%+v", c)
		require.Contains(t, step(t, c, electron.ProcessStep).Detail, "killed")
	})
	t.Run("13.12 the profile is kept while the port lives, and a retry does the rest", func(t *testing.T) {
		t.Parallel()
		k := launcher(t, t.TempDir())
		server, tell := debugPort(t, window)
		app := scripted(t, tell+"; sleep 1000")
		l := launch(t, k, app)
		id := l.Record.LaunchID
		require.NoError(t, k.Attached(id, "work"))
		var closed []string
		o := electron.CleanupOptions{Timeout: time.Second, CloseSession: func(_ context.Context, session string) error {
			closed = append(closed, session)
			return nil
		}}
		c, err := k.Cleanup(t.Context(), id, o)
		require.NoError(t, err)
		require.Equal(t, electron.Partial, c.State)
		require.Equal(t, electron.StepDone, step(t, c, electron.SessionStep).Status)
		require.Equal(t, electron.StepDone, step(t, c, electron.ProcessStep).Status)
		require.Equal(t, electron.StepFailed, step(t, c, electron.PortStep).Status)
		require.Equal(t, electron.StepSkipped, step(t, c, electron.ProfileStep).Status)
		require.DirExists(t, l.Record.UserDataDir)
		require.Equal(t, electron.Partial, state(k, id))
		still, err := k.Select("", false)
		require.NoError(t, err, "what is partly cleaned can be meant without its id")
		require.Equal(t, id, still[0].LaunchID)

		server.Close()
		o.Timeout = patience
		c, err = k.Cleanup(t.Context(), id, o)
		require.NoError(t, err)
		require.Equal(t, electron.Cleaned, c.State, "%+v", c)
		require.Equal(t, electron.StepSkipped, step(t, c, electron.SessionStep).Status)
		require.Equal(t, []string{"work"}, closed, "a session that a cleanup has closed is not closed again")
		nothingOf(t, l.Record.UserDataDir)
	})
	t.Run("13.12 a port that another program has by now is closed", func(t *testing.T) {
		t.Parallel()
		k := launcher(t, t.TempDir())
		server, tell := debugPort(t, window)
		app := scripted(t, "sleep 0.3; "+tell+"; sleep 1000")
		l := launch(t, k, app)
		server.Config.Handler = nil // what answers now is not a debugging port at all
		c := cleaned(t, k, app, l.Record)
		require.Equal(t, electron.StepDone, step(t, c, electron.PortStep).Status)
	})
	t.Run("13.16 13.12 a session that does not close stops nothing", func(t *testing.T) {
		t.Parallel()
		app := sample(t)
		k := launcher(t, t.TempDir())
		l := launch(t, k, app)
		id := l.Record.LaunchID
		require.NoError(t, k.Attached(id, "work"))
		fail := errors.New("no such luck")
		c, err := k.Cleanup(t.Context(), id,
			electron.CleanupOptions{Timeout: patience, CloseSession: func(context.Context, string) error { return fail }})
		require.NoError(t, err)
		require.Equal(t, electron.Partial, c.State)
		require.Equal(t, electron.Step{Name: electron.SessionStep, Status: electron.StepFailed, Detail: "no such luck"},
			c.Steps[0])
		require.Empty(t, app.Processes())
		nothingOf(t, l.Record.UserDataDir)
		c, err = k.Cleanup(t.Context(), id, electron.CleanupOptions{CloseSession: func(context.Context, string) error {
			return nil
		}})
		require.NoError(t, err)
		require.Equal(t, electron.Cleaned, c.State, "%+v", c)
	})
	t.Run("13.12 a session that hangs leaves time for the app", func(t *testing.T) {
		t.Parallel()
		server, tell := debugPort(t, window)
		app := scripted(t, tell+"\nsleep 1000 & wait")
		k := launcher(t, t.TempDir())
		l := launch(t, k, app)
		server.Close()
		require.NoError(t, k.Attached(l.Record.LaunchID, "work"))
		c, err := k.Cleanup(t.Context(), l.Record.LaunchID, electron.CleanupOptions{
			Timeout: 10 * time.Second, CloseSession: func(ctx context.Context, _ string) error {
				<-ctx.Done()
				return ctx.Err()
			},
		})
		require.NoError(t, err)
		require.Equal(t, electron.StepFailed, step(t, c, electron.SessionStep).Status)
		require.Equal(t, electron.StepDone, step(t, c, electron.ProfileStep).Status, "%+v", c)
	})
	t.Run("13.12 several at once are one after another", func(t *testing.T) {
		t.Parallel()
		app := sample(t)
		k := launcher(t, t.TempDir())
		l := launch(t, k, app)
		require.NoError(t, k.Attached(l.Record.LaunchID, "work"))
		var mu sync.Mutex
		var closed int
		var wg sync.WaitGroup
		results := make([]electron.Cleanup, 4)
		for i := range results {
			wg.Go(func() {
				results[i], _ = k.Cleanup(t.Context(), l.Record.LaunchID,
					electron.CleanupOptions{Timeout: patience, CloseSession: func(context.Context, string) error {
						mu.Lock()
						defer mu.Unlock()
						closed++
						return nil
					}})
			})
		}
		wg.Wait()
		for _, c := range results {
			require.Equal(t, electron.Cleaned, c.State, "%+v", c)
		}
		require.Equal(t, 1, closed)
		require.Empty(t, app.Processes())
	})
	t.Run("13.12 only what was launched", func(t *testing.T) {
		t.Parallel()
		app := sample(t)
		profile := filepath.Join(t.TempDir(), "by-hand")
		byHand := exec.Command(app.Executable, "--user-data-dir="+profile)
		byHand.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
		require.NoError(t, byHand.Start())
		defer func() {
			app.Kill()
			_ = byHand.Wait()
			// Its helpers write into the profile until they have ended, too.
			eventually(t, func() bool { return len(app.Processes())+len(procgroup.Members(byHand.Process.Pid)) == 0 })
		}()
		k, err := electron.NewLauncher(electron.LauncherOptions{Dir: t.TempDir()})
		require.NoError(t, err)
		l := launch(t, k, app)
		require.NoError(t, k.Close(t.Context()))
		nothingOf(t, l.Record.UserDataDir)
		require.Contains(t, app.Processes(), byHand.Process.Pid)
	})
}

func names(c electron.Cleanup) (names []string) {
	for _, s := range c.Steps {
		names = append(names, s.Name)
	}
	return names
}

func TestSelect(t *testing.T) {
	t.Parallel()
	k := launcher(t, "")
	t.Run("13.11 none", func(t *testing.T) {
		_, err := k.Select("", false)
		require.Equal(t, fault.LaunchNotFound, fault.CodeOf(err))
		none, err := k.Select("", true)
		require.NoError(t, err)
		require.Empty(t, none)
	})
	var apps []electronapp.App
	var ids []string
	for range 2 {
		server, tell := debugPort(t, window)
		app := scripted(t, tell+"; exec sleep 1000")
		apps, ids = append(apps, app), append(ids, launch(t, k, app).Record.LaunchID)
		server.Close()
	}
	t.Run("13.11 several", func(t *testing.T) {
		_, err := k.Select("", false)
		require.Equal(t, fault.LaunchNotFound, fault.CodeOf(err))
		require.ErrorContains(t, err, "launched apps are active. Name one of them, or all: electron-")
		require.ErrorContains(t, err, ids[0])
		all, err := k.Select("", true)
		require.NoError(t, err)
		require.Equal(t, []string{ids[0], ids[1]}, []string{all[0].LaunchID, all[1].LaunchID}, "the oldest first")
		one, err := k.Select(ids[1], false)
		require.NoError(t, err)
		require.Equal(t, ids[1], one[0].LaunchID)
	})
	t.Run("13.11 one that is not cleaned yet", func(t *testing.T) {
		cleaned(t, k, apps[0], k.Records()[0])
		one, err := k.Select("", false)
		require.NoError(t, err)
		require.Equal(t, ids[1], one[0].LaunchID)
		first, err := k.Select(ids[0], false)
		require.NoError(t, err)
		require.Equal(t, electron.Cleaned, first[0].CleanupState)
	})
}
