package arch

import (
	"go/ast"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// serverMakers are the ways of net/http to make a server, by their names there.
var serverMakers = map[string]bool{
	"Server": true, "Serve": true, "ServeTLS": true, "ListenAndServe": true,
	"ListenAndServeTLS": true,
}

// makesServer returns the names of net/http by which a file makes HTTP servers of its own. A pointer to an existing
// server does not count.
func makesServer(s source) []string {
	var found []string
	note := func(e ast.Expr) {
		if sel, ok := e.(*ast.SelectorExpr); ok && serverMakers[sel.Sel.Name] {
			if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == "http" {
				found = append(found, "http."+sel.Sel.Name)
			}
		}
	}
	ast.Inspect(s.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			note(n.Type)
		case *ast.CallExpr:
			note(n.Fun)
		case *ast.Field: // a server as a value is made by its zero value
			note(n.Type)
		case *ast.ValueSpec:
			note(n.Type)
		}
		return true
	})
	return found
}

// An HTTP server without limits keeps connections of clients that never finish a header. internal/loopback has the
// limits, and makes all servers but those of tests and measurements.
func TestServersAreMadeInOnePlace(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if s.test || s.folder == "internal/loopback" || strings.HasPrefix(s.folder, "scripts/") || isTestPackage(s.folder) {
			continue
		}
		for _, name := range makesServer(s) {
			t.Errorf("%s uses %s; make the server with internal/loopback, which has the limits that each server needs", s.name,
				name)
		}
	}
}

func TestMakesServer(t *testing.T) {
	t.Parallel()
	const head = "package a\n\nimport \"net/http\"\n\n"
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"literal", "var s = &http.Server{}", []string{"http.Server"}},
		{"value in a struct", "type t struct{ s http.Server }", []string{"http.Server"}},
		{"variable", "var s http.Server", []string{"http.Server"}},
		{"function", "func f() { _ = http.ListenAndServe(\"\", nil) }", []string{"http.ListenAndServe"}},
		{"pointer", "type t struct{ s *http.Server }", nil},
		{"another name of the package", "var s = http.Client{}", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, makesServer(sample(t, "a/a.go", head+tt.text)))
		})
	}
}
