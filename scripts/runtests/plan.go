package main

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// lane is runs that follow each other.
type lane []goTest

// goTest is one run of go test.
type goTest struct {
	Name     string   // for people
	Dir      string   // of a module of its own, which ./... does not match; empty means this module
	Race     bool     // under the race detector, which needs cgo
	Args     []string // flags of go test
	Packages []string // go test starts their tests in this order
	AtOnce   int      // how many packages are built or tested beside each other; 0 means packagesAtOnce
}

// packagesAtOnce is how many test binaries of a run go beside each other: while one compiles, links or waits, the
// others have the processors.
const packagesAtOnce = 2

func (r goTest) args() []string {
	// scripts/check vets everything; here it would take a sixth of the time of compiling once more.
	args := []string{
		"test", "-json", "-vet=off", "-timeout=30m", fmt.Sprintf("-p=%d", cmp.Or(r.AtOnce, packagesAtOnce)),
		"-ldflags=-s -w -X=" + module + "internal/product.testedWith=" + testedWith(),
	}
	if r.Race {
		args = append(args, "-race")
	}
	return slices.Concat(args, r.Args, r.Packages)
}

func (r goTest) String() string { return r.Name + ": go " + strings.Join(r.args(), " ") }

// queuedAtOnce is packagesAtOnce for the run of all packages, whose tests wait for browsers half of their time.
const queuedAtOnce = 3

// longest are the packages whose tests take longest, the first of all being one that is soon built. Where they began
// last, one of them would go on by itself when all others have ended.
var longest = []string{
	"engine/inpage", "cmd/skuad", "actions/pointer", "actions/copilot", "session", "actions/forms", "tool", "clients",
	"electron", "actions/states",
	"actions/login", "actions/look", "tool/mcp", "engine", "tool/parity", "copilot/perceive", "internal/arch",
	"actions/tabs", "actions/network",
}

// longestFirst returns packages in the order in which their tests are to begin.
func longestFirst(packages []string) []string {
	place := func(pkg string) int {
		if i := slices.Index(longest, strings.TrimPrefix(pkg, module)); i >= 0 {
			return i
		}
		return len(longest)
	}
	return slices.SortedStableFunc(slices.Values(packages), func(a, b string) int { return place(a) - place(b) })
}

// inOneQueue is the name of the run of all packages.
const inOneQueue = "all packages"

// ordinaryRuns are the runs of the ordinary tier: all tests except the deep ones, those that raced.go selects under the
// race detector. One queue has all packages, so that the processors are busy to the end; what go test cannot do in the
// same run is beside it.
func ordinaryRuns(tests []testFunc) ([]lane, error) {
	var chosen []testFunc
	for _, s := range raced {
		found := selected(tests, s)
		if len(found) == 0 {
			return nil, fmt.Errorf("raced.go selects no test of %s by %q: the package or its tests have other names now", s.pkg,
				s.tests)
		}
		chosen = append(chosen, found...)
	}
	race := raceRun(raceDetector+", selected", chosen)
	race.AtOnce = 1
	return []lane{
		{{
			Name:     inOneQueue,
			Args:     []string{"-short", skipped(tests, chosen)},
			Packages: longestFirst(packagesOf(tests)),
			AtOnce:   queuedAtOnce,
		}},
		{race},
	}, nil
}

// skipped leaves out what runs under the race detector, which proves no less. -skip knows names only: a test whose name
// another package has for one that is not chosen runs in both ways.
func skipped(tests, chosen []testFunc) string {
	in := map[testFunc]bool{}
	for _, t := range chosen {
		in[t] = !t.Unraced
	}
	shared := map[string]bool{}
	for _, t := range tests {
		shared[t.Name] = shared[t.Name] || !in[t]
	}
	return "-skip=" + exactly(slices.DeleteFunc(slices.Clone(chosen), func(t testFunc) bool { return shared[t.Name] }))
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

// deepRuns runs the deep tests among those given, and beside them all of those given under the race detector. The
// comparison of Go libraries, a module of its own that has other libraries to fetch, is in one share as a whole.
func deepRuns(tests []testFunc, part int) []lane {
	var deepLane lane
	deep := slices.DeleteFunc(slices.Clone(tests), func(t testFunc) bool { return !t.Deep })
	if len(deep) > 0 {
		deepLane = append(deepLane, goTest{Name: "deep", Args: []string{only(deep)}, Packages: packagesOf(deep)})
	}
	if part == whole || part == hashed(comparisonDir) {
		deepLane = append(deepLane, goTest{
			Name:     "comparison of Go libraries",
			Dir:      comparisonDir,
			Packages: []string{"./..."},
		})
	}
	var lanes []lane
	if len(deepLane) > 0 {
		lanes = append(lanes, deepLane)
	}
	if len(tests) > 0 {
		lanes = append(lanes, lane{raceRun(raceDetector, tests)})
	}
	return lanes
}

// comparisonDir is the module that compares the engine with other libraries.
const comparisonDir = "scripts/gobench"

// raceDetector begins the names of runs under it.
const raceDetector = "race detector"

// raceRun is one run for all packages, so that they are built side by side. A test of the same name in another one of
// them runs, too.
func raceRun(name string, tests []testFunc) goTest {
	return goTest{Name: name, Race: true, Args: []string{"-short", only(tests)}, Packages: packagesOf(tests)}
}

func only(tests []testFunc) string { return "-run=" + exactly(tests) }

// exactly is an expression for the names of tests.
func exactly(tests []testFunc) string {
	names := map[string]bool{}
	for _, t := range tests {
		names[t.Name] = true
	}
	return "^(" + strings.Join(slices.Sorted(maps.Keys(names)), "|") + ")$"
}

func packagesOf(tests []testFunc) []string {
	packages := map[string]bool{}
	for _, t := range tests {
		packages[t.Package] = true
	}
	return slices.Sorted(maps.Keys(packages))
}
