package fault_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// Every code is explained once.
func TestCodeInfos(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "codes.go", nil, 0)
	require.NoError(t, err)
	var declared []fault.Code
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			if name, ok := spec.Type.(*ast.Ident); ok && name.Name == "Code" {
				code, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
				require.NoError(t, err)
				declared = append(declared, fault.Code(code))
			}
		}
		return true
	})
	require.NotEmpty(t, declared)
	var explained []fault.Code
	for _, m := range fault.CodeInfos() {
		explained = append(explained, m.Code)
		require.NotEmpty(t, m.Text)
	}
	require.Equal(t, declared, explained)
}
