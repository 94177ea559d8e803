package main

import (
	"bufio"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// What the app prints is shown as it comes, until the app ends.
func TestElectronLogsFollow(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	reply := u.realLaunch(t, "faults")
	require.True(t, reply.Success, reply.Error)
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

	// A caller that sees nothing until the reply gets what came within the time.
	var got struct{ Data struct{ Lines []string } }
	require.NoError(t, json.Unmarshal([]byte(u.works(t, "electron", "logs", "--follow", "--lines", "2", "--timeout", "300", "--json")), &got))
	require.Len(t, got.Data.Lines, 2)

	require.Zero(t, u.call(t, "find", "role", "button", "click", "--name", "Quit").Code)
	var last []string
	for lines.Scan() {
		last = append(last, lines.Text())
	}
	require.NoError(t, follow.Wait())
	require.Equal(t, []string{"fatal: giving up", "(ended, exit status 9)"}, last[len(last)-2:])
	require.Equal(t, "(ended, exit status 9)", u.works(t, "electron", "logs", reply.Data.Launch.LaunchID, "-f", "--lines", "1")[len("fatal: giving up\n"):])
}

// A script runs beside the app's preload script, which the page cannot see.
func TestElectronPreloadWorld(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.messagesApp(t)
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
	require.Contains(t, none.Err, "its page has no preload script in a world of its own. Only pages of an Electron app have one.")
}
