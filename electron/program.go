package electron

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/userfile"
)

// locate sets what a command starts: the app's executable, and how it is started. It returns false when no such file is found.
func (s *scan) locate(a *App, c command) bool {
	if filepath.Base(c.program) == "flatpak" && len(c.args) > 1 && c.args[0] == "run" {
		return s.flatpak(a, c)
	}
	if name, args := s.places.snapOf(c); name != "" {
		return s.snap(a, name, c, args)
	}
	path := s.places.lookPath(c.program)
	real, err := filepath.EvalSymlinks(path)
	if path == "" || err != nil {
		return false
	}
	a.how.env, a.how.args = c.env, withoutOwned(c.args)
	a.ExecutablePath = real
	if filepath.Base(filepath.Dir(real)) == "bin" {
		// What is in PATH is often a script or a link in the folder `bin` of the app, whose own executable lies above it.
		if above := s.places.appExecutable(filepath.Dir(filepath.Dir(real))); above != "" {
			a.ExecutablePath = above
			return true
		}
	}
	s.wrapper(a, path)
	a.how.code = cmp.Or(a.how.code, codeOf(c.args))
	return true
}

// wrapper looks into a script for the Electron that it starts: apps of the system's own Electron come so.
func (s *scan) wrapper(a *App, path string) {
	const most = 3 // scripts behind scripts
	passes := true
	for range most {
		text, ok := scriptText(a.ExecutablePath)
		if !ok {
			break
		}
		var inner command
		reader := script{vars: map[string]string{"HOME": s.places.home}}
		reader.run(text, func(words []string) bool {
			c := commandOf(words)
			if c.program == "" || strings.Contains(c.program, unknown) || shellBuiltin(c.program) {
				return true
			}
			if found := s.places.lookPath(c.program); found != "" && found != a.ExecutablePath && mayStart(found) {
				inner = c
				inner.program = found
				return false
			}
			return true
		})
		real, err := filepath.EvalSymlinks(inner.program)
		if inner.program == "" || err != nil {
			return
		}
		passes = passes && reader.passes
		a.how.code = cmp.Or(a.how.code, codeOf(inner.args))
		a.ExecutablePath, a.how.path = real, path
		if !passes { // started past the script, which would drop the switches of the launch
			a.how.path = ""
			inner.args = slices.DeleteFunc(inner.args, func(arg string) bool { return strings.Contains(arg, unknown) })
			a.how.env, a.how.args = append(a.how.env, inner.env...), append(withoutOwned(inner.args), a.how.args...)
		}
	}
}

// mayStart reports whether a program that a script starts may be the app: an Electron, an AppImage, or a script that is called as one.
func mayStart(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	if appImageType(real) > 0 {
		return true
	}
	if strings.HasPrefix(filepath.Base(path), "electron") {
		return true
	}
	dir := os.DirFS(filepath.Dir(real))
	return within(dir, "resources") && executableFile(real)
}

// scriptText returns the text of a shell script.
func scriptText(path string) (string, bool) {
	f, err := userfile.Open(context.Background(), path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	head := make([]byte, 2)
	if _, err := f.ReadAt(head, 0); err != nil || string(head) != "#!" {
		return "", false
	}
	b, err := readSmallFile(path, maxScript)
	first, rest, _ := strings.Cut(string(b), "\n")
	if err != nil || !strings.Contains(first, "sh") {
		return "", false
	}
	return rest, true
}

// codeOf finds the app's code among the arguments of an Electron that has none of its own: the first that is an archive, or a folder with a
// package.json.
func codeOf(args []string) string {
	for _, arg := range args {
		if !filepath.IsAbs(arg) {
			continue
		}
		if strings.HasSuffix(arg, ".asar") && exists(arg) || exists(filepath.Join(arg, "package.json")) {
			return arg
		}
	}
	return ""
}

// readCode reads the code that an Electron is given.
func (i *Inspection) readCode(code string) {
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

// runtime reports whether it is an Electron without an app of its own, as systems and projects install it.
func (i *Inspection) runtime() bool {
	return slices.Contains(i.Evidence, "default_app.asar") && !slices.Contains(i.Evidence, "app.asar") && !slices.Contains(i.Evidence, "app/package.json")
}

// lookPath finds a program by its path or its name, "" when there is none that can be run.
func (p Places) lookPath(program string) string {
	if strings.Contains(program, "/") || filepath.IsAbs(program) {
		if filepath.IsAbs(program) && exists(program) {
			return program
		}
		return ""
	}
	for _, dir := range p.path {
		if path := filepath.Join(dir, program); filepath.IsAbs(dir) && executableFile(path) {
			return path
		}
	}
	return ""
}

// appFolders are the folders of a packaged tree that may be an app: those with its resources. Where an app lies in a package is its
// packager's choice among these.
func appFolders(fsys fs.FS) (dirs []string) {
	for _, pattern := range []string{
		".", "*", "lib/*", "lib64/*", "share/*", "opt/*", "extra/*", "usr/bin", "usr/lib/*", "usr/lib64/*", "usr/share/*", "opt/*/*", "usr/lib/*/*",
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
