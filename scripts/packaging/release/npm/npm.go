package npm

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skua-browser/skua/scripts/packaging/release/archive"
	"github.com/skua-browser/skua/scripts/packaging/release/spec"
	"github.com/skua-browser/skua/scripts/packaging/release/stage"
)

// scope is the organization of the packages with the programs.
const scope = "@skua-browser"

// starter is what `skua` and `skuad` start where a package manager links the package skua itself.
//
//go:embed start.js
var starter []byte

// manifestFile is the file of a [manifest].
const manifestFile = "package.json"

// manifest is a package.json.
type manifest struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	Keywords    []string          `json:"keywords,omitempty"`
	Homepage    string            `json:"homepage"`
	Repository  repository        `json:"repository"`
	License     string            `json:"license"`
	Bin         map[string]string `json:"bin"`
	Files       []string          `json:"files"`
	OS          []string          `json:"os,omitempty"`
	CPU         []string          `json:"cpu,omitempty"`
	Optional    map[string]string `json:"optionalDependencies,omitempty"`
	Engines     map[string]string `json:"engines,omitempty"`
	// The registry of MCP servers lists a package for a server only if the package names that server.
	MCPName string `json:"mcpName,omitempty"`
	// Yarn would leave the programs in an archive, where they cannot run.
	PreferUnplugged bool `json:"preferUnplugged,omitempty"`
}

type repository struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}

func newManifest(r *spec.Release, name, description string) manifest {
	return manifest{
		Name:        name,
		Version:     r.Version,
		Description: description,
		Homepage:    spec.Home,
		Repository:  repository{"git", "git+" + spec.Home + ".git"},
		License:     spec.License,
	}
}

// PlatformPackage is the name of the package with the programs for a target.
func PlatformPackage(t spec.Target) string {
	platform, arch := t.Node()
	return scope + "/" + platform + "-" + arch
}

// Write makes the packages of the folders, and the one that brings the right one of them.
func Write(ctx context.Context, r *spec.Release, folders []stage.Folder, work string) error {
	for _, f := range folders {
		dir := filepath.Join(work, f.Target.OS+"_"+f.Target.Arch)
		if err := errors.Join(ctx.Err(), writePlatform(r, f, dir)); err != nil {
			return err
		}
		if err := pack(r, PlatformPackage(f.Target), dir); err != nil {
			return err
		}
	}
	dir := filepath.Join(work, "skua")
	if err := writeMain(r, dir); err != nil {
		return err
	}
	return pack(r, "skua", dir)
}

// inPackage are the files of a folder that a package for npm has. npm installs manual pages and completions of no
// package.
var inPackage = []string{stage.Bin + "/*", stage.Doc + "/*LICENSE*"}

func writePlatform(r *spec.Release, f stage.Folder, dir string) error {
	files, err := f.Files()
	if err != nil {
		return err
	}
	for _, file := range files {
		taken := false
		for _, pattern := range inPackage {
			matches, err := path.Match(pattern, file.Name)
			if err != nil {
				return err
			}
			taken = taken || matches
		}
		if !taken {
			continue
		}
		to := filepath.Join(dir, filepath.Base(file.Path)) // licenses at the top, where they are looked for
		if path.Dir(file.Name) == stage.Bin {
			to = filepath.Join(dir, filepath.FromSlash(file.Name))
		}
		content, err := os.ReadFile(file.Path)
		if err == nil {
			err = write(to, content, file.Mode)
		}
		if err != nil {
			return err
		}
	}
	name := PlatformPackage(f.Target)
	m := newManifest(r, name, "The programs of skua for "+f.Target.String()+"; install skua")
	platform, arch := f.Target.Node()
	m.OS, m.CPU, m.PreferUnplugged = []string{platform}, []string{arch}, true
	m.Bin = map[string]string{
		"skua":  stage.Bin + "/" + f.Target.Program("skua"),
		"skuad": stage.Bin + "/" + f.Target.Program("skuad"),
	}
	m.Files = []string{stage.Bin, "THIRD_PARTY_LICENSES.txt"}
	return errors.Join(writeManifest(dir, m),
		write(filepath.Join(dir, "README.md"),
			[]byte("# "+name+"\n\nThe programs of [skua]("+spec.Home+") for one system. Install the package `skua`.\n"), 0o644))
}

func writeMain(r *spec.Release, dir string) error {
	m := newManifest(r, "skua", spec.Summary)
	m.Keywords = []string{"browser", "agent", "automation", "mcp", "chromium", "cdp"}
	m.Bin, m.Files = map[string]string{}, []string{"bin"}
	for _, program := range []string{"skua", "skuad"} {
		m.Bin[program] = "bin/" + program // without an ending, since a link to the program may take its place
		if err := write(filepath.Join(dir, "bin", program), starter, 0o755); err != nil {
			return err
		}
	}
	m.Engines = map[string]string{"node": ">=18"}
	var err error
	if m.MCPName, err = serverName(r.Root); err != nil {
		return err
	}
	m.Optional = map[string]string{}
	for _, t := range spec.Targets() {
		m.Optional[PlatformPackage(t)] = r.Version
	}
	if err := writeManifest(dir, m); err != nil {
		return err
	}
	for _, name := range []string{"LICENSE", "README.md"} {
		content, err := os.ReadFile(filepath.Join(r.Root, name))
		if err == nil {
			err = write(filepath.Join(dir, name), content, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// serverName is what server.json calls the MCP server.
func serverName(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, "server.json"))
	if err != nil {
		return "", err
	}
	var server struct{ Name string }
	if err := json.Unmarshal(text, &server); err != nil {
		return "", fmt.Errorf("server.json: %w", err)
	}
	if server.Name == "" {
		return "", errors.New("server.json: it has no name; run: go run ./scripts/manifests")
	}
	return server.Name, nil
}

func writeManifest(dir string, m manifest) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return write(filepath.Join(dir, manifestFile), append(text, '\n'), 0o644)
}

func write(name string, content []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(name, content, mode); err != nil {
		return err
	}
	return os.Chmod(name, mode) // whatever the umask is
}

// pack makes the archive that `npm pack` would make of a folder: the same name and layout. npm itself takes six times
// as long for a file that is 3% smaller.
func pack(r *spec.Release, name, dir string) error {
	files, err := stage.Folder{Path: dir}.Files()
	if err != nil {
		return err
	}
	// A registry reads package.json, and finds it without unpacking the programs.
	slices.SortStableFunc(files, func(a, b stage.File) int {
		switch manifestFile {
		case a.Name:
			return -1
		case b.Name:
			return 1
		}
		return 0
	})
	return archive.Write(r.Path(archiveName(name, r.Version)), "package", files, r.Time)
}

// archiveName is what `npm pack` calls the archive of a package.
func archiveName(name, version string) string {
	return strings.ReplaceAll(strings.TrimPrefix(name, "@"), "/", "-") + "-" + version + ".tgz"
}
