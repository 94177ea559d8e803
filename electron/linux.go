package electron

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skua-browser/skua/electron/appfiles"
)

// linuxPlaces are where apps are on Linux; root is "/" but in tests.
func linuxPlaces(root, home string, getenv func(string) string) Places {
	in := func(path string) string { return filepath.Join(root, path) }
	data := getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(data) {
		data = filepath.Join(home, ".local/share")
	}
	p := Places{Platform: "linux"}
	p.DesktopFiles = append(p.DesktopFiles, place{filepath.Join(data, "applications"), "user", 1})
	dirs := getenv("XDG_DATA_DIRS")
	if dirs == "" {
		dirs = in("usr/local/share") + ":" + in("usr/share")
	}
	for dir := range strings.SplitSeq(dirs, ":") {
		if filepath.IsAbs(dir) {
			p.DesktopFiles = append(p.DesktopFiles, place{filepath.Join(dir, "applications"), "system", 1})
		}
	}
	p.DesktopFiles = append(p.DesktopFiles, place{in("var/lib/snapd/desktop/applications"), "snap", 1})
	p.Folders = []place{
		{in("opt"), "opt", 2},
		{in("usr/lib"), "system", 1},
		{in("usr/lib64"), "system", 1},
		{in("usr/share"), "system", 1},
		{in("usr/local/lib"), "system", 1},
		{in("usr/local/share"), "system", 1},
		{filepath.Join(home, ".local/opt"), "user", 2},
		{data, "user", 1},
		{filepath.Join(home, "Applications"), "user", 1},
		{filepath.Join(home, "apps"), "user", 1},
	}
	for _, base := range []string{in("snap"), in("var/lib/snapd/snap")} {
		if real, err := filepath.EvalSymlinks(base); err == nil && !slices.Contains(p.snaps, real) {
			// one of them may be a link to the other
			p.snaps = append(p.snaps, real)
			p.trees = append(p.trees, trees(filepath.Join(real, "*", "current"), "snap")...)
		}
	}
	for _, base := range []string{in("var/lib/flatpak"), filepath.Join(data, "flatpak")} {
		if real, err := filepath.EvalSymlinks(base); err == nil {
			p.flatpaks = append(p.flatpaks, real)
			p.trees = append(p.trees, trees(filepath.Join(real, "app", "*", "current", "active", "files"), "flatpak")...)
			p.DesktopFiles = append(p.DesktopFiles, place{filepath.Join(real, "exports/share/applications"), "flatpak", 1})
		}
	}
	for _, dir := range []string{"Applications", "AppImages", ".local/bin", "bin", "Downloads", "apps"} {
		p.images = append(p.images, place{filepath.Join(home, dir), "user", 1})
	}
	p.images = append(p.images, place{in("opt"), "opt", 1})
	p.home, p.root, p.path = home, root, filepath.SplitList(getenv("PATH"))
	return p
}

func trees(pattern, source string) (all []place) {
	found, _ := filepath.Glob(pattern)
	for _, path := range found {
		all = append(all, place{path, source, 1})
	}
	return all
}

// desktopFiles looks at the apps that the desktop files of a folder start.
func (s *scan) desktopFiles(at place) {
	entries, err := os.ReadDir(at.path)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".desktop") {
			continue
		}
		d, err := appfiles.ReadDesktopFile(filepath.Join(at.path, e.Name()))
		if err != nil {
			s.found.Skipped++
			continue
		}
		c := appfiles.CommandOf(d.Exec)
		if d.Hidden || c.Program == "" {
			continue
		}
		a := App{Name: d.Name, DesktopID: d.ID, Icon: d.Icon, PackageSource: at.source}
		if !s.locate(&a, c) {
			s.found.Skipped++
			continue
		}
		s.add(a)
	}
}

// appImages looks at the AppImages in a folder.
func (s *scan) appImages(at place) {
	entries, err := os.ReadDir(at.path)
	if err != nil {
		return
	}
	for _, e := range entries {
		path := filepath.Join(at.path, e.Name())
		if !e.IsDir() && appfiles.IsExecutable(path) && appfiles.AppImageType(path) > 0 {
			s.add(App{ExecutablePath: path})
		}
	}
}
