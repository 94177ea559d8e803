package electron

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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
		{in("opt"), "opt", 2}, {in("usr/lib"), "system", 1}, {in("usr/lib64"), "system", 1}, {in("usr/share"), "system", 1}, {in("usr/local/lib"), "system", 1},
		{in("usr/local/share"), "system", 1}, {filepath.Join(home, ".local/opt"), "user", 2}, {data, "user", 1}, {filepath.Join(home, "Applications"), "user", 1},
		{filepath.Join(home, "apps"), "user", 1},
	}
	for _, dir := range []string{"", "usr/share", "usr/lib", "opt"} {
		snaps, _ := filepath.Glob(filepath.Join(in("snap"), "*", "current", dir))
		for _, path := range snaps {
			p.Folders = append(p.Folders, place{path, "snap", 1})
		}
	}
	for _, base := range []string{in("var/lib/flatpak/app"), filepath.Join(data, "flatpak/app")} {
		flatpaks, _ := filepath.Glob(filepath.Join(base, "*", "current", "active", "files"))
		for _, path := range flatpaks {
			p.Folders = append(p.Folders, place{path, "flatpak", 1}, place{filepath.Join(path, "lib"), "flatpak", 1}, place{filepath.Join(path, "share"), "flatpak", 1})
		}
	}
	p.home = home
	return p
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
		d, err := readDesktopFile(filepath.Join(at.path, e.Name()))
		if err != nil {
			s.found.Skipped++
			continue
		}
		if d.hidden || d.program() == "" {
			continue
		}
		executable := resolveProgram(d.program())
		if executable == "" {
			s.found.Skipped++
			continue
		}
		s.add(App{Name: d.name, DesktopID: d.id, ExecutablePath: executable, Icon: d.icon, PackageSource: at.source})
	}
}

// resolveProgram finds the executable that a program's name or path stands for. What is installed in PATH is often a script or a link in the
// folder `bin` of the app, whose own executable lies above it.
func resolveProgram(program string) string {
	path := program
	if !filepath.IsAbs(path) {
		found, err := exec.LookPath(path)
		if err != nil {
			return ""
		}
		path = found
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	if filepath.Base(filepath.Dir(real)) == "bin" {
		if above := appExecutable(filepath.Dir(filepath.Dir(real))); above != "" {
			return above
		}
	}
	return real
}
