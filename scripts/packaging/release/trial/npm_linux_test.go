package trial

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/scripts/packaging/release/spec"
)

// npmPlace is a place whose npm asks a registry with the release, and has nothing else.
func npmPlace(t testing.TB) place {
	t.Helper()
	dir := dist(t)
	node, err := exec.LookPath("node")
	require.NoError(t, err)
	p := newPlace(t, filepath.Dir(node))
	p.env = append(p.env, "npm_config_registry="+registry(t, dir), "npm_config_audit=false", "npm_config_fund=false",
		"npm_config_loglevel=error")
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, "package.json"), []byte(`{"private": true}`), 0o600))
	return p
}

// In a project, npm links the program of the system itself: the command costs no Node.
func TestNPMInAProject(t *testing.T) {
	t.Parallel()
	p := npmPlace(t)
	v := versionOf(t, dist(t))
	p.run(t, "npm install skua")
	modules := filepath.Join(p.dir, "node_modules")
	p.stopsAtEnd(t, filepath.Join(modules, ".bin", "skuad"))
	for _, name := range []string{"skua", "skuad"} {
		to, err := filepath.EvalSymlinks(filepath.Join(modules, ".bin", name))
		require.NoError(t, err)
		require.Contains(t, to, "/@skua-browser/", "%s is the program, not a script that starts it", name)
	}
	require.Contains(t, p.run(t, "npx skua --version"), "skua "+v+" ")
	p.run(t, "npx skua open "+site(t))
	require.Contains(t, p.run(t, "npx skua snapshot -i"), `button "Buy" @e`)
	require.Contains(t, p.run(t, "npx skua upgrade"), "npm install skua@latest", "npm upgrades what npm installed")
	p.run(t, "npx skuad stop && npm uninstall skua")
	entries, err := os.ReadDir(modules)
	require.NoError(t, err)
	for _, e := range entries {
		if e.Name()[0] == '.' {
			continue
		}
		left, err := os.ReadDir(filepath.Join(modules, e.Name())) // npm leaves the folder of a scope
		require.NoError(t, err)
		require.Empty(t, left, "in %s", e.Name())
	}
}

// For a user, npm links the script of the package skua. With the first command it gives its place to a link to the
// program, which then needs no Node.
func TestNPMForAUser(t *testing.T) {
	t.Parallel()
	p := npmPlace(t)
	p.run(t, "npm install -g --prefix global skua")
	p.stopsAtEnd(t, filepath.Join(p.dir, "global", "bin", "skuad"))
	for _, name := range []string{"skua", "skuad"} {
		linked := filepath.Join(p.dir, "global", "bin", name)
		require.False(t, isProgram(t, linked), "npm linked the script")
		version := p.run(t, linked+" --version")
		require.Contains(t, version, versionOf(t, dist(t)))
		require.True(t, isProgram(t, linked), "the program has the script's place")
		require.Equal(t, version, p.run(t, "PATH= "+linked+" --version"), "it needs no Node")
	}
	p.run(t, "global/bin/skua open "+site(t))
	require.Contains(t, p.run(t, "global/bin/skua snapshot -i"), `button "Buy" @e`)
	require.Contains(t, p.run(t, "global/bin/skua upgrade"), "npm install -g skua@latest",
		"npm upgrades what npm installed")

	p.run(t, "npm install -g --prefix global skua")
	require.Contains(t, p.run(t, "global/bin/skua get title"), "Order",
		"npm has put the script in its place again, and the program is as it was")
	p.run(t, "global/bin/skuad stop && npm uninstall -g --prefix global skua")
	require.Empty(t, p.run(t, "find global ! -type d"))
}

// The packages with the programs can be installed without the one that chooses among them. Then there is no script at
// all.
func TestNPMOfOneSystem(t *testing.T) {
	t.Parallel()
	p := npmPlace(t)
	platform, arch := spec.Target{OS: runtime.GOOS, Arch: runtime.GOARCH}.Node()
	name := "@skua-browser/" + platform + "-" + arch
	p.run(t, "npm install -g --prefix global "+name)
	p.stopsAtEnd(t, filepath.Join(p.dir, "global", "bin", "skuad"))
	require.True(t, isProgram(t, filepath.Join(p.dir, "global", "bin", "skua")))
	p.run(t, "global/bin/skua open "+site(t))
	require.Contains(t, p.run(t, "global/bin/skua upgrade"), "npm install -g "+name+"@latest")
}

// isProgram reports whether a path leads to a program of the release, and not to a script that starts it.
func isProgram(t testing.TB, path string) bool {
	t.Helper()
	to, err := filepath.EvalSymlinks(path)
	require.NoError(t, err)
	return strings.Contains(to, "/@skua-browser/")
}

// Where a script of another package manager has Node read the script of the package, that stays. Words, standard input,
// exit code and signals pass through it.
func TestNPMScript(t *testing.T) {
	t.Parallel()
	p := npmPlace(t)
	p.run(t, "npm install -g --prefix global skua")
	skua := filepath.Join(p.dir, "start")
	script := filepath.Join(p.dir, "global", "lib", "node_modules", "skua", "bin", "skua")
	require.NoError(t, os.WriteFile(skua, []byte("#!/bin/sh\nexec node "+script+` "$@"`), 0o700))
	p.stopsAtEnd(t, filepath.Join(p.dir, "global", "bin", "skuad"))
	p.run(t, skua+" open "+site(t))
	require.Contains(t, p.run(t, skua+" snapshot -i"), `button "Buy" @e`)
	require.Contains(t, p.run(t, "printf '%s' '[[\"eval\", \"1 + 1\"]]' | "+skua+" batch"), "2")
	_, err := p.try(t, skua+" click '#is  not there'")
	require.ErrorContains(t, err, "exit status 1")
	require.ErrorContains(t, err, "#is  not there", "words stay as they are")

	asked := make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	cmd := exec.Command(skua, "open", server.URL)
	cmd.Dir, cmd.Env = p.dir, p.env
	require.NoError(t, cmd.Start())
	<-asked
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	err = cmd.Wait()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 128+int(syscall.SIGTERM), exit.ExitCode())
	p.run(t, skua+" open "+site(t))
	require.Contains(t, p.run(t, skua+" get title"), "Order", "the session does not wait for the command that ended")
	require.False(t, isProgram(t, script))
}

// Where the package of the system is left out, the script says so.
func TestNPMWithoutThePrograms(t *testing.T) {
	t.Parallel()
	p := npmPlace(t)
	p.run(t, "npm install --omit=optional skua")
	_, err := p.try(t, "npx skua open about:blank")
	require.ErrorContains(t, err, "is not installed; install skua again without --omit=optional")
}
