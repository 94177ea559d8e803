package electron

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skua-browser/skua/electron/appfiles"
)

// locate sets what a command starts: the app's executable, and how it is started. It returns false when no such file is
// found.
func (s *scan) locate(a *App, c appfiles.Command) bool {
	if words := c.After("flatpak", "run"); len(words) > 0 {
		return s.flatpak(a, c.Env, words)
	}
	if name, args := s.places.snapOf(c); name != "" {
		return s.snap(a, name, c, args)
	}
	path := s.places.lookPath(c.Program)
	real, err := filepath.EvalSymlinks(path)
	if path == "" || err != nil {
		return false
	}
	a.how.env, a.how.args = c.Env, withoutOwned(c.Args)
	a.ExecutablePath = real
	if filepath.Base(filepath.Dir(real)) == "bin" {
		// What is in PATH is often a script or a link in the folder `bin` of the app, whose own executable lies above it.
		if above := s.places.appExecutable(filepath.Dir(filepath.Dir(real))); above != "" {
			a.ExecutablePath = above
			return true
		}
	}
	s.wrapper(a, path)
	a.how.code = cmp.Or(a.how.code, appfiles.CodeAmong(c.Args))
	return true
}

// wrapper looks into a script for the Electron that it starts: apps of the system's own Electron come so.
func (s *scan) wrapper(a *App, path string) {
	const most = 3 // scripts behind scripts
	passes := true
	for range most {
		text, ok := appfiles.ReadScript(a.ExecutablePath)
		if !ok {
			break
		}
		var inner appfiles.Command
		reader := appfiles.Script{Vars: map[string]string{"HOME": s.places.home}}
		reader.Run(text, func(words []string) bool {
			c := appfiles.CommandOf(words)
			if c.Program == "" || strings.Contains(c.Program, appfiles.Unknown) || appfiles.IsBuiltin(c.Program) {
				return true
			}
			if found := s.places.lookPath(c.Program); found != "" && found != a.ExecutablePath && mayStart(found) {
				inner = c
				inner.Program = found
				return false
			}
			return true
		})
		real, err := filepath.EvalSymlinks(inner.Program)
		if inner.Program == "" || err != nil {
			return
		}
		passes = passes && reader.Passes
		a.how.code = cmp.Or(a.how.code, appfiles.CodeAmong(inner.Args))
		a.ExecutablePath, a.how.path = real, path
		if !passes { // started past the script, which would drop the switches of the launch
			a.how.path = ""
			inner.Args = slices.DeleteFunc(inner.Args, func(arg string) bool { return strings.Contains(arg, appfiles.Unknown) })
			a.how.env, a.how.args = append(a.how.env, inner.Env...), append(withoutOwned(inner.Args), a.how.args...)
		}
	}
}

// mayStart reports whether a program that a script starts may be the app: an Electron, an AppImage, or a script that is
// called as one.
func mayStart(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	if appfiles.AppImageType(real) > 0 {
		return true
	}
	if strings.HasPrefix(filepath.Base(path), "electron") {
		return true
	}
	return appfiles.Exists(filepath.Join(filepath.Dir(real), "resources")) && appfiles.IsExecutable(real)
}

// lookPath finds a program by its path or its name, "" when there is none that can be run.
func (p Places) lookPath(program string) string {
	if strings.Contains(program, "/") || filepath.IsAbs(program) {
		if filepath.IsAbs(program) && appfiles.Exists(program) {
			return program
		}
		return ""
	}
	for _, dir := range p.path {
		if path := filepath.Join(dir, program); filepath.IsAbs(dir) && appfiles.IsExecutable(path) {
			return path
		}
	}
	return ""
}
