package main

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFunctions(t *testing.T) {
	t.Parallel()
	const src = `package p
import "testing"
func TestMain(m *testing.M) {}
func TestPlain(t *testing.T) {}
func TestDeep(t *testing.T) { if testing.Short() { t.Skip("long") } }
func TestDeepInside(t *testing.T) { n := 10; if !testing.Short() { n = 1000 }; _ = n }
func TestDeepByHelper(t *testing.T) { t.Run("x", func(t *testing.T) { open(t) }) }
func open(t *testing.T) { if testing.Short() { t.Skip("long") } }
func TestFilm(t *testing.T) { heavy(t) }
func heavy(t *testing.T) { if underRace { t.Skip("long") } }
func Testament(t *testing.T) {}
func (x y) TestMethod(t *testing.T) {}
func helper() {}`
	funcs := functions{}
	require.NoError(t, funcs.read("p_test.go", src))
	require.NoError(t,
		funcs.read("q_test.go", "//go:build linux && !race\n\npackage p\nfunc TestAllocations(t *testing.T) {}"))
	require.Equal(t, []testFunc{
		{Package: "p", Name: "TestAllocations", Unraced: true},
		{Package: "p", Name: "TestDeep", Deep: true},
		{Package: "p", Name: "TestDeepByHelper", Deep: true},
		{Package: "p", Name: "TestDeepInside", Deep: true},
		{Package: "p", Name: "TestFilm", Unraced: true},
		{Package: "p", Name: "TestPlain"},
	}, funcs.tests("p"))
}

// moduleTests are the tests of this module. go list takes seconds.
var moduleTests = sync.OnceValues(func() ([]testFunc, error) {
	return readTests(context.Background(), "", module+"...")
})

func TestSharesAreTheWhole(t *testing.T) {
	t.Parallel()
	tests, err := moduleTests()
	require.NoError(t, err)
	require.Greater(t, len(tests), 500)
	var all []testFunc
	for part := range shares {
		in := inShare(tests, part)
		require.NotEmpty(t, in, "share %d", part)
		all = append(all, in...)
	}
	require.ElementsMatch(t, tests, all)
}

// The module of the comparison is in the whole and in one share, beside the deep tests.
func TestComparisonIsInOneShare(t *testing.T) {
	t.Parallel()
	in := func(part int) (times int) {
		for _, run := range slices.Concat(deepRuns(nil, part)...) {
			if run.Dir == comparisonDir {
				times++
			}
		}
		return times
	}
	times := 0
	for part := range shares {
		times += in(part)
	}
	require.Equal(t, 1, times)
	require.Equal(t, 1, in(whole))
}

func TestReadShare(t *testing.T) {
	t.Parallel()
	tests := []struct {
		word, wrong string
		part        int
	}{
		{word: "0", part: 0},
		{word: "19", part: 19},
		{word: "20", wrong: "--share 20: give a number from 0 to 19, or commit"},
		{word: "-1", wrong: "--share -1"},
		{word: "half", wrong: "--share half"},
	}
	for _, tt := range tests {
		t.Run(tt.word, func(t *testing.T) {
			t.Parallel()
			part, err := readShare(t.Context(), tt.word)
			if tt.wrong != "" {
				require.ErrorContains(t, err, tt.wrong)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.part, part)
		})
	}
}

// The selection for the race detector is by name: a package or test that was renamed must not leave it unseen.
func TestRacedExists(t *testing.T) {
	t.Parallel()
	tests, err := moduleTests()
	require.NoError(t, err)
	_, err = ordinaryRuns(tests)
	require.NoError(t, err)
	_, err = ordinaryRuns(tests[:1])
	require.ErrorContains(t, err, "selects no test of")
}

// What one lane leaves out of a package runs under the race detector, unless it skips there.
func TestOrdinaryRunsLeaveNothingOut(t *testing.T) {
	t.Parallel()
	tests, err := moduleTests()
	require.NoError(t, err)
	lanes, err := ordinaryRuns(tests)
	require.NoError(t, err)
	times := map[testFunc]int{}
	for _, r := range slices.Concat(lanes...) {
		run, skip := regexp.MustCompile(r.value("-run=")), regexp.MustCompile(cmp.Or(r.value("-skip="), "^$"))
		for _, test := range tests {
			if slices.Contains(r.Packages, test.Package) && run.MatchString(test.Name) && !skip.MatchString(test.Name) &&
				!(r.Race && test.Unraced) {
				times[test]++
			}
		}
	}
	twice := 0
	for _, test := range tests {
		require.Positive(t, times[test], test)
		twice += times[test] - 1
	}
	require.Less(t, twice, len(tests)/20, "only tests that have their name in two packages run twice")
}

// The order of packages is by name, too: one that was renamed would begin last.
func TestLongestFirst(t *testing.T) {
	t.Parallel()
	tests, err := moduleTests()
	require.NoError(t, err)
	all := packagesOf(tests)
	ordered := longestFirst(all)
	for i, pkg := range longest {
		require.Equal(t, module+pkg, ordered[i])
	}
	require.ElementsMatch(t, all, ordered)
	require.True(t, slices.IsSorted(ordered[len(longest):]))
	require.Equal(t, []string{module + "cmd/skuad", module + "engine", "a", "b"},
		longestFirst([]string{"a", module + "engine", "b", module + "cmd/skuad"}))
}

// value is that of a flag.
func (r goTest) value(flag string) string {
	for _, arg := range r.Args {
		if value, found := strings.CutPrefix(arg, flag); found {
			return value
		}
	}
	return ""
}

// Each rare trial is in one share, and all others are in every share.
func TestTrials(t *testing.T) {
	t.Parallel()
	all, err := readTests(t.Context(), "../../"+packagingDir, trials)
	require.NoError(t, err)
	if runtime.GOOS != "linux" {
		t.Skip("the trials are built for Linux")
	}
	rare := selected(all, rareTrials)
	times := map[string]int{}
	for part := range shares {
		chosen, err := trialsOf(all, part)
		require.NoError(t, err)
		for _, test := range chosen {
			times[test.Name]++
		}
	}
	for _, test := range all {
		want := shares
		if slices.Contains(rare, test) {
			want = 1
		}
		require.Equal(t, want, times[test.Name], test.Name)
	}
	every, err := trialsOf(all, whole)
	require.NoError(t, err)
	require.Equal(t, all, every)
	_, err = trialsOf(nil, 0)
	require.ErrorContains(t, err, "selects no test of")
}

func TestReader(t *testing.T) {
	t.Parallel()
	const events = `{"Action":"output","Package":"m/a","Test":"TestOne","Output":"=== RUN TestOne\n"}
{"Action":"pass","Package":"m/a","Test":"TestOne","Elapsed":1.5}
{"Action":"output","Package":"m/a","Test":"TestTwo","Output":"two is wrong\n"}
{"Action":"fail","Package":"m/a","Test":"TestTwo","Elapsed":0.5}
{"Action":"output","Package":"m/a","Test":"TestThree","Output":"panic: three\n"}
{"Action":"output","Package":"m/a","Output":"FAIL\tm/a\n"}
{"Action":"fail","Package":"m/a","Elapsed":2}
{"Action":"pass","Package":"m/b","Test":"TestFour","Elapsed":3}
{"Action":"output","Package":"m/b","Output":"ok  \tm/b\t(cached)\n"}
{"Action":"pass","Package":"m/b","Elapsed":0}
{"ImportPath":"m/c","Action":"build-output","Output":"c.go:1: wrong\n"}
`
	var out bytes.Buffer
	all := &record{out: &out}
	require.NoError(t, newReader("run", all).read(strings.NewReader(events)))
	require.Equal(t, "two is wrong\nFAIL\tm/a\npanic: three\nc.go:1: wrong\n", out.String(),
		"a package that passed is named only on request")
	out.Reset()
	require.NoError(t, newReader("run", &record{out: &out, verbose: true}).read(strings.NewReader(events)))
	require.Contains(t, out.String(), "ok  \tm/b\t(cached)\n")
	require.Equal(t, []duration{
		{"run", "m/a", "TestOne", "pass", 1.5}, {"run", "m/a", "TestTwo", "fail", 0.5}, {"run", "m/a", "", "fail", 2},
	}, all.Tests, "what comes from the cache takes no time")
}

// What a test waits for the turn of its subtests is not its time.
func TestReaderOfSubtests(t *testing.T) {
	t.Parallel()
	const events = `{"Action":"pause","Package":"m/a","Test":"TestOne"}
{"Action":"pause","Package":"m/a","Test":"TestOne/hands/0"}
{"Action":"pause","Package":"m/a","Test":"TestOne/hands/1"}
{"Action":"pass","Package":"m/a","Test":"TestOne/hands/0","Elapsed":4}
{"Action":"pass","Package":"m/a","Test":"TestOne/hands/1","Elapsed":6}
{"Action":"pass","Package":"m/a","Test":"TestOne/hands","Elapsed":0}
{"Action":"pass","Package":"m/a","Test":"TestOne","Elapsed":290}
{"Action":"pass","Package":"m/a","Test":"TestTwo/serial","Elapsed":1}
{"Action":"pass","Package":"m/a","Test":"TestTwo","Elapsed":3}
{"Action":"pass","Package":"m/a","Elapsed":300}
`
	all := &record{out: io.Discard}
	require.NoError(t, newReader("run", all).read(strings.NewReader(events)))
	took := map[string]float64{}
	for _, d := range all.Tests {
		took[d.Test] = d.Seconds
	}
	require.Equal(t, map[string]float64{
		"TestOne/hands/0": 4, "TestOne/hands/1": 6, "TestOne/hands": 0, "TestOne": 10, "TestTwo/serial": 1, "TestTwo": 3,
		"": 300,
	}, took)
}

// The command that a failure names runs that test and no other.
func TestAgain(t *testing.T) {
	t.Parallel()
	for d, want := range map[duration]string{
		{Package: module + "snapshot", Test: "TestTree"}: `scripts/test ./snapshot -count=1 -run '^TestTree$'`,
		{
			Package: module + "a/b",
			Test:    "TestX/one_(two)/it's",
		}: `scripts/test ./a/b -count=1 -run '^TestX$/^one_\(two\)$/^it'\''s$'`,
		{Package: module + "snapshot"}:                              "",
		{Package: "example.org/other", Test: "TestOfAnotherModule"}: "",
	} {
		require.Equal(t, want, d.again())
	}
}
