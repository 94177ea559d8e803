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

// notOurs are files below a testdata folder whose words we did not choose, with why.
var notOurs = map[string]string{
	"engine/inpage/testdata": "the W3C's tests of accessible names, and pages",
	"snapshot/testdata":      "text of pages",
	"session/testdata":       "pages",
	"actions/look/testdata":  "text of pages",
	"tool/testdata":          "the rules of the contract, in its own words",
	"internal/squashfs":      "images of file systems",
}

// scriptProse matches the comments and the strings of JavaScript. A regular expression with a quotation mark in it
// makes some code look like a string, which does no harm.
var scriptProse = regexp.MustCompile(
	"(?s)//[^\n]*|/\\*.*?\\*/|'(?:\\\\.|[^'\\\\\n])*'|\"(?:\\\\.|[^\"\\\\\n])*\"|`(?:\\\\.|[^`\\\\])*`")

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

func TestProseOfFiles(t *testing.T) {
	t.Parallel()
	texts := otherTexts(t)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		report(t, name, findings(texts[name]))
	}
}

func TestScriptProse(t *testing.T) {
	t.Parallel()
	got := scriptProse.FindAllString("const nobody = 1; // one\n/** two\n * three */ f('four \\' five', `six`) / 2", -1)
	require.Equal(t, []string{"// one", "/** two\n * three */", `'four \' five'`, "`six`"}, got)
}
