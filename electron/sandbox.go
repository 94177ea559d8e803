package electron

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skua-browser/skua/electron/appfiles"
)

// Snaps and flatpaks are started by their own runners: their executables lie in a file system that is put together for
// them, and see only a part of the user's files. A profile has to lie in that part.

// confined sets how an app is started whose executable belongs to a snap or a flatpak.
func (p Places) confined(a *App) {
	for _, base := range p.snaps {
		if parts, ok := partsBelow(base, a.ExecutablePath); ok && len(parts) > 2 {
			p.asSnap(a, parts[0])
			return
		}
	}
	for _, base := range p.flatpaks {
		if parts, ok := partsBelow(filepath.Join(base, "app"), a.ExecutablePath); ok && len(parts) > 2 {
			p.asFlatpak(a, base, parts)
			return
		}
	}
}

func (p Places) asSnap(a *App, name string) {
	a.PackageSource = "snap"
	app := cmp.Or(a.how.snapApp, name)
	a.how.path = cmp.Or(p.lookPath("snap"), filepath.Join(p.root, "usr/bin/snap"))
	a.how.args = append([]string{"run", app}, a.how.args...)
	// A snap has a /tmp of its own, and no hidden folders of the home.
	a.how.profileBase = filepath.Join(p.home, "snap", name, "common")
	if hidden := filepath.Join(p.home, ".snap/data", name, "common"); appfiles.Exists(hidden) {
		a.how.profileBase = hidden
	}
	a.how.note = "It is a snap: it is started by `snap run " + app + "`, and its profile lies in " + a.how.profileBase +
		", which it can see."
}

// asFlatpak knows an installed flatpak by the parts of its executable's path: ID, architecture, branch, commit, files.
func (p Places) asFlatpak(a *App, base string, parts []string) {
	id := parts[0]
	a.PackageSource = "flatpak"
	// It ends with its runner, which else only waits for it.
	run := []string{"run", "--die-with-parent"}
	if at := slices.Index(parts, "files"); at == 4 {
		run = append(run, "--arch="+parts[1], "--branch="+parts[2])
	}
	for _, option := range a.how.flatpakOptions {
		if strings.HasPrefix(option, "--command=") {
			run = append(run, option)
		}
	}
	a.how.profileBase = filepath.Join(p.home, ".var/app", id)
	a.how.note = "It is a flatpak: it is started by `flatpak run " + id + "`, and its profile lies in " +
		a.how.profileBase + ", which it can see."
	at := slices.Index(parts, "files")
	shared, err := appfiles.ReadKey(filepath.Join(append([]string{base, "app"},
		append(slices.Clone(parts[:max(at, 0)]), "metadata")...)...), "Context", "shared")
	if err == nil && !slices.Contains(strings.Split(shared, ";"), "network") {
		// Its loopback would be its own, and the debugging port out of reach.
		run = append(run, "--share=network")
		a.how.note += " It has no network access of its own; it gets it for this launch, because its debugging port needs it."
	}
	a.how.path = cmp.Or(p.lookPath("flatpak"), filepath.Join(p.root, "usr/bin/flatpak"))
	a.how.args = append(append(run, id), a.how.args...)
	if a.DesktopID == "" {
		a.DesktopID = id
	}
}

// flatpak finds the app that a `flatpak run` starts, by the words that follow.
func (s *scan) flatpak(a *App, env, words []string) bool {
	at := slices.IndexFunc(words, func(word string) bool { return !strings.HasPrefix(word, "-") })
	if at < 0 {
		return false
	}
	for _, base := range s.places.flatpaks {
		if a.ExecutablePath = s.places.executableBelow(filepath.Join(base, "app", words[at], "current", "active",
			"files")); a.ExecutablePath != "" {
			a.how.env, a.how.flatpakOptions = env, words[:at]
			// Files and addresses that a menu hands over stand between @@ and @@; there are none.
			a.how.args = withoutOwned(slices.DeleteFunc(slices.Clone(words[at+1:]), func(arg string) bool {
				return strings.HasPrefix(arg, "@@")
			}))
			return true
		}
	}
	return false
}

// snapOf returns the name of the snap's app that a command runs: NAME, or NAME.APP, and the arguments for it.
func (p Places) snapOf(c appfiles.Command) (name string, args []string) {
	path := p.lookPath(c.Program)
	for _, base := range p.snaps {
		if parts, ok := partsBelow(filepath.Join(base, "bin"), path); ok && len(parts) == 1 {
			return parts[0], c.Args
		}
	}
	if rest := appfiles.WithoutOptions(c.After("snap", "run"), "-r", "--shell"); len(rest) > 0 {
		return rest[0], rest[1:]
	}
	return "", nil
}

// snap finds the app that a snap's command starts.
func (s *scan) snap(a *App, name string, c appfiles.Command, args []string) bool {
	snap, _, _ := strings.Cut(name, ".")
	for _, base := range s.places.snaps {
		if a.ExecutablePath = s.places.executableBelow(filepath.Join(base, snap, "current")); a.ExecutablePath != "" {
			a.how.snapApp, a.how.env, a.how.args = name, c.Env, withoutOwned(args)
			return true
		}
	}
	return false
}

// executableBelow finds the app's executable in the tree of a package.
func (p Places) executableBelow(dir string) string {
	for _, folder := range appfiles.Folders(os.DirFS(dir)) {
		if executable := p.appExecutable(filepath.Join(dir, filepath.FromSlash(folder))); executable != "" {
			return executable
		}
	}
	return ""
}

// partsBelow returns the parts of a path below a folder.
func partsBelow(base, path string) ([]string, bool) {
	below, ok := strings.CutPrefix(path, base+string(filepath.Separator))
	if !ok || base == "" {
		return nil, false
	}
	return strings.Split(below, string(filepath.Separator)), true
}
