package manifests

import "github.com/skua-browser/skua/internal/product"

// serverName is the name of the server in the MCP registry. The package of npm has it as mcpName, by which the registry
// knows that both are of the same owner.
const serverName = "io.github.skua-browser/" + product.Name

// ServerJSON is the server.json of the MCP registry.
type ServerJSON struct {
	Schema      string            `json:"$schema"`
	Name        string            `json:"name"`
	Title       string            `json:"title"`
	Description string            `json:"description"`
	Repository  serverRepository  `json:"repository"`
	Version     string            `json:"version"`
	Packages    []PublishedServer `json:"packages"`
}

type serverRepository struct {
	URL    string `json:"url"`
	Source string `json:"source"`
}

// PublishedServer is one package of the server.
type PublishedServer struct {
	RegistryType string     `json:"registryType"`
	Identifier   string     `json:"identifier"`
	Version      string     `json:"version,omitempty"`
	FileSHA256   string     `json:"fileSha256,omitempty"`
	RuntimeHint  string     `json:"runtimeHint,omitempty"`
	Transport    transport  `json:"transport"`
	Arguments    []argument `json:"packageArguments,omitempty"`
}

type transport struct {
	Type string `json:"type"`
}

type argument struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

// Server returns the server.json of a version: its package of npm, and the bundles of a release.
func Server(version string, bundles ...PublishedServer) ServerJSON {
	npm := PublishedServer{
		RegistryType: "npm",
		Identifier:   product.Name,
		Version:      version,
		RuntimeHint:  "npx",
		Transport:    transport{"stdio"},
		Arguments:    []argument{{"positional", "mcp"}},
	}
	return ServerJSON{
		Schema:      "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
		Name:        serverName,
		Title:       product.Name,
		Description: description,
		Repository: serverRepository{
			repository,
			"github",
		},
		Version:  version,
		Packages: append([]PublishedServer{npm}, bundles...),
	}
}

// BundleAt returns the entry of a bundle that can be downloaded from an address. Registries want its SHA-256.
func BundleAt(address, sha256 string) PublishedServer {
	return PublishedServer{RegistryType: "mcpb", Identifier: address, FileSHA256: sha256, Transport: transport{"stdio"}}
}
