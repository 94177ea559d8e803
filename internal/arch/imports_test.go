package arch

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const tableOfLayers = "internal/arch/layers_test.go"

func TestImportsPointDownwards(t *testing.T) {
	t.Parallel()
	for _, problem := range importProblems(layers(), sources(t)) {
		t.Error(problem)
	}
}

// layering is the table of layers, by the folders of packages.
type layering struct {
	packages map[string]pkg
	layers   map[string]int
}

// importProblems returns every import that the table does not allow.
func importProblems(table [][]pkg, files []source) []string {
	var problems []string
	b := layering{map[string]pkg{}, map[string]int{}}
	for layer, packages := range table {
		for _, r := range packages {
			b.packages[r.name], b.layers[r.name] = r, layer
		}
	}
	unplaced := map[string]bool{}
	for _, file := range files {
		r, ok := b.packages[file.folder]
		if !ok {
			if !unplaced[file.folder] {
				unplaced[file.folder] = true
				problems = append(problems,
					fmt.Sprintf("%s: package %s is in no layer. Put it into %s, above everything that it uses",
						file.name, file.folder, tableOfLayers))
			}
			continue
		}
		for _, imported := range file.imports {
			if problem := b.problem(r, file, imported); problem != "" {
				problems = append(problems, fmt.Sprintf("%s imports %s: %s", file.name, imported, problem))
			}
		}
	}
	return problems
}

// isTestPackage reports whether only tests may import a package of this module.
func isTestPackage(name string) bool {
	return strings.HasPrefix(name, "internal/test") || name == "internal/sessiontest"
}

// problem says what is wrong with one import, or nothing.
func (b layering) problem(r pkg, file source, imported string) string {
	forTests := file.test || isTestPackage(r.name)
	switch {
	case isOurs(imported):
		return b.ownProblem(r, file, cmp.Or(strings.TrimPrefix(strings.TrimPrefix(imported, modulePath), "/"), "."))
	case isLibrary(imported):
		if under(imported, r.library) || forTests && (under(imported, testLibraries) || under(imported, alsoInTests)) {
			return ""
		}
		if under(imported, testLibraries) && !under(imported, alsoInTests) {
			return "it is for tests only"
		}
		return fmt.Sprintf(
			"%s may import of libraries [%s]. Adding one is a decision: see docs/decisions/2026-11-21-dependencies.md, then %s",
			r.name, strings.Join(r.library, " "), tableOfLayers)
	case imported == "testing" && !forTests:
		return "it belongs into test files; no program carries it"
	}
	return ""
}

// inSessions reports whether a package is what the tests of a family of commands need to run them in sessions: the
// sessions and other families.
func inSessions(family, other string) bool {
	return path.Dir(family) == "actions" &&
		(path.Dir(other) == "actions" || other == "session" || other == "internal/sessiontest")
}

// ownProblem says what is wrong with the import of a package of this module.
func (b layering) ownProblem(r pkg, file source, other string) string {
	layer, known := b.layers[other]
	switch {
	case file.test &&
		(strings.HasPrefix(other, "testdata/") || other == r.name || slices.Contains(r.tests, other) ||
			inSessions(r.name, other)):
		return "" // testdata belongs to no layer
	case !file.test && isTestPackage(other) && !isTestPackage(r.name):
		return "it is for tests only"
	case !known:
		return other + " is in no layer of " + tableOfLayers
	case layer < b.layers[r.name]:
		return ""
	}
	return fmt.Sprintf(
		"it is in layer %d, and %s in layer %d of %s. Something from above comes through a small interface that the lower "+
			"package declares",
		layer, r.name, b.layers[r.name], tableOfLayers)
}

func TestImportProblems(t *testing.T) {
	t.Parallel()
	table := [][]pkg{
		{{name: "low", library: []string{cdproto}}, {name: "internal/testsite"}},
		{{name: "middle"}},
		{{name: "high", tests: []string{"beside"}}, {name: "beside"}, {name: "actions/click"}, {name: "actions/look"}},
		{{name: "internal/sessiontest"}},
	}
	tests := []struct {
		name, file, imported string
		want                 string // part of the only problem; none if empty
	}{
		{name: "down", file: "high/a.go", imported: modulePath + "/middle"},
		{name: "over a layer", file: "high/a.go", imported: modulePath + "/low"},
		{name: "up", file: "low/a.go", imported: modulePath + "/high", want: "it is in layer 2, and low in layer 0"},
		{
			name: "up in a test", file: "low/a_test.go", imported: modulePath + "/high",
			want: "it is in layer 2, and low in layer 0",
		},
		{
			name: "in one layer", file: "high/a.go", imported: modulePath + "/beside",
			want: "it is in layer 2, and high in layer 2",
		},
		{name: "another family in a test", file: "actions/click/a_test.go", imported: modulePath + "/actions/look"},
		{
			name: "another family", file: "actions/click/a.go", imported: modulePath + "/actions/look",
			want: "it is in layer 2, and actions/click in layer 2",
		},
		{name: "sessions in a test", file: "actions/click/a_test.go", imported: modulePath + "/internal/sessiontest"},
		{
			name: "what has no families", file: "actions/click/a_test.go", imported: modulePath + "/beside",
			want: "it is in layer 2, and actions/click in layer 2",
		},
		{name: "a test's extra", file: "high/a_test.go", imported: modulePath + "/beside"},
		{name: "itself in an external test", file: "high/a_test.go", imported: modulePath + "/high"},
		{name: "no layer", file: "high/a.go", imported: modulePath + "/nowhere", want: "nowhere is in no layer"},
		{name: "a helper of tests", file: "high/a_test.go", imported: modulePath + "/internal/testsite"},
		{
			name: "a helper of tests outside tests", file: "high/a.go", imported: modulePath + "/internal/testsite",
			want: "it is for tests only",
		},
		{name: "what tests test with", file: "low/a_test.go", imported: modulePath + "/testdata/app"},
		{
			name: "what tests test with outside tests", file: "high/a.go", imported: modulePath + "/testdata/app",
			want: "testdata/app is in no layer",
		},
		{name: "library", file: "low/a.go", imported: cdproto + "/page"},
		{name: "library of another pkg", file: "high/a.go", imported: cdproto + "/page", want: "Adding one is a decision"},
		{
			name: "library with the same beginning", file: "low/a.go", imported: cdproto + "2/page",
			want: "Adding one is a decision",
		},
		{name: "test library", file: "low/a_test.go", imported: "github.com/stretchr/testify/require"},
		{name: "the product's library in a test", file: "high/a_test.go", imported: cdproto + "/page"},
		{
			name: "test library outside tests", file: "low/a.go", imported: "github.com/stretchr/testify/require",
			want: "for tests only",
		},
		{name: "standard library", file: "low/a.go", imported: "net/http"},
		{name: "testing outside tests", file: "low/a.go", imported: "testing", want: "belongs into test files"},
		{name: "no such package", file: "new/a.go", imported: "io", want: "package new is in no layer"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			file := sample(t, test.file, fmt.Sprintf("package x\nimport _ %q\n", test.imported))
			problems := importProblems(table, []source{file})
			if test.want == "" {
				require.Empty(t, problems)
				return
			}
			require.Len(t, problems, 1)
			require.Contains(t, problems[0], test.want)
		})
	}
}
