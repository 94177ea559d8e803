package electron

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/skua-browser/skua/electron/appfiles"
)

// Limits of how many apps Discover returns.
const (
	DefaultResults = 50
	MaxResults     = 200
)

// Query says what Discover looks for.
type Query struct {
	Text       string // what an app's names or paths hold, in any case; empty means all
	MaxResults int    // 0 means DefaultResults; more than MaxResults count as that
}

// Found is what Discover saw.
type Found struct {
	Platform string // darwin, linux, windows or unsupported
	Apps     []App  // sorted by name
	Skipped  int    // places that looked like an app and could not be read, or were none
	Omitted  int    // apps beyond MaxResults
}

// Unsupported is the platform of places where no apps are looked for.
const Unsupported = "unsupported"

// Places are where apps may be. The zero value is nowhere.
type Places struct {
	Platform     string
	DesktopFiles []place // folders with .desktop files
	Folders      []place // folders that hold app folders, or bundles

	trees    []place  // what snaps and flatpaks consist of
	images   []place  // folders with AppImages
	snaps    []string // where snaps are mounted
	flatpaks []string // where flatpak installs
	root     string
	home     string   // of the user; may be empty
	path     []string // folders in which programs are found by name
}

type place struct {
	path   string
	source string
	depth  int // of app folders below it
}

// Here returns the places of this machine, for the user whose environment it is.
func Here(getenv func(string) string) Places {
	home := getenv("HOME")
	if home == "" {
		home, _ = os.UserHomeDir()
	}
	p := Places{Platform: Unsupported}
	switch runtime.GOOS {
	case "linux":
		p = linuxPlaces("/", home, getenv)
	case "darwin":
		p = darwinPlaces("/", home)
	case "windows":
		p = windowsPlaces(getenv)
	}
	p.home = home
	return p
}

// Discover lists the Electron apps of the places.
func (p Places) Discover(ctx context.Context, q Query) (Found, error) {
	s, err := p.all(ctx)
	if err != nil {
		return Found{}, err
	}
	found := s.found
	if q.Text != "" {
		found.Apps = slices.DeleteFunc(found.Apps, func(a App) bool { return !a.Matches(q.Text) })
	}
	most := q.MaxResults
	if most <= 0 {
		most = DefaultResults
	}
	if most = min(most, MaxResults); len(found.Apps) > most {
		found.Omitted = len(found.Apps) - most
		found.Apps = found.Apps[:most]
	}
	return found, nil
}

// all looks at all places. The apps are sorted by name.
func (p Places) all(ctx context.Context) (*scan, error) {
	s := p.newScan()
	if p.Platform == Unsupported {
		return s, nil
	}
	for _, look := range []struct {
		at   func(place)
		dirs []place
	}{{s.desktopFiles, p.DesktopFiles}, {s.tree, p.trees}, {s.appImages, p.images}, {s.folders, p.Folders}} {
		for _, dir := range look.dirs {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			look.at(dir)
		}
	}
	slices.SortFunc(s.found.Apps, func(a, b App) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)),
			strings.Compare(a.ExecutablePath, b.ExecutablePath))
	})
	return s, nil
}

// scan is a walk through the places.
type scan struct {
	places Places
	found  Found
	seen   map[string]int    // executables, with links followed, and which of the apps each is, or -1
	others map[string]string // names of installed programs that are not Electron apps, and their executables
}

func (p Places) newScan() *scan {
	return &scan{places: p, found: Found{Platform: p.Platform}, seen: map[string]int{}, others: map[string]string{}}
}

// add takes an app over if it is one, and not known yet.
func (s *scan) add(a App) {
	real, err := filepath.EvalSymlinks(a.ExecutablePath)
	if err != nil {
		s.found.Skipped++
		return
	}
	key := real + "\x00" + a.how.code // several apps may share the system's Electron
	if at, ok := s.seen[key]; ok {
		if at >= 0 && a.Name != "" { // a second entry of its menu
			s.found.Apps[at].how.also = append(s.found.Apps[at].how.also, a.Name, a.DesktopID)
		}
		return
	}
	s.seen[key] = -1
	switch err := s.take(&a); {
	case err != nil:
		s.found.Skipped++
	case len(a.Evidence) > 0 && !a.how.runtime:
		s.seen[key] = len(s.found.Apps)
		s.found.Apps = append(s.found.Apps, a)
	case a.Name != "":
		s.others[a.Name] = real
	}
}

// take adds what an inspection says of the app's executable, and nothing when it is not an Electron app.
func (s *scan) take(a *App) error {
	real, err := filepath.EvalSymlinks(a.ExecutablePath)
	if err != nil {
		return err
	}
	if kind := appfiles.AppImageType(real); kind > 0 {
		return s.takeAppImage(a, real, kind)
	}
	i, err := appfiles.Inspect(real)
	if err != nil || !i.Electron() {
		return err
	}
	a.ExecutablePath = real
	if i.Runtime() {
		if a.how.code == "" {
			a.how.runtime = true
		} else {
			i.ReadCode(a.how.code)
			a.AppPath = cmp.Or(a.AppPath, filepath.Dir(a.how.code))
		}
	}
	a.AppPath = cmp.Or(a.AppPath, filepath.Dir(real))
	if a.how.path == "" {
		s.places.confined(a)
	}
	a.describe(s.found.Platform, i)
	return nil
}

// describe adds what an inspection says.
func (a *App) describe(platform string, i *appfiles.Inspection) {
	a.Platform, a.Evidence, a.Version, a.ElectronVersion = platform, i.Evidence, i.Version, i.ElectronVersion
	a.Name = cmp.Or(a.Name, i.Name, withoutExe(filepath.Base(a.ExecutablePath)))
	a.Sensitivity = sensitivityOf(a)
}

// tree looks at what a snap or flatpak consists of.
func (s *scan) tree(at place) {
	if executable := s.places.executableBelow(at.path); executable != "" {
		s.add(App{ExecutablePath: executable, PackageSource: at.source})
	}
}

// folders looks at each folder of a place, as deep as the place says.
func (s *scan) folders(at place) {
	entries, err := os.ReadDir(at.path)
	if err != nil {
		return // most machines have few of the places
	}
	for _, e := range entries {
		path := filepath.Join(at.path, e.Name())
		if e.Type().IsRegular() {
			continue
		}
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			continue
		}
		switch {
		case s.places.Platform == "darwin" && strings.HasSuffix(e.Name(), ".app"):
			s.bundle(path, at.source)
			continue
		case s.places.Platform == "darwin":
		case s.places.appExecutable(path) != "":
			s.add(App{AppPath: path, ExecutablePath: s.places.appExecutable(path), PackageSource: at.source})
			continue
		}
		if at.depth > 1 {
			s.folders(place{path, at.source, at.depth - 1})
		}
	}
}

// appExecutable finds the executable of a folder that has an app's resources: the one that is named like the folder,
// else the largest, for Electron's own is by far the largest. It returns "" when there is none.
func (p Places) appExecutable(dir string) string {
	if p.Platform == "windows" {
		if newest := newestVersion(dir); newest != "" {
			dir = newest
		}
	}
	if !appfiles.Exists(filepath.Join(dir, "resources")) {
		return ""
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	best, size := "", int64(-1)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if isHelper(e.Name()) || e.IsDir() || p.Platform == "windows" && !strings.EqualFold(filepath.Ext(path), ".exe") {
			continue
		}
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || p.Platform != "windows" && info.Mode()&0o111 == 0 {
			continue
		}
		if strings.EqualFold(withoutExe(e.Name()), filepath.Base(dir)) {
			return path
		}
		if info.Size() > size {
			best, size = path, info.Size()
		}
	}
	return best
}

// withoutExe is an executable's name as on systems that do not tell it by its name.
func withoutExe(name string) string {
	if strings.EqualFold(filepath.Ext(name), ".exe") {
		return name[:len(name)-len(".exe")]
	}
	return name
}

// isHelper reports whether an executable is one of those that Electron puts beside the app's own, or its installer.
func isHelper(name string) bool {
	switch withoutExe(strings.ToLower(name)) {
	case "chrome-sandbox", "chrome_crashpad_handler", "crashpad_handler", "update", "squirrel", "elevate":
		return true
	}
	return strings.Contains(name, ".so") || strings.HasPrefix(strings.ToLower(name), "unins")
}
