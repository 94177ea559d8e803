package arch

import (
	"go/ast"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a reader can hold in the head. Tests do not count.
const (
	maxFiles     = 40
	maxLines     = 6000
	maxMethods   = 40 // exported ones of a type
	maxInterface = 12 // methods of an interface
	maxFolders   = 16 // at the top level
)

// exceptions are sizes above the limits, with what they may be at most. They only shrink: lower the number when you make one smaller, and remove
// it when it has come below the limit.
var exceptions = map[string]exception{
	"lines of engine":                 {6758, "how a page is left, which knows its locks, came to it; what waits under the lock of a page; traffic, new targets and the folders of downloads can still move to packages of their own"},
	"lines of session":               {6128, "what a session keeps of a launched app can still move to a package of its own"},
	"exported methods of engine.Page": {59, "a page is what most commands work on"},
}

type exception struct {
	most   int
	reason string
}

func TestSizes(t *testing.T) {
	t.Parallel()
	measured := sizes(sources(t))
	for _, what := range slices.Sorted(maps.Keys(measured)) {
		size := measured[what]
		bound, excepted := exceptions[what]
		switch {
		case !excepted && size.is > size.limit:
			t.Errorf("%s: %d, the limit is %d", what, size.is, size.limit)
		case excepted && size.is > bound.most:
			t.Errorf("%s: %d, and %d is what it may have for now (%s)", what, size.is, bound.most, bound.reason)
		case excepted && size.is <= size.limit:
			t.Errorf("%s: %d is within the limit; remove the exception", what, size.is)
		}
	}
	for what := range exceptions {
		if _, is := measured[what]; !is {
			t.Errorf("an exception for %s, which is not there", what)
		}
	}
}

// size is how large something is, and how large it may be.
type size struct{ is, limit int }

// sizes measures packages, types and interfaces by their names.
func sizes(files []source) map[string]size {
	all := map[string]size{}
	add := func(what string, n, limit int) { all[what] = size{all[what].is + n, limit} }
	for _, file := range files {
		if file.test {
			continue
		}
		add("files of "+file.folder, 1, maxFiles)
		add("lines of "+file.folder, file.lines, maxLines)
		if n := untypedResults(file.syntax); n > 0 {
			add("results of "+file.folder+" that are maps", n, 0)
		}
		for _, decl := range file.syntax.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if of := receiver(d); of != "" && d.Name.IsExported() {
					add("exported methods of "+file.folder+"."+of, 1, maxMethods)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if t, ok := spec.(*ast.TypeSpec); ok {
						if i, ok := t.Type.(*ast.InterfaceType); ok {
							add("methods of the interface "+file.folder+"."+t.Name.Name, i.Methods.NumFields(), maxInterface)
						}
					}
				}
			}
		}
	}
	return all
}

// untypedResults counts the results of commands that are maps, whose fields no type documents.
func untypedResults(file *ast.File) (n int) {
	ast.Inspect(file, func(node ast.Node) bool {
		pair, ok := node.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		if key, ok := pair.Key.(*ast.Ident); !ok || key.Name != "Data" {
			return true
		}
		if value, ok := pair.Value.(*ast.CompositeLit); ok {
			if _, ok := value.Type.(*ast.MapType); ok {
				n++
			}
		}
		return true
	})
	return n
}

// receiver is the name of the type that a method is of, "" for a function.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	of := d.Recv.List[0].Type
	for {
		switch t := of.(type) {
		case *ast.StarExpr:
			of = t.X
		case *ast.IndexExpr:
			of = t.X
		case *ast.IndexListExpr:
			of = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

func TestSizesAreMeasured(t *testing.T) {
	t.Parallel()
	text := "package low\n\nvar r = Result{Data: map[string]any{}}\n\ntype T[K any] struct{}\n\nfunc (T[K]) A() {}\n\nfunc (*T[K]) B() {}\n\nfunc (*T[K]) c() {}\n\nfunc F() {}\n\ntype I interface {\n\tA()\n\tB()\n}\n"
	require.Equal(t, map[string]size{
		"files of low":                   {2, maxFiles},
		"lines of low":                   {strings.Count(text, "\n") + 1, maxLines},
		"exported methods of low.T":      {2, maxMethods},
		"methods of the interface low.I": {2, maxInterface},
		"results of low that are maps":   {1, 0},
	}, sizes([]source{sample(t, "low/a.go", text), sample(t, "low/b.go", "package low\n"), sample(t, "low/c_test.go", text)}))
}

func TestTopLevel(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir(root(t))
	require.NoError(t, err)
	var folders []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && e.Name() != "bin" && e.Name() != "node_modules" {
			folders = append(folders, e.Name())
		}
	}
	require.LessOrEqual(t, len(folders), maxFolders, "folders of the top level: %v", folders)
}
