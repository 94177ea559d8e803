package trial

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// A Debian without Go, Node and a browser comes from nothing to the snapshot of a page in two command lines: one
// installs, the other one is the first use. Each way is the one in README.md.

func TestFromNothingByArchive(t *testing.T) {
	t.Parallel()
	archive := file(t, dist(t), "skua_*_"+runtime.GOOS+"_"+runtime.GOARCH+".tar.gz")
	m := newMachine(t, bare)
	m.put(t, archive)
	m.documented(t, "README.md",
		"tar -xzf "+filepath.Base(archive)+" -C /usr/local --strip-components=1 && skua install --system")
	firstUse(t, m)
}

func TestFromNothingByDeb(t *testing.T) {
	t.Parallel()
	deb := file(t, dist(t), "skua_*_"+runtime.GOARCH+".deb")
	m := newMachine(t, bare)
	m.put(t, deb)
	m.documented(t, "README.md",
		"apt-get install -y --no-install-recommends ./"+filepath.Base(deb)+" && skua install --system")
	firstUse(t, m)
}

// There is Node in addition, with the npm that belongs to it.
func TestFromNothingByNPM(t *testing.T) {
	t.Parallel()
	m := npmMachine(t, bare)
	m.documented(t, "README.md", "npm install -g skua && skua install --system")
	firstUse(t, m)
}

func firstUse(t testing.TB, m machine) {
	t.Helper()
	requirePage(t, m.run(t, "skua open "+site(t)+" && skua snapshot -i"))
}

// requirePage checks a snapshot of the page of site.
func requirePage(t testing.TB, snapshot string) {
	t.Helper()
	for _, line := range []string{`- h1 "Order" @e1`, `- textbox "Name" @e2`, `- button "Buy" @e3`} {
		require.Contains(t, snapshot, line)
	}
}

// node are Node and npm of this machine, for another one.
func node(t testing.TB) []string {
	t.Helper()
	program, err := exec.LookPath("node")
	require.NoError(t, err)
	program, err = filepath.EvalSymlinks(program)
	require.NoError(t, err)
	npm, err := exec.LookPath("npm")
	require.NoError(t, err)
	npm, err = filepath.EvalSymlinks(npm)
	require.NoError(t, err)
	npm = filepath.Dir(filepath.Dir(npm))
	if _, err := os.Stat(filepath.Join(npm, "bin", "npm-cli.js")); err != nil {
		without(t, "npm is not in one folder, which another machine could use: "+err.Error())
	}
	return []string{program + "=/usr/local/bin/node", npm + "=/usr/local/lib/node_modules/npm"}
}
