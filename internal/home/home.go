package home

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/private"
)

// ErrNone means that the environment names no home folder.
var ErrNone = errors.New("no home folder is known: set HOME, or SKUA_HOME to a folder for skua's files")

// Dir returns the folder of the user's files: SKUA_HOME, else .skua in the home folder. getenv is the caller's
// environment, which may not be that of this process. A home folder, which the system names, counts as none when the
// files are not in it and cannot be put there; SKUA_HOME is what a user asked for, and is taken as it is.
func Dir(getenv func(string) string) (string, error) {
	if dir := getenv("SKUA_HOME"); filepath.IsAbs(dir) {
		return filepath.Clean(dir), nil
	}
	err := ErrNone
	for _, name := range []string{"HOME", "USERPROFILE"} {
		home := getenv(name)
		if !filepath.IsAbs(home) {
			continue
		}
		dir := filepath.Join(home, ".skua")
		info, failed := os.Stat(dir)
		if failed == nil && info.IsDir() || errors.Is(failed, fs.ErrNotExist) && canMakeIn(home) {
			return dir, nil
		}
		if errors.Is(err, ErrNone) {
			err = &UnusableError{Name: name, Home: home}
		}
	}
	return "", err
}

// UnusableError says that the environment names a home folder in which no files of the user can be.
type UnusableError struct{ Name, Home string }

func (e *UnusableError) Error() string {
	return "the home folder " + e.Home + " (" + e.Name + ") cannot be used, since it " + e.Why() + ": set " + e.Name +
		", or SKUA_HOME to a folder for skua's files"
}

// Why says what is wrong with the folder, as the rest of a sentence about it.
func (e *UnusableError) Why() string {
	switch info, err := os.Stat(e.Home); {
	case errors.Is(err, fs.ErrNotExist):
		return "does not exist"
	case err != nil:
		return "cannot be looked at"
	case !info.IsDir():
		return "is not a folder"
	case !mayWrite(e.Home):
		return "cannot be written to"
	}
	return "has something else at .skua"
}

// canMakeIn reports whether dir is a folder in which this user can make files.
func canMakeIn(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.IsDir() && mayWrite(dir)
}

// Upstream returns the folder of agent-browser's files, from which skua can read states and logins.
func Upstream(getenv func(string) string) (string, error) {
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if dir := getenv(name); filepath.IsAbs(dir) {
			return filepath.Join(dir, ".agent-browser"), nil
		}
	}
	return "", ErrNone
}

// UpstreamSessions returns the folder of agent-browser's saved sessions, optionally of a namespace.
func UpstreamSessions(getenv func(string) string, namespace string) (string, error) {
	dir, err := Upstream(getenv)
	if err != nil {
		return "", err
	}
	if namespace != "" {
		dir = filepath.Join(dir, "namespaces", namespace, "state")
	}
	return filepath.Join(dir, "sessions"), nil
}

// Subdir returns the folder for files of a kind, such as "states", optionally of a namespace. The folder may not exist
// yet.
func Subdir(getenv func(string) string, namespace, kind string) (string, error) {
	dir, err := Dir(getenv)
	if err != nil {
		return "", err
	}
	if namespace != "" {
		dir = filepath.Join(dir, "namespaces", namespace)
	}
	return filepath.Join(dir, kind), nil
}

// Browsers is the folder below Dir whose files are downloaded from the public internet.
const Browsers = "browsers"

// ArtifactKind is a kind of file that is made for callers, and the folder below Dir for those that a caller names no
// path for. Only this package makes kinds, so that none is forgotten where artifacts differ from private files.
type ArtifactKind struct{ folder string }

// The kinds of artifacts.
var (
	Screenshots = ArtifactKind{"screenshots"}
	HARs        = ArtifactKind{"har"}
	Heaps       = ArtifactKind{"heaps"}
	Traces      = ArtifactKind{"traces"}
	Profiles    = ArtifactKind{"profiles"} // of the CPU
)

var artifactKinds = []ArtifactKind{Screenshots, HARs, Heaps, Traces, Profiles}

// IsPrivate reports whether a path, which is absolute and has its links resolved, is in a folder with keys, logins,
// saved states or configuration.
func IsPrivate(getenv func(string) string, path string) bool {
	var folders []string
	if dir, err := Dir(getenv); err == nil {
		folders = append(folders, dir)
	}
	if dir, err := Upstream(getenv); err == nil {
		folders = append(folders, dir)
	}
	config := getenv("XDG_CONFIG_HOME")
	if dir := getenv("HOME"); config == "" && filepath.IsAbs(dir) {
		config = filepath.Join(dir, ".config")
	}
	if filepath.IsAbs(config) {
		folders = append(folders, filepath.Join(config, "skua"))
	}
	return slices.ContainsFunc(folders, func(folder string) bool {
		if real, err := filepath.EvalSymlinks(folder); err == nil {
			folder = real
		}
		rel, err := filepath.Rel(folder, path)
		if err != nil || !filepath.IsLocal(rel) {
			return false
		}
		kind, _, _ := strings.Cut(rel, string(filepath.Separator))
		return kind != Browsers && !slices.Contains(artifactKinds, ArtifactKind{kind})
	})
}

// Artifacts returns the folder for files of a kind that a caller names no path for: that of the user, else one among
// the temporary files. A home folder may be one from which files can only be read.
func Artifacts(getenv func(string) string, kind ArtifactKind) string {
	dir, err := Subdir(getenv, "", kind.folder)
	if err != nil || !filepath.IsAbs(getenv("SKUA_HOME")) && readOnly(dir) {
		dir = filepath.Join(os.TempDir(), "skua-"+kind.folder)
	}
	return dir
}

// readOnly reports that dir, or the folder in which it would be made, cannot be written to.
func readOnly(dir string) bool {
	for {
		_, err := os.Stat(dir)
		if parent := filepath.Dir(dir); errors.Is(err, fs.ErrNotExist) && parent != dir {
			dir = parent
			continue
		}
		return err == nil && !mayWrite(dir)
	}
}

// IsArtifacts reports whether dir is a folder that Artifacts returns.
func IsArtifacts(getenv func(string) string, dir string) bool {
	return slices.ContainsFunc(artifactKinds, func(kind ArtifactKind) bool { return dir == Artifacts(getenv, kind) })
}

// Make makes a folder that Subdir, Artifacts or UpstreamSessions returned, private to the user, and its parents.
func Make(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	return private.MakeDir(dir)
}
