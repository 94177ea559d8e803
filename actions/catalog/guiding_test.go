package catalog_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/guides"
)

// Each command line in a guide is one that the program takes.
func TestGuidesParse(t *testing.T) {
	t.Parallel()
	registry := catalog.Registry()
	all, err := guides.Own("1.2.3")
	require.NoError(t, err)
	require.NotEmpty(t, all)
	seen := 0
	check := func(t *testing.T, in, line string) {
		words, err := grammar.SplitWords(line)
		require.NoError(t, err, "%s: %s", in, line)
		for i, word := range words { // a comment, and what a shell does with the output
			if strings.HasPrefix(word, "#") && word == "#" || word == ">" || word == "|" || word == "&&" {
				words = words[:i]
				break
			}
		}
		input, err := registry.Parse(words[1:], actions.ParseOptions{})
		require.NoError(t, err, "%s: %s", in, line)
		if input.Asks() == grammar.AskNothing && input.Name() == "batch" {
			for _, row := range input.Strings("command") {
				words, err := grammar.SplitWords(row)
				require.NoError(t, err, line)
				_, err = registry.Parse(words, actions.ParseOptions{Within: input.Parsed})
				require.NoError(t, err, "%s: %s", in, line)
			}
		}
		seen++
	}
	for _, guide := range all {
		t.Run(guide.Name, func(t *testing.T) {
			texts := map[string]string{guides.File: guide.Content}
			for _, r := range guide.References {
				texts[r.Path] = r.Content
			}
			for in, text := range texts {
				require.Contains(t, text, "skua 1.2.3", "%s says which version it is of", in)
				for _, line := range commandLines(text) {
					check(t, in, line)
				}
			}
		})
	}
	require.Greater(t, seen, 50)
}

// Called by the name agent-browser, the guides name that, and files and folders keep their names.
func TestGuidesNameTheProgram(t *testing.T) {
	t.Parallel()
	all, err := guides.Own("1.2.3")
	require.NoError(t, err)
	for _, guide := range all {
		renamed := guide.Calling("agent-browser")
		require.NotEqual(t, guide.Full(), renamed.Full())
		for _, line := range commandLines(guide.Full()) {
			require.Contains(t, renamed.Full(), strings.Replace(line, "skua ", "agent-browser ", 1))
		}
		require.NotRegexp(t, "(?m)(^|`)skua ", renamed.Full())
		require.NotContains(t, renamed.Description, "skua")
	}
	s := guides.Guide{
		Content: "skua open; `skua` is skua. See ~/.skua/states, ./skua.json, skua.json and SKUA_HOME: skua's own.",
	}
	require.Equal(t,
		"agent-browser open; `agent-browser` is agent-browser. See ~/.skua/states, ./skua.json, skua.json and SKUA_HOME: "+
			"agent-browser's own.",
		s.Calling("agent-browser").Content)
}

var inlineCommand = regexp.MustCompile("`(skua [^`]+)`")

// commandLines returns the lines of code blocks that call the program, and what calls it in the text.
func commandLines(text string) []string {
	var lines []string
	inBlock := false
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			inBlock = !inBlock
		case inBlock && strings.HasPrefix(line, "skua "):
			lines = append(lines, line)
		case !inBlock:
			for _, m := range inlineCommand.FindAllStringSubmatch(line, -1) {
				lines = append(lines, m[1])
			}
		}
	}
	return lines
}
