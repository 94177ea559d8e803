package arch

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

const modulePath = "github.com/skua-browser/skua"

// source is a Go file, read whatever system it is for: the rules hold on all of them.
type source struct {
	name    string // its path in the repository
	folder  string // its package's folder in the repository
	pkg     string // the name in its package clause
	test    bool
	lines   int
	wide    []int // the lines that are too long
	imports []string
	syntax  *ast.File
}

// comment is the package comment, without its directives.
func (s source) comment() string {
	if s.syntax.Doc == nil {
		return ""
	}
	return strings.TrimSpace(s.syntax.Doc.Text())
}

// root is the repository's top folder.
func root(t testing.TB) string {
	dir, err := os.Getwd()
	require.NoError(t, err)
	return filepath.Dir(filepath.Dir(dir))
}

// sources are the Go files of the module. They are parsed once for all tests, which must not change them.
func sources(t testing.TB) []source {
	found, err := parsed()
	require.NoError(t, err)
	require.NotEmpty(t, found)
	return slices.Clone(found)
}

var parsed = sync.OnceValues(func() (found []source, err error) {
	files := token.NewFileSet()
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	top := os.DirFS(filepath.Dir(filepath.Dir(dir)))
	err = fs.WalkDir(top, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			base := entry.Name()
			if name != "." &&
				(base == "testdata" || base == "node_modules" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
				return fs.SkipDir
			}
			// A folder with a go.mod is another module.
			if _, err := fs.Stat(top, path.Join(name, "go.mod")); err == nil && name != "." {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		text, err := fs.ReadFile(top, name)
		if err != nil {
			return err
		}
		s, err := parse(files, name, text)
		found = append(found, s)
		return err
	})
	return found, err
})

func parse(files *token.FileSet, name string, text []byte) (source, error) {
	syntax, err := parser.ParseFile(files, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return source{}, err
	}
	s := source{
		name: name, folder: path.Dir(name), pkg: syntax.Name.Name, test: strings.HasSuffix(name, "_test.go"),
		lines: bytes.Count(text, []byte("\n")), wide: wideLines(files, syntax, text), syntax: syntax,
	}
	for _, spec := range syntax.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return source{}, err
		}
		s.imports = append(s.imports, imported)
	}
	return s, nil
}

// sample makes a source of a text, for tests of the rules themselves.
func sample(t testing.TB, name, text string) source {
	s, err := parse(token.NewFileSet(), name, []byte(text))
	require.NoError(t, err)
	return s
}

// isLibrary reports whether an import path is of neither the standard library nor this module.
func isLibrary(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return strings.Contains(first, ".") && !isOurs(imported)
}

func isOurs(imported string) bool {
	return imported == modulePath || strings.HasPrefix(imported, modulePath+"/")
}

// under reports whether an import path is one of these or lies below it.
func under(imported string, paths []string) bool {
	for _, p := range paths {
		if imported == p || strings.HasPrefix(imported, p+"/") {
			return true
		}
	}
	return false
}
