package clients

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

// comments are what the sources say of types and their fields.
type comments struct {
	root     string
	packages map[string]map[string]*ast.TypeSpec // by folder and name
	about    map[*ast.TypeSpec]string
	err      error
}

const module = "github.com/skua-browser/skua/"

// find returns where a type is declared; nil means nowhere in these sources.
func (c *comments) find(t reflect.Type) *ast.TypeSpec {
	folder, ours := strings.CutPrefix(t.PkgPath(), module)
	if !ours || t.Name() == "" {
		return nil
	}
	if c.packages[folder] == nil {
		c.read(folder)
	}
	return c.packages[folder][t.Name()]
}

func (c *comments) read(folder string) {
	if c.packages == nil {
		c.packages, c.about = map[string]map[string]*ast.TypeSpec{}, map[*ast.TypeSpec]string{}
	}
	found := map[string]*ast.TypeSpec{}
	c.packages[folder] = found
	names, err := filepath.Glob(filepath.Join(c.root, filepath.FromSlash(folder), "*.go"))
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, readErr := os.ReadFile(name)
		file, parseErr := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
		for _, e := range []error{err, readErr, parseErr} {
			if e != nil {
				c.err = e
				return
			}
		}
		for _, d := range file.Decls {
			general, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range general.Specs {
				if t, ok := spec.(*ast.TypeSpec); ok {
					found[t.Name.Name] = t
					c.about[t] = sentence(general.Doc.Text() + t.Doc.Text())
				}
			}
		}
	}
}

// ofType is the text about a type.
func (c *comments) ofType(t reflect.Type) string {
	if spec := c.find(t); spec != nil {
		return c.about[spec]
	}
	return ""
}

// ofField is the text about a field: its tag doc, else its comment.
func (c *comments) ofField(t reflect.Type, name string) string {
	if f, ok := t.FieldByName(name); ok && f.Tag.Get("doc") != "" {
		return f.Tag.Get("doc")
	}
	spec := c.find(t)
	if spec == nil {
		return ""
	}
	structure, ok := spec.Type.(*ast.StructType)
	if !ok {
		return ""
	}
	for _, f := range structure.Fields.List {
		for _, n := range f.Names {
			if n.Name == name {
				return sentence(f.Doc.Text() + f.Comment.Text())
			}
		}
	}
	return ""
}

// sentence puts a comment on one line.
func sentence(s string) string { return strings.Join(strings.Fields(s), " ") }
