package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/session/daemon"
)

// Agents leave pipes open that never end: nothing reads from one before it is known that the command line wants that.
func TestOpenPipeHoldsNothingUp(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		args []string
		says string
	}{
		{[]string{"batch", "--bogus"}, "Unknown flag: --bogus"},
		{[]string{"batch", "--help"}, "Run several commands in one call"},
		{[]string{"batch", "--version"}, "skua "},
		{[]string{"chat", "--bogus"}, "Unknown flag: --bogus"},
		{[]string{"eval", "--stdin", "--bogus"}, "Unknown flag: --bogus"},
		{[]string{"eval", "--stdin", "1+1"}, "--stdin takes the script from standard input alone"},
		{[]string{"batch", "session list"}, "No active sessions"},
		{[]string{"auth", "save", "--password-stdin"}, "Missing"},
	} {
		for name, env := range map[string]string{"with a host": "SKUA_NO_SOCKETS=", "without": "SKUA_NO_SOCKETS=1"} {
			t.Run(strings.Join(tc.args, " ")+" "+name, func(t *testing.T) {
				t.Parallel()
				u := newUser(t)
				u.env = []string{env}
				r, w, err := os.Pipe()
				require.NoError(t, err)
				defer r.Close()
				defer w.Close()
				cmd, cancel := u.command(tc.args...)
				defer cancel()
				cmd.Stdin = r
				var said bytes.Buffer
				cmd.Stdout, cmd.Stderr = &said, &said
				_ = cmd.Run()
				require.Contains(t, said.String(), tc.says)
			})
		}
	}
}

// A host ends by itself when its last session is closed, and the next command starts another one.
func TestHostEndsBehindItsLastSession(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	for range 2 {
		require.Zero(t, u.call(t, "open", paperPage).Code)
		id, err := daemon.FindHost(t.Context(), u.run, "")
		require.NoError(t, err)
		host := tree(id.PID)
		require.NotEmpty(t, host)
		require.Equal(t, "One\n", u.call(t, "get", "title").Out)
		require.Zero(t, u.call(t, "close").Code)
		requireGone(t, host)
	}
	require.Zero(t, u.call(t, "open", paperPage).Code)
	id, err := daemon.FindHost(t.Context(), u.run, "")
	require.NoError(t, err)
	host := tree(id.PID)
	require.NoError(t, os.RemoveAll(u.run))
	requireGone(t, host)
}
