// Package real makes desktop apps of a real Electron for tests: the Electron that scripts/electron fetches, with the code of
// a folder below apps. The apps of package electronapp are Electron-shaped and run in the Chromium of the machine; these
// have a main process, windows that come and go, menus, native dialogs and all that Electron's DevTools protocol lacks.
package real

import (
	"embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	electronapp "github.com/skua-browser/skua/testdata/electron"
)

// apps are the code of the apps: a folder each, with package.json and main.js.
//
//go:embed apps
var apps embed.FS

// program is the name of Electron's executable in the package that it comes from.
const program = "@wingconsoledesktop"

// Place returns the folder of Electron: that of SKUA_ELECTRON, else the one that scripts/electron has unpacked. It is empty
// where there is none.
func Place() string {
	if dir := os.Getenv("SKUA_ELECTRON"); dir != "" {
		return dir
	}
	cache := os.Getenv("SKUA_CACHE_DIR")
	if cache == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		cache = filepath.Join(base, "skua")
	}
	found, _ := filepath.Glob(filepath.Join(cache, "electron-*", "resources.pak"))
	if len(found) == 0 {
		return ""
	}
	return filepath.Dir(found[len(found)-1])
}

// Install makes an app in a folder of the test, or skips the test where there is no Electron. SKUA_ELECTRON set and
// useless is a failure: a machine that has to run these tests says so with it. What still runs of the app ends with the test.
func Install(t testing.TB, name string) electronapp.App {
	t.Helper()
	from := Place()
	if from == "" {
		t.Skip("no real Electron on this machine; scripts/electron fetches one")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	app := electronapp.App{Dir: filepath.Join(dir, name), Name: name}
	app.Executable = filepath.Join(app.Dir, name)
	if err := link(from, app.Dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(app.Dir, program), app.Executable); err != nil {
		t.Fatal(err)
	}
	code, err := fs.Sub(apps, "apps/"+name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(app.Dir, "resources", "app"), code); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(app.Kill)
	return app
}

// link makes a tree of hard links, or of copies where the folder is on another file system. Symbolic links would not do:
// Electron looks for its files beside the executable that the system reports.
func link(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, below)
		if entry.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		if err := os.Link(path, target); !errors.Is(err, syscall.EXDEV) {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, content, info.Mode().Perm())
	})
}
