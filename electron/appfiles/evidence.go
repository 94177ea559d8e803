package appfiles

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/userfile"
)

// Inspection is what the files around an executable say of it.
type Inspection struct {
	// marks of Electron, the strongest first; none: it is not an Electron app as far as can be seen
	Evidence        []string
	Name            string // by its package.json
	Version         string
	ElectronVersion string
}

// Electron reports whether there is enough evidence: Electron's own mark, or the app's code together with the parts of
// Chromium.
func (i *Inspection) Electron() bool { return len(i.Evidence) > 0 }

// Inspect examines an executable and the files beside it. An error means that they could not be read, not that it is
// not an Electron app.
func Inspect(executable string) (*Inspection, error) {
	real, err := filepath.EvalSymlinks(executable)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(real); err != nil {
		return nil, err
	}
	if contents, ok := strings.CutSuffix(filepath.Dir(real), filepath.Join("Contents", "MacOS")); ok {
		return inspectBundle(filepath.Join(contents, "Contents")), nil
	}
	return InspectFolder(os.DirFS(filepath.Dir(real)), real), nil
}

// InspectFolder looks at a folder as Electron lays it out on Linux and Windows. The executable is read for the version
// when nothing else tells it; empty means that it is not.
func InspectFolder(fsys fs.FS, executable string) *Inspection {
	var i Inspection
	i.readApp(fsys, "resources")
	// Every Electron has the file `version`, and the licenses of Chromium under this name; no Chromium has both.
	if version, err := readSmall(fsys, "version", 64); err == nil && within(fsys, "LICENSES.chromium.html") {
		if v := electronVersion(string(version)); v != "" {
			i.Evidence = append(i.Evidence, "version")
			i.ElectronVersion = v
		}
	}
	chromium := slices.ContainsFunc([]string{
		"chrome_100_percent.pak", "icudtl.dat", "v8_context_snapshot.bin",
		"snapshot_blob.bin",
	}, func(name string) bool {
		return within(fsys, name)
	})
	switch {
	case chromium:
		i.Evidence = append(i.Evidence, "chromium-resources")
	case i.ElectronVersion == "":
		// An archive alone may be an app of the system's own Electron, which is started otherwise.
		i.Evidence = nil
	}
	if !slices.ContainsFunc(i.Evidence, func(e string) bool { return e != "chromium-resources" }) {
		i.Evidence = nil // any Chromium has these
	}
	if i.Electron() && i.ElectronVersion == "" && executable != "" {
		i.ElectronVersion = versionIn(executable)
	}
	return &i
}

// inspectBundle looks at a bundle of macOS.
func inspectBundle(contents string) *Inspection {
	var i Inspection
	framework := filepath.Join(contents, "Frameworks", "Electron Framework.framework")
	if Exists(framework) {
		i.Evidence = append(i.Evidence, "electron-framework")
	}
	// Electron checks the archive against this, whatever the app calls its framework.
	if info, err := ReadPlist(filepath.Join(contents, "Info.plist")); err == nil {
		if _, ok := info["ElectronAsarIntegrity"]; ok {
			i.Evidence = append(i.Evidence, "asar-integrity")
		}
	}
	if i.Evidence == nil {
		return &i
	}
	i.readApp(os.DirFS(contents), "Resources")
	for _, plist := range []string{
		filepath.Join(framework, "Resources", "Info.plist"),
		filepath.Join(framework, "Versions", "A", "Resources", "Info.plist"),
	} {
		if info, err := ReadPlist(plist); err == nil {
			i.ElectronVersion = electronVersion(info["CFBundleVersion"])
			break
		}
	}
	return &i
}

// readApp looks for the app's own code, and at its package.json.
func (i *Inspection) readApp(fsys fs.FS, resources string) {
	for _, name := range []string{"app.asar", "default_app.asar", "electron.asar"} {
		a, err := openArchive(fsys, path.Join(resources, name))
		if err != nil {
			continue
		}
		i.Evidence = append(i.Evidence, name)
		if name == "app.asar" {
			if text, err := a.ReadFile("package.json"); err == nil {
				i.readPackage(text)
			}
		}
		_ = a.Close()
	}
	if updates := "app-update.yml"; within(fsys, path.Join(resources, updates)) { // of electron-updater
		i.Evidence = append(i.Evidence, updates)
	}
	if text, err := readSmall(fsys, path.Join(resources, "app", "package.json"), maxEntry); err == nil {
		i.Evidence = append(i.Evidence, "app/package.json")
		i.readPackage(text)
	}
}

func (i *Inspection) readPackage(text []byte) {
	var p struct {
		Name, ProductName, Version string
	}
	if json.Unmarshal(text, &p) != nil {
		return
	}
	if i.Name = p.ProductName; i.Name == "" {
		i.Name = p.Name
	}
	i.Version = p.Version
}

var versionNumber = regexp.MustCompile(`^v?(\d+\.\d+\.\d+(?:-[\w.]+)?)$`)

// electronVersion returns a version as numbers; "" if the text is not one.
func electronVersion(text string) string {
	if m := versionNumber.FindStringSubmatch(strings.TrimSpace(text)); m != nil {
		return m[1]
	}
	return ""
}

// versionIn looks for the version in the executable, where Electron's user agent is.
func versionIn(executable string) string {
	f, err := userfile.Open(context.Background(), executable)
	if err != nil {
		return ""
	}
	defer f.Close()
	const (
		mark    = "Electron/"
		overlap = 64
		most    = 512 << 20
	)
	buf := make([]byte, 1<<20)
	kept := 0
	for read := 0; read < most; {
		n, err := f.Read(buf[kept:])
		text := buf[:kept+n]
		for rest := text; ; {
			at := bytes.Index(rest, []byte(mark))
			if at < 0 {
				break
			}
			rest = rest[at+len(mark):]
			end := bytes.IndexFunc(rest, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
			if end > 0 {
				if v := electronVersion(string(rest[:end])); v != "" {
					return v
				}
			}
		}
		if err != nil { // its end, as a rule
			return ""
		}
		read += n
		kept = copy(buf, text[max(0, len(text)-overlap):])
	}
	return ""
}

func within(fsys fs.FS, name string) bool {
	_, err := fs.Stat(fsys, name)
	return err == nil
}

func Exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// IsExecutable reports whether a path can be run.
func IsExecutable(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
}

// ReadCode reads the code that an Electron is given.
func (i *Inspection) ReadCode(code string) {
	dir := os.DirFS(filepath.Dir(code))
	base := filepath.Base(code)
	if a, err := openArchive(dir, base); err == nil {
		defer a.Close()
		i.Evidence = append(i.Evidence, "app.asar")
		if text, err := a.ReadFile("package.json"); err == nil {
			i.readPackage(text)
		}
		return
	}
	if text, err := readSmall(dir, path.Join(base, "package.json"), maxEntry); err == nil {
		i.Evidence = append(i.Evidence, "app/package.json")
		i.readPackage(text)
	}
}

// Runtime reports whether it is an Electron without an app of its own, as systems and projects install it.
func (i *Inspection) Runtime() bool {
	return slices.Contains(i.Evidence, "default_app.asar") && !slices.Contains(i.Evidence, "app.asar") &&
		!slices.Contains(i.Evidence, "app/package.json")
}

// Folders are the folders of a packaged tree that may be an app: those with its resources. Where an app lies in a
// package is its packager's choice among these.
func Folders(fsys fs.FS) (dirs []string) {
	for _, pattern := range []string{
		".", "*", "lib/*", "lib64/*", "share/*", "opt/*", "extra/*", "usr/bin", "usr/lib/*", "usr/lib64/*", "usr/share/*",
		"opt/*/*", "usr/lib/*/*",
	} {
		found, _ := fs.Glob(fsys, path.Join(pattern, "resources"))
		for _, resources := range found {
			if dir := path.Dir(resources); !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs
}
