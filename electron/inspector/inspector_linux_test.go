package inspector_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/electron/inspector"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/testdata/electron/real"
)

// limit bounds what an app needs for anything, on a slow machine.
const limit = time.Minute

// run is a real app that was started, with the address of its inspector.
type run struct {
	inspector string
	profile   string
}

func start(t *testing.T, name string) run {
	t.Helper()
	app := real.Install(t, name)
	r := run{profile: t.TempDir()}
	cmd := exec.Command(app.Executable, "--no-sandbox", "--inspect=0", "--remote-debugging-port=0",
		"--user-data-dir="+r.profile)
	said, err := cmd.StderrPipe()
	require.NoError(t, err)
	cmd.Env = append(os.Environ(), "DISPLAY="+display(t))
	require.NoError(t, cmd.Start())
	found := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(said)
		for lines.Scan() {
			if _, address, ok := strings.Cut(lines.Text(), "Debugger listening on "); ok {
				found <- address
			}
		}
	}()
	t.Cleanup(func() {
		app.Kill()
		_ = cmd.Wait()
		require.Eventually(t, func() bool { return os.RemoveAll(r.profile) == nil }, limit, 10*time.Millisecond)
	})
	select {
	case r.inspector = <-found:
	case <-time.After(limit):
		require.FailNow(t, "no inspector")
	}
	return r
}

// targets are the app's pages by title.
func (r run) targets(t *testing.T) map[string]string {
	t.Helper()
	byTitle := map[string]string{}
	text, err := os.ReadFile(filepath.Join(r.profile, "DevToolsActivePort"))
	if err != nil {
		return byTitle
	}
	port, _, _ := strings.Cut(string(text), "\n")
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:"+port+"/json/list", nil)
	require.NoError(t, err)
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return byTitle
	}
	defer reply.Body.Close()
	var list []struct{ ID, Title string }
	require.NoError(t, json.NewDecoder(reply.Body).Decode(&list))
	for _, target := range list {
		byTitle[target.Title] = target.ID
	}
	return byTitle
}

func dial(t *testing.T, address string) *inspector.Process {
	t.Helper()
	p, err := inspector.Dial(t.Context(), address)
	require.NoError(t, err)
	t.Cleanup(p.Close)
	return p
}

func TestWindows(t *testing.T) {
	t.Parallel()
	r := start(t, "windows")
	p := dial(t, r.inspector)
	var all inspector.Windows
	require.Eventually(t, func() bool {
		targets := r.targets(t)
		var err error
		all, err = p.Windows(t.Context(), []string{targets["Held Windows"], targets["Held Helper"], "none"})
		// a splash that loads has the app's name
		return err == nil && targets["Held Windows"] != "" && targets["Held Loading"] == "" && len(all.Contents) == 2 &&
			len(all.Windows) == 2
	}, limit, 50*time.Millisecond, "the main window without the splash")

	require.Len(t, all.Windows, 2)
	byTitle := map[string]inspector.Window{}
	for _, w := range all.Windows {
		byTitle[w.Title] = w
	}
	main, helper := byTitle["Held Windows"], byTitle["Held Helper"]
	require.True(t, main.Visible)
	require.False(t, helper.Visible)
	require.Equal(t, 900, main.Bounds.Width)
	require.True(t, strings.HasSuffix(main.URL, "/main.html"), main.URL)
	for i, want := range []inspector.Window{main, helper} {
		require.Equal(t,
			inspector.Contents{
				TargetID: all.Contents[i].TargetID, Type: "window", Focused: all.Contents[i].Focused,
				Window: want.ID,
			}, all.Contents[i])
	}
}

func TestEvaluate(t *testing.T) {
	t.Parallel()
	p := dial(t, start(t, "windows").inspector)
	for _, tc := range []struct{ name, script, want string }{
		{name: "a value", script: "1 + 1", want: "2"},
		{name: "what the app knows", script: "require('electron').app.getName()", want: `"Held Windows"`},
		{name: "a promise", script: "await require('electron').app.whenReady(), 'ready'", want: `"ready"`},
		{name: "nothing", script: "undefined", want: "null"},
		{name: "no number", script: "0/0", want: `"NaN"`},
		{
			name: "await among statements", script: "await require('electron').app.whenReady(); process.type",
			want: `"browser"`,
		},
		{
			name: "require after await", script: "await require('electron').app.whenReady(); require('path').basename('/a/b')",
			want: `"b"`,
		},
		{
			name: "require in a function that awaits", script: "(async () => { await null; return typeof require })()",
			want: `"function"`,
		},
		{name: "a comment at the end", script: "1 + 2 // three", want: "3"},
		{name: "a promise at the end", script: "Promise.resolve({a: [1]})", want: `{"a": [1]}`},
		{name: "a declaration", script: "const path = require('path'); path.basename('/a/b')", want: `"b"`},
	} {
		got, err := p.Evaluate(t.Context(), tc.script)
		require.NoError(t, err, tc.name)
		require.JSONEq(t, tc.want, string(got), tc.name)
	}
	left, err := p.Evaluate(t.Context(), "setTimeout(() => { global.seen = typeof globalThis.require }, 300); 0")
	require.NoError(t, err)
	require.Equal(t, "0", string(left))
	require.Eventually(t, func() bool {
		left, err = p.Evaluate(t.Context(), "global.seen")
		return err == nil && string(left) != "null"
	}, limit, 400*time.Millisecond)
	require.Equal(t, `"undefined"`, string(left), "the app's own code sees no require")
	_, err = p.Evaluate(t.Context(), "nothing.here")
	require.True(t, fault.Is(err, fault.EvalFailed), "%v", err)
	require.ErrorContains(t, err, "ReferenceError: nothing is not defined")

	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err = p.Evaluate(ctx, "new Promise(() => {})")
	require.True(t, fault.Is(err, fault.Timeout), "%v", err)
}
