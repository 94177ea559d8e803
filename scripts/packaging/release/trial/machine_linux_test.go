package trial

import (
	"bufio"
	"context"
	_ "embed"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// layer is a root file system that scripts/bare-root makes.
type layer string

const (
	bare  layer = "base"       // Debian with what it cannot do without, and no browser
	ready layer = "ready:base" // the same with a browser, a font, and an environment of Python in /opt/python
)

// machine is a Debian system with processes and files of its own. It has the network of this one. Its files are in
// memory, and end with it.
type machine struct {
	pid   string // of its first process
	root  string // the path of its files, for this process
	inner string // the same, for a process of this machine that has the mounts of the other one
}

// roots is where the layers are.
var roots = sync.OnceValues(func() (string, error) {
	var errOut strings.Builder
	cmd := exec.Command(root + "/scripts/bare-root")
	cmd.Stderr = &errOut
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("scripts/bare-root: %w\n%s", err, errOut.String())
	}
	return strings.TrimSpace(string(out)), err
})

// boot is what the first process of a machine does.
//
//go:embed testdata/boot.sh
var boot string

// without skips a test where the machine that runs it lacks something; in CI, which says so by SKUA_TEST_ROOTS, that is
// a failure.
func without(t testing.TB, reason string) {
	t.Helper()
	if os.Getenv("SKUA_TEST_ROOTS") != "" {
		t.Fatal("SKUA_TEST_ROOTS is set, but " + reason)
	}
	t.Skip(reason)
}

// newMachine starts a machine. shared are files and folders of this one that it can read, "from=to".
func newMachine(t testing.TB, of layer, shared ...string) machine {
	t.Helper()
	if os.Geteuid() != 0 {
		without(t, "a Debian root needs root: run this with sudo")
	}
	for _, name := range []string{"mmdebstrap", "unshare", "nsenter"} {
		if _, err := exec.LookPath(name); err != nil {
			without(t, name+" is missing, which Debian has a package of; run: scripts/need roots")
		}
	}
	layers, err := roots()
	require.NoError(t, err)
	var lower []string
	for name := range strings.SplitSeq(string(of), ":") {
		lower = append(lower, filepath.Join(layers, name))
	}
	place := t.TempDir()
	words := slices.Concat([]string{
		"--mount", "--pid", "--fork", "--kill-child", "sh", "-euc", boot, "sh", place,
		strings.Join(lower, ":"),
	}, shared)
	cmd := exec.Command("unshare", words...)
	var errOut strings.Builder
	cmd.Stderr = &errOut
	stdin, err := cmd.StdinPipe() // the machine ends when it is closed, also when this process is killed
	require.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = stdin.Close()
		_ = cmd.Wait() // it ends by a signal when processes are left, which is no failure
	})
	pid, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		_ = stdin.Close()
		_ = cmd.Wait()
		require.NoError(t, err, "the machine does not start: %s", errOut.String())
	}
	pid = strings.TrimSpace(pid)
	_, err = strconv.Atoi(pid)
	require.NoError(t, err)
	return machine{pid: pid, root: filepath.Join("/proc", pid, "root"), inner: filepath.Join(place, "root")}
}

// enter is a command of this machine that runs in the mounts of the other one, and with inside also in its files and
// processes.
func (m machine) enter(ctx context.Context, inside bool, words ...string) *exec.Cmd {
	all := []string{"--target", m.pid, "--mount"}
	if inside {
		all = append(all, "--pid", "--root", "--wd", "env", "-i", "HOME=/root",
			"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin")
	}
	cmd := exec.CommandContext(ctx, "nsenter", slices.Concat(all, words)...)
	cmd.WaitDelay = time.Second
	return cmd
}

// try types a command line in the home folder of the machine's root, and returns what it prints.
func (m machine) try(t testing.TB, line string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	out, err := m.enter(ctx, true, "sh", "-c", "cd && "+line).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", line, err, out)
	}
	return string(out), err
}

// run is try for what has to succeed. The log of the test is a transcript.
func (m machine) run(t testing.TB, line string) string {
	t.Helper()
	began := time.Now()
	out, err := m.try(t, line)
	require.NoError(t, err)
	t.Logf("# %s\n%s(%.1f s)", line, out, time.Since(began).Seconds())
	return out
}

var archiveInText = regexp.MustCompile(`skua_(\d+\.\d+\.\d+)_linux_amd64\.tar\.gz`)

// documented runs a command line that a document has, with the version and the processor of the release in place of its
// own.
func (m machine) documented(t testing.TB, document, line string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, document))
	require.NoError(t, err)
	text := strings.ReplaceAll(strings.ReplaceAll(string(content), "sudo ", ""), `\|`, "|")
	named := archiveInText.FindStringSubmatch(text)
	require.NotNil(t, named, "%s names an archive", document)
	wanted := strings.ReplaceAll(strings.ReplaceAll(line, versionOf(t, dist(t)), named[1]), runtime.GOARCH, "amd64")
	require.Contains(t, text, wanted, "%s has the command line that is tried", document)
	return m.run(t, line)
}

// put copies a file into the home folder of the machine's root.
func (m machine) put(t testing.TB, path string) {
	t.Helper()
	in, err := os.Open(path)
	require.NoError(t, err)
	defer in.Close()
	out, err := os.Create(filepath.Join(m.root, "root", filepath.Base(path)))
	require.NoError(t, err)
	_, err = io.Copy(out, in)
	require.NoError(t, err)
	require.NoError(t, out.Close())
}

// files lists what is on the machine: folders, files with their size and mode, links. Journals and caches of package
// managers, and what the system keeps in memory, are left out.
func (m machine) files(t testing.TB) map[string]bool {
	t.Helper()
	out, err := m.try(t,
		`find / -xdev -mindepth 1 \( -path /proc -o -path /dev -o -path /sys -o -path /var/lib/dpkg -o -path /var/lib/apt -o -path /var/lib/rpm -o -path /var/cache -o -path /var/log \) `+
			`-prune -o -type d -printf '%p/\n' -o -printf '%p %m %s %l\n' | sort >/tmp/files; cat /tmp/files; rm /tmp/files`)
	require.NoError(t, err)
	all := map[string]bool{}
	for line := range strings.Lines(out) {
		all[strings.TrimSuffix(line, "\n")] = true
	}
	return all
}

// requireSame says which files there are more or fewer of than before.
func requireSame(t testing.TB, before, after map[string]bool) {
	t.Helper()
	var differ []string
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if !before[name] {
			differ = append(differ, "left: "+name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if !after[name] {
			differ = append(differ, "gone: "+name)
		}
	}
	require.Empty(t, differ)
}
