package arch

import (
	"go/ast"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// wholeEnvironment lists the functions that may start a program with the whole environment of this process, each with
// the reason.
var wholeEnvironment = map[string]string{
	"tool/config/shell_unix.go shell": "the owner's own line of the configuration, which fetches a secret by what the " +
		"owner's shell has",
	"tool/config/shell_other.go shell": "the same",
}

// inheriting returns the functions of a file that make a command of os/exec and never set its environment, which is
// then that of this process.
func inheriting(s source) []string {
	var found []string
	for _, decl := range s.syntax.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		makes, sets := false, false
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if sel, ok := n.Fun.(*ast.SelectorExpr); ok && strings.HasPrefix(sel.Sel.Name, "Command") {
					pkg, ok := sel.X.(*ast.Ident)
					makes = makes || ok && pkg.Name == "exec"
				}
			case *ast.AssignStmt:
				for _, to := range n.Lhs {
					sel, ok := to.(*ast.SelectorExpr)
					sets = sets || ok && sel.Sel.Name == "Env"
				}
			}
			return true
		})
		if makes && !sets {
			found = append(found, f.Name.Name)
		}
	}
	return found
}

// The environment of a host holds the vault's key and the keys of providers: no program inherits it. internal/childenv
// has what programs get.
func TestChildrenInheritNoEnvironment(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if s.test || strings.HasPrefix(s.folder, "scripts/") || strings.HasPrefix(s.folder, "testdata/") ||
			s.folder == "internal/pagescript" || isTestPackage(s.folder) {
			continue
		}
		for _, name := range inheriting(s) {
			if wholeEnvironment[s.name+" "+name] == "" {
				t.Errorf("%s: %s starts a program that inherits the keys of this process; set its Env with internal/childenv",
					s.name, name)
			}
		}
	}
}

func TestInheriting(t *testing.T) {
	t.Parallel()
	const head = "package a\n\nimport \"os/exec\"\n\n"
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"nothing set", "func f() { c := exec.Command(\"a\"); c.Run() }", []string{"f"}},
		{"at once", "func f() { exec.CommandContext(nil, \"a\").Run() }", []string{"f"}},
		{"set", "func f() { c := exec.Command(\"a\"); c.Env = nil }", nil},
		{"set with others", "func f() { c := exec.Command(\"a\"); c.Dir, c.Env = \"/\", nil }", nil},
		{"no program", "func f() { exec.LookPath(\"a\") }", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, inheriting(sample(t, "a/a.go", head+tt.text)))
		})
	}
}
