package electronapp

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
)

// ElectronVersion is the version of Electron that the apps claim to have, in the file `version` and in their executable.
const ElectronVersion = "42.1.3"

// Options say what app is made.
type Options struct {
	Dir         string // the folder that becomes the app's; it is made, and what it has is kept
	Name        string // of the executable, and in package.json; empty: the folder's name
	ProductName string // as users know the app; empty: as Name
	Version     string // of the app; empty: 1.4.2
	DesktopFile string // a folder that gets NAME.desktop; empty: there is none
}

// App is an app that was made.
type App struct {
	Dir         string // absolute, with links followed
	Executable  string
	DesktopFile string // its path; empty when none was asked for
	Name        string
	ProductName string
	Version     string
}

//go:embed pages
var pages embed.FS

// Generate makes an app. It needs Go, with which it builds the executable once in a process; the working folder must be in this module.
func Generate(ctx context.Context, o Options) (App, error) {
	if o.Dir == "" {
		return App{}, errors.New("an app needs a folder")
	}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return App{}, err
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return App{}, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return App{}, err
	}
	a := App{Dir: dir, Name: orElse(o.Name, filepath.Base(dir)), Version: orElse(o.Version, "1.4.2")}
	a.ProductName = orElse(o.ProductName, a.Name)
	a.Executable = filepath.Join(dir, a.Name)
	if runtime.GOOS == "windows" {
		a.Executable += ".exe"
	}
	files, err := a.layout()
	if err != nil {
		return App{}, err
	}
	for name, text := range files {
		if err := writeFile(filepath.Join(dir, filepath.FromSlash(name)), text, 0o644); err != nil {
			return App{}, err
		}
	}
	program, err := built(ctx)
	if err != nil {
		return App{}, err
	}
	if err := writeFile(a.Executable, program, 0o755); err != nil {
		return App{}, err
	}
	if o.DesktopFile != "" {
		a.DesktopFile = filepath.Join(o.DesktopFile, a.Name+".desktop")
		if err := writeFile(a.DesktopFile, a.desktopFile(), 0o644); err != nil {
			return App{}, err
		}
	}
	return a, nil
}

// layout returns the files beside the executable by their paths.
func (a App) layout() (map[string][]byte, error) {
	packageJSON, err := json.MarshalIndent(map[string]any{
		"name": a.Name, "productName": a.ProductName, "version": a.Version, "main": "main.js", "private": true,
	}, "", "  ")
	if err != nil {
		return nil, err
	}
	entries, err := pages.ReadDir("pages")
	if err != nil {
		return nil, err
	}
	packed := map[string]file{"package.json": {data: packageJSON}, "viewer.pdf": {data: emptyPDF()}}
	for _, e := range entries {
		text, err := pages.ReadFile("pages/" + e.Name())
		if err != nil {
			return nil, err
		}
		// electron-builder unpacks what other programs open, a help page among them.
		packed[e.Name()] = file{data: text, unpacked: e.Name() == "help.html"}
	}
	asar, err := archive(packed)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		"version":                               []byte(ElectronVersion),
		"LICENSE":                               []byte("This app is a sample for tests.\n"),
		"LICENSES.chromium.html":                []byte("<!doctype html><title>Credits</title>\n"),
		"chrome_100_percent.pak":                nil,
		"chrome_200_percent.pak":                nil,
		"resources.pak":                         nil,
		"icudtl.dat":                            nil,
		"snapshot_blob.bin":                     nil,
		"v8_context_snapshot.bin":               nil,
		"locales/en-US.pak":                     nil,
		"locales/de.pak":                        nil,
		"resources/app.asar":                    asar,
		"resources/app.asar.unpacked/help.html": packed["help.html"].data,
	}, nil
}

func (a App) desktopFile() []byte {
	return fmt.Appendf(nil, "[Desktop Entry]\nType=Application\nName=%s\nExec=%q %%U\nTerminal=false\nIcon=%s\nStartupWMClass=%s\nCategories=Utility;\n",
		a.ProductName, a.Executable, a.Name, a.ProductName)
}

// emptyPDF returns a document of one empty page. The browser shows it in a guest, which the app then fills.
func emptyPDF() []byte {
	return []byte("%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n" +
		"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]>>endobj\ntrailer<</Root 1 0 R>>\n")
}

var program struct {
	mu    sync.Mutex
	bytes []byte
}

// built returns the executable of the apps.
func built(ctx context.Context) ([]byte, error) {
	program.mu.Lock()
	defer program.mu.Unlock()
	if program.bytes != nil {
		return program.bytes, nil
	}
	dir, err := os.MkdirTemp("", "skua-electron-app-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "app")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", out, "github.com/skua-browser/skua/testdata/electron/app")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building the app's executable: %w\n%s", err, bytes.TrimSpace(said))
	}
	program.bytes, err = os.ReadFile(out)
	return program.bytes, err
}

// writeFile writes a file and makes its folder. No process is started meanwhile: a file that a child has inherited open for writing cannot be
// executed.
func writeFile(name string, text []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(name, text, mode)
}

func orElse(s, otherwise string) string {
	if strings.TrimSpace(s) == "" {
		return otherwise
	}
	return s
}
