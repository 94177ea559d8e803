package main

import (
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
}

// packagesAtOnce is how many test binaries run beside each other. Each of those that drive browsers keeps the processors busy by itself for
// most of its time; the others fill the gaps, among them those of compiling and linking. With two, what package session leaves over took 100 s more.
const packagesAtOnce = 3

func (r goTest) args() []string {
	args := []string{"test", "-json", "-timeout=30m", fmt.Sprintf("-p=%d", packagesAtOnce), "-ldflags=-s -w -X=" + module + "internal/product.testedWith=" + testedWith()}
	if r.Race {
		args = append(args, "-race")
	}
	return slices.Concat(args, r.Args, r.Packages)
}

func (r goTest) String() string { return r.Name + ": go " + strings.Join(r.args(), " ") }

// ordinaryRuns are the runs of the ordinary tier: all tests except the deep ones, and the race detector on those that raced.go selects.
func ordinaryRuns(tests []testFunc) ([]goTest, error) {
	var chosen []testFunc
	for _, s := range raced {
		found := selected(tests, s)
		if len(found) == 0 {
			return nil, fmt.Errorf("raced.go selects no test of %s by %q: the package or its tests have other names now", s.pkg, s.tests)
		}
		chosen = append(chosen, found...)
	}
	return []goTest{
		// The one that takes longest begins first, so that the processors are not left to it alone at the end.
		{Name: "everything", Args: []string{"-short"}, Packages: []string{"./session", "./..."}},
		{Name: "comparison of Go libraries", Dir: "scripts/gobench", Args: []string{"-short"}, Packages: []string{"./..."}},
		raceRun("race detector, selected", chosen),
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
func deepRuns(tests []testFunc) []goTest {
	var runs []goTest
	deep := slices.DeleteFunc(slices.Clone(tests), func(t testFunc) bool { return !t.Deep })
	if len(deep) > 0 {
		runs = append(runs, goTest{Name: "deep", Args: []string{only(deep)}, Packages: packagesOf(deep)})
	}
	if len(tests) > 0 {
		runs = append(runs, raceRun("race detector", tests))
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
