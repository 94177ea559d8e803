package main

import (
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
	_, section, found := strings.Cut(readDocs(t, "electron.md"), "\n## Ten recipes\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	recipes := strings.Split(section, "\n### ")[1:]
	require.Len(t, recipes, 10)
	byApp := map[string][]string{}
	for _, recipe := range recipes {
		_, text, _ := strings.Cut(recipe, "\n")
		_, text, found := strings.Cut(text, "```sh\n")
		require.True(t, found, recipe)
		text, _, _ = strings.Cut(text, "```")
		// A recipe whose app is to fail has the app for itself.
		first, _, _ := strings.Cut(text, "\n")
		byApp[first] = append(byApp[first], text)
	}
	for launch, texts := range byApp {
		t.Run(launch, func(t *testing.T) {
			t.Parallel()
			app := real.Install(t, appOfRecipe.FindStringSubmatch(launch)[1])
			u := newUser(t)
			run := func(line string) result {
				return u.recipeLine(t, appOfRecipe.ReplaceAllString(strings.TrimSpace(line), app.Executable))
			}
			last := run(launch)
			for _, text := range texts { // each begins with the launch, whose app they share here
				_, steps, _ := strings.Cut(text, "\n")
				for line := range strings.Lines(steps) {
					if got := run(line); !strings.Contains(line, "electron status") {
						last = got
					}
				}
			}
			if strings.Contains(launch, "--hang=") {
				u.requireUnanswered(t, last, "Its main process runs JavaScript that does not return: (anonymous) (main.js:")
			}
		})
	}
}

// recipeLine runs a line of a recipe in a shell, and compares what it prints with the comment.
func (u *user) recipeLine(t *testing.T, line string) result {
	t.Helper()
	command, want, _ := strings.Cut(line, "# → ")
	got, err := u.shell(t, strings.TrimSpace(command))
	said := got.Out + got.Err
	require.Contains(t, said, want, line)
	// Two recipes are about apps that fail.
	if !strings.Contains(line, "--fault=") && !strings.Contains(line, "Hang main") {
		require.NoError(t, err, "%s: %s", line, said)
	}
	return got
}
