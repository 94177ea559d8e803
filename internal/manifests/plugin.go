package manifests

import (
	"bytes"
	"encoding/json"
	"path"

	"github.com/skua-browser/skua/guides"
	"github.com/skua-browser/skua/internal/product"
)

// What all manifests say.
const (
	repository = "https://github.com/skua-browser/skua"
	license    = "Apache-2.0"
	// at most 100 characters
	description = "A browser for AI agents: short page snapshots, safe element refs, honest replies"
)

var keywords = []string{"browser", "chromium", "automation", "testing", "mcp"}

// PluginDir is the folder of the plugin of Claude Code in the repository. The marketplace at its root leads there.
const PluginDir = "guides/plugin"

// author has members in the order in which all manifests have them.
type author struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

func authors() author { return author{product.Name, repository} }

type plugin struct {
	Name        string                  `json:"name"`
	Version     string                  `json:"version"`
	Description string                  `json:"description"`
	Author      author                  `json:"author"`
	Homepage    string                  `json:"homepage"`
	Repository  string                  `json:"repository"`
	License     string                  `json:"license"`
	Keywords    []string                `json:"keywords"`
	MCPServers  map[string]pluginServer `json:"mcpServers"`
}

type pluginServer struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

type marketplace struct {
	Name     string        `json:"name"`
	Owner    author        `json:"owner"`
	Metadata metadata      `json:"metadata"`
	Plugins  []marketEntry `json:"plugins"`
}

type metadata struct {
	Description string `json:"description"`
	Version     string `json:"version"`
}

type marketEntry struct {
	Name        string   `json:"name"`
	Source      string   `json:"source"`
	Description string   `json:"description"`
	Version     string   `json:"version"`
	Category    string   `json:"category"`
	Keywords    []string `json:"keywords"`
}

// Repository returns the files of the repository that are generated here, by path.
func Repository(version string) (map[string]string, error) {
	own, err := guides.Own(version)
	if err != nil {
		return nil, err
	}
	// the plugin's name comes before those of its skills: skua:core
	published, err := guides.Publish(own, version, guides.Kept)
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, p := range published {
		for _, f := range p.Files() {
			files[path.Join(PluginDir, "skills", f.Path)] = f.Content
		}
	}
	for name, value := range map[string]any{
		path.Join(PluginDir, ".claude-plugin/plugin.json"): plugin{
			product.Name, version, description, authors(), repository, repository, license, keywords,
			map[string]pluginServer{product.Name: {product.Name, []string{"mcp"}}},
		},
		".claude-plugin/marketplace.json": marketplace{
			product.Name, authors(),
			metadata{description, version},
			[]marketEntry{{product.Name, "./" + PluginDir, description, version, "development", keywords}},
		},
		"server.json": Server(version),
	} {
		text, err := Encode(value)
		if err != nil {
			return nil, err
		}
		files[name] = string(text)
	}
	return files, nil
}

// Encode returns a manifest as it is written to a file.
func Encode(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(value)
	return b.Bytes(), err
}
