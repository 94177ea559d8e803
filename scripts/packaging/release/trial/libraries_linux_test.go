package trial

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The libraries are installed from their packages beside the programs of an archive, take the steps that the scenario
// of clients has for all languages, and are removed.
func TestRemoveLibraries(t *testing.T) {
	t.Parallel()
	library, wheel := file(t, dist(t), "skua-client-*.tgz"), file(t, dist(t), "skua-*.whl")
	m := npmMachine(t, ready, abs(t, root)+"=/repository", scenarioTest(t)+"=/usr/local/lib/scenario.test")
	installArchive(t, m, putArchive(t, m))
	m.put(t, library)
	m.put(t, wheel)
	m.run(t,
		`mkdir project && echo '{"private": true, "type": "module"}' >project/package.json && cp /repository/clients/typescript/test/scenario.js project/`)
	before := m.files(t)

	m.run(t, "cd project && npm install ../"+filepath.Base(library))
	m.run(t, "/opt/python/bin/pip install --no-index --disable-pip-version-check --no-compile "+filepath.Base(wheel))
	require.Contains(t, m.run(t, "/opt/python/bin/pip list --disable-pip-version-check"), versionOf(t, dist(t)))
	require.Contains(t,
		m.run(t, `cd project && node --input-type=module -e "console.log(import.meta.resolve('skua-client'))"`),
		"/root/project/node_modules/")
	require.Contains(t, m.run(t, `/opt/python/bin/python -Bc 'import skua; print(skua.__file__)'`), "/opt/python/")
	out := m.run(t,
		"cd /repository/clients && SKUA_PROGRAMS=/usr/local/bin SKUA_TEST_PROJECT=/root/project "+
			"SKUA_TEST_PYTHON=/opt/python/bin/python /usr/local/lib/scenario.test -test.v -test.parallel=1 -test.run "+
			"'^TestScenario$'")
	for _, language := range []string{"Go", "TypeScript", "Python", "Python_with_asyncio"} {
		require.Contains(t, out, "--- PASS: TestScenario/"+language+" ")
	}

	m.documented(t, installation, remove)
	m.run(t,
		`cd project && npm uninstall skua-client && rm -rf node_modules package-lock.json ~/.npm && echo '{"private": true, "type": "module"}' >package.json`)
	m.run(t, "/opt/python/bin/pip uninstall -y skua && rm -rf ~/.cache/pip")
	requireGone(t, m, before, m.files(t))
}

// A wrong argument is a mistake for the compilers of programs that have the libraries from their packages: all files
// that types are in came along.
func TestTypesOfLibraries(t *testing.T) {
	t.Parallel()
	p := npmPlace(t)
	p.run(t,
		"npm install --offline "+file(t, dist(t), "skua-client-*.tgz")+" && mkdir python && python3 -m zipfile -e "+
			file(t, dist(t), "skua-*.whl")+" python")
	cmd := exec.Command(root+"/scripts/client-types", p.dir) // with the compilers of this machine
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// scenarioTest is the program of the test that runs the scenario, which needs no Go.
func scenarioTest(t testing.TB) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "scenario.test")
	cmd := exec.Command("go", "test", "-c", "-o", program, "./clients")
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return program
}
