package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/lazyregexp"
)

// messagesApp launches the app whose pages and main process talk in every way, and returns what presses a button of its
// page and waits for a status.
func (u *user) messagesApp(t *testing.T) (press func(button, status string)) {
	t.Helper()
	reply := u.realLaunch(t, "messages")
	require.True(t, reply.Success, reply.Error)
	return func(button, status string) {
		t.Helper()
		require.Zero(t, u.call(t, "find", "role", "button", "click", "--name", button, "--exact").Code)
		require.Zero(t, u.call(t, "wait", "--text", status).Code, "a late effect may be noted")
	}
}

// ofClock are the parts of a message's line that differ from run to run.
var ofClock = lazyregexp.New(`(?m)^(\[\d+\]) \d\d:\d\d:\d\d\.\d{3}| in \d+\.\d ms$`)

func (u *user) messages(t *testing.T, args ...string) string {
	t.Helper()
	return ofClock.ReplaceAllString(u.works(t, append([]string{"electron", "ipc", "watch"}, args...)...), "$1")
}

// The channels of an app are listed, and called as a page calls them. The preload script that has them for the page is
// at hand, too.
func TestElectronChannels(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	press := u.messagesApp(t)
	require.Equal(t, strings.Join([]string{
		"login (handler)", "late (handler)", "fail (handler)", "open (handler)", "lazy (handler)", "note (3 listeners)",
		"sync (1 listener)", "port (1 listener)",
		"own (handler, of tab t1)",
	}, "\n"), u.works(t, "electron", "ipc"))

	require.JSONEq(t, `{"user":"ada","token":"sesame","ok":true}`,
		u.works(t, "electron", "ipc", "call", "login", "ada", `{"password":"hunter22"}`))
	require.Equal(t, `"of this window"`, u.works(t, "electron", "ipc", "call", "own"))
	require.Equal(t, `"LOUD"`, u.works(t, "electron", "ipc", "call", "sync", "loud"))
	require.Equal(t, "7", u.works(t, "electron", "ipc", "call", "lazy"))
	require.Equal(t, "✓ Sent to the listeners of note, which did not answer",
		u.works(t, "electron", "ipc", "call", "note", "milk"))
	u.works(t, "wait", "--text", "noted milk")
	press("Add", "undefined")
	require.Equal(t, "3", u.works(t, "electron", "ipc", "call", "added", "2"))

	for _, tc := range []struct{ channel, want string }{
		{
			"fail",
			"fail: the app answered with an error: Error: the store is locked. `electron logs` has the error with its stack.",
		},
		{"none", `Held Messages has no handler and no listener for "none". ` + "`electron ipc` lists its channels."},
	} {
		got := u.call(t, "electron", "ipc", "call", tc.channel)
		require.Equal(t, 1, got.Code, tc.channel)
		require.Contains(t, got.Err, tc.want)
	}
	require.Contains(t, u.works(t, "electron", "logs"), "Error: the store is locked\n    at ")

	requirePreloadWorld(t, u)

	rules := filepath.Join(u.cwd, "rules.json")
	require.NoError(t, os.WriteFile(rules, []byte(`{"default":"allow","deny":["eval"]}`), 0o600))
	u.messages(t)
	refused := u.call(t, "--action-policy", rules, "electron", "ipc", "call", "note", "never")
	require.Equal(t, 1, refused.Code, "%v", refused)
	u.works(t, "--action-policy", rules, "electron", "ipc")
	require.Equal(t, "There were no messages since they are noted", u.messages(t))
	journal := u.works(t, "journal")
	require.Contains(t, journal, "✓ electron ipc call login •••")
	require.NotContains(t, journal, "hunter22")
}

// Each message is noted with its channel, arguments, answer and time, and what is secret in it is masked.
func TestElectronMessages(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	press := u.messagesApp(t)
	u.works(t, "find", "label", "Password", "fill", "correct horse")
	require.Equal(t, "Messages are noted from now on", u.messages(t))
	press("Sign in", "sesame")
	press("Note", "noted milk")
	press("Sync", "LOUD")
	press("Port", "by port")
	press("Fail", "store is locked")
	press("Missing", "No handler registered for 'none'")
	press("Add", "undefined")
	press("Added", "2")
	press("Own", "of this window")
	require.Equal(t, strings.Join([]string{
		`[1] [t1] invoke login ("ada", {password: •••, typed: "•••"}) → {user: "ada", token: •••, ok: true}`,
		`[2] [t1] send note ("milk")`,
		`[3] [t1] to-page status ("noted milk")`,
		`[4] [t1] send-sync sync ("loud") → "LOUD"`,
		`[5] [t1] post port ({size: Uint8Array(8 bytes)})`,
		`[6] [t1] invoke fail () failed: Error: the store is locked`,
		`[7] [t1] invoke none () failed: Error: No handler registered for 'none'`,
		`[8] [t1] invoke late () → undefined`,
		`[9] [t1] invoke added (1) → 2`,
		`[10] [t1] invoke own () → "of this window"`,
	}, "\n"), u.messages(t))
	require.Regexp(t, `^\[1\] \d\d:\d\d:\d\d\.\d{3} .* in \d+\.\d ms\n`, u.works(t, "electron", "ipc", "watch"))
	require.Equal(t, `[9] [t1] invoke added (1) → 2`, u.messages(t, "--filter", "add*"))
	require.Equal(t, "None of the 10 noted messages matches", u.messages(t, "--filter", "nowhere"))

	// A page that opens later is watched, too.
	require.Equal(t, "✓ Messages cleared", u.messages(t, "--clear"))
	require.Zero(t, u.call(t, "find", "role", "button", "click", "--name", "Second").Code)
	second := u.tabOf(t, "Held Second")
	require.Zero(t, u.call(t, "--tab", second, "find", "role", "button", "click", "--name", "Sync").Code)
	require.Contains(t, u.messages(t), `[`+second+`] send-sync sync ("second") → "SECOND"`)

	require.Contains(t, u.messages(t, "--stop"), `"SECOND"`)
	require.Zero(t, u.call(t, "--tab", second, "find", "role", "button", "click", "--name", "Sync").Code)
	require.Equal(t, "Messages are noted from now on", u.messages(t))
}
