package spec

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Home is where the project is at home, and Module what Go calls it by.
const (
	Module = "github.com/skua-browser/skua"
	Home   = "https://" + Module
)

// Summary describes the product to package managers in a line, and About in a few more.
const (
	Summary = "Browser for AI agents: short snapshots of pages, and actions on what they show"
	About   = "skua drives Chromium over the Chrome DevTools Protocol, shows a page as a short\n" +
		"accessibility snapshot, and acts on the elements in it by refs. It is a command\n" +
		"line, an MCP server and a Go package."
	License    = "Apache-2.0"
	Maintainer = "The skua project <" + Home + ">"
)

// Release is what is released.
type Release struct {
	Version string    // such as 0.2.0
	Commit  string    // that it is built from
	Time    time.Time // of the commit; all files have it
	Notes   string    // its section of the changelog, Markdown
	Targets []Target

	Root string // the repository
	Dist string // the folder of what is made
}

// version is what `skua upgrade` can compare.
var version = regexp.MustCompile(`^v?(\d{1,6}\.\d{1,6}\.\d{1,6})$`)

// commitLength is how many digits of the commit the programs show.
const commitLength = 12

// Read finds out what is released from a repository. Files that are not committed are refused, unless uncommitted is
// set: a release names its commit.
func Read(root, wish string, uncommitted bool) (*Release, error) {
	m := version.FindStringSubmatch(wish)
	if m == nil {
		return nil, fmt.Errorf("version %q: it has three numbers, as in 0.2.0; `skua upgrade` compares no other ones", wish)
	}
	r := &Release{Version: m[1], Root: root}
	said, err := git(root, "log", "-1", "--format=%H %ct")
	if err != nil {
		return nil, err
	}
	commit, seconds, _ := strings.Cut(said, " ")
	at, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil || len(commit) < commitLength {
		return nil, fmt.Errorf("git log: its answer %q is not a commit and its time; run this in a clone of the repository",
			said)
	}
	r.Commit, r.Time = commit[:commitLength], time.Unix(at, 0).UTC()
	changed, err := git(root, "status", "--porcelain")
	if err != nil {
		return nil, err
	}
	if changed != "" {
		if !uncommitted {
			return nil,
				fmt.Errorf("%s: it has changes that are not committed; commit them, or try a release with --uncommitted:\n%s", root,
					changed)
		}
		r.Commit += "-dirty"
	}
	log, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		return nil, err
	}
	if r.Notes, err = notes(string(log), r.Version); err != nil {
		return nil, fmt.Errorf("CHANGELOG.md: %w", err)
	}
	return r, nil
}

// Path is the path of a file of the release.
func (r *Release) Path(name string) string { return filepath.Join(r.Dist, name) }

// Download is the address of a file of the release.
func (r *Release) Download(name string) string {
	return Home + "/releases/download/v" + r.Version + "/" + name
}

func git(root string, args ...string) (string, error) {
	out, err := exec.Command("git", append([]string{"-C", root}, args...)...).Output()
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			err = fmt.Errorf("%w: %s", err, strings.TrimSpace(string(exit.Stderr)))
		}
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.TrimRight(string(out), "\n"), nil
}
