package main

import (
	"bufio"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What an app prints is shown as it comes, until the app ends, and can be read while it runs and when it has ended.
func TestElectronLogs(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	reply := u.realLaunch(t, "faults")
	require.True(t, reply.Success, reply.Error)
	require.Equal(t, "The app has printed nothing; --chromium prints Chromium's log, too", u.works(t, "electron", "logs"))
	follow, cancel := u.command("electron", "logs", "--follow")
	defer cancel()
	printed, err := follow.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, follow.Start())
	lines := bufio.NewScanner(printed)
	next := func() string {
		t.Helper()
		require.True(t, lines.Scan(), lines.Err())
		return lines.Text()
	}
	require.Zero(t, u.call(t, "find", "role", "button", "click", "--name", "Log").Code)
	require.Equal(t, []string{"synced 1", "synced 2", "synced 3"}, []string{next(), next(), next()})
	require.Contains(t, next(), "Error: the index is broken")
	require.Eventually(t, func() bool {
		return strings.Contains(u.works(t, "electron", "logs"), "Error: the index is broken\n    at ")
	}, appLimit, 50*time.Millisecond)
	require.True(t, strings.HasPrefix(u.works(t, "electron", "logs"), "synced 1\nsynced 2\nsynced 3\n"))
	require.Regexp(t, `^… \d+ lines before these; --lines prints more\n.+$`,
		u.works(t, "electron", "logs", "--lines", "1"))

	// A caller that sees nothing until the reply gets what came within the time.
	var got struct{ Data struct{ Lines []string } }
	require.NoError(t,
		json.Unmarshal([]byte(u.works(t, "electron", "logs", "--follow", "--lines", "2", "--timeout", "3000", "--json")),
			&got))
	require.Len(t, got.Data.Lines, 2)

	require.Zero(t, u.call(t, "find", "role", "button", "click", "--name", "Quit").Code)
	var last []string
	for lines.Scan() {
		last = append(last, lines.Text())
	}
	require.NoError(t, follow.Wait())
	require.Equal(t, []string{"fatal: giving up", "(ended, exit status 9)"}, last[len(last)-2:])
	require.Equal(t, "(ended, exit status 9)",
		u.works(t, "electron", "logs", reply.Data.Launch.LaunchID, "-f", "--lines", "1")[len("fatal: giving up\n"):])
	require.Eventually(t, func() bool {
		// the end itself is noted once, here or before
		ended := strings.TrimSpace(u.call(t, "electron", "logs", reply.Data.Launch.LaunchID).Out)
		return strings.HasPrefix(ended, "synced 1\n") &&
			strings.HasSuffix(ended, "\nfatal: giving up\n(ended, exit status 9)")
	}, appLimit, 50*time.Millisecond)
}

// A script runs beside the app's preload script, which the page cannot see.
func requirePreloadWorld(t *testing.T, u *user) {
	t.Helper()
	require.Equal(t, "42", u.works(t, "eval", "--world", "preload", "secretOfThePreload"))
	require.Equal(t, `"undefined"`, u.works(t, "eval", "typeof secretOfThePreload"))
	require.Equal(t, `"Held Messages"`, u.works(t, "eval", "--world", "preload", "await 0; document.title"))
	u.works(t, "console")
	u.works(t, "eval", "console.log('once')")
	require.Equal(t, "42", u.works(t, "eval", "--world", "preload", "secretOfThePreload"))
	require.Equal(t, "[log] once", u.works(t, "console"), "the console of the page is not told again")
	require.Zero(t, u.call(t, "--session", "web", "open", "about:blank").Code)
	none := u.call(t, "--session", "web", "eval", "--world", "preload", "1")
	require.Equal(t, 1, none.Code)
	require.Contains(t, none.Err,
		"its page has no preload script in a world of its own. Only pages of an Electron app have one.")
}
