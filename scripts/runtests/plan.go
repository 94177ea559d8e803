package main

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// goTest is one run of go test.
type goTest struct {
	Name     string   // for people
	Dir      string   // of a module of its own, which ./... does not match; empty: this module
	Race     bool     // under the race detector, which needs cgo
	Args     []string // flags of go test
	Packages []string

	Binaries int // test binaries beside each other; 0: two
	AtOnce   int // tests beside each other in each of them; 0: one
}

func (r goTest) args() []string {
	args := []string{"test", "-json", "-timeout=30m", fmt.Sprintf("-p=%d", cmp.Or(r.Binaries, 2)), fmt.Sprintf("-parallel=%d", cmp.Or(r.AtOnce, 1)), "-ldflags=-X=" + module + "internal/product.testedWith=" + testedWith()}
	if r.Race {
		args = append(args, "-race")
	}
	return slices.Concat(args, r.Args, r.Packages)
}

func (r goTest) String() string { return r.Name + ": go " + strings.Join(r.args(), " ") }

// longest is the package whose tests take as long as those of all others together.
const longest = module + "session"

// ordinaryRuns proves a change: everything but the deep tests, and the race detector where concurrency is. Runs of one group go beside each other.
//
// A test that drives a browser keeps most of one processor busy: what it costs is paid by the browser's processes. Three at once keep two processors
// busy, one of them in the place of those that wait. Four gained little, and made each other late.
func ordinaryRuns(tests []testFunc) ([][]goTest, error) {
	var chosen []testFunc
	for _, s := range raced {
		found := selected(tests, s)
		if len(found) == 0 {
			return nil, fmt.Errorf("raced.go selects no test of %s by %q: the package or its tests have other names now", s.pkg, s.tests)
		}
		chosen = append(chosen, found...)
	}
	others := slices.DeleteFunc(packagesOf(tests), func(pkg string) bool { return pkg == longest })
	return [][]goTest{
		{
			{Name: "session", Args: []string{"-short"}, Packages: []string{longest}, AtOnce: 2},
			{Name: "everything else", Args: []string{"-short"}, Packages: others, Binaries: 1},
		},
		{{Name: "comparison of Go libraries", Dir: "scripts/gobench", Args: []string{"-short"}, Packages: []string{"./..."}}},
		{raceRun("race detector, selected", chosen)},
	}, nil
}

// selected returns the tests that a selection means.
func selected(tests []testFunc, s selection) []testFunc {
	wanted := regexp.MustCompile(s.tests)
	var found []testFunc
	for _, t := range tests {
		if t.Package == module+s.pkg && wanted.MatchString(t.Name) {
			found = append(found, t)
		}
	}
	return found
}

// deepRuns runs the deep tests among those given, and all of them under the race detector.
func deepRuns(tests []testFunc) [][]goTest {
	var runs [][]goTest
	deep := slices.DeleteFunc(slices.Clone(tests), func(t testFunc) bool { return !t.Deep })
	if len(deep) > 0 {
		runs = append(runs, []goTest{{Name: "deep", Args: []string{only(deep)}, Packages: packagesOf(deep)}})
	}
	if len(tests) > 0 {
		runs = append(runs, []goTest{raceRun("race detector", tests)})
	}
	return runs
}

// raceRun is one run for all packages, so that they are built side by side. A test of the same name in another one of them runs, too.
func raceRun(name string, tests []testFunc) goTest {
	return goTest{Name: name, Race: true, Args: []string{"-short", only(tests)}, Packages: packagesOf(tests)}
}

func only(tests []testFunc) string {
	names := map[string]bool{}
	for _, t := range tests {
		names[t.Name] = true
	}
	return "-run=^(" + strings.Join(slices.Sorted(maps.Keys(names)), "|") + ")$"
}

func packagesOf(tests []testFunc) []string {
	packages := map[string]bool{}
	for _, t := range tests {
		packages[t.Package] = true
	}
	return slices.Sorted(maps.Keys(packages))
}
