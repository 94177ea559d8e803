package trial

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Other package managers than npm install the same packages, each in its own layout.

// managedPlace is a project of a package manager, whose command line has the name. Its registry has the release and
// nothing else.
func managedPlace(t testing.TB, name, pinned, script string) place {
	t.Helper()
	p := npmPlace(t)
	out, err := exec.Command(root+"/scripts/npm-cached", pinned).Output() // of the registry of this machine
	require.NoError(t, err)
	program := filepath.Join(strings.TrimSpace(string(out)), script)
	require.FileExists(t, program)
	bin := filepath.Join(p.dir, "manager")
	require.NoError(t, os.Mkdir(bin, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\nexec node "+program+` "$@"`), 0o700))
	for i, variable := range p.env {
		if path, ok := strings.CutPrefix(variable, "PATH="); ok {
			p.env[i] = "PATH=" + bin + ":" + path
		}
	}
	return p
}

// uses takes the first steps with a command of the shell that starts skua.
func (p place) uses(t testing.TB, skua string) {
	t.Helper()
	p.run(t, skua+" open "+site(t))
	require.Contains(t, p.run(t, skua+" snapshot -i"), `button "Buy" @e`)
}

func TestPNPM(t *testing.T) {
	t.Parallel()
	p := managedPlace(t, "pnpm", "pnpm@12.21.0", "bin/pnpm.mjs")
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, ".npmrc"), []byte("registry="+registry(t, dist(t))+"\n"), 0o600))
	p.run(t, "pnpm add skua")
	p.uses(t, "pnpm exec skua")
	p.uses(t, "node_modules/.bin/skua")
	p.run(t, "pnpm exec skuad stop && pnpm remove skua")
	require.Empty(t, p.run(t, "ls node_modules/.bin"))
}

func TestYarnClassic(t *testing.T) {
	t.Parallel()
	whole(t) // it asks for the packages of all systems
	p := managedPlace(t, "yarn", "yarn@1.22.22", "lib/cli.js")
	p.run(t, "yarn add skua")
	p.uses(t, "yarn run skua")
	require.True(t, isProgram(t, filepath.Join(p.dir, "node_modules", ".bin", "skua")),
		"no command after the first one starts Node")
	p.uses(t, "node_modules/.bin/skua")
	p.run(t, "node_modules/.bin/skuad stop && yarn remove skua")
	require.NoFileExists(t, filepath.Join(p.dir, "node_modules", ".bin", "skua"))
	require.NoDirExists(t, filepath.Join(p.dir, "node_modules", "skua"))
}

// Yarn has layouts of its own: in one of them, packages are archives, out of which no program could be started.
func TestYarn(t *testing.T) {
	t.Parallel()
	whole(t)
	for _, linker := range []string{"node-modules", "pnp", "pnpm"} {
		t.Run(linker, func(t *testing.T) {
			t.Parallel()
			p := managedPlace(t, "yarn", "@yarnpkg/cli-dist@4.18.1", "bin/yarn.js")
			settings := "nodeLinker: " + linker + "\nnpmRegistryServer: " + registry(t, dist(t)) +
				// the registry does not say how old the release is
				"\nunsafeHttpWhitelist: ['127.0.0.1']\nenableTelemetry: false\nnpmMinimalAgeGate: 0\n"
			for name, content := range map[string]string{".yarnrc.yml": settings, "yarn.lock": ""} {
				require.NoError(t, os.WriteFile(filepath.Join(p.dir, name), []byte(content), 0o600))
			}
			p.run(t, "yarn add skua")
			p.uses(t, "yarn skua")
			p.uses(t, "yarn skua")
			p.run(t, "yarn skuad stop && yarn remove skua")
			_, err := p.try(t, "yarn skua --version")
			require.ErrorContains(t, err, "exit status 1")
		})
	}
}
