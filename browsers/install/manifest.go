package install

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/internal/atomicfile"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/home"
)

// manifestFile lists what is installed, in the folder of the browsers.
const manifestFile = "manifest.json"

// Browser is one that was installed.
type Browser struct {
	Product    string            `json:"product"`
	Version    string            `json:"version"`
	Platform   string            `json:"platform"`
	Wish       string            `json:"wish"` // what was asked for: a channel, or a version
	URL        string            `json:"url"`
	Archive    sums              `json:"archive"`
	Executable string            `json:"executable"` // below the browser's folder, with slashes
	Files      map[string]string `json:"files"`      // the SHA-256 of each, by its path below the folder
	Installed  time.Time         `json:"installed"`
}

// manifest is the file.
type manifest struct {
	Version  int                     `json:"version"`
	Browsers []Browser               `json:"browsers"`
	Archives map[string]knownArchive `json:"archives,omitempty"` // of all builds that were ever installed, by archiveKey
}

// Dir returns the folder of the browsers. It may not exist.
func Dir(getenv func(string) string) (string, error) { return home.Subdir(getenv, "", home.Browsers) }

// folder is the name of a browser's folder.
func (b Browser) folder() string { return b.Product + "-" + b.Version }

// Path returns the browser's program, given the folder of the browsers.
func (b Browser) Path(dir string) string {
	return filepath.Join(dir, b.folder(), filepath.FromSlash(b.Executable))
}

// Installed lists what the manifest of a folder has; a missing file is not an error.
func Installed(dir string) ([]Browser, error) {
	m, err := readManifest(dir)
	return m.Browsers, err
}

func readManifest(dir string) (manifest, error) {
	file := filepath.Join(dir, manifestFile)
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return manifest{}, nil
	}
	if err != nil {
		return manifest{}, err
	}
	var m manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return manifest{}, fault.New(fault.InstallFailed, "The list of installed browsers %s is damaged: %w.", file, err).
			About(file).
			WithHint("Remove it, and install again.")
	}
	for _, b := range m.Browsers {
		if !exact.MatchString(b.Version) || b.Product != Chrome && b.Product != Shell ||
			!filepath.IsLocal(filepath.FromSlash(b.Executable)) {
			return manifest{}, fault.New(fault.InstallFailed, "The list of installed browsers %s has an unknown entry: %s %s.",
				file, b.Product, b.Version).
				About(file).WithHint("Remove it, and install again.")
		}
	}
	for _, b := range m.Browsers { // of a list that was written before archives were remembered
		key := archiveKey(b.Product, b.Version, b.Platform)
		if _, ok := m.Archives[key]; !ok && b.Archive.SHA256 != "" {
			if m.Archives == nil {
				m.Archives = map[string]knownArchive{}
			}
			m.Archives[key] = knownArchive{SHA256: b.Archive.SHA256, URL: b.URL, Seen: b.Installed}
		}
	}
	return m, nil
}

// record puts a browser into the manifest, in the place of the one in the same folder. forget takes one out.
func record(dir string, b Browser) error {
	return change(dir, b.folder(), &b)
}

func forget(dir string, b Browser) error { return change(dir, b.folder(), nil) }

func change(dir, folder string, to *Browser) error {
	m, err := readManifest(dir)
	if err != nil { // a damaged list is made again
		m = manifest{}
	}
	if m.Archives == nil {
		m.Archives = map[string]knownArchive{}
	}
	m.Version = 1
	m.Browsers = slices.DeleteFunc(m.Browsers, func(b Browser) bool { return b.folder() == folder })
	if to != nil {
		m.Browsers = append(m.Browsers, *to)
		m.Archives[archiveKey(to.Product, to.Version, to.Platform)] = knownArchive{
			SHA256: to.Archive.SHA256,
			URL:    to.URL,
			Seen:   to.Installed,
		}
	}
	text, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, manifestFile), append(text, '\n'))
}

// Verify compares the files of a browser with the manifest, and returns what is wrong, a few words each. quick looks
// only whether they are there.
func (b Browser) Verify(dir string, quick bool, stop func() bool) []string {
	var wrong []string
	for _, name := range slices.Sorted(maps.Keys(b.Files)) {
		if stop() {
			return append(wrong, "not all files could be checked in time")
		}
		file := filepath.Join(dir, b.folder(), filepath.FromSlash(name))
		if quick {
			if _, err := os.Lstat(file); err != nil {
				wrong = append(wrong, name+" is missing")
			}
			continue
		}
		switch sum, err := sha256Of(file); {
		case errors.Is(err, fs.ErrNotExist):
			wrong = append(wrong, name+" is missing")
		case err != nil:
			wrong = append(wrong, name+": "+err.Error())
		case sum != b.Files[name]:
			wrong = append(wrong, name+" was changed")
		}
	}
	if info, err := os.Stat(b.Path(dir)); err == nil && info.Mode()&0o111 == 0 &&
		!strings.HasSuffix(b.Executable, ".exe") {
		wrong = append(wrong, b.Executable+" may not be executed")
	}
	return wrong
}
