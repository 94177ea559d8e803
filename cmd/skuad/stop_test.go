package main

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/session/daemon"
)

func TestStop(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.Equal(t, "No host is running\n", stop(t, dir))

	manager, err := session.New(session.Options{Registry: catalog.Registry()})
	require.NoError(t, err)
	ready, announced := io.Pipe()
	ended := make(chan error, 1)
	go func() { // ends with the host, which is waited for below
		ended <- daemon.Serve(t.Context(), manager, daemon.Options{Dir: dir, Ready: announced, Close: manager.Close})
	}()
	_, err = io.ReadAll(ready)
	require.NoError(t, err)
	require.Equal(t, "✓ Host stopped\n", stop(t, dir))
	require.NoError(t, <-ended)
	require.Equal(t, "No host is running\n", stop(t, dir))
}

// stop runs the command and returns what it prints.
func stop(t *testing.T, dir string) string {
	cmd := stopCommand()
	var out strings.Builder
	cmd.SetOut(&out)
	cmd.SetArgs([]string{"--socket-dir", dir})
	require.NoError(t, cmd.ExecuteContext(t.Context()))
	return out.String()
}
