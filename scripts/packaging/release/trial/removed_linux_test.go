package trial

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each package is installed on a machine that has a browser, used, and removed as docs/installation.md says. Then the
// machine has the files that it had before, and no process of skua.

const installation = "docs/installation.md"

// remove is what ends the host, and deletes what it kept for its user.
const remove = `skuad stop && rm -rf ~/.skua "${TMPDIR:-/tmp}/skua-$(id -u)"`

func TestRemoveArchive(t *testing.T) {
	t.Parallel()
	m := newMachine(t, ready)
	archive := putArchive(t, m)
	before := m.files(t)
	installArchive(t, m, archive)
	firstUse(t, m)
	require.Contains(t, m.run(t, "skuad --version"), versionOf(t, dist(t)))
	m.documented(t, installation, remove)
	m.documented(t, installation,
		"cd /usr/local && tar -tzf ~/"+archive+" | cut -d/ -f2- | xargs rm && rm -r share/skua share/doc/skua")
	after := m.files(t)
	for name := range after {
		if strings.HasPrefix(name, "/usr/local/") && strings.HasSuffix(name, "/") && !before[name] &&
			!strings.Contains(name, "skua") {
			delete(after, name) // folders that all programs share, such as share/man; that they are empty is seen by their files
		}
	}
	requireGone(t, m, before, after)
}

func putArchive(t testing.TB, m machine) (name string) {
	t.Helper()
	path := file(t, dist(t), "skua_*_"+runtime.GOOS+"_"+runtime.GOARCH+".tar.gz")
	m.put(t, path)
	return filepath.Base(path)
}

func installArchive(t testing.TB, m machine, name string) {
	t.Helper()
	m.run(t, "tar -xzf "+name+" -C /usr/local --strip-components=1")
}

func TestRemoveDeb(t *testing.T) {
	t.Parallel()
	deb := file(t, dist(t), "skua_*_"+runtime.GOARCH+".deb")
	m := newMachine(t, ready)
	m.put(t, deb)
	before := m.files(t)
	m.run(t, "apt-get install -y --no-install-recommends ./"+filepath.Base(deb))
	require.Empty(t, m.run(t, "dpkg --verify skua"), "each file is as the package says")
	firstUse(t, m)
	m.documented(t, installation, remove)
	m.documented(t, installation, "apt-get purge -y skua")
	_, err := m.try(t, "dpkg-query --show skua")
	require.ErrorContains(t, err, "no packages found")
	requireGone(t, m, before, m.files(t))
}

// Debian's rpm installs the package into the files of another machine, where no rpm is.
func TestRemoveRPM(t *testing.T) {
	t.Parallel()
	needs(t, "rpm")
	of := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	path := file(t, dist(t), "skua-*."+of+".rpm")
	m := newMachine(t, ready)
	before := m.files(t)
	// --force-debian: it would rather have the package converted to Debian's form first. Its journal is in the machine.
	m.rpm(t, "--install", "--force-debian", path)
	require.Empty(t, m.rpm(t, "--verify", "skua"), "each file is as the package says")
	require.Equal(t, "skua-"+versionOf(t, dist(t))+"-1."+of+"\n", m.rpm(t, "--query", "skua"))
	firstUse(t, m)
	m.documented(t, installation, remove)
	m.rpm(t, "--erase", "--force-debian", "skua")
	requireGone(t, m, before, m.files(t))
}

// dnf installs the package into a root file system with nothing in it, where the programs run, and removes it again.
func TestRemoveByDNF(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		without(t, "another root file system needs root: run this with sudo")
	}
	needs(t, "dnf")
	of := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	p := newPlace(t)
	dnf := `dnf -y --installroot="$PWD/root" --releasever=1 --disablerepo='*' --setopt=cachedir="$PWD/cache" --setopt=persistdir="$PWD/persist" `
	p.run(t, dnf+"--nogpgcheck install "+file(t, dist(t), "skua-*."+of+".rpm"))
	require.Contains(t, p.run(t, "chroot root /usr/bin/skuad --version"), versionOf(t, dist(t)))
	require.NotEmpty(t, p.run(t, "find root -name '*skua*'"))
	p.run(t, dnf+"remove skua")
	require.Empty(t, p.run(t, "find root -name '*skua*'"))
}

func (m machine) rpm(t testing.TB, words ...string) string {
	t.Helper()
	out, err := m.enter(t.Context(), false,
		append([]string{"rpm", "--root", m.inner, "--dbpath", "/var/lib/rpm"}, words...)...).CombinedOutput()
	require.NoError(t, err, "rpm %v: %s", words, out)
	t.Logf("# rpm %s\n%s", strings.Join(words, " "), out)
	return string(out)
}

func TestRemoveNPM(t *testing.T) {
	t.Parallel()
	m := npmMachine(t, ready)
	before := m.files(t)
	m.run(t, "npm install -g skua")
	firstUse(t, m)
	require.Contains(t, m.run(t, "readlink -f $(command -v skua)"), "/@skua-browser/", "it is the program itself")
	m.documented(t, installation, remove)
	m.documented(t, installation, "npm uninstall -g skua")
	m.run(t, "rm -rf ~/.npm") // npm's own cache
	requireGone(t, m, before, m.files(t))
}

// npmMachine has Node and npm, which asks a registry with the release alone.
func npmMachine(t testing.TB, of layer, shared ...string) machine {
	t.Helper()
	m := newMachine(t, of, append(node(t), shared...)...)
	m.run(t,
		"ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && echo registry="+registry(t, dist(t))+" >.npmrc")
	return m
}

// requireGone checks that the machine has the files of before, and that nothing of skua runs.
func requireGone(t testing.TB, m machine, before, after map[string]bool) {
	t.Helper()
	requireSame(t, before, after)
	programs, err := filepath.Glob(filepath.Join(m.root, "proc", "[0-9]*", "exe"))
	require.NoError(t, err)
	require.NotEmpty(t, programs)
	for _, link := range programs {
		if program, err := os.Readlink(link); err == nil { // else it has ended
			require.NotContains(t, program, "skua")
			require.NotContains(t, program, "chrom")
		}
	}
}
