package main

import (
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
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
}

// readTests finds the tests that this system builds of packages. dir is the folder of their module; empty: this module.
func readTests(ctx context.Context, dir, packages string) ([]testFunc, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-json=Dir,ImportPath,TestGoFiles,XTestGoFiles", packages)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var tests []testFunc
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p struct {
			Dir, ImportPath           string
			TestGoFiles, XTestGoFiles []string
		}
		if err := dec.Decode(&p); err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
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

// functions are those that the test files of a package declare, by name. Methods are left out.
type functions map[string]*ast.FuncDecl

// read parses a file; src is its text, or nil to read it.
func (fs functions) read(path string, src any) error {
	file, err := parser.ParseFile(token.NewFileSet(), path, src, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil {
			fs[f.Name.Name] = f
		}
	}
	return nil
}

func (fs functions) tests(pkg string) []testFunc {
	var tests []testFunc
	for _, name := range slices.Sorted(maps.Keys(fs)) {
		if isTest(name) {
			tests = append(tests, testFunc{Package: pkg, Name: name, Deep: fs.asksShort(name, map[string]bool{})})
		}
	}
	return tests
}

// asksShort reports whether a function, or one of the package that it names, calls testing.Short.
func (fs functions) asksShort(name string, seen map[string]bool) (asks bool) {
	f := fs[name]
	if f == nil || f.Body == nil || seen[name] {
		return false
	}
	seen[name] = true
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			asks = asks || ok && x.Name == "testing" && n.Sel.Name == "Short"
		case *ast.Ident:
			asks = asks || fs.asksShort(n.Name, seen)
		}
		return !asks
	})
	return asks
}

// isTest recognizes a test's name as go test does: not TestMain, and not Testament.
func isTest(name string) bool {
	rest, found := strings.CutPrefix(name, "Test")
	first, _ := utf8.DecodeRuneInString(rest)
	return found && name != "TestMain" && !unicode.IsLower(first)
}
