package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/skua-browser/skua/scripts/packaging/release/spec"
)

// packages are what skua needs beside Debian's essential packages. tini is the first process: it passes signals on, and
// collects the processes of browsers whose parent has ended.
var packages = []string{
	"chromium-headless-shell", "fonts-liberation", "fonts-noto-color-emoji", "ca-certificates",
	"tini",
}

// left are files of packages that nothing in a container reads. The licenses stay.
var left = []string{
	"path-exclude=/usr/share/man/*", "path-exclude=/usr/share/locale/*",
	"path-exclude=/usr/share/doc/*", "path-include=/usr/share/doc/*/copyright",
}

// base is the root file system of Debian packages.
type base struct{ file, suite, sources string }

// inMemory has a command write its files in memory, in a mount that ends with it: dpkg waits for the disk after each
// file. That is most of the time that it takes, and needs 2 GB. Who may not mount waits.
const inMemory = `mount -t tmpfs tmpfs "$1"; export TMPDIR="$1"; shift; exec "$@"`

// make makes it, unless there is one. Its files have the time of the commit, so that the same packages make the same
// bytes.
func (b *base) make(ctx context.Context, r *spec.Release, to string) error {
	if b.file != "" {
		_, err := os.Stat(b.file)
		return err
	}
	b.file = to
	if b.suite == "" {
		var err error
		if b.suite, err = ownSuite("/etc/os-release"); err != nil {
			return err
		}
	}
	sources := []string{b.sources}
	if b.sources == "" {
		var err error
		if sources, err = ownSources("/etc/apt"); err != nil {
			return err
		}
	}
	args := []string{
		"--quiet", "--variant=essential", "--architectures=" + r.Targets[0].Arch,
		"--include=" + strings.Join(packages, ","),
	}
	for _, option := range left {
		args = append(args, "--dpkgopt="+option)
	}
	scratch, err := os.MkdirTemp("", "skua-root-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	words := append(append(append([]string{"mmdebstrap"}, args...), b.suite, to), sources...)
	if exec.CommandContext(ctx, "unshare", "--mount", "true").Run() == nil {
		words = append([]string{"unshare", "--mount", "sh", "-c", inMemory, "sh", scratch}, words...)
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+strconv.FormatInt(r.Time.Unix(), 10))
	// It ends what it has started, which a kill would leave running.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = time.Minute
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("mmdebstrap %s: %w\n%s", b.suite, err, out)
	}
	return nil
}

// ownSuite is the name of the Debian release that runs here.
func ownSuite(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	said := map[string]string{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		key, value, _ := strings.Cut(lines.Text(), "=")
		said[key] = strings.Trim(value, `"`)
	}
	if err := lines.Err(); err != nil {
		return "", err
	}
	if said["ID"] != "debian" || said["VERSION_CODENAME"] == "" {
		return "", fmt.Errorf("%s: this is not a Debian release; name one with --suite, and its packages with --sources",
			file)
	}
	return said["VERSION_CODENAME"], nil
}

// ownSources are the files with package sources of this machine.
func ownSources(dir string) ([]string, error) {
	var all []string
	for _, pattern := range []string{"sources.list", "sources.list.d/*.list", "sources.list.d/*.sources"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	if len(all) == 0 {
		return nil, errors.New(dir + ": it has no package sources; name a file with --sources")
	}
	return all, nil
}
