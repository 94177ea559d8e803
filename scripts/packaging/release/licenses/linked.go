package licenses

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/skua-browser/skua/scripts/packaging/release/spec"
)

// Module is what others made and the programs contain.
type Module struct {
	Name    string // as Go or npm has it
	Version string
	Kind    Kind
	SPDX    string // the licenses, as an SPDX expression
	Files   []Text

	In map[string]bool // the programs that contain it, by their paths; nil: it is a file of its own
}

// Kind says whose names a module has.
type Kind string

const (
	Go  Kind = "golang"
	NPM Kind = "npm"
)

// Text is a license file.
type Text struct {
	Name string // relative to the module
	Text []byte
}

// listed is what go list says of a package.
type listed struct {
	ImportPath, Dir string
	Standard        bool
	Module          *struct {
		Path, Version, Dir string
		Main               bool
	}
}

// Linked returns what some programs of a target contain. The first is the client, the last the host, as cmd has them.
func Linked(ctx context.Context, root string, t spec.Target, programs ...string) ([]Module, error) {
	packages, err := list(ctx, root, t)
	if err != nil {
		return nil, err
	}
	found := map[string]*Module{}
	for _, program := range programs {
		info, err := buildinfo.ReadFile(program)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", program, err)
		}
		for _, d := range info.Deps {
			if d.Replace != nil {
				return nil, fmt.Errorf("%s: it contains %s, which is replaced; a release has no replacements", program, d.Path)
			}
			m := found[d.Path]
			if m == nil {
				if m, err = module(d.Path, d.Version, packages); err != nil {
					return nil, err
				}
				found[d.Path] = m
			}
			m.In[program] = true
		}
		if m := found["std"]; m != nil {
			m.In[program] = true
			continue
		}
		std, err := standardLibrary(ctx, root, info.GoVersion)
		if err != nil {
			return nil, err
		}
		std.In[program] = true
		found["std"] = std
	}
	beside, err := fromNPM(ctx, root, "scripts/axe")
	if err != nil {
		return nil, err
	}
	var within []*Module
	if len(programs) > 1 { // the host is there, which serves the dashboard
		if within, err = fromNPM(ctx, root, "scripts/dashboard-libraries", "--list"); err != nil {
			return nil, err
		}
	}
	for _, m := range within {
		m.In = map[string]bool{programs[len(programs)-1]: true}
	}
	for _, m := range append(beside, within...) {
		found[m.Name] = m
	}
	var all []Module
	for _, name := range slices.Sorted(maps.Keys(found)) {
		all = append(all, *found[name])
	}
	return all, nil
}

func list(ctx context.Context, root string, t spec.Target) ([]listed, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-json=ImportPath,Dir,Standard,Module", "./cmd/skua",
		"./cmd/skuad")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS="+t.OS, "GOARCH="+t.Arch, "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []listed
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		var p listed
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("go list: %w", err)
		}
		all = append(all, p)
	}
}

// module reads the licenses of a module, from the folders of its packages up to its own.
func module(name, version string, packages []listed) (*Module, error) {
	m := &Module{Name: name, Version: version, Kind: Go, In: map[string]bool{}}
	folders := map[string]bool{}
	top := ""
	for _, p := range packages {
		if p.Module == nil || p.Module.Path != name {
			continue
		}
		if p.Module.Version != version {
			return nil, fmt.Errorf("%s: the program contains %s, and the sources here are %s; build it again", name, version,
				p.Module.Version)
		}
		top = p.Module.Dir
		for dir := p.Dir; strings.HasPrefix(dir, top); dir = filepath.Dir(dir) {
			folders[dir] = true
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		if err := m.read(top, dir); err != nil {
			return nil, err
		}
	}
	return m, m.judge()
}

// standardLibrary has the license of Go, which a program contains a part of.
func standardLibrary(ctx context.Context, root, version string) (*Module, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "GOROOT")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	m := &Module{Name: "std", Version: strings.TrimPrefix(version, "go"), Kind: Go, In: map[string]bool{}}
	dir := strings.TrimSpace(string(out))
	if err := m.read(dir, dir); err != nil {
		return nil, err
	}
	if len(m.Files) == 0 && runtime.GOOS == "linux" {
		// a distribution may have it in one place with those of its other packages
		if err := m.read("/usr/share/doc/golang-go", "/usr/share/doc/golang-go"); err != nil {
			return nil, err
		}
	}
	return m, m.judge()
}

// fromNPM has the licenses of npm packages. A script prints their directories, or the path of a file in one.
func fromNPM(ctx context.Context, root, script string, args ...string) ([]*Module, error) {
	cmd := exec.CommandContext(ctx, script, args...)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", script, err)
	}
	var all []*Module
	for dir := range strings.Lines(string(out)) {
		dir = strings.TrimSpace(dir)
		if info, err := os.Stat(dir); err == nil && !info.IsDir() {
			dir = filepath.Dir(dir)
		}
		text, err := os.ReadFile(filepath.Join(dir, "package.json"))
		if err != nil {
			return nil, err
		}
		var about struct{ Name, Version, License string }
		if err := json.Unmarshal(text, &about); err != nil {
			return nil, fmt.Errorf("%s: its package.json: %w", dir, err)
		}
		m := &Module{Name: about.Name, Version: about.Version, Kind: NPM, SPDX: about.License}
		if err := m.read(dir, dir); err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}
