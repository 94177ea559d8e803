package manifests

import (
	"archive/zip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/skua-browser/skua/internal/product"
)

// Bundle is an MCP bundle (.mcpb) for one system: a zip archive with both programs, which hosts such as Claude Desktop
// install with one click.
type Bundle struct {
	Version  string
	GOOS     string
	Programs string // the folder with skua and skuad for this system
	License  string // the file with the license

	ThirdParty string // the file with the licenses of what the programs contain, or empty
}

type bundleManifest struct {
	Version     string                `json:"manifest_version"`
	Name        string                `json:"name"`
	DisplayName string                `json:"display_name"`
	OfVersion   string                `json:"version"`
	Description string                `json:"description"`
	Long        string                `json:"long_description"`
	Author      author                `json:"author"`
	Repository  bundleRepository      `json:"repository"`
	Homepage    string                `json:"homepage"`
	Server      bundleServer          `json:"server"`
	Generated   bool                  `json:"tools_generated"`
	Keywords    []string              `json:"keywords"`
	License     string                `json:"license"`
	Runs        compatibility         `json:"compatibility"`
	UserConfig  map[string]userOption `json:"user_config"`
}

type bundleRepository struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}

type bundleServer struct {
	Type   string    `json:"type"`
	Entry  string    `json:"entry_point"`
	Config mcpConfig `json:"mcp_config"`
}

type mcpConfig struct {
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
}

type compatibility struct {
	Platforms []string `json:"platforms"`
}

type userOption struct {
	Type        string `json:"type"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
	Default     any    `json:"default"`
}

// platforms are the names of systems in manifests.
var platforms = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}

// Manifest returns the manifest.json of the bundle.
func (b Bundle) Manifest() ([]byte, error) {
	platform := platforms[b.GOOS]
	if platform == "" {
		return nil, fmt.Errorf("system %q: bundles are for linux, darwin and windows", b.GOOS)
	}
	entry := "server/" + product.Name + b.suffix()
	return Encode(bundleManifest{
		Version:     "0.3",
		Name:        product.Name,
		DisplayName: product.Name,
		OfVersion:   b.Version,
		Description: description,
		Long: "Drives Chromium: opens pages, shows them as short snapshots, clicks, fills in forms, takes screenshots. " +
			"It uses a Chrome or Chromium of this machine. Limit it to the sites that it needs.",
		Author:     authors(),
		Repository: bundleRepository{"git", repository},
		Homepage:   repository,
		Server: bundleServer{"binary", entry, mcpConfig{
			Command: "${__dirname}/" + entry,
			Args:    []string{"mcp"},
			Env: map[string]string{
				"SKUA_ALLOWED_DOMAINS": "${user_config.allowed_domains}",
				"SKUA_HEADED":          "${user_config.headed}",
			},
		}},
		Generated: true,
		Keywords:  keywords,
		License:   license,
		Runs:      compatibility{[]string{platform}},
		UserConfig: map[string]userOption{
			"allowed_domains": {
				"string", "Sites",
				"The only hosts that the browser may reach, separated by commas: example.com,*.example.org. Empty: all.", false,
				"",
			},
			"headed": {"boolean", "Show the window", "Show the browser's window.", false, false},
		},
	})
}

func (b Bundle) suffix() string {
	if b.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

// file is one file of a bundle.
type file struct {
	name, from string
	text       []byte
	mode       fs.FileMode
}

// axeFile is axe-core, which skuad looks for beside itself.
const axeFile = "axe.min.js"

// Write writes the bundle. The same programs make the same bytes.
func (b Bundle) Write(w io.Writer) error {
	manifest, err := b.Manifest()
	if err != nil {
		return err
	}
	client, host := product.Name+b.suffix(), product.Name+"d"+b.suffix()
	files := []file{
		{name: "manifest.json", text: manifest, mode: 0o644},
		{name: "LICENSE", from: b.License, mode: 0o644},
		{name: "server/" + client, from: filepath.Join(b.Programs, client), mode: 0o755},
		{name: "server/" + host, from: filepath.Join(b.Programs, host), mode: 0o755},
	}
	if b.ThirdParty != "" {
		files = append(files, file{name: "THIRD_PARTY_LICENSES.txt", from: b.ThirdParty, mode: 0o644})
	}
	if axe := filepath.Join(b.Programs, axeFile); exists(axe) { // only one command needs it
		files = append(files, file{name: "server/" + axeFile, from: axe, mode: 0o644})
	}
	z := zip.NewWriter(w)
	for _, f := range files {
		if err := f.add(z); err != nil {
			return fmt.Errorf("bundle: %w", err)
		}
	}
	return z.Close()
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// beginning is the first time that zip archives can tell: the files have no time of their own.
var beginning = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

func (f file) add(z *zip.Writer) error {
	header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: beginning}
	header.SetMode(f.mode)
	out, err := z.CreateHeader(header)
	if err != nil {
		return err
	}
	if f.from == "" {
		_, err = out.Write(f.text)
		return err
	}
	in, err := os.Open(f.from)
	if err != nil {
		return err
	}
	defer in.Close()
	_, err = io.Copy(out, in)
	return err
}
