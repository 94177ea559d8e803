package arch

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// writtenFiles are files other than Go code and documents whose texts are not in plain English yet, with how many unwanted expressions they may have
// at most. The numbers only shrink; remove the line at zero.
var writtenFiles = map[string]int{}

// notOurs are files below a testdata folder whose words we did not choose, with why.
var notOurs = map[string]string{
	"engine/inpage/testdata": "the W3C's tests of accessible names, and pages",
	"snapshot/testdata":      "text of pages",
	"session/testdata":       "pages",
	"tool/testdata":          "the rules of the contract, in its own words",
	"internal/squashfs":      "images of file systems",
}

// scriptProse matches the comments and the strings of JavaScript. A regular expression with a quotation mark in it makes some code look like a string,
// which does no harm.
var scriptProse = regexp.MustCompile("(?s)//[^\n]*|/\\*.*?\\*/|'(?:\\\\.|[^'\\\\\n])*'|\"(?:\\\\.|[^\"\\\\\n])*\"|`(?:\\\\.|[^`\\\\])*`")

// otherTexts returns the texts of JavaScript, shell scripts and goldens by their paths.
func otherTexts(t testing.TB) map[string]string {
	found := map[string]string{}
	top := os.DirFS(root(t))
	require.NoError(t, fs.WalkDir(top, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := entry.Name()
		if entry.IsDir() {
			// bundle holds generated files, fuzz inputs of fuzz tests, and the top testdata pages and agent-browser's output.
			skipped := base == "node_modules" || base == "bundle" || base == "fuzz" || name == "testdata" || name == "bin"
			if name != "." && (skipped || strings.HasPrefix(base, ".") && base != ".ci" || notOurs[name] != "") {
				return fs.SkipDir
			}
			return nil
		}
		golden := slices.Contains(strings.Split(path.Dir(name), "/"), "testdata")
		script := slices.Contains([]string{".js", ".mjs", ".html"}, path.Ext(name))
		shell := path.Ext(name) == "" && (path.Dir(name) == "scripts" || path.Dir(name) == ".ci")
		if !golden && !script && !shell {
			return nil
		}
		data, err := fs.ReadFile(top, name)
		if err != nil || !utf8.Valid(data) {
			return err
		}
		text := string(data)
		if script && path.Ext(name) != ".html" {
			text = strings.Join(scriptProse.FindAllString(text, -1), "\n")
		}
		found[name] = text
		return nil
	}))
	require.NotEmpty(t, found)
	return found
}

// kindOf groups a file with those that share its count: "engine scripts", "cmd testdata".
func kindOf(name string) string {
	top, _, _ := strings.Cut(name, "/")
	if strings.Contains(name, "/testdata/") {
		return top + " testdata"
	}
	return top + " scripts"
}

func TestProseOfFiles(t *testing.T) {
	t.Parallel()
	found := map[string][]string{}
	texts := otherTexts(t)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		for _, problem := range findings(texts[name]) {
			found[kindOf(name)] = append(found[kindOf(name)], name+": "+problem)
		}
	}
	checkCounts(t, found, writtenFiles)
}

// stilted are further expressions of which the oldest texts still have some. They are counted apart, so that the numbers of the two lists shrink on their own.
var stilted = []struct{ pattern, better string }{
	{`\bwhoever\b`, "the user, the caller; or a passive without it"},
	{`\bsomebody\b`, "a user, another process; or say who does"},
	{`\b(?:himself|herself)\b`, "itself, themselves"},
	{`\bthere(?:by|in|of|upon)\b`, "by that, in it, of it"},
	{`\bwhere(?:in|upon)\b`, "in which, after which"},
	{`\bhad again\b`, "restored"},
	{`\b(?:it|they|which|what|that) (?:is|are|was|were) to be\b`, "must be, will be; or a noun"},
	{`\bwhat is to\b`, "what to …, the target"},
	{`\b(?:is|are) none\b`, "does not count, is not a …"},
	{`\bwished for\b`, "requested"},
	{`\bhence\b`, "so, therefore"},
	{`\bin vain\b`, "without success"},
	{`\btold of\b`, "gets, is called with"},
	{`\bcame of\b`, "the result of"},
	{`\bbec(?:ame|omes?) of\b`, "the result of, the state of"},
	{`\bsays? nothing of\b`, "does not tell"},
	{`\bpass(?:es|ed) over\b`, "ignores, skips"},
	{`\bgoes without saying\b`, "is the default"},
	{`\bsiege\b`, "load test"},
	{`\blies (?:beside|elsewhere|there)\b`, "is beside"},
	{`\bnot any more\b`, "no longer"},
	{`\bbut for\b`, "except for"},
	{`\bone sees\b`, "is visible"},
	{`\bdoes without\b`, "does not need"},
	{`\bin (?:his|her) stead\b`, "instead"},
}

// stiltedMost is how many of them the texts of a folder may have at most. The numbers only shrink; remove the line at zero.
var stiltedMost = map[string]int{
	"actions": 30,
	"docs":    10,
	"session": 1,
	"tool":    11,
}

var stiltedExpressions = func() expressions {
	var patterns, betters []string
	for _, s := range stilted {
		patterns, betters = append(patterns, s.pattern), append(betters, s.better)
	}
	return newExpressions(patterns, betters)
}()

var stiltedAllowed = regexp.MustCompile(`(?i)\bthere (?:is|are|was|were) none\b`)

// stiltedIn returns the stilted expressions of a text, each with what to write in its place.
func stiltedIn(text string) []string {
	return stiltedExpressions.in(stiltedAllowed.ReplaceAllString(text, ""))
}

func TestStiltedProse(t *testing.T) {
	t.Parallel()
	found := map[string][]string{}
	add := func(name, text string) {
		top, _, _ := strings.Cut(name, "/")
		for _, problem := range stiltedIn(text) {
			found[top] = append(found[top], name+": "+problem)
		}
	}
	for _, file := range sources(t) {
		if path.Dir(file.name) != "internal/arch" || !strings.HasPrefix(path.Base(file.name), "prose") {
			for _, text := range proseOf(file) {
				add(file.name, text)
			}
		}
	}
	for name, text := range documents(t) {
		add(name, inlineCode.ReplaceAllString(fencePattern.ReplaceAllString(text, ""), ""))
	}
	for name, text := range otherTexts(t) {
		add(name, text)
	}
	checkCounts(t, found, stiltedMost)
}

// checkCounts fails for each group that has more than it may have, and for a limit that is not needed.
func checkCounts(t *testing.T, found map[string][]string, most map[string]int) {
	t.Helper()
	for _, group := range slices.Sorted(maps.Keys(found)) {
		all := found[group]
		if limit := most[group]; len(all) > limit {
			t.Errorf("%s: write plain English: %d expressions, at most %d; the last ones:\n%s", group, len(all), limit, strings.Join(all[max(0, len(all)-20):], "\n"))
		}
	}
	for group := range most {
		if len(found[group]) == 0 {
			t.Errorf("%s: nothing is left; remove its limit", group)
		}
	}
}

func TestStiltedIn(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       int
	}{
		{name: "plain", text: "The caller gets the result. There is none."},
		{name: "pronouns without a noun", text: "Whoever asks is told of it, and somebody waits.", want: 3},
		{name: "negated noun", text: "A folder without a guide is none.", want: 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.Len(t, stiltedIn(test.text), test.want)
		})
	}
}

func TestScriptProse(t *testing.T) {
	t.Parallel()
	got := scriptProse.FindAllString("const nobody = 1; // one\n/** two\n * three */ f('four \\' five', `six`) / 2", -1)
	require.Equal(t, []string{"// one", "/** two\n * three */", `'four \' five'`, "`six`"}, got)
}
