package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// testFunc is a test of a package, as its source has it.
type testFunc struct {
	Package string // import path
	Name    string
	Deep    bool // it asks testing.Short, so it is left out of the ordinary tier, or does less there
	Unraced bool // the race detector's builds lack it, or it skips there
}

// readTests finds the tests that this system builds of packages. dir is the folder of their module; empty means this
// module.
func readTests(ctx context.Context, dir, packages string) ([]testFunc, error) {
	type folder struct {
		Dir, ImportPath           string
		TestGoFiles, XTestGoFiles []string
	}
	found, err := goList[folder](ctx, dir, "-json=Dir,ImportPath,TestGoFiles,XTestGoFiles", packages)
	if err != nil {
		return nil, err
	}
	var tests []testFunc
	for _, p := range found {
		funcs := functions{}
		for _, name := range append(p.TestGoFiles, p.XTestGoFiles...) {
			if err := funcs.read(filepath.Join(p.Dir, name), nil); err != nil {
				return nil, err
			}
		}
		tests = append(tests, funcs.tests(p.ImportPath)...)
	}
	return tests, nil
}

// goList returns what go list prints as JSON in a folder.
func goList[T any](ctx context.Context, dir string, args ...string) (list []T, err error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list"}, args...)...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var one T
		if err := dec.Decode(&one); err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		list = append(list, one)
	}
	return list, nil
}

// functions are the functions that the test files of a package declare, by name. Methods are left out.
type functions map[string]function

type function struct {
	*ast.FuncDecl

	unraced bool // its file is for builds without the race detector
}

// read parses a file; src is its text, or nil to read it.
func (fs functions) read(path string, src any) error {
	file, err := parser.ParseFile(token.NewFileSet(), path, src, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return err
	}
	unraced, err := excludesRace(file)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil {
			fs[f.Name.Name] = function{f, unraced}
		}
	}
	return nil
}

// excludesRace reports whether a file's build constraint has "!race".
func excludesRace(file *ast.File) (bool, error) {
	for _, group := range file.Comments {
		for _, line := range group.List {
			if line.Pos() > file.Package || !constraint.IsGoBuild(line.Text) {
				continue
			}
			built, err := constraint.Parse(line.Text)
			if err != nil {
				return false, err
			}
			return built.Eval(func(tag string) bool {
				return tag != "race"
			}) && !built.Eval(func(string) bool { return true }), nil
		}
	}
	return false, nil
}

func (fs functions) tests(pkg string) []testFunc {
	var tests []testFunc
	for _, name := range slices.Sorted(maps.Keys(fs)) {
		if isTest(name) {
			tests = append(tests, testFunc{
				Package: pkg, Name: name,
				Deep:    fs.asks(name, isShort, map[string]bool{}),
				Unraced: fs[name].unraced || fs.asks(name, isUnderRace, map[string]bool{}),
			})
		}
	}
	return tests
}

// asks reports whether a function, or one of the package that it names, has a node of some kind.
func (fs functions) asks(name string, kind func(ast.Node) bool, seen map[string]bool) (asks bool) {
	f := fs[name]
	if f.FuncDecl == nil || f.Body == nil || seen[name] {
		return false
	}
	seen[name] = true
	ast.Inspect(f.Body, func(n ast.Node) bool {
		asks = asks || kind(n)
		if ident, ok := n.(*ast.Ident); ok {
			asks = asks || fs.asks(ident.Name, kind, seen)
		}
		return !asks
	})
	return asks
}

// isShort recognizes testing.Short.
func isShort(n ast.Node) bool {
	selector, ok := n.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := selector.X.(*ast.Ident)
	return ok && x.Name == "testing" && selector.Sel.Name == "Short"
}

// isUnderRace recognizes underRace, which is how packages call the constant that says whether the race detector is on.
func isUnderRace(n ast.Node) bool {
	ident, ok := n.(*ast.Ident)
	return ok && ident.Name == "underRace"
}

// isTest recognizes a test's name as go test does: not TestMain, and not Testament.
func isTest(name string) bool {
	rest, found := strings.CutPrefix(name, "Test")
	first, _ := utf8.DecodeRuneInString(rest)
	return found && name != "TestMain" && !unicode.IsLower(first)
}
