//go:build linux

package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// shellPlace is a place whose program is a shell: each call runs a line of it.
func shellPlace(t *testing.T, launch ...string) *place {
	shell, err := exec.LookPath("sh")
	require.NoError(t, err)
	p, err := newPlace(t.TempDir(), &program{name: "shell", argv: []string{shell, "-c"}}, launch)
	require.NoError(t, err)
	return p
}

func TestPlaceEndsWhatWasStartedInIt(t *testing.T) {
	t.Parallel()
	p := shellPlace(t)
	// The shell in the background carries the place's mark in its environment; its child has none, as env -i takes it
	// away.
	result, err := p.run(t.Context(),
		`sh -c 'env -i sleep 100 & echo $! >pid; trap "" TERM; wait; wait' >/dev/null 2>&1 </dev/null &
		while ! [ -s pid ]; do sleep 0.01; done; cat pid`)
	require.NoError(t, err)
	var child int
	_, err = fmt.Sscan(result.stdout, &child)
	require.NoError(t, err)
	_, alive := readProcess(child)
	require.True(t, alive)

	require.NoError(t, p.end(t.Context()))
	_, alive = readProcess(child)
	require.False(t, alive)
	require.NoDirExists(t, p.dir)
}

func TestCallsSeeNoSettingsOfTheUser(t *testing.T) {
	for _, name := range []string{
		"SKUA_SESSION", "AGENT_BROWSER_SESSION", "HTTP_PROXY", "https_proxy",
		"XDG_RUNTIME_DIR",
	} {
		t.Setenv(name, "surprise")
	}
	p := shellPlace(t, "AGENT_BROWSER_ARGS=x")
	plain, err := p.run(t.Context(), "env")
	require.NoError(t, err)
	require.NotContains(t, plain.stdout, "surprise")
	require.NotContains(t, plain.stdout, "AGENT_BROWSER_ARGS")
	require.Contains(t, plain.stdout, "HOME="+filepath.Join(p.dir, "home"))
	launch, err := p.start(t.Context(), "env")
	require.NoError(t, err)
	require.Contains(t, launch.stdout, "AGENT_BROWSER_ARGS=x")
}

func TestFailedCallTellsWhatTheProgramSaid(t *testing.T) {
	t.Parallel()
	_, err := shellPlace(t).run(t.Context(), "echo no such page >&2; exit 1")
	require.ErrorContains(t, err, "no such page")
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
}
