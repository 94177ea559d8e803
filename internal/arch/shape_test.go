package arch

import (
	"go/ast"
	"testing"
)

// mostResults is how many values a function returns at most: what needs more names is a struct.
const mostResults = 3

// TestResults looks at functions of the product. color.Color's RGBA is another's interface.
func TestResults(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		for _, name := range manyResults(s.syntax) {
			if name != "RGBA" {
				t.Errorf("%s: %s returns more than %d values: return a struct", s.name, name, mostResults)
			}
		}
	}
}

func TestResultsRule(t *testing.T) {
	t.Parallel()
	s := sample(t, "a/a.go",
		"package a\nfunc f() (a, b, c, d int)\nfunc g() (int, error)\nfunc (x T) h() (int, int, int, error)\n")
	got := manyResults(s.syntax)
	if len(got) != 2 || got[0] != "f" || got[1] != "h" {
		t.Errorf("want f and h, got %q", got)
	}
}

// manyResults are the names of the functions of a file that return too many values.
func manyResults(file *ast.File) (names []string) {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if ok && f.Type.Results != nil && f.Type.Results.NumFields() > mostResults {
			names = append(names, f.Name.Name)
		}
	}
	return names
}
