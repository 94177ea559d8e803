package electron_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	electronapp "github.com/skua-browser/skua/testdata/electron"
)

// sampleLimit bounds what a sample app needs for anything, on a slow machine.
const sampleLimit = 2 * time.Minute

// sampleRun is a sample app that was started.
type sampleRun struct {
	app     electronapp.App
	profile string
	cmd     *exec.Cmd
	stderr  bytes.Buffer
	ended   chan struct{}
}

func startSample(t *testing.T, args ...string) *sampleRun {
	t.Helper()
	app, err := electronapp.Generate(t.Context(), electronapp.Options{Dir: t.TempDir(), Name: "sample"})
	require.NoError(t, err)
	profile, err := os.MkdirTemp(t.TempDir(), "profile")
	require.NoError(t, err)
	s := &sampleRun{app: app, profile: profile, ended: make(chan struct{})}
	s.cmd = exec.Command(app.Executable,
		append([]string{"--remote-debugging-port=0", "--user-data-dir=" + s.profile}, args...)...)
	s.cmd.Stderr = &s.stderr
	s.cmd.WaitDelay = time.Second // of the browser's hold on stderr, where that outlives the app
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	require.NoError(t, s.cmd.Start())
	go func() {
		_ = s.cmd.Wait()
		close(s.ended)
	}()
	t.Cleanup(func() {
		app.Kill()
		<-s.ended
		require.Eventually(t, func() bool { return len(app.Processes()) == 0 }, sampleLimit, 10*time.Millisecond)
		// The threads of a process that was killed may end behind it, and write until then.
		require.Eventually(t, func() bool { return os.RemoveAll(profile) == nil }, sampleLimit, 10*time.Millisecond)
	})
	return s
}

// port waits for the port of the app.
func (s *sampleRun) port(t *testing.T) string {
	t.Helper()
	var port string
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(filepath.Join(s.profile, "DevToolsActivePort"))
		var whole bool
		port, _, whole = strings.Cut(string(text), "\n")
		return err == nil && whole
	}, sampleLimit, 10*time.Millisecond, "no port")
	return port
}

type sampleTarget struct{ ID, ParentID, Type, Title, URL string }

func sampleTargets(ctx context.Context, port string) (list []sampleTarget, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1:"+port+"/json/list", nil)
	if err != nil {
		return nil, err
	}
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	return list, json.NewDecoder(reply.Body).Decode(&list)
}

// The sample shows two windows and a guest in the first of them, and nothing of it outlives it.
func TestSampleWindows(t *testing.T) {
	t.Parallel()
	s := startSample(t)
	port := s.port(t)
	byTitle := map[string]sampleTarget{}
	require.Eventually(t, func() bool {
		list, err := sampleTargets(t.Context(), port)
		for _, target := range list {
			byTitle[target.Title] = target
		}
		return err == nil && byTitle["Sample guest"].ID != "" && byTitle["Sample settings"].ID != ""
	}, sampleLimit, 50*time.Millisecond)
	require.Equal(t, "page", byTitle["Sample"].Type)
	require.Equal(t, "page", byTitle["Sample settings"].Type)
	require.Equal(t, "webview", byTitle["Sample guest"].Type)
	require.Equal(t, byTitle["Sample"].ID, byTitle["Sample guest"].ParentID)
	require.Len(t, s.app.Processes(), 2)

	require.NoError(t, s.cmd.Process.Kill())
	require.Eventually(t, func() bool { return len(s.app.Processes()) == 0 }, sampleLimit, 10*time.Millisecond)
}

// Each of the sample's faults is what its flag says.
func TestSampleFaults(t *testing.T) {
	t.Parallel()
	gone := func(t *testing.T, s *sampleRun) {
		t.Helper()
		select {
		case <-s.ended:
		case <-time.After(sampleLimit):
			t.Fatal("it still runs")
		}
	}
	tests := []struct {
		name, flag string
		check      func(t *testing.T, s *sampleRun)
	}{
		{"ends at once", "--test-exit=3", func(t *testing.T, s *sampleRun) {
			gone(t, s)
			require.Equal(t, 3, s.cmd.ProcessState.ExitCode())
			require.Contains(t, s.stderr.String(), "told to end with 3")
			require.NoFileExists(t, filepath.Join(s.profile, "DevToolsActivePort"))
		}},
		{"crashes when it is ready", "--test-crash-after-ready", func(t *testing.T, s *sampleRun) {
			s.port(t)
			gone(t, s)
			require.False(t, s.cmd.ProcessState.Exited(), "it died of a signal")
			require.Eventually(t, func() bool { return len(s.app.Processes()) == 0 }, sampleLimit, 10*time.Millisecond)
		}},
		{"leaves its port alive", "--test-exit-with-port-alive", func(t *testing.T, s *sampleRun) {
			port := s.port(t)
			gone(t, s)
			require.Zero(t, s.cmd.ProcessState.ExitCode())
			list, err := sampleTargets(t.Context(), port)
			require.NoError(t, err)
			require.NotEmpty(t, list)
		}},
		{"does not exit", "--test-refuse-exit", func(t *testing.T, s *sampleRun) {
			port := s.port(t)
			require.NoError(t, syscall.Kill(-s.cmd.Process.Pid, syscall.SIGTERM))
			require.NoError(t, syscall.Kill(-s.cmd.Process.Pid, syscall.SIGINT))
			list, err := sampleTargets(t.Context(), port)
			require.NoError(t, err)
			require.NotEmpty(t, list)
			require.NoError(t, syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL))
			gone(t, s)
			require.Eventually(t, func() bool { return len(s.app.Processes()) == 0 }, sampleLimit, 10*time.Millisecond)
		}},
		{"starts another", "--test-fork", func(t *testing.T, s *sampleRun) {
			gone(t, s)
			require.Zero(t, s.cmd.ProcessState.ExitCode())
			_, err := sampleTargets(t.Context(), s.port(t))
			require.NoError(t, err)
		}},
		{"has a port file without a port", "--test-port-file=invalid", func(t *testing.T, s *sampleRun) {
			require.Equal(t, "no port", s.port(t))
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { // one after another: each is a browser
			tt.check(t, startSample(t, tt.flag, "--test-no-webview"))
		})
	}
}
