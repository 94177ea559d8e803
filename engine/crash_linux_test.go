package engine_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// renderers returns the processes of the pages in a browser.
func renderers(t testing.TB, browser int) []int {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	require.NoError(t, err)
	var found []int
	for _, path := range stats {
		stat, _ := os.ReadFile(path) // empty when it has ended meanwhile
		cmdline, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		if !bytes.Contains(cmdline, []byte("--type=renderer")) {
			continue
		}
		// pid (comm) state parent group: the group of all processes of a browser has the id of the first.
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if group, _ := strconv.Atoi(fields[2]); group == browser {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			require.NoError(t, err)
			found = append(found, pid)
		}
	}
	return found
}

// A frame whose renderer crashed says so at once, and the page goes on without it.
func TestFrameCrash(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"/": `<title>Main</title>`, "/leaf": "<h1>Leaf</h1>"})
	b := ownBrowser(t)
	p := pageIn(t, contextIn(t, b))
	open(t, p, s.URL+"/")
	before := renderers(t, b.PID())
	require.NotEmpty(t, before)
	eval(t, p,
		`new Promise(done => { const f = document.createElement("iframe"); f.onload = () => done(0); f.src = "`+s.At("a")+
			`/leaf"; document.body.append(f) })`)
	f := frameAt(t, p, s.At("a")+"/leaf")
	require.Equal(t, "Leaf", textIn(t, f, "h1"))
	waiting := make(chan error, 1)
	go func() { // ends with the frame's renderer
		arg := map[string]any{"target": map[string]any{"css": "#never"}, "state": "visible", "patience": limit.Milliseconds()}
		waiting <- f.Call(timed(t, limit), "wait", arg, nil)
	}()
	require.Equal(t, "Leaf", textIn(t, f, "h1"))
	of := slices.DeleteFunc(renderers(t, b.PID()), func(pid int) bool { return slices.Contains(before, pid) })
	require.Len(t, of, 1)
	require.NoError(t, syscall.Kill(of[0], syscall.SIGKILL))
	err := receive(t, waiting)
	require.Equal(t, fault.PageCrashed, fault.CodeOf(err), "%v", err)
	err = f.Call(timed(t, limit), "info", nil, nil)
	require.Equal(t, fault.PageCrashed, fault.CodeOf(err), "%v", err)
	require.Equal(t, `"Main"`, eval(t, p, "document.title"))
	require.NoError(t, p.Err())

	eval(t, p,
		`new Promise(done => { const f = document.querySelector("iframe"); f.onload = () => done(0); f.src = "`+s.At("a")+
			`/leaf?again" })`)
	require.Equal(t, "Leaf", textIn(t, frameAt(t, p, s.At("a")+"/leaf?again"), "h1"))
}

// Calls that wait when the browser dies fail at once.
func TestBrowserKilled(t *testing.T) {
	t.Parallel()
	b := ownBrowser(t)
	p := pageIn(t, contextIn(t, b))
	waiting := make(chan error, 1)
	go func() { // ends with the browser
		_, err := p.Evaluate(timed(t, limit), "new Promise(() => {})")
		waiting <- err
	}()
	eval(t, p, "0")
	require.NoError(t, syscall.Kill(b.PID(), syscall.SIGKILL))
	require.Equal(t, fault.BrowserGone, fault.CodeOf(receive(t, waiting)))
	require.Equal(t, fault.BrowserGone, fault.CodeOf(b.Err()))
	require.Equal(t, fault.BrowserGone, fault.CodeOf(p.Err()))
	requireAll(t, fault.BrowserGone, calls(t, p))
}
