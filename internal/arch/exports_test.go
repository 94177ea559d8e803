package arch

import (
	"fmt"
	"go/ast"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Outside the engine, a library's types stay inside the package that uses them, so that the library can be replaced
// there.
func TestLibraryTypesStayInside(t *testing.T) {
	t.Parallel()
	for _, file := range sources(t) {
		if file.folder == "engine" || strings.HasPrefix(file.folder, "engine/") {
			continue
		}
		for _, problem := range exportProblems(file) {
			t.Error(problem)
		}
	}
}

// exportProblems returns the exported declarations of a file that mention a library's type.
func exportProblems(file source) []string {
	if file.test {
		return nil
	}
	libraries := map[string]string{} // by the name that the file uses
	for _, spec := range file.syntax.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil || !isLibrary(imported) {
			continue
		}
		name := path.Base(imported)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		libraries[name] = imported
	}
	if len(libraries) == 0 {
		return nil
	}
	var problems []string
	look := func(name string, node ast.Node) {
		ast.Inspect(node, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Field: // of a struct or interface: unexported fields do not leave the package
				if len(n.Names) == 0 {
					return true
				}
				for _, field := range n.Names {
					if field.IsExported() || isParameter(node, n) {
						return true
					}
				}
				return false
			case *ast.SelectorExpr:
				qualifier, ok := n.X.(*ast.Ident)
				if imported := libraries[identifier(qualifier)]; ok && imported != "" {
					problems = append(problems, fmt.Sprintf("%s: exported %s mentions %s.%s of %s; outside engine a library's types "+
						"do not appear in exported signatures", file.name, name, qualifier.Name, n.Sel.Name, imported))
				}
			}
			return true
		})
	}
	for _, declaration := range file.syntax.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && (d.Recv == nil || receiverIsExported(d.Recv)) {
				look(d.Name.Name, d.Type)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() {
						look(s.Name.Name, s.Type)
					}
				case *ast.ValueSpec:
					if s.Type != nil && len(s.Names) > 0 && s.Names[0].IsExported() {
						look(s.Names[0].Name, s.Type)
					}
				}
			}
		}
	}
	return problems
}

func identifier(id *ast.Ident) string {
	if id == nil {
		return ""
	}
	return id.Name
}

// isParameter reports whether the field is a parameter or result of the function type, or of one inside it.
func isParameter(node ast.Node, field *ast.Field) bool {
	found := false
	ast.Inspect(node, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncType); ok {
			for _, list := range []*ast.FieldList{f.Params, f.Results} {
				if list != nil {
					for _, p := range list.List {
						found = found || p == field
					}
				}
			}
		}
		return !found
	})
	return found
}

func receiverIsExported(list *ast.FieldList) bool {
	receiver := list.List[0].Type
	for {
		switch r := receiver.(type) {
		case *ast.StarExpr:
			receiver = r.X
		case *ast.IndexExpr:
			receiver = r.X
		case *ast.IndexListExpr:
			receiver = r.X
		case *ast.Ident:
			return r.IsExported()
		default:
			return true
		}
	}
}

func TestExportProblems(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       int
	}{
		{name: "parameter", text: `func F(n page.Node) {}`, want: 1},
		{name: "result in a slice", text: `func F() []*page.Node { return nil }`, want: 1},
		{name: "function parameter of a parameter", text: `func F(fn func(n page.Node)) {}`, want: 1},
		{name: "method", text: `type T struct{}; func (t *T) F(n page.Node) {}`, want: 1},
		{name: "method of an unexported type", text: `type t struct{}; func (x *t) F(n page.Node) {}`},
		{name: "unexported function", text: `func f(n page.Node) {}`},
		{name: "body", text: `func F() { var n page.Node; _ = n }`},
		{name: "field", text: `type T struct { N page.Node }`, want: 1},
		{name: "unexported field", text: `type T struct { n page.Node }`},
		{name: "embedded", text: `type T struct { page.Node }`, want: 1},
		{name: "method of an interface", text: `type T interface { F(n page.Node) }`, want: 1},
		{name: "variable", text: `var V page.Node`, want: 1},
		{name: "standard library", text: `func F(w io.Writer) {}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			file := sample(t, "snapshot/a.go",
				"package snapshot\nimport (\"io\"; \"github.com/chromedp/cdproto/page\")\nvar _ io.Writer\n"+test.text)
			require.Len(t, exportProblems(file), test.want)
		})
	}
}
