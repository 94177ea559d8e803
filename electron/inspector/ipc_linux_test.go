package inspector_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/electron/inspector"
)

// describeIPC says what an app can see of its own listeners and handlers.
const describeIPC = `(() => {
	const { app, ipcMain, webContents } = require('electron');
	const listeners = (emitter) => emitter.eventNames().map((name) => [String(name), emitter.rawListeners(name).map(String)]);
	const contents = webContents.getAllWebContents()[0];
	return JSON.stringify([
		listeners(app), listeners(ipcMain), Object.getOwnPropertyNames(ipcMain), [...ipcMain._invokeHandlers].map(([name, f]) => [name, String(f)]),
		Object.getOwnPropertyNames(ipcMain._invokeHandlers), listeners(contents), listeners(contents.ipc),
		String(Object.getPrototypeOf(contents.mainFrame).send), Object.getOwnPropertySymbols(globalThis).map(String),
	]);
})()`

// A watch changes nothing that the app does, and leaves nothing behind.
func TestWatchChangesNothing(t *testing.T) {
	t.Parallel()
	p := dial(t, start(t, "messages").inspector)
	run := func(script string) string {
		t.Helper()
		value, err := p.Evaluate(t.Context(), script)
		require.NoError(t, err)
		return string(value)
	}
	run(`await require('electron').app.whenReady(), 0`)
	require.Eventually(t, func() bool {
		return run(`Boolean(require('electron').webContents.getAllWebContents()[0]?.getTitle() === 'Held Messages')`) ==
			"true"
	}, limit, 20*time.Millisecond)
	page := `require('electron').webContents.getAllWebContents()[0].executeJavaScript`
	do := func() string {
		t.Helper()
		run(`seen.length = 0; require('electron').ipcMain.once('note', () => seen.push('once')); 0`)
		run(page + `('held.send("note", "milk"); held.send("note", "eggs"); held.invoke("lazy")')`)
		run(page + `('held.sync("sync", "x")')`)
		return run(`JSON.stringify(seen)`)
	}
	run(`require('electron').ipcMain.removeAllListeners('nothing'); 0`)
	do() // the app's own once is gone then
	before := run(describeIPC)
	plain := do()
	require.Contains(t, plain, "first true milk")
	_, err := p.WatchMessages(t.Context(), nil, "")
	require.NoError(t, err)
	require.Equal(t, plain, do(), "the order of handlers, their this, and how often they run")
	seen, err := p.WatchMessages(t.Context(), nil, inspector.StopWatching)
	require.NoError(t, err)
	require.False(t, seen.Began)
	require.Len(t, seen.Messages, 6, "two notes with their replies, lazy and sync: %v", seen.Messages)
	require.JSONEq(t, unquoted(t, before), unquoted(t, run(describeIPC)))
	require.Equal(t, plain, do())
	again, err := p.WatchMessages(t.Context(), nil, "")
	require.NoError(t, err)
	require.Empty(t, again.Messages)
}

func unquoted(t *testing.T, text string) (plain string) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &plain))
	return plain
}

// What is kept of messages is bounded, and is read without the app's code.
func TestMessagesAreBounded(t *testing.T) {
	t.Parallel()
	p := dial(t, start(t, "messages").inspector)
	ran := `
		globalThis.ran = 0;
		const awkward = { get answer() { ran++; return 1 }, [Symbol.iterator]: () => { ran++ }, toJSON() { ran++ } };
		class Odd extends Array { *[Symbol.iterator]() { ran++ } }
		const circle = {}; circle.self = circle;
		const values = [awkward, Odd.of(1, 2), new Proxy({}, { ownKeys() { ran++; return [] } }), circle, new Date(0), new Map([[1, new Set(['a'])]]), 12n, null, undefined,
			NaN, () => 0, /x/, new Error('why'), Promise.resolve(1), Buffer.from('abc'), 'x'.repeat(1e6), { api_key: 1, monkey: 2, 'Set-Cookie': 'a=b' }];
		const contents = webContents.getAllWebContents()[0];`
	_, err := p.Evaluate(t.Context(),
		`const { app, webContents } = require('electron'); await app.whenReady(); await new Promise((resolve) => { const look = () => webContents.getAllWebContents().length ? resolve() : setTimeout(look, 10); look() })`)
	require.NoError(t, err)
	_, err = p.WatchMessages(t.Context(), nil, "")
	require.NoError(t, err)
	_, err = p.Evaluate(t.Context(),
		ran+`for (const one of values) { try { contents.mainFrame.send('c', one) } catch {} }`)
	require.NoError(t, err)
	seen, err := p.WatchMessages(t.Context(), nil, inspector.ClearMessages)
	require.NoError(t, err)
	var got []string
	for _, m := range seen.Messages {
		if m.Channel == "c" {
			got = append(got, m.Args)
		}
	}
	require.Equal(t, []string{
		`{answer: (getter), toJSON: (function)}`, `[1, 2]`, `(proxy)`, `{self: {self: {self: …}}}`,
		`Date(1970-01-01T00:00:00.000Z)`, `Map([1, Set("a")])`, `12n`, `null`, `undefined`,
		`NaN`, `(function)`, `(regular expression)`, `Error("why")`, `(promise)`, `Uint8Array(3 bytes)`,
	}, got[:15])
	require.Less(t, len(got[15]), 1100)
	require.Equal(t, `{api_key: •••, monkey: 2, "Set-Cookie": •••}`, got[16])

	_, err = p.Evaluate(t.Context(),
		`for (let i = 0; i < 1500; i++) require('electron').webContents.getAllWebContents()[0].send('many', i)`)
	require.NoError(t, err)
	seen, err = p.WatchMessages(t.Context(), nil, "")
	require.NoError(t, err)
	require.Len(t, seen.Messages, 1000)
	require.Equal(t, 500, seen.Dropped)
	require.Equal(t, fmt.Sprint(1499), seen.Messages[999].Args)
}
