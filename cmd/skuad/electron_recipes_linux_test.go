package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/lazyregexp"
	"github.com/skua-browser/skua/testdata/electron/real"
)

// appOfRecipe is an app as a recipe names it.
var appOfRecipe = lazyregexp.New(`\./(\w+)`)

// The recipes of docs/electron.md do what they say.
func TestElectronRecipes(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "electron.md"))
	require.NoError(t, err)
	_, section, found := strings.Cut(string(page), "\n## Ten recipes\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	recipes := strings.Split(section, "\n### ")[1:]
	require.Len(t, recipes, 10)
	for _, recipe := range recipes {
		title, text, _ := strings.Cut(recipe, "\n")
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			_, text, found := strings.Cut(text, "```sh\n")
			require.True(t, found)
			text, _, _ = strings.Cut(text, "```")
			app := real.Install(t, appOfRecipe.FindStringSubmatch(text)[1])
			u := newUser(t)
			for line := range strings.Lines(text) {
				u.recipeLine(t, appOfRecipe.ReplaceAllString(strings.TrimSpace(line), app.Executable))
			}
		})
	}
}

// recipeLine runs a line of a recipe in a shell, and compares what it prints with the comment.
func (u *user) recipeLine(t *testing.T, line string) {
	t.Helper()
	command, want, _ := strings.Cut(line, "# → ")
	ctx, cancel := context.WithTimeout(t.Context(), callLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", strings.TrimSpace(command))
	cmd.Dir, cmd.Env = u.cwd, append(u.environ(), "PATH="+u.bin+":"+os.Getenv("PATH"))
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err := cmd.Run()
	require.Contains(t, said.String(), want, line)
	// Two recipes are about apps that fail.
	if !strings.Contains(line, "--fault=") && !strings.Contains(line, "Hang main") {
		require.NoError(t, err, "%s: %s", line, said.String())
	}
}
