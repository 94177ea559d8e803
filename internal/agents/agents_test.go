package agents_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/agents"
)

func env(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}

func TestResolve(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the paths of this test are absolute on other systems")
	}
	home := map[string]string{"HOME": "/home/me"}
	tests := []struct {
		name, program string
		at            agents.Place
		user, project string
	}{
		{"a home folder", "claude", agents.Place{System: "linux", Getenv: env(home)}, "/home/me/.claude.json", ""},
		{
			"a folder of the program's own", "claude",
			agents.Place{System: "linux", Getenv: env(map[string]string{"HOME": "/home/me", "CLAUDE_CONFIG_DIR": "/cfg"})},
			"/cfg/.claude.json", "",
		},
		{
			"the same", "codex",
			agents.Place{System: "linux", Getenv: env(map[string]string{"HOME": "/home/me", "CODEX_HOME": "/cfg"})},
			"/cfg/config.toml", "",
		},
		{
			"a relative one does not count", "codex",
			agents.Place{System: "linux", Getenv: env(map[string]string{"HOME": "/home/me", "CODEX_HOME": "cfg"})},
			"/home/me/.codex/config.toml", "",
		},
		{
			"a project", "vscode",
			agents.Place{System: "linux", Getenv: env(home), Project: "/src/shop"},
			"/home/me/.config/Code/User/mcp.json", "/src/shop/.vscode/mcp.json",
		},
		{
			"XDG_CONFIG_HOME", "zed",
			agents.Place{System: "linux", Getenv: env(map[string]string{"HOME": "/home/me", "XDG_CONFIG_HOME": "/xdg"})},
			"/xdg/zed/settings.json", "",
		},
		{
			"macOS", "claude-desktop",
			agents.Place{System: "darwin", Getenv: env(home)},
			"/home/me/Library/Application Support/Claude/claude_desktop_config.json", "",
		},
		{
			"macOS has no XDG_CONFIG_HOME", "zed",
			agents.Place{System: "darwin", Getenv: env(map[string]string{"HOME": "/home/me", "XDG_CONFIG_HOME": "/xdg"})},
			"/home/me/.config/zed/settings.json", "",
		},
		{
			"Windows", "claude-desktop",
			agents.Place{System: "windows", Getenv: env(map[string]string{"USERPROFILE": "/me", "APPDATA": "/roaming"})},
			"/roaming/Claude/claude_desktop_config.json", "",
		},
		{
			"Windows without APPDATA", "vscode",
			agents.Place{System: "windows", Getenv: env(map[string]string{"USERPROFILE": "/me"})},
			"/me/AppData/Roaming/Code/User/mcp.json", "",
		},
		{"no home folder", "cursor", agents.Place{System: "linux", Getenv: env(nil)}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name+" "+tt.program, func(t *testing.T) {
			t.Parallel()
			p, ok := agents.Find(tt.program)
			require.True(t, ok)
			require.Equal(t, tt.user, p.MCP.User.Resolve(tt.at))
			require.Equal(t, tt.project, p.MCP.Project.Resolve(tt.at))
		})
	}
}

// Each line of the table can be used on each system, or has no place there at all.
func TestTable(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, p := range agents.Programs() {
		require.False(t, seen[p.ID], p.ID)
		seen[p.ID] = true
		require.NotEmpty(t, p.Name)
		require.True(t, p.MCP.Key != "" || p.Guides.User.Below != "", "%s has neither", p.ID)
		for _, system := range []string{"linux", "darwin", "windows"} {
			dir := t.TempDir()
			at := agents.Place{System: system, Getenv: env(map[string]string{"HOME": dir}), Project: dir}
			if p.MCP.Key != "" {
				require.True(t, filepath.IsAbs(p.MCP.User.Resolve(at)), "%s on %s", p.ID, system)
				require.NotEmpty(t, p.MCP.Entry("skua", []string{"mcp"}), p.ID)
				require.NotEmpty(t, p.MCP.Then, p.ID)
				require.Contains(t, []agents.Format{agents.JSON, agents.TOML}, p.MCP.Format, p.ID)
			}
			if p.Guides.User.Below != "" {
				require.True(t, filepath.IsAbs(p.Guides.User.Resolve(at)), "%s on %s", p.ID, system)
				require.True(t, filepath.IsAbs(p.Guides.Project.Resolve(at)), "%s on %s", p.ID, system)
			}
		}
	}
}

// The pages for people list the same programs.
func TestDocumented(t *testing.T) {
	t.Parallel()
	text := func(name string) string {
		page, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
		require.NoError(t, err)
		return string(page)
	}
	servers, guides := text("mcp.md"), text("skills.md")
	for _, p := range agents.WithMCP() {
		require.Contains(t, servers, "| "+p.Name+" | `"+p.ID+"` |")
	}
	for _, p := range agents.WithGuides() {
		require.Contains(t, guides, "| `--"+p.ID+"` |")
		require.Contains(t, guides, "`~/"+p.Guides.User.Below+"`")
	}
}
