package arch

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// maxWidth is how many characters a line has at most. A tab counts as one.
const maxWidth = 120

// TestWidth looks at the lines of Go files. A text that is written as it is, such as a raw string or the tag of a
// field, keeps its lines, and so does a word that cannot be broken. A linter could not tell them from others.
func TestWidth(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		for _, line := range s.wide {
			t.Errorf("%s:%d: the line has more than %d characters", s.name, line, maxWidth)
		}
	}
}

func TestWidthRule(t *testing.T) {
	t.Parallel()
	words, word := strings.Repeat("wide ", 30), strings.Repeat("w", 200)
	text := "package a\n\n// " + words + "\nvar a = `" + words + "\n" + words + "`\n\nvar b = \"" + words + "\"\n\n// " +
		word +
		"\ntype c struct {\n\td int `doc:\"" + words + "\"`\n}\n"
	require.Equal(t, []int{3, 7}, sample(t, "a/a.go", text).wide)
}

// wideLines are the numbers of the lines that are too long and could be broken.
func wideLines(files *token.FileSet, syntax *ast.File, text []byte) (wide []int) {
	if ast.IsGenerated(syntax) {
		return nil
	}
	raw := map[int]bool{}
	ast.Inspect(syntax, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && strings.HasPrefix(lit.Value, "`") {
			first := files.Position(lit.Pos()).Line
			for line := range strings.Count(lit.Value, "\n") + 1 {
				raw[first+line] = true
			}
		}
		return true
	})
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		if utf8.RuneCountInString(strings.TrimRight(line, "\n")) > maxWidth && !raw[number] && isBreakable(line) {
			wide = append(wide, number)
		}
	}
	return wide
}

// isBreakable reports whether a line has a word that could begin another line.
func isBreakable(line string) bool {
	if strings.HasPrefix(line, "//\t") {
		return false // code in a comment, or a drawing
	}
	return len(strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "//"))) > 1
}
