//go:build linux

package tool_test

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/internal/testprogram"
	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

// meddler is a backend between a tool and the engine: it keeps account of what is run, and can answer in the engine's
// place.
type meddler struct {
	backend.Backend

	mu     sync.Mutex
	lines  []ranLine
	meddle func(ctx context.Context, line string) *backend.Answer // nil, or a nil answer: the engine runs it
}

type ranLine struct {
	text    string
	success bool
}

func (m *meddler) Run(ctx context.Context, inv backend.Invocation) (a backend.Answer) {
	line := strings.Join(inv.Args, " ")
	defer func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.lines = append(m.lines, ranLine{line, a.Success})
	}()
	m.mu.Lock()
	meddle := m.meddle
	m.mu.Unlock()
	if meddle != nil {
		if a := meddle(ctx, line); a != nil {
			return *a
		}
	}
	return m.Backend.Run(ctx, inv)
}

// with sets what it answers from now on, and forgets what was run.
func (m *meddler) with(meddle func(ctx context.Context, line string) *backend.Answer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.meddle, m.lines = meddle, nil
}

// did returns what was run that ends with these words and succeeded.
func (m *meddler) did(words string) (lines []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, line := range m.lines {
		if strings.HasSuffix(line.text, words) && line.success {
			lines = append(lines, line.text)
		}
	}
	return lines
}

// failing answers lines that end with one of these words.
func failing(words ...string) func(context.Context, string) *backend.Answer {
	return func(_ context.Context, line string) *backend.Answer {
		if !slices.ContainsFunc(words, func(w string) bool {
			return strings.HasSuffix(line, w) || strings.Contains(line, " "+w+" ")
		}) {
			return nil
		}
		return &backend.Answer{Started: true, ExitCode: 1, Error: "it does not work today"}
	}
}

// newMeddled makes a caller with an app whose engine is meddled with.
func newMeddled(t testing.TB) (*apper, *meddler) {
	t.Helper()
	m := &meddler{Backend: backend.OnManager(host())}
	t.Cleanup(func() { require.NoError(t, m.Close(context.Background())) })
	return withApp(t, newCallerWith(t, tool.Options{Backend: m, SessionID: t.Name(), Env: appEnvironment()})), m
}

// takePort ends an app and answers on its port as the app did.
func (a *apper) takePort(record electron.Record) *http.Server {
	a.app.Kill()
	require.Eventually(a.t, func() bool { return len(a.app.Processes()) == 0 }, time.Minute, 10*time.Millisecond)
	mux := http.NewServeMux()
	mux.HandleFunc("/json/version", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).
			Encode(map[string]string{"Browser": "Chrome/1.2.3.4", "webSocketDebuggerUrl": record.WebSocketDebuggerURL})
	})
	var listener net.Listener
	require.Eventually(a.t, func() (ok bool) {
		var err error
		listener, err = net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(record.Port)))
		return err == nil
	}, time.Minute, 10*time.Millisecond)
	s := &http.Server{Handler: mux}
	go func() { _ = s.Serve(listener) }() // until it is closed
	return s
}

func TestElectronLaunch(t *testing.T) {
	t.Parallel()
	t.Run("13.3 arguments of the launch's own are refused", func(t *testing.T) {
		t.Parallel()
		a := newApper(t)
		r := a.electron(a.launchFields(map[string]any{"appArgs": []string{"--user-data-dir=/tmp/x"}}))
		require.Equal(t, contract.ValidationError, r.Details.FailureCategory)
		require.Contains(t, textOf(r), "electron.appArgs must not include wrapper-owned launch flag")
		require.Empty(t, a.app.Processes())
	})
	t.Run("13.5 the caller's lists decide, and deny wins", func(t *testing.T) {
		t.Parallel()
		a := newApper(t)
		for list, fields := range map[string]map[string]any{
			"deny":  {"allow": []string{"sample"}, "deny": []string{"SAMPLE NOTES"}},
			"allow": {"allow": []string{"another app"}},
		} {
			r := a.electron(a.launchFields(fields))
			require.Equal(t, contract.PolicyBlocked, r.Details.FailureCategory, textOf(r))
			require.Equal(t, "failed", r.Details.Electron.Status)
			require.Equal(t, list, r.Details.Electron.Failure.Policy.List)
			require.Empty(t, a.app.Processes(), "nothing was started")
			require.Nil(t, r.Details.ManagedSessionOutcome)
		}
	})
	t.Run("13.6 what is not an Electron app is not started", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		mark := filepath.Join(c.dir, "started")
		program := filepath.Join(c.dir, "program")
		testprogram.Write(t, program, "#!/bin/sh\ntouch "+mark+"\n")
		r := (&apper{caller: c}).electron(map[string]any{"action": "launch", "executablePath": program})
		require.Equal(t, contract.ValidationError, r.Details.FailureCategory, textOf(r))
		require.NoFileExists(t, mark)
	})
	t.Run("13.4 13.7 connect shows nothing of the app, in a fresh session that takes the place of the one before",
		func(t *testing.T) {
			t.Parallel()
			a := newApper(t)
			before := a.do("open", "about:blank").Details.SessionName
			r := a.launch(map[string]any{"handoff": "connect", "appArgs": []string{"--test-no-webview", "--test-windows=1"}})
			require.Equal(t, "replaced", r.Details.ManagedSessionOutcome.Status)
			require.NotContains(t, running(t), before)
			require.Nil(t, r.Details.RefSnapshot)
			require.Nil(t, r.Details.Electron.Handoff.Tabs)
			require.Contains(t, r.Details.Electron.Handoff.URL, "index.html", "13.9 the live address is asked for")
			require.Equal(t, "Sample", asJSON(a.do("get", "title").Details.Data).(map[string]any)["title"])
		})
	t.Run("13.4 tabs lists windows and webviews; a webview can be what is worked in", func(t *testing.T) {
		t.Parallel()
		a := newApper(t)
		r := a.launch(map[string]any{"handoff": "tabs", "targetType": "webview"})
		require.Nil(t, r.Details.RefSnapshot)
		require.Equal(t, "webview", r.Details.Electron.Handoff.Target.Type)
		require.Contains(t, textOf(r), "(webview in ")
		require.Contains(t, textOf(r), "Sample settings")
		var seen *contract.Result
		require.Eventually(t, func() bool { // the guest gets its page when its viewer is there
			at, _ := asJSON(a.do("eval",
				"location.pathname + (document.getElementById('greet')?.onclick ? ' "+
					"ready' : '')").Details.Data).(map[string]any)["result"].(string)
			seen = a.do("snapshot", "-i")
			return at == "/webview.html ready" && strings.Contains(textOf(seen), `textbox "Guest name"`)
		}, time.Minute, 20*time.Millisecond)
		a.do("click", refOf(t, seen, "button", "Greet"))
		require.Equal(t, "Hello stranger", asJSON(a.do("get", "title").Details.Data).(map[string]any)["title"])
		r = a.electron(map[string]any{"action": "status"})
		require.Nil(t, r.Details.Electron.SessionMismatch, textOf(r))
	})
	t.Run("13.9 an app that shows nothing at first is looked at again", func(t *testing.T) {
		t.Parallel()
		a := newApper(t)
		r := a.launch(map[string]any{"appArgs": []string{
			"--test-empty-first=700ms", "--test-no-webview",
			"--test-windows=1",
		}})
		if r.Details.Electron.Handoff.RefCount == 0 { // a slow machine
			require.Eventually(t, func() bool {
				return len(a.follow(r, "snapshot-electron-session").Details.RefSnapshot.RefIDs) > 0
			}, time.Minute, 50*time.Millisecond)
		}
	})
	t.Run("13.9 an app that shows nothing is not a failure, and said to be one to look at again", func(t *testing.T) {
		t.Parallel()
		a := newApper(t)
		r := a.launch(map[string]any{"appArgs": []string{"--test-empty-first=1h", "--test-no-webview", "--test-windows=1"}})
		require.Equal(t, 5, r.Details.Electron.Handoff.EmptyTries)
		require.Contains(t, textOf(r), "Run snapshot -i once more")
	})
	t.Run("13.10 a launch that is given up before it began starts nothing", func(t *testing.T) {
		t.Parallel()
		a := newApper(t)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		r := a.electronWithin(ctx, a.launchFields(nil))
		require.Equal(t, contract.Aborted, r.Details.FailureCategory, textOf(r))
		require.Empty(t, a.app.Processes())
	})
	t.Run("13.10 a launch that is given up while the app starts leaves nothing", func(t *testing.T) {
		t.Parallel()
		a := newApper(t)
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		go func() {
			for len(a.app.Processes()) == 0 && ctx.Err() == nil {
				time.Sleep(5 * time.Millisecond)
			}
			cancel()
		}()
		r := a.electronWithin(ctx, a.launchFields(map[string]any{"appArgs": []string{"--test-slow-start=1h"}}))
		require.Equal(t, contract.Aborted, r.Details.FailureCategory, textOf(r))
		d := r.Details.Electron.Failure.Diagnostics
		require.False(t, d.VersionReached)
		a.gone(electron.Record{UserDataDir: d.UserDataDir})
	})
	t.Run("13.10 an app that cannot be attached to is ended again, and the session before stays", func(t *testing.T) {
		t.Parallel()
		a, m := newMeddled(t)
		before := a.do("open", "about:blank").Details.SessionName
		m.with(failing("connect"))
		r := a.electron(a.launchFields(map[string]any{"appArgs": []string{"--test-no-webview"}}))
		require.True(t, r.IsError)
		require.Equal(t, contract.UpstreamError, r.Details.FailureCategory)
		require.Contains(t, textOf(r), "it does not work today")
		require.False(t, r.Details.Electron.Cleanup.Partial)
		record := recordOf(t, r)
		require.Equal(t, electron.Cleaned, record.CleanupState)
		a.gone(record)
		require.Equal(t, "preserved", r.Details.ManagedSessionOutcome.Status)
		require.Equal(t, before, a.do("get", "url").Details.SessionName)
	})
	t.Run("13.10 an app whose launch is given up during the handoff is ended with its session", func(t *testing.T) {
		t.Parallel()
		a, m := newMeddled(t)
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		m.with(func(_ context.Context, line string) *backend.Answer {
			if !strings.HasSuffix(line, "snapshot -i") {
				return nil
			}
			cancel()
			return &backend.Answer{Started: true, Aborted: true, Error: "given up"}
		})
		r := a.electronWithin(ctx, a.launchFields(map[string]any{"appArgs": []string{"--test-no-webview"}}))
		require.Equal(t, contract.Aborted, r.Details.FailureCategory, textOf(r))
		a.gone(recordOf(t, r))
		require.NotContains(t, running(t), r.Details.SessionName)
	})
	t.Run("13.4 13.10 an app that opens no port in its time", func(t *testing.T) {
		t.Parallel()
		a := newApper(t)
		r := a.electron(a.launchFields(map[string]any{
			"timeoutMs": 700,
			"appArgs":   []string{"--test-no-port-file", "--test-no-webview"},
		}))
		require.Equal(t, contract.TimedOut, r.Details.FailureCategory, textOf(r))
		d := r.Details.Electron.Failure.Diagnostics
		require.Equal(t, "missing", d.DevToolsActivePort)
		require.EqualValues(t, 700, d.TimeoutMs)
		a.gone(electron.Record{UserDataDir: d.UserDataDir})
	})
}

func TestElectronTracking(t *testing.T) {
	t.Parallel()
	t.Run("13.11 13.14 which launch is meant has to be clear; a session that was lost is attached again",
		func(t *testing.T) {
			t.Parallel()
			a := newApper(t)
			for _, action := range []string{"status", "cleanup"} {
				r := a.electron(map[string]any{"action": action})
				require.Equal(t, contract.ValidationError, r.Details.FailureCategory, "there is none")
			}
			first := recordOf(t, a.launch(map[string]any{"handoff": "connect", "appArgs": []string{"--test-no-webview"}}))
			second := recordOf(t, a.launch(map[string]any{"handoff": "connect", "appArgs": []string{"--test-no-webview"}}))
			require.NotEqual(t, first.UserDataDir, second.UserDataDir)
			require.NotEqual(t, first.Port, second.Port)
			for _, action := range []string{"status", "cleanup"} {
				r := a.electron(map[string]any{"action": action})
				require.Contains(t, textOf(r), "pass electron.launchId or electron.all")
				require.Contains(t, textOf(r), second.LaunchID)
				r = a.electron(map[string]any{"action": action, "launchId": "electron-none"})
				require.Contains(t, textOf(r), "No wrapper-tracked Electron launch found for launchId electron-none")
			}
			r := a.electron(map[string]any{"action": "status", "all": true})
			require.False(t, r.IsError, textOf(r))
			require.Len(t, r.Details.Electron.Statuses, 2)
			require.Len(t, r.Details.Electron.IdentifierList, 2)
			require.Len(t, r.Details.Electron.ManagedSessions, 1, "the second launch has taken the session of the first")
			m := r.Details.Electron.SessionMismatch
			require.Equal(t, []string{"no-session", first.LaunchID}, []string{m.Reason, m.LaunchID})
			require.NotEmpty(t, m.LiveTargets)

			r = a.electron(map[string]any{"action": "probe", "launchId": first.LaunchID})
			require.Equal(t, contract.UpstreamError, r.Details.FailureCategory)
			require.Equal(t, "no-session", r.Details.Electron.SessionMismatch.Reason)
			require.Contains(t, textOf(r), "reattach-electron-launch")
			again := a.follow(r, "reattach-electron-launch")
			require.False(t, again.IsError, textOf(again))
			r = a.electron(map[string]any{"action": "probe", "launchId": first.LaunchID})
			require.False(t, r.IsError, textOf(r))
			require.Equal(t, again.Details.SessionName, r.Details.Electron.ProbeContext.SessionName)
			require.Nil(t, r.Details.Electron.SessionMismatch)

			r = a.electron(map[string]any{"action": "cleanup", "launchId": second.LaunchID})
			require.False(t, r.IsError, textOf(r))
			require.NoDirExists(t, second.UserDataDir)
			require.DirExists(t, first.UserDataDir)
			require.Regexp(t, `/(index|second)\.html$`, asJSON(a.do("get", "url").Details.Data).(map[string]any)["url"],
				"the other app goes on")
			r = a.electron(map[string]any{"action": "cleanup", "all": true})
			require.False(t, r.IsError, textOf(r))
			a.gone(first)
		})
	t.Run("13.14 a session that went elsewhere is not a session of the app", func(t *testing.T) {
		t.Parallel()
		a := newApper(t)
		record := recordOf(t, a.launch(map[string]any{"handoff": "connect", "appArgs": []string{"--test-no-webview"}}))
		a.do("close")
		r := a.electron(map[string]any{"action": "status"})
		require.False(t, r.IsError, textOf(r))
		require.Equal(t, "no-session", r.Details.Electron.SessionMismatch.Reason)
		require.Equal(t, "reattach-electron-launch", idsOf(r)[0])
		require.Len(t, r.Details.Electron.Statuses, 1)
		r = a.electron(map[string]any{"action": "probe"})
		require.Equal(t, contract.ValidationError, r.Details.FailureCategory, "13.13 there is no attached session")
		require.Contains(t, textOf(r), "electron.launch")
		r = a.electron(map[string]any{"action": "cleanup"})
		require.False(t, r.IsError, textOf(r))
		a.gone(record)
	})
	t.Run("13.12 13.16 a session that does not close leaves the rest to be cleaned", func(t *testing.T) {
		t.Parallel()
		a, m := newMeddled(t)
		record := recordOf(t, a.launch(map[string]any{"handoff": "connect", "appArgs": []string{"--test-no-webview"}}))
		m.with(failing("close"))
		r := a.electron(map[string]any{"action": "cleanup"})
		require.Equal(t, contract.CleanupFailed, r.Details.FailureCategory, textOf(r))
		require.Equal(t, "partial", r.Details.Electron.Status)
		require.Contains(t, textOf(r), "managed-session: failed")
		a.gone(record)
		require.Equal(t, []string{"status-electron-launch", "retry-electron-cleanup"}, idsOf(r))
		m.with(nil)
		r = a.follow(r, "retry-electron-cleanup")
		require.False(t, r.IsError, textOf(r))
		require.Len(t, m.did("close"), 1)
		require.NotContains(t, running(t), record.SessionName)
	})
	t.Run("13.12 13.16 17.6 what is left after a cleanup is cleaned by the next, and no session is closed twice",
		func(t *testing.T) {
			t.Parallel()
			a, m := newMeddled(t)
			record := recordOf(t, a.launch(map[string]any{"handoff": "connect", "appArgs": []string{"--test-no-webview"}}))
			var port *http.Server // takes the app's port over while its session is closed
			m.with(func(_ context.Context, line string) *backend.Answer {
				if strings.HasSuffix(line, " close") && port == nil {
					port = a.takePort(record)
				}
				return nil
			})
			r := a.electron(map[string]any{"action": "cleanup"})
			require.NotNil(t, port)
			t.Cleanup(func() { _ = port.Close() })
			require.Equal(t, contract.CleanupFailed, r.Details.FailureCategory, textOf(r))
			require.True(t, r.Details.Electron.Cleanup.Partial)
			require.Equal(t, electron.Partial, r.Details.Electron.Cleanup.Records[0].CleanupState)
			require.Contains(t, textOf(r), "managed-session: done")
			require.Contains(t, textOf(r), "debug-port: failed")
			require.DirExists(t, record.UserDataDir, "the profile stays while the port lives")
			require.Equal(t, "closed", r.Details.ManagedSessionOutcome.Status)
			require.Equal(t, []string{"status-electron-launch", "retry-electron-cleanup"}, idsOf(r))
			require.NoError(t, port.Close())
			r = a.follow(r, "retry-electron-cleanup")
			require.False(t, r.IsError, textOf(r))
			a.gone(record)
			require.NotContains(t, running(t), record.SessionName)
			require.NoError(t, a.tool.Close(context.Background()))
			require.Len(t, m.did("close"), 1)
		})
	t.Run("13.16 17.6 the end of the tool ends its apps", func(t *testing.T) {
		t.Parallel()
		a := newApper(t)
		record := recordOf(t, a.launch(map[string]any{"handoff": "connect", "appArgs": []string{"--test-no-webview"}}))
		require.NoError(t, a.tool.Close(context.Background()))
		a.gone(record)
		r := a.electron(a.launchFields(nil))
		require.Equal(t, contract.Aborted, r.Details.FailureCategory, "a tool that has ended launches nothing")
		require.Empty(t, a.app.Processes())
	})
}

func TestElectronProbe(t *testing.T) {
	t.Parallel()
	a, m := newMeddled(t)
	a.launch(map[string]any{"handoff": "connect", "appArgs": []string{"--test-no-webview", "--test-windows=1"}})
	t.Run("13.13 what has no answer is told, and the rest still shown", func(t *testing.T) {
		m.with(failing("eval", "tab list"))
		r := a.electron(map[string]any{"action": "probe"})
		require.False(t, r.IsError, textOf(r))
		require.Equal(t, "partial", r.Details.Electron.Status)
		probe := r.Details.Electron.Probe
		require.Equal(t, []electron.ProbeError{
			{Step: "focusedElement", Error: "it does not work today"}, {Step: "tabs", Error: "it does not work today"},
		}, probe.Errors)
		require.Equal(t, "Sample", probe.Title)
	})
	t.Run("13.13 no answer at all is a failure", func(t *testing.T) {
		m.with(failing("--session"))
		r := a.electron(map[string]any{"action": "probe"})
		require.Equal(t, contract.UpstreamError, r.Details.FailureCategory)
		require.Equal(t, "failed", r.Details.Electron.Status)
	})
	t.Run("13.13 it is bounded, and its refs are the session's", func(t *testing.T) {
		m.with(nil)
		a.do("eval",
			`document.body.innerHTML = Array.from({length: 60}, (_, i) => '<button onclick="document.title = ' + i + '">B' + i + '</button>').join(''); document.querySelector('button').focus()`)
		r := a.electron(map[string]any{"action": "probe", "timeoutMs": 60_000})
		probe := r.Details.Electron.Probe
		require.Empty(t, probe.Errors)
		require.Equal(t, 60, probe.Snapshot.RefCount)
		require.Len(t, probe.Snapshot.RefIDs, 20)
		require.Len(t, strings.Split(probe.Snapshot.Text, "\n"), 12)
		require.LessOrEqual(t, len(probe.Snapshot.Text), 1600)
		require.Equal(t, "B0", probe.FocusedElement.Name)
		require.True(t, probe.ActiveTab.Active)
		require.LessOrEqual(t, len(probe.Tabs), 6)
		require.Len(t, r.Details.RefSnapshot.RefIDs, 60)
		a.do("click", refOf(t, r, "button", "B7"))
		require.Equal(t, "7", asJSON(a.do("get", "title").Details.Data).(map[string]any)["title"])
	})
}
