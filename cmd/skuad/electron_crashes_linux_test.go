package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/testdata/electron/real"
)

// crashReport finds the path of a crash report in a reply.
var crashReport = regexp.MustCompile(`rash report: (/\S+\.dmp)`)

// requireReport checks that a reply names a crash report that exists.
func requireReport(t *testing.T, reply string) {
	t.Helper()
	found := crashReport.FindStringSubmatch(reply)
	require.NotNil(t, found, reply)
	text, err := os.ReadFile(found[1])
	require.NoError(t, err)
	require.Equal(t, "MDMP", string(text[:4]))
}

// awaitLogs waits until the app's logs have a text, and returns them.
func (u *user) awaitLogs(t *testing.T, launch, text string) (logs string) {
	t.Helper()
	require.Eventually(t, func() bool {
		logs = u.call(t, "electron", "logs", launch).Out
		return strings.Contains(logs, text)
	}, appLimit, 50*time.Millisecond, text)
	return logs
}

// How a process of an app crashed, and where its crash report is, are in the failure and in the logs, also when the
// profile is gone that it was written to.
func TestElectronCrashReports(t *testing.T) {
	t.Parallel()
	t.Run("of a page", func(t *testing.T) {
		t.Parallel()
		u := newUser(t)
		reply := u.realLaunch(t, "faults", "--reports")
		require.True(t, reply.Success, reply.Error)
		u.call(t, "find", "role", "button", "click", "--name", "Crash page")
		got := u.call(t, "get", "title")
		require.Equal(t, 1, got.Code)
		require.Contains(t, got.Err,
			"the page crashed (crashed, exit code 5). Use `reload`, or `open <url>`. `electron logs` has")
		require.Regexp(t, `\n  page Held Faults .*\(its page has crashed\)`, u.works(t, "electron", "status"))
		require.Contains(t, u.works(t, "electron", "windows"), "its page has crashed")
		logs := u.awaitLogs(t, "", `[skua] the process of the page "Held Faults" file://`)
		require.Contains(t, logs, "/index.html has ended: crashed, exit code 5\n")
		requireReport(t, logs)
		u.works(t, "electron", "cleanup")
		requireReport(t, u.works(t, "electron", "logs", reply.Data.Launch.LaunchID))
	})
	t.Run("of a helper", func(t *testing.T) {
		t.Parallel()
		u := newUser(t)
		require.True(t, u.realLaunch(t, "faults").Success)
		u.works(t, "find", "role", "button", "click", "--name", "Crash helper")
		require.Regexp(t, `\[skua\] the process of Utility( \(\S.*\))? has ended: (crashed|killed), exit code 11`,
			u.awaitLogs(t, "", "[skua] the process of Utility"))
	})
	t.Run("of the main process", func(t *testing.T) {
		t.Parallel()
		u := newUser(t)
		reply := u.realLaunch(t, "faults", "--reports")
		require.True(t, reply.Success, reply.Error)
		got := u.call(t, "find", "role", "button", "click", "--name", "Crash main")
		require.Contains(t, got.Err, "signal: segmentation fault. Its crash report: /")
		require.NotContains(t, got.Err, "file_io_posix")
		requireReport(t, got.Err)
		logs := u.awaitLogs(t, reply.Data.Launch.LaunchID, "(ended, signal: segmentation fault)")
		requireReport(t, logs)
		require.NotContains(t, logs, "file_io_posix", "a line of Chromium's helper")
	})
	t.Run("at its start", func(t *testing.T) {
		t.Parallel()
		reply := newUser(t).realLaunch(t, "faults", "--reports", "--fault=crash")
		require.False(t, reply.Success)
		require.Contains(t, reply.Error, "(signal: segmentation fault). It said nothing. Its crash report: /")
		requireReport(t, reply.Error)
	})
}

// An app whose main process threw at its start runs on, without what was to follow. The launch says so, and does not
// wait for a window for as long as it may.
func TestElectronThrowsAtItsStart(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	app := real.Install(t, "faults")
	began := time.Now()
	got := u.call(t, "electron", "launch", "--timeout", "100000", "--", app.Executable, "--fault=throw")
	require.Zero(t, got.Code, got.Err)
	require.Less(t, time.Since(began), 90*time.Second)
	require.Contains(t, got.Err, "its main process threw an error at its start, and runs without what was to follow: "+
		"Error: main exploded at start. `electron logs` has the stack")
	require.Contains(t, u.works(t, "electron", "status"), "\n  It has no window.")
	logs := u.works(t, "electron", "logs")
	require.Contains(t, logs, "Error: main exploded at start\n    at ")
	require.NotContains(t, logs, "\x1b", "it is not a terminal")
	for _, command := range [][]string{{"snapshot", "-i"}, {"open", "https://example.org"}} {
		got = u.call(t, command...)
		require.Equal(t, 1, got.Code)
		require.Contains(t, got.Err, "Held Faults has no window, and only the app itself opens one. `electron status` says")
	}
}

// An error that the main process does not catch stops the app with a native box, in which no command can read. Its text
// is in the status.
func TestElectronThrowsLater(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	require.True(t, u.realLaunch(t, "faults").Success)
	u.call(t, "find", "role", "button", "click", "--name", "Throw", "--timeout", "2000")
	require.Regexp(t,
		`most likely a native dialog is open\. .*\n  It said: uncaught exception: Error: the index is gone\n`,
		u.works(t, "electron", "status")+"\n")
	require.Contains(t, u.works(t, "electron", "logs"), "[skua] uncaught exception: Error: the index is gone\n    at ")
	u.works(t, "electron", "cleanup")
}
