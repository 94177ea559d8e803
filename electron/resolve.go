package electron

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skua-browser/skua/electron/appfiles"
	"github.com/skua-browser/skua/internal/fault"
)

// Start is how an app is started.
type Start struct {
	App  App
	Path string   // of the program that is started: the app's executable, or what runs it
	Args []string // in front of those of the launch
	Env  []string // NAME=value, added to the environment of the launch

	// ProfileBase is the folder in which the profile has to lie so that the app can reach it; it may have to be made.
	// Empty means anywhere.
	ProfileBase string
	// OwnTemp says that the app unpacks itself below TMPDIR, and leaves that behind when it is killed: TMPDIR has to be a
	// folder that goes with the profile.
	OwnTemp bool
	Note    string // what is worth knowing of this way to start it; may be empty

	asked string // the path that was given
}

// Resolve finds the app that a launch means and how it is started, checks the launch's arguments and the caller's
// lists, and starts nothing. Errors: Usage, AppNotFound, AppUnsuitable and AppBlocked (with the fact `policy`, a
// Policy).
func (p Places) Resolve(ctx context.Context, o LaunchOptions) (*Start, error) {
	if err := CheckArgs(o.Args); err != nil {
		return nil, err
	}
	given := 0
	for _, target := range []string{o.AppPath, o.AppName, o.BundleID, o.ExecutablePath} {
		if strings.TrimSpace(target) != "" {
			given++
		}
	}
	if given != 1 {
		return nil, fault.New(fault.Usage,
			"electron.launch requires exactly one of appPath, appName, bundleId or executablePath; %d are given", given).
			WithHint("Name the app in one of the four ways.")
	}
	var start *Start
	var aliases []App
	var err error
	switch {
	case o.AppPath != "":
		start, err = p.atPath(p.absolute(o.AppPath, o.Cwd))
	case o.ExecutablePath != "":
		start, err = p.atExecutable(p.absolute(o.ExecutablePath, o.Cwd))
	default:
		start, err = p.named(ctx, o.AppName, o.BundleID)
	}
	if err == nil && start.asked != "" && len(o.Allow)+len(o.Deny) > 0 {
		aliases, err = p.aliases(ctx, start)
	}
	if err != nil {
		return nil, err
	}
	if err := permitted(start, aliases, o.Allow, o.Deny); err != nil {
		return nil, err
	}
	return start, nil
}

// absolute reads a path as the caller's shell would have.
func (p Places) absolute(path, cwd string) string {
	if below, ok := strings.CutPrefix(path, "~/"); ok && p.home != "" {
		return filepath.Join(p.home, below)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(cwd, path)
	}
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}

// aliases are the apps that are installed with the same executable.
func (p Places) aliases(ctx context.Context, s *Start) ([]App, error) {
	all, err := p.all(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all.found.Apps, func(a App) bool {
		return a.ExecutablePath != s.App.ExecutablePath || a.how.code != s.App.how.code
	}), nil
}

// atPath finds the app at a path: a bundle, a folder, or an executable.
func (p Places) atPath(path string) (*Start, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, missing(path, err)
	}
	if !info.IsDir() {
		return p.atExecutable(path)
	}
	if _, err := os.Stat(filepath.Join(path, "Contents", "Info.plist")); err == nil {
		a, err := readBundle(path)
		if err != nil {
			return nil, fault.New(fault.AppUnsuitable, "the bundle %s cannot be read: %w", path, err).About(path)
		}
		if a.ExecutablePath == "" {
			return nil, unsuitable(path).WithHint("Its Info.plist names no executable. %s", wayOut)
		}
		return p.suitable(a, path)
	}
	if a, ok := project(path); ok {
		return p.suitable(a, path)
	}
	executable := p.appExecutable(path)
	if executable == "" {
		return nil, unsuitable(path).WithHint("It has no executable beside a folder `resources`. %s", wayOut)
	}
	return p.suitable(App{AppPath: path, ExecutablePath: executable}, path)
}

// atExecutable finds the app that an executable is.
func (p Places) atExecutable(path string) (*Start, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, missing(path, err)
	case info.IsDir():
		return nil, unsuitable(path).WithHint("It is a folder: give it by appPath, or the executable in it.")
	case p.Platform != "windows" && !appfiles.IsExecutable(path) && appfiles.AppImageType(path) > 0:
		return nil, unsuitable(path).WithHint("It is an AppImage that must not be run: chmod +x it first.")
	case p.Platform != "windows" && !appfiles.IsExecutable(path):
		return nil, unsuitable(path).WithHint("It is not a file that can be run.")
	}
	if contents, ok := strings.CutSuffix(filepath.Dir(path), filepath.Join("Contents", "MacOS")); ok {
		if a, err := readBundle(filepath.Clean(contents)); err == nil {
			a.ExecutablePath = path
			return p.suitable(a, path)
		}
	}
	a := App{}
	if !p.newScan().locate(&a, appfiles.Command{Program: path}) {
		return nil, unsuitable(path).WithHint("The program that it starts was not found. %s", wayOut)
	}
	return p.suitable(a, path)
}

// project reads a folder as that of an app under development, which has an Electron among its modules.
func project(dir string) (App, bool) {
	if !appfiles.Exists(filepath.Join(dir, "package.json")) {
		return App{}, false
	}
	dist := filepath.Join(dir, "node_modules", "electron", "dist")
	for _, name := range []string{
		"electron", "electron.exe",
		filepath.Join("Electron.app", "Contents", "MacOS", "Electron"),
	} {
		if executable := filepath.Join(dist, name); appfiles.IsExecutable(executable) {
			return App{AppPath: dir, ExecutablePath: executable, how: how{args: []string{dir}, code: dir}}, true
		}
	}
	return App{}, false
}

// suitable inspects an app that was given by its path.
func (p Places) suitable(a App, asked string) (*Start, error) {
	s := p.newScan()
	if err := s.take(&a); err != nil {
		return nil, fault.New(fault.AppUnsuitable, "%s cannot be inspected: %w", asked, err).About(asked).With("marks",
			marks()).WithHint(wayOut)
	}
	if len(a.Evidence) == 0 {
		return nil, unsuitable(asked).WithHint("%s %s", lookedFor, wayOut)
	}
	start := a.started()
	start.asked = asked
	return start, nil
}

const (
	lookedFor = "Looked for Electron's file `version` with its licenses, `app.asar` or `app/package.json` in " +
		"`resources` with the resources of Chromium, and in a bundle `Electron Framework` or ElectronAsarIntegrity."
	wayOut = "What is not an Electron app is not started; see electron list for those that are installed."
)

func missing(path string, err error) *fault.Error {
	return fault.New(fault.AppNotFound, "there is no app at %s: %w", path, err).About(path).
		WithHint("Check the path, or give the name of an installed app; electron list shows them.")
}

func unsuitable(path string) *fault.Error {
	return fault.New(fault.AppUnsuitable, "%s is not an Electron app", path).About(path).With("marks", marks())
}

// marks are what an inspection looks for.
func marks() []string {
	return []string{
		"version", "app.asar", "app/package.json", "default_app.asar", "chromium-resources",
		"electron-framework", "asar-integrity",
	}
}
