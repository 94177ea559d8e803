package arch

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const tableOfRooms = "internal/arch/rooms_test.go"

func TestImportsPointDownwards(t *testing.T) {
	t.Parallel()
	for _, problem := range importProblems(floors(), sources(t)) {
		t.Error(problem)
	}
}

// building is the table of floors, by the names of rooms.
type building struct {
	rooms  map[string]room
	floors map[string]int
}

// importProblems returns every import that the table does not allow.
func importProblems(table [][]room, files []source) []string {
	var problems []string
	b := building{map[string]room{}, map[string]int{}}
	for floor, rooms := range table {
		for _, r := range rooms {
			b.rooms[r.name], b.floors[r.name] = r, floor
		}
	}
	homeless := map[string]bool{}
	for _, file := range files {
		r, ok := b.rooms[file.room]
		if !ok {
			if !homeless[file.room] {
				homeless[file.room] = true
				problems = append(problems, fmt.Sprintf("%s: package %s is on no floor. Put it into %s, above everything that it uses",
					file.name, file.room, tableOfRooms))
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

// testRooms are packages that only tests import.
const testRooms = "internal/test"

// problem says what is wrong with one import, or nothing.
func (b building) problem(r room, file source, imported string) string {
	forTests := file.test || strings.HasPrefix(r.name, testRooms)
	switch {
	case isOurs(imported):
		return b.ownProblem(r, file, strings.TrimPrefix(strings.TrimPrefix(imported, modulePath), "/"))
	case isLibrary(imported):
		if under(imported, r.library) || forTests && (under(imported, testLibraries) || under(imported, alsoInTests)) {
			return ""
		}
		if under(imported, testLibraries) && !under(imported, alsoInTests) {
			return "it is for tests only"
		}
		return fmt.Sprintf("%s may import of libraries [%s]. Adding one is a decision: see docs/decisions/2026-11-21-dependencies.md, "+
			"then %s", r.name, strings.Join(r.library, " "), tableOfRooms)
	case imported == "testing" && !forTests:
		return "it belongs into test files; no program carries it"
	}
	return ""
}

// ownProblem says what is wrong with the import of a package of this module.
func (b building) ownProblem(r room, file source, other string) string {
	floor, known := b.floors[other]
	switch {
	case file.test && (strings.HasPrefix(other, "testdata/") || other == r.name || slices.Contains(r.tests, other)):
		return "" // what tests test with is no room
	case !file.test && strings.HasPrefix(other, testRooms) && !strings.HasPrefix(r.name, testRooms):
		return "it is for tests only"
	case !known:
		return other + " is on no floor of " + tableOfRooms
	case floor < b.floors[r.name]:
		return ""
	}
	return fmt.Sprintf("it is on floor %d, and %s on floor %d of %s. Something from above comes through a small interface that the lower package declares",
		floor, r.name, b.floors[r.name], tableOfRooms)
}

func TestImportProblems(t *testing.T) {
	t.Parallel()
	table := [][]room{
		{{name: "low", library: []string{cdproto}}, {name: "internal/testsite"}},
		{{name: "middle"}},
		{{name: "high", tests: []string{"beside"}}, {name: "beside"}},
	}
	tests := []struct {
		name, file, imported string
		want                 string // part of the only problem; none if empty
	}{
		{name: "down", file: "high/a.go", imported: modulePath + "/middle"},
		{name: "over a floor", file: "high/a.go", imported: modulePath + "/low"},
		{name: "up", file: "low/a.go", imported: modulePath + "/high", want: "it is on floor 2, and low on floor 0"},
		{name: "up in a test", file: "low/a_test.go", imported: modulePath + "/high", want: "it is on floor 2, and low on floor 0"},
		{name: "on one floor", file: "high/a.go", imported: modulePath + "/beside", want: "it is on floor 2, and high on floor 2"},
		{name: "a test's extra", file: "high/a_test.go", imported: modulePath + "/beside"},
		{name: "itself in an external test", file: "high/a_test.go", imported: modulePath + "/high"},
		{name: "no floor", file: "high/a.go", imported: modulePath + "/nowhere", want: "nowhere is on no floor"},
		{name: "a helper of tests", file: "high/a_test.go", imported: modulePath + "/internal/testsite"},
		{name: "a helper of tests outside tests", file: "high/a.go", imported: modulePath + "/internal/testsite", want: "it is for tests only"},
		{name: "what tests test with", file: "low/a_test.go", imported: modulePath + "/testdata/app"},
		{name: "what tests test with outside tests", file: "high/a.go", imported: modulePath + "/testdata/app", want: "testdata/app is on no floor"},
		{name: "library", file: "low/a.go", imported: cdproto + "/page"},
		{name: "library of another room", file: "high/a.go", imported: cdproto + "/page", want: "Adding one is a decision"},
		{name: "library with the same beginning", file: "low/a.go", imported: cdproto + "2/page", want: "Adding one is a decision"},
		{name: "test library", file: "low/a_test.go", imported: "github.com/stretchr/testify/require"},
		{name: "the product's library in a test", file: "high/a_test.go", imported: cdproto + "/page"},
		{name: "test library outside tests", file: "low/a.go", imported: "github.com/stretchr/testify/require", want: "for tests only"},
		{name: "standard library", file: "low/a.go", imported: "net/http"},
		{name: "testing outside tests", file: "low/a.go", imported: "testing", want: "belongs into test files"},
		{name: "no such room", file: "new/a.go", imported: "io", want: "package new is on no floor"},
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
