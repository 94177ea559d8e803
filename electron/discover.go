package electron

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Limits of how many apps Discover returns.
const (
	DefaultResults = 50
	MaxResults     = 200
)

// Query says what Discover looks for.
type Query struct {
	Text       string // what an app's names or paths hold, in any case; empty: all
	MaxResults int    // 0: DefaultResults; more than MaxResults count as that
}

// Found is what Discover saw.
type Found struct {
	Platform string // darwin, linux, windows or unsupported
	Apps     []App  // sorted by name
	Skipped  int    // places that looked like an app and could not be read, or were none
	Omitted  int    // apps beyond MaxResults
}

// Places are where apps may be. The zero value is nowhere.
type Places struct {
	Platform     string
	DesktopFiles []place // folders with .desktop files
	Folders      []place // folders that hold app folders, or bundles
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
	switch runtime.GOOS {
	case "linux":
		return linuxPlaces("/", home, getenv)
	case "darwin":
		return darwinPlaces("/", home)
	case "windows":
		return windowsPlaces(getenv)
	}
	return Places{Platform: "unsupported"}
}

// Discover lists the Electron apps of the places.
func (p Places) Discover(ctx context.Context, q Query) (Found, error) {
	if p.Platform == "unsupported" {
		return Found{Platform: p.Platform}, nil
	}
	s := scan{found: Found{Platform: p.Platform}, seen: map[string]bool{}}
	for _, dir := range p.DesktopFiles {
		if err := ctx.Err(); err != nil {
			return Found{}, err
		}
		s.desktopFiles(dir)
	}
	for _, dir := range p.Folders {
		if err := ctx.Err(); err != nil {
			return Found{}, err
		}
		s.folders(dir, p.Platform)
	}
	apps := s.found.Apps
	if q.Text != "" {
		apps = slices.DeleteFunc(apps, func(a App) bool { return !a.Matches(q.Text) })
	}
	slices.SortFunc(apps, func(a, b App) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.ExecutablePath, b.ExecutablePath))
	})
	most := q.MaxResults
	if most <= 0 {
		most = DefaultResults
	}
	if most = min(most, MaxResults); len(apps) > most {
		s.found.Omitted = len(apps) - most
		apps = apps[:most]
	}
	s.found.Apps = apps
	return s.found, nil
}

// scan is a walk through the places.
type scan struct {
	found Found
	seen  map[string]bool // executables, with links followed
}

// add takes an app over if it is one, and not known yet.
func (s *scan) add(a App) {
	real, err := filepath.EvalSymlinks(a.ExecutablePath)
	if err != nil {
		s.found.Skipped++
		return
	}
	if s.seen[real] {
		return
	}
	s.seen[real] = true
	i, err := Inspect(real)
	if err != nil {
		s.found.Skipped++
		return
	}
	if !i.Electron() {
		return
	}
	a.Platform, a.ExecutablePath = s.found.Platform, real
	if a.AppPath == "" {
		a.AppPath = filepath.Dir(real)
	}
	a.take(i)
	s.found.Apps = append(s.found.Apps, a)
}

// take adds what an inspection says.
func (a *App) take(i *Inspection) {
	a.Evidence, a.Version, a.ElectronVersion = i.Evidence, i.Version, i.ElectronVersion
	if a.Name == "" {
		a.Name = i.Name
	}
	if a.Name == "" {
		a.Name = strings.TrimSuffix(filepath.Base(a.ExecutablePath), ".exe")
	}
	a.Sensitivity = sensitivityOf(a)
}

// folders looks at each folder of a place, as deep as the place says.
func (s *scan) folders(at place, platform string) {
	entries, err := os.ReadDir(at.path)
	if err != nil {
		return // most machines have few of the places
	}
	for _, e := range entries {
		path := filepath.Join(at.path, e.Name())
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			continue
		}
		if platform == "darwin" {
			if strings.HasSuffix(e.Name(), ".app") {
				s.bundle(path, at.source)
			}
			continue
		}
		if executable := appExecutable(path); executable != "" {
			s.add(App{AppPath: path, ExecutablePath: executable, PackageSource: at.source})
		} else if at.depth > 1 {
			s.folders(place{path, at.source, at.depth - 1}, platform)
		}
	}
}

// appExecutable finds the executable of a folder that has an app's resources: the one that is named like the folder, else the largest, for
// Electron's own is by far the largest.
func appExecutable(dir string) string {
	if !exists(filepath.Join(dir, "resources")) {
		return ""
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	best, size := "", int64(-1)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		info, err := os.Stat(path)
		if err != nil || !executableFile(path) || isHelper(e.Name()) || runtime.GOOS == "windows" && !strings.HasSuffix(e.Name(), ".exe") {
			continue
		}
		if strings.EqualFold(strings.TrimSuffix(e.Name(), ".exe"), filepath.Base(dir)) {
			return path
		}
		if info.Size() > size {
			best, size = path, info.Size()
		}
	}
	return best
}

// isHelper reports whether an executable is one of those that Electron puts beside the app's own.
func isHelper(name string) bool {
	switch strings.TrimSuffix(name, ".exe") {
	case "chrome-sandbox", "chrome_crashpad_handler", "crashpad_handler", "Update", "elevate":
		return true
	}
	return strings.Contains(name, ".so")
}
