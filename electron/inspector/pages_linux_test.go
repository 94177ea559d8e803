package inspector_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/electron/inspector"
	"github.com/skua-browser/skua/engine/cdp"
)

// leftByPages says what a connection to pages may leave in the app.
const leftByPages = `(() => {
	const { app, webContents } = require('electron');
	return [webContents.getAllWebContents().filter((c) => c.debugger.isAttached()).length, app.listenerCount('quit'), app.listenerCount('will-quit'),
		Object.getOwnPropertyNames(globalThis).length, Object.getOwnPropertySymbols(globalThis).map(String)];
})()`

// A connection to the pages of an app is one like that of a debugging port, and leaves nothing behind. A second one
// does not end the first if there is another page that can carry it, and otherwise takes its page.
func TestDialPages(t *testing.T) {
	t.Parallel()
	r := start(t, "notes")
	p := dial(t, r.inspector)
	left := func() string {
		t.Helper()
		value, err := p.Evaluate(t.Context(), leftByPages)
		require.NoError(t, err)
		return string(value)
	}
	connect := func() *cdp.Conn {
		t.Helper()
		var transport cdp.Transport
		require.Eventually(t, func() bool {
			var err error
			transport, err = inspector.DialPages(t.Context(), r.inspector)
			return err == nil
		}, limit, 50*time.Millisecond, "a window")
		conn := cdp.NewConn(transport)
		t.Cleanup(func() { _ = conn.Close() })
		return conn
	}
	titles := func(conn *cdp.Conn) (all []string) {
		t.Helper()
		var reply struct {
			TargetInfos []struct {
				Title string `json:"title"`
			} `json:"targetInfos"`
		}
		require.NoError(t, conn.Root().Call(t.Context(), "Target.getTargets", nil, &reply))
		for _, info := range reply.TargetInfos {
			all = append(all, info.Title)
		}
		return all
	}
	_, err := p.Evaluate(t.Context(),
		`(async () => { const w = require('electron').BrowserWindow; while (!w.getAllWindows()[0]?.webContents.getTitle().startsWith('Held')) await new Promise((r) => setTimeout(r, 10)) })()`)
	require.NoError(t, err)
	before := left()
	first := connect()
	require.Equal(t, []string{"Held Notes"}, titles(first))
	require.Error(t,
		first.Root().Call(t.Context(), "Target.setAutoAttach",
			map[string]bool{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true}, nil),
		"it would not hold new windows")
	second := connect()
	require.Eventually(t, func() bool { return first.Err() != nil }, limit, 10*time.Millisecond, "it has the only page")
	require.Equal(t, []string{"Held Notes"}, titles(second))
	require.NoError(t, second.Close())
	require.Equal(t, before, left())
}
