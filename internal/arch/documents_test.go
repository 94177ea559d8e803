package arch

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// documents returns the Markdown files of the repository by their paths.
func documents(t testing.TB) map[string]string {
	found := map[string]string{}
	top := os.DirFS(root(t))
	require.NoError(t, fs.WalkDir(top, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := entry.Name()
		if entry.IsDir() && name != "." && (base == "testdata" || base == "node_modules" || strings.HasPrefix(base, ".")) {
			return fs.SkipDir
		}
		if !entry.IsDir() && strings.HasSuffix(base, ".md") {
			text, err := fs.ReadFile(top, name)
			found[name] = string(text)
			return err
		}
		return nil
	}))
	require.Contains(t, found, "README.md")
	return found
}

func TestDocumentsLeadSomewhere(t *testing.T) {
	t.Parallel()
	texts := documents(t)
	top := os.DirFS(root(t))
	for name := range texts {
		for _, problem := range documentProblems(name, texts, top) {
			t.Error(problem)
		}
	}
}

var (
	fencePattern = regexp.MustCompile("(?ms)^```.*?^```\n?")
	linkPattern  = regexp.MustCompile(`\[[^\]]*\]\(([^)\s]+)\)`)
	codePattern  = regexp.MustCompile("`([^`\n]+)`")
	titlePattern = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	// A path in a document, as against some other word with a slash: it begins with a folder of the repository.
	pathPattern = regexp.MustCompile(
		`^(?:\./)?((?:\.ci|actions|browsers|clients|cmd|copilot|docs|electron|engine|guard|guides|internal|scripts|session|snapshot|testdata|tool)/[\w./*-]*[\w*/])$`)
)

// documentProblems returns the links and paths of a document that lead nowhere.
func documentProblems(name string, texts map[string]string, top fs.FS) []string {
	var problems []string
	prose := fencePattern.ReplaceAllString(texts[name], "")
	for _, link := range linkPattern.FindAllStringSubmatch(prose, -1) {
		target, anchor, _ := strings.Cut(link[1], "#")
		if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
			continue
		}
		place := name
		if target != "" {
			place = path.Join(path.Dir(name), target)
		}
		if _, err := fs.Stat(top, place); err != nil {
			problems = append(problems, fmt.Sprintf("%s links to %s, which does not exist", name, link[1]))
			continue
		}
		if text, ok := texts[place]; ok && anchor != "" && !slices.Contains(anchors(text), anchor) {
			problems = append(problems, fmt.Sprintf("%s links to %s; there is no such heading there", name, link[1]))
		}
	}
	for _, code := range codePattern.FindAllStringSubmatch(prose, -1) {
		// The first word: `scripts/test ./snapshot` is about scripts/test.
		word, _, _ := strings.Cut(code[1], " ")
		match := pathPattern.FindStringSubmatch(word)
		if match == nil {
			continue
		}
		found, err := fs.Glob(top, strings.TrimSuffix(match[1], "/"))
		if err != nil || len(found) == 0 {
			problems = append(problems, fmt.Sprintf("%s names %s, which does not exist", name, match[1]))
		}
	}
	return problems
}

// anchors returns what links to a document's headings look like.
func anchors(text string) []string {
	var found []string
	for _, heading := range titlePattern.FindAllStringSubmatch(fencePattern.ReplaceAllString(text, ""), -1) {
		var anchor strings.Builder
		for _, r := range strings.ToLower(strings.TrimSpace(heading[1])) {
			switch {
			case r == ' ':
				anchor.WriteByte('-')
			case r == '-' || r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 127:
				anchor.WriteRune(r)
			}
		}
		found = append(found, anchor.String())
	}
	return found
}

func TestDocumentProblems(t *testing.T) {
	t.Parallel()
	top := os.DirFS(root(t))
	const other = "docs/other.md"
	tests := []struct {
		name, text string
		want       string
	}{
		{name: "link to a file", text: "[license](../LICENSE)"},
		{name: "link to nothing", text: "[x](../LICENSES)", want: "does not exist"},
		{name: "link outside", text: "[x](https://example.org/y)"},
		{name: "anchor", text: "[x](#two-words)\n\n## Two `words`!\n"},
		{name: "no such anchor", text: "[x](#three-words)\n\n## Two words\n", want: "no such heading"},
		{name: "heading in a code block", text: "[x](#two-words)\n\n```\n# two words\n```\n", want: "no such heading"},
		{name: "path", text: "see `internal/arch/doc.go` and `scripts/test ./snapshot`"},
		{name: "folder", text: "see `internal/arch/`"},
		{name: "pattern", text: "see `internal/arch/*_test.go`"},
		{name: "path to nothing", text: "see `internal/arch/dog.go`", want: "names internal/arch/dog.go"},
		{name: "another word with a slash", text: "`text/html` or `@e1/x`"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			problems := strings.Join(documentProblems(other, map[string]string{other: test.text}, dirWith(top, other)), "\n")
			if test.want == "" {
				require.Empty(t, problems)
				return
			}
			require.Contains(t, problems, test.want)
		})
	}
}

// dirWith is a file system that has one more file, for links of a document to itself.
func dirWith(top fs.FS, name string) fs.FS { return withFile{top, name} }

type withFile struct {
	fs.FS
	name string
}

func (w withFile) Stat(name string) (fs.FileInfo, error) {
	if name == w.name {
		name = "go.mod"
	}
	return fs.Stat(w.FS, name)
}

// Each decision is a dated file with a status, and the index lists every one.
func TestDecisionsAreListed(t *testing.T) {
	t.Parallel()
	texts := documents(t)
	const folder = "docs/decisions/"
	index := texts[folder+"README.md"]
	require.NotEmpty(t, index)
	named := regexp.MustCompile(`^\d{4}-\d{2}-\d{2}-[a-z0-9-]+\.md$`)
	status := regexp.MustCompile(`(?m)^Status: (accepted|superseded by \[)`)
	n := 0
	for name, text := range texts {
		base, ok := strings.CutPrefix(name, folder)
		if !ok || base == "README.md" {
			continue
		}
		n++
		if !named.MatchString(base) {
			t.Errorf("%s: a decision's file is named year-month-day-subject.md", name)
		}
		if !status.MatchString(text) {
			t.Errorf("%s: no line 'Status: accepted' or 'Status: superseded by [...]'", name)
		}
		if !strings.Contains(index, "("+base+")") {
			t.Errorf("%sREADME.md does not list %s", folder, base)
		}
	}
	require.NotZero(t, n)
}

// What the README tells a newcomer to type is what CI runs.
func TestReadmeCommandsAreThoseOfCI(t *testing.T) {
	t.Parallel()
	readme := documents(t)["README.md"]
	ci, err := os.ReadFile(filepath.Join(root(t), ".ci", "run"))
	require.NoError(t, err)
	for _, command := range []string{"scripts/try", "scripts/test"} {
		line := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(command) + `( +#.*)?$`)
		blocks := strings.Join(fencePattern.FindAllString(readme, -1), "\n")
		require.Regexp(t, line, blocks, "README.md shows %s in a code block", command)
		require.Regexp(t, `(?m)^\s*(section '[^']*' )?`+regexp.QuoteMeta(command)+`$`, string(ci),
			".ci/run runs %s as the README has it", command)
	}
}

// Scripts are run by their path.
func TestScriptsAreExecutable(t *testing.T) {
	t.Parallel()
	found, err := filepath.Glob(filepath.Join(root(t), "scripts", "*"))
	require.NoError(t, err)
	for _, name := range append(found, filepath.Join(root(t), ".ci", "run")) {
		info, err := os.Stat(name)
		require.NoError(t, err)
		if !info.IsDir() && info.Mode().Perm()&0o111 == 0 {
			t.Errorf("%s is not executable; chmod +x it", name)
		}
	}
}

// The README tells what the comparison with agent-browser found as the page of the comparison has it.
func TestReadmeHasTheNumbersOfTheComparison(t *testing.T) {
	t.Parallel()
	texts := documents(t)
	found := regexp.MustCompile(`(?m)^(\d+) scenarios: (\d+) same, (\d+) better, (\d+) not applicable, 0 not yet\.$`).
		FindStringSubmatch(texts["docs/parity.md"])
	require.NotNil(t, found, "docs/parity.md has a line with its numbers")
	want := fmt.Sprintf(
		"In [%s scenarios](docs/parity.md), %s have the same output in both programs, %s a better one in skua, and %s "+
			"do not apply.",
		found[1], found[2], found[3], found[4])
	require.Contains(t, strings.Join(strings.Fields(texts["README.md"]), " "), want)
}

// Examples name one version of the program, so that what one page builds or downloads is what the next page uses.
func TestExamplesNameOneVersion(t *testing.T) {
	t.Parallel()
	pattern := regexp.MustCompile(`(?:skua[_:-]|/v|image )(\d+\.\d+\.\d+)`)
	texts := documents(t)
	top := os.DirFS(root(t))
	for _, name := range []string{"docs/containers/compose.yaml", "docs/containers/kubernetes.yaml"} {
		text, err := fs.ReadFile(top, name)
		require.NoError(t, err)
		texts[name] = string(text)
	}
	first := map[string]string{} // by version, a document with it
	for name, text := range texts {
		if name == "CHANGELOG.md" || name == "CONTRIBUTING.md" || name == "docs/commands.md" { // of several versions
			continue
		}
		for _, found := range pattern.FindAllStringSubmatch(text, -1) {
			first[found[1]] = name
		}
	}
	require.Len(t, first, 1, "versions of examples, and where")
}

// The functions that docs/architecture.md follows a command through are in the files that it names.
func TestArchitectureNamesFunctionsThatExist(t *testing.T) {
	t.Parallel()
	step := regexp.MustCompile("`(?:\\w+\\.)?(\\w+)`,?\\s+\\(`([\\w/]+\\.go)`\\)")
	found := step.FindAllStringSubmatch(documents(t)["docs/architecture.md"], -1)
	require.Greater(t, len(found), 20)
	for _, at := range found {
		text, err := os.ReadFile(filepath.Join(root(t), at[2]))
		require.NoError(t, err)
		require.Regexp(t, `(?m)^func (\([^)]*\) )?`+at[1]+`\(`, string(text), "%s is in %s", at[1], at[2])
	}
}
