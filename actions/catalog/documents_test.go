package catalog_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/actions/grammar"
)

// Each command line that the documents show is one that skua takes. Those of the reference are the commands' examples.
func TestLinesOfDocuments(t *testing.T) {
	t.Parallel()
	r := catalog.Registry()
	var files []string
	for _, pattern := range []string{"../../README.md", "../../docs/*.md", "../../guides/*/*.md"} {
		more, err := filepath.Glob(pattern)
		require.NoError(t, err)
		files = append(files, more...)
	}
	fence := regexp.MustCompile("(?ms)^```(?:sh|console)\n(.*?)^```")
	seen := 0
	for _, file := range files {
		if filepath.Base(file) == "commands.md" {
			continue
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, block := range fence.FindAllStringSubmatch(string(text), -1) {
			for line := range strings.Lines(block[1]) {
				for _, part := range skuaLines(line) {
					seen++
					words, err := grammar.SplitWords(part)
					if err == nil {
						_, err = r.Parse(words, actions.ParseOptions{})
					}
					require.NoError(t, err, "%s: skua %s", filepath.Base(file), part)
				}
			}
		}
	}
	require.Greater(t, seen, 300)
}

// skuaLines are the command lines of a line for a shell, without the program's name. What the shell itself fills in or
// pipes is left out.
func skuaLines(line string) []string {
	line = strings.TrimPrefix(strings.TrimSpace(line), "$ ")
	line, _, _ = strings.Cut(line, " #")
	if strings.ContainsAny(line, "|$<>{\\") {
		return nil
	}
	var found []string
	for part := range strings.FieldsFuncSeq(line, func(r rune) bool { return r == ';' || r == '&' }) {
		if rest, ours := strings.CutPrefix(strings.TrimSpace(part), "skua "); ours {
			found = append(found, strings.TrimSpace(rest))
		}
	}
	return found
}

// What the comparison names as skua's is a command or a flag of skua.
func TestCommandsOfTheComparison(t *testing.T) {
	t.Parallel()
	r := catalog.Registry()
	text, err := os.ReadFile("../../docs/comparison.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(text), "| To | skua |")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	code := regexp.MustCompile("`([^`]+)`")
	seen := 0
	for line := range strings.Lines(table) {
		columns := strings.Split(line, "|")
		if len(columns) < 3 {
			continue
		}
		for _, name := range code.FindAllStringSubmatch(columns[2], -1) {
			seen++
			words := strings.Fields(name[1])
			if strings.HasPrefix(words[0], "--") {
				words = append(words, "x", "get", "url")
			}
			if _, err := r.Parse(words, actions.ParseOptions{}); err != nil {
				require.NotContains(t, err.Error(), "Unknown", name[1])
			}
		}
	}
	require.Greater(t, seen, 30)
}
