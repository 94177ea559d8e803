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
	for _, problem := range importProblems(rooms(), sources(t)) {
		t.Error(problem)
	}
}

// importProblems returns what is wrong with the table of rooms, and every import that the table does not allow.
func importProblems(table []room, files []source) []string {
	var problems []string
	reach := map[string][]string{} // a room and all rooms that it can reach
	byName := map[string]room{}
	for _, r := range table {
		reach[r.name] = []string{r.name}
		for _, below := range r.imports {
			if _, ok := reach[below]; !ok {
				problems = append(problems, fmt.Sprintf("%s: %s may import %s, which does not stand before it; imports point downwards only",
					tableOfRooms, r.name, below))
			}
			reach[r.name] = append(reach[r.name], reach[below]...)
		}
		byName[r.name] = r
	}
	homeless := map[string]bool{}
	for _, file := range files {
		r, ok := byName[file.room]
		if !ok {
			if !homeless[file.room] {
				homeless[file.room] = true
				problems = append(problems, fmt.Sprintf("%s: package %s is not in the table of rooms. Say in %s what it may import, "+
					"below everything that it uses", file.name, file.room, tableOfRooms))
			}
			continue
		}
		for _, imported := range file.imports {
			if problem := importProblem(r, reach, file, imported); problem != "" {
				problems = append(problems, fmt.Sprintf("%s imports %s: %s", file.name, imported, problem))
			}
		}
	}
	return problems
}

// testRooms are packages that only tests import.
const testRooms = "internal/test"

// importProblem says what is wrong with one import, or nothing.
func importProblem(r room, reach map[string][]string, file source, imported string) string {
	forTests := file.test || strings.HasPrefix(r.name, testRooms)
	switch {
	case isOurs(imported):
		other := strings.TrimPrefix(strings.TrimPrefix(imported, modulePath), "/")
		if file.test && strings.HasPrefix(other, "testdata/") {
			return "" // what tests test with is no room
		}
		allowed := r.imports
		if file.test {
			allowed = reach[r.name]
			for _, extra := range r.tests {
				allowed = append(slices.Clone(allowed), reach[extra]...)
			}
			allowed = slices.Compact(slices.Sorted(slices.Values(allowed))) // rooms are reached by many ways
		}
		if !slices.Contains(allowed, other) {
			return fmt.Sprintf("%s may import [%s]. Something from above comes through a small interface that the lower package "+
				"declares; a new edge downwards goes into %s", r.name, strings.Join(allowed, " "), tableOfRooms)
		}
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

func TestImportProblems(t *testing.T) {
	t.Parallel()
	table := []room{
		{name: "low", library: []string{cdproto}},
		{name: "beside"},
		{name: "high", imports: []string{"low"}, tests: []string{"beside"}},
		{name: "top", imports: []string{"high"}},
	}
	tests := []struct {
		name, file, imported string
		want                 string // part of the only problem; none if empty
	}{
		{name: "down", file: "high/a.go", imported: modulePath + "/low"},
		{name: "up", file: "low/a.go", imported: modulePath + "/high", want: "low/a.go imports " + modulePath + "/high: low may import []"},
		{name: "over a floor", file: "top/a.go", imported: modulePath + "/low", want: "top may import [high]"},
		{name: "over a floor in a test", file: "top/a_test.go", imported: modulePath + "/low"},
		{name: "itself in an external test", file: "top/a_test.go", imported: modulePath + "/top"},
		{name: "a test's extra", file: "high/a_test.go", imported: modulePath + "/beside"},
		{name: "a test's extra outside tests", file: "high/a.go", imported: modulePath + "/beside", want: "high may import [low]"},
		{name: "up in a test", file: "low/a_test.go", imported: modulePath + "/high", want: "low may import [low]"},
		{name: "what tests test with", file: "low/a_test.go", imported: modulePath + "/testdata/app"},
		{name: "what tests test with outside tests", file: "high/a.go", imported: modulePath + "/testdata/app", want: "high may import [low]"},
		{name: "library", file: "low/a.go", imported: cdproto + "/page"},
		{name: "library of another room", file: "high/a.go", imported: cdproto + "/page", want: "Adding one is a decision"},
		{name: "library with the same beginning", file: "low/a.go", imported: cdproto + "2/page", want: "Adding one is a decision"},
		{name: "test library", file: "low/a_test.go", imported: "github.com/stretchr/testify/require"},
		{name: "the product's library in a test", file: "high/a_test.go", imported: cdproto + "/page"},
		{name: "test library outside tests", file: "low/a.go", imported: "github.com/stretchr/testify/require", want: "for tests only"},
		{name: "standard library", file: "low/a.go", imported: "net/http"},
		{name: "testing outside tests", file: "low/a.go", imported: "testing", want: "belongs into test files"},
		{name: "no such room", file: "new/a.go", imported: "io", want: "package new is not in the table of rooms"},
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
	upwards := importProblems([]room{{name: "low", imports: []string{"high"}}, {name: "high"}}, nil)
	require.Len(t, upwards, 1)
	require.Contains(t, upwards[0], "imports point downwards only")
}
