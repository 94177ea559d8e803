package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
)

// record is what ran, and how long it took. It is written as JSON, for programs. Several runs may add to it at once.
type record struct {
	Seconds float64    `json:"seconds"` // of everything, by the clock
	Tests   []duration `json:"tests"`

	mu      sync.Mutex
	out     io.Writer // for people
	verbose bool      // packages that passed have a line each
}

// say prints lines that belong together.
func (r *record) say(lines ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, line := range lines {
		fmt.Fprint(r.out, line)
	}
}

func (r *record) add(ds ...duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Tests = append(r.Tests, ds...)
}

// duration is how long a test took, or a package where Test is empty. A parallel test's time counts from when it goes
// on beside others; a test of parallel subtests took as long as they did together.
type duration struct {
	Run     string  `json:"run"`
	Package string  `json:"package"`
	Test    string  `json:"test,omitempty"`
	Result  string  `json:"result"` // pass, fail or skip
	Seconds float64 `json:"seconds"`
}

// shown is how many rows each table of durations has.
const shown = 10

// print is for the end, when nothing runs any longer.
func (r *record) print() {
	out := r.out
	var packages, tests []duration
	passed, failed, skipped := 0, 0, 0
	for _, d := range r.Tests {
		switch {
		case d.Test == "":
			packages = append(packages, d)
			continue
		case d.Result == "pass":
			passed++
		case d.Result == "fail":
			failed++
		default:
			skipped++
		}
		if !strings.Contains(d.Test, "/") {
			tests = append(tests, d)
		}
	}
	table(out, "slowest packages", packages)
	table(out, "slowest tests", tests)
	fmt.Fprintf(out, "\n%d passed, %d failed, %d skipped in %.0f s; subtests count, results from the cache do not.\n",
		passed, failed, skipped, r.Seconds)
	for _, d := range r.Tests {
		if d.Result == "fail" {
			fmt.Fprintf(out, "FAILED: %s %s (%s)\n", strings.TrimPrefix(d.Package, module), d.Test, d.Run)
			if again := d.again(); again != "" {
				fmt.Fprintf(out, "        %s\n", again)
			}
		}
	}
}

// again is the command that runs the test once more, by itself; empty for a package, and where the module is another
// one.
func (d duration) again() string {
	pkg, ours := strings.CutPrefix(d.Package, module)
	if d.Test == "" || !ours {
		return ""
	}
	parts := strings.Split(d.Test, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	race := ""
	if strings.HasPrefix(d.Run, raceDetector) {
		race = " -race"
	}
	return "scripts/test ./" + pkg + race + " -count=1 -run '" +
		strings.ReplaceAll(strings.Join(parts, "/"), "'", `'\''`) + "'"
}

func table(out io.Writer, title string, rows []duration) {
	if len(rows) == 0 {
		return
	}
	slices.SortStableFunc(rows, func(a, b duration) int { return cmp.Compare(b.Seconds, a.Seconds) })
	fmt.Fprintf(out, "\n%s, in seconds\n", title)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, d := range rows[:min(shown, len(rows))] {
		fmt.Fprintf(w, "%.1f\t%s\t%s\t%s\n", d.Seconds, strings.TrimPrefix(d.Package, module), d.Test, d.Run)
	}
	_ = w.Flush() // the table is a courtesy
}

func (r *record) write(path string) error {
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}
