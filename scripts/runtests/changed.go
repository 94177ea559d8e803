package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/pagescript"
)

// inpage is the package whose bundle holds the scripts of pages, and bundled is that bundle. All that drives a page
// depends on it, so that a change of its modules is followed to the ops that they register instead, and from there to
// the packages that call them.
const (
	inpage  = "engine/inpage"
	bundled = inpage + "/bundle/main.js"
)

// readsAll are the tests that read the sources of all packages.
const readsAll = module + "internal/arch"

// goPackage is what go list tells about a package, or about the test binary of one.
type goPackage struct {
	Dir, ImportPath, ForTest                    string
	Deps                                        []string
	GoFiles, EmbedFiles                         []string
	TestGoFiles, XTestGoFiles                   []string
	TestEmbedFiles, XTestEmbedFiles, OtherFiles []string
}

// tree is this module's packages, by their folder in it, and which packages the test binary of each is made of.
type tree struct {
	root   string
	byDir  map[string]goPackage
	builds map[string][]string // import path of a package with tests: import paths
}

// reach is what a change can break.
type reach struct {
	tests  []string // import paths of packages whose tests can see it
	unread []string // files that no test was found to read
}

// changedRuns are the runs of the tests that the change of the working tree can reach: that of its last commit where it
// has none.
func changedRuns(ctx context.Context) ([]lane, error) {
	files, err := changedFiles(ctx)
	if err != nil {
		return nil, err
	}
	all, err := readTree(ctx)
	if err != nil {
		return nil, err
	}
	found, err := all.reach(files)
	if err != nil {
		return nil, err
	}
	fmt.Printf("%d changed files reach the tests of %d packages\n", len(files), len(found.tests))
	for _, file := range found.unread {
		fmt.Printf("no test reads %s\n", file)
	}
	return []lane{{{
		Name:     inOneQueue + " that it reaches",
		Args:     []string{"-short"},
		Packages: longestFirst(found.tests),
		AtOnce:   queuedAtOnce,
	}}}, nil
}

// changedFiles are the paths of the files that differ from the last commit, new ones included, and of those that it
// changed when none do.
func changedFiles(ctx context.Context) ([]string, error) {
	var files []string
	for _, args := range [][]string{{"diff", "--name-only", "HEAD"}, {"ls-files", "--others", "--exclude-standard"}} {
		out, err := git(ctx, args...)
		if err != nil {
			return nil, err
		}
		files = append(files, strings.Fields(out)...)
	}
	if len(files) > 0 {
		return files, nil
	}
	out, err := git(ctx, "diff-tree", "--no-commit-id", "--name-only", "-r", "HEAD")
	return strings.Fields(out), err
}

func readTree(ctx context.Context) (tree, error) {
	root, err := git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return tree{}, err
	}
	t := tree{root: root, byDir: map[string]goPackage{}, builds: map[string][]string{}}
	packages, err := goList[goPackage](ctx, "", "-test",
		"-json=Dir,ImportPath,ForTest,Deps,GoFiles,EmbedFiles,TestGoFiles,XTestGoFiles,TestEmbedFiles,"+
			"XTestEmbedFiles,OtherFiles", module+"...")
	if err != nil {
		return tree{}, err
	}
	for _, p := range packages {
		if pkg, ok := strings.CutSuffix(p.ImportPath, ".test"); ok {
			for _, dep := range p.Deps {
				name, _, _ := strings.Cut(dep, " ") // "p [p.test]" is p, built for a test
				t.builds[pkg] = append(t.builds[pkg], strings.TrimSuffix(name, "_test"))
			}
		} else if p.ForTest == "" {
			dir, err := filepath.Rel(root, p.Dir)
			if err != nil {
				return tree{}, err
			}
			t.byDir[filepath.ToSlash(dir)] = p
		}
	}
	return t, nil
}

// reach follows each file to the tests that can see it.
func (t tree) reach(files []string) (reach, error) {
	tests, unread := map[string]bool{readsAll: true}, []string{}
	add := func(found []string) {
		for _, pkg := range found {
			tests[pkg] = true
		}
	}
	var modules []string // of pages
	for _, file := range files {
		if below, ok := strings.CutPrefix(file, inpage+"/"); ok && strings.HasPrefix(below, "js/") {
			modules = append(modules, below)
		}
	}
	for _, file := range files {
		switch {
		case path.Base(file) == "go.mod" || path.Base(file) == "go.sum":
			add(slices.Collect(maps.Keys(t.builds)))
		case file == bundled && len(modules) > 0, strings.HasPrefix(file, inpage+"/js/"): // by their ops, below
		default:
			found, err := t.readers(file)
			if err != nil {
				return reach{}, err
			}
			if len(found) == 0 {
				unread = append(unread, file)
			}
			add(found)
		}
	}
	if len(modules) > 0 {
		callers, err := t.callers(modules)
		if err != nil {
			return reach{}, err
		}
		add(callers)
	}
	return reach{slices.Sorted(maps.Keys(tests)), unread}, nil
}

// readers are the packages whose tests see a file: as source, embedded, as test data of theirs, or by its name.
func (t tree) readers(file string) ([]string, error) {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		p, ok := t.byDir[dir]
		below := strings.TrimPrefix(file, dir+"/")
		switch {
		case ok &&
			(slices.Contains(p.TestGoFiles, below) || slices.Contains(p.XTestGoFiles, below) ||
				slices.Contains(p.TestEmbedFiles, below) ||
				slices.Contains(p.XTestEmbedFiles, below) || // what is in the top folder's is for the tests of all
				dir != "." && strings.HasPrefix(below, "testdata/")):
			return []string{p.ImportPath}, nil
		case ok &&
			(slices.Contains(p.EmbedFiles, below) || path.Ext(below) == ".go" && path.Dir(below) == "." ||
				slices.Contains(p.OtherFiles, below)):
			return t.users(p.ImportPath), nil
		case dir == "." || path.Ext(file) == ".go":
			return t.naming(file)
		}
	}
}

// users are the packages whose tests are built with a package.
func (t tree) users(pkg string) []string {
	var users []string
	for tested, parts := range t.builds {
		if tested == pkg || slices.Contains(parts, pkg) {
			users = append(users, tested)
		}
	}
	return users
}

// naming are the packages whose test files name a file: a page by its last name, what has no ending by its whole path.
func (t tree) naming(file string) ([]string, error) {
	name := path.Base(file)
	if path.Ext(name) == "" {
		name = file
	}
	var found []string
	for _, p := range t.byDir {
		for _, source := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
			text, err := os.ReadFile(filepath.Join(p.Dir, source))
			if err != nil && !os.IsNotExist(err) {
				return nil, err
			}
			if strings.Contains(string(text), name) {
				found = append(found, p.ImportPath)
				break
			}
		}
	}
	return found, nil
}

var defines = regexp.MustCompile(`inpage\.Define\[[^(]*\("(\w+)"\)`)

// callers are the tests of the package of scripts itself, and of those packages that call an op which one of the
// modules is a part of.
func (t tree) callers(modules []string) ([]string, error) {
	ops, err := pagescript.Reaching(filepath.Join(t.root, inpage), modules)
	if err != nil {
		return nil, err
	}
	found := []string{module + inpage}
	for _, p := range t.byDir {
		calls, err := p.calls(ops)
		if err != nil {
			return nil, err
		}
		if calls {
			found = append(found, t.users(p.ImportPath)...)
		}
	}
	return found, nil
}

// calls reports whether a package calls one of the ops.
func (p goPackage) calls(ops []string) (bool, error) {
	for _, name := range p.GoFiles {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			if os.IsNotExist(err) {
				continue
			}
			return false, err
		}
		for _, m := range defines.FindAllStringSubmatch(string(text), -1) {
			if slices.Contains(ops, m[1]) {
				return true, nil
			}
		}
	}
	return false, nil
}
