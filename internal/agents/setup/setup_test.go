package setup_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/agents"
	"github.com/skua-browser/skua/internal/agents/setup"
)

var server = setup.Server{Name: "skua", Command: "/bin/skua", Args: []string{"mcp", "--slim"}}

// place is a machine with nothing on it. APPDATA and the like lead nowhere else.
func place(home, project string) agents.Place {
	return agents.Place{System: "linux", Project: project, Getenv: func(name string) string {
		return map[string]string{"HOME": home}[name]
	}}
}

func program(t *testing.T, id string) agents.Program {
	t.Helper()
	p, ok := agents.Find(id)
	require.True(t, ok)
	return p
}

// Each program gets what its documentation shows, in a file that was not there before.
func TestEntries(t *testing.T) {
	t.Parallel()
	plain := `{"mcpServers": {"skua": {"command": "/bin/skua", "args": ["mcp", "--slim"]}}}`
	want := map[string]string{
		"claude":         `{"mcpServers": {"skua": {"type": "stdio", "command": "/bin/skua", "args": ["mcp", "--slim"]}}}`,
		"claude-desktop": plain, "cursor": plain, "windsurf": plain, "gemini": plain, "kiro": plain,
		"codex":    "[mcp_servers.skua]\ncommand = \"/bin/skua\"\nargs = [\"mcp\", \"--slim\"]\n",
		"vscode":   `{"servers": {"skua": {"type": "stdio", "command": "/bin/skua", "args": ["mcp", "--slim"]}}}`,
		"zed":      `{"context_servers": {"skua": {"command": "/bin/skua", "args": ["mcp", "--slim"]}}}`,
		"opencode": `{"mcp": {"skua": {"type": "local", "command": ["/bin/skua", "mcp", "--slim"], "enabled": true}}}`,
		"copilot":  `{"mcpServers": {"skua": {"type": "local", "command": "/bin/skua", "args": ["mcp", "--slim"], "tools": ["*"]}}}`,
	}
	for _, p := range agents.WithMCP() {
		t.Run(p.ID, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			c, err := setup.Plan(p, place(home, ""), server, false)
			require.NoError(t, err)
			require.True(t, c.Changed && !c.Exists && !c.Had)
			require.NoFileExists(t, c.Path, "planning writes nothing")
			require.NoError(t, c.Write())
			text, err := os.ReadFile(c.Path)
			require.NoError(t, err)
			if p.MCP.Format == agents.TOML {
				require.Equal(t, want[p.ID], string(text))
			} else {
				require.JSONEq(t, want[p.ID], string(text))
				require.True(t, json.Valid(text), "without comments in a new file")
			}
			again, err := setup.Plan(p, place(home, ""), server, false)
			require.NoError(t, err)
			require.False(t, again.Changed)

			gone, err := setup.Plan(p, place(home, ""), server, true)
			require.NoError(t, err)
			require.Equal(t, c.Entry, gone.Was)
			require.NoError(t, gone.Write())
			require.NoFileExists(t, c.Path, "nothing was left in it")
		})
	}
}

func TestExistingFile(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	path := filepath.Join(home, ".config", "zed", "settings.json")
	before := "// mine\n{\n  \"theme\": \"dark\",\n  \"context_servers\": {\n    \"db\": {\"env\": {\"KEY\": " +
		"\"secret\"}}, // the shop's\n    \"skua\": {\"command\": \"old\", \"env\": {\"TOKEN\": \"secret\"}}\n  },\n}\n"
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(before), 0o640))
	c, err := setup.Plan(program(t, "zed"), place(home, ""), server, false)
	require.NoError(t, err)
	require.True(t, c.Exists && c.Had && c.Changed)
	require.Contains(t, c.Was, `"command": "old"`)
	require.NotContains(t, c.Was+c.Entry, "secret")
	require.NoError(t, c.Write())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t,
		"// mine\n{\n  \"theme\": \"dark\",\n  \"context_servers\": {\n    \"db\": {\"env\": {\"KEY\": \"secret\"}}, // "+
			"the shop's\n    \"skua\": {\"command\": \"/bin/skua\", \"env\": {\"TOKEN\": \"secret\"}, \"args\": [\"mcp\", "+
			"\"--slim\"]}\n  },\n}\n", string(text))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o640), info.Mode().Perm(), "who may read it does not change")
}

func TestBrokenFile(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	path := filepath.Join(home, ".cursor", "mcp.json")
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(`{"mcpServers": {`), 0o600))
	_, err := setup.Plan(program(t, "cursor"), place(home, ""), server, false)
	require.ErrorContains(t, err, path)
	require.ErrorContains(t, err, "correct it first")
}

func TestLinks(t *testing.T) {
	t.Parallel()
	home, elsewhere := t.TempDir(), t.TempDir()
	if err := os.Symlink(filepath.Join(elsewhere, "mcp.json"), filepath.Join(home, "mcp.json")); err != nil {
		t.Skip("this system makes no links:", err)
	}
	require.NoError(t, os.WriteFile(filepath.Join(elsewhere, "mcp.json"), []byte("{}"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(home, ".cursor"), 0o755))
	require.NoError(t, os.Symlink(filepath.Join(home, "mcp.json"), filepath.Join(home, ".cursor", "mcp.json")))

	_, err := setup.Plan(program(t, "cursor"), place(t.TempDir(), home), server, false)
	require.Error(t, err, "a link in a project leads out of it")

	c, err := setup.Plan(program(t, "cursor"), place(home, ""), server, false)
	require.NoError(t, err)
	require.NoError(t, c.Write())
	info, err := os.Lstat(filepath.Join(home, ".cursor", "mcp.json"))
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&os.ModeSymlink, "a link of the user's own stays one")
	text, err := os.ReadFile(filepath.Join(elsewhere, "mcp.json"))
	require.NoError(t, err)
	require.Contains(t, string(text), "/bin/skua")
}

func TestProject(t *testing.T) {
	t.Parallel()
	home, project := t.TempDir(), t.TempDir()
	c, err := setup.Plan(program(t, "claude"), place(home, project), server, false)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(project, ".mcp.json"), c.Path)
	require.NoError(t, c.Write())
	info, err := os.Stat(c.Path)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&0o044, "for all who work in the project")
	_, err = setup.Plan(program(t, "windsurf"), place(home, project), server, false)
	require.ErrorIs(t, err, setup.ErrNoProject)
	_, err = setup.Plan(program(t, "windsurf"), agents.Place{System: "linux", Getenv: func(string) string {
		return ""
	}}, server, false)
	require.ErrorContains(t, err, "set HOME")
}
