package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// event is a line of go test -json; see go doc test2json.
type event struct {
	Action, Package, ImportPath, Test, Output, FailedBuild string
	Elapsed                                                float64 // seconds
}

// run runs go test, says what failed as it happens, and adds the durations to the record.
func (r goTest) run(ctx context.Context, all *record) (passed bool, err error) {
	cmd := exec.CommandContext(ctx, "go", r.args()...)
	cmd.Dir = r.Dir
	cmd.Env = os.Environ()
	if r.Race {
		cmd.Env = append(cmd.Env, "CGO_ENABLED=1")
	}
	cmd.Stderr = os.Stderr
	// The tests end their own browsers when they are interrupted; go test passes the signal on.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) }
	cmd.WaitDelay = 30 * time.Second
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return false, err
	}
	if err := cmd.Start(); err != nil {
		return false, err
	}
	readErr := newReader(r.Name, all).read(stdout)
	err = cmd.Wait()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 && ctx.Err() == nil {
		return false, readErr
	}
	return err == nil, errors.Join(err, readErr)
}

// reader turns events into lines for people.
type reader struct {
	run    string
	all    *record
	output map[string][]string   // of tests and packages that are under way, by package and test
	cached map[string]bool       // packages whose result is go's cache's, which their last lines say
	tests  map[string][]duration // of packages that are under way
	paused map[string]bool       // tests whose subtests waited for their turn, by package and test
}

func newReader(run string, all *record) *reader {
	return &reader{
		run:    run,
		all:    all,
		output: map[string][]string{},
		cached: map[string]bool{},
		tests:  map[string][]duration{},
		paused: map[string]bool{},
	}
}

func (r *reader) read(in io.Reader) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			r.line(line)
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

func (r *reader) line(line []byte) {
	var e event
	if err := json.Unmarshal(line, &e); err != nil {
		r.all.say(string(line)) // go itself says something
		return
	}
	key := e.Package + "\n" + e.Test
	switch e.Action {
	case "build-output":
		r.all.say(e.Output)
	case "output":
		if e.Test == "" && strings.HasSuffix(e.Output, "(cached)\n") {
			r.cached[e.Package] = true
		}
		r.output[key] = append(r.output[key], e.Output)
	case "pause":
		if top, _, sub := strings.Cut(e.Test, "/"); sub {
			r.paused[e.Package+"\n"+top] = true
		}
	case "pass", "skip", "fail":
		r.over(e, key)
	}
}

// subtests is how long the subtests of a test took together. Where they are parallel, go test says of the test itself
// how long they waited for their turn, or nothing.
func (r *reader) subtests(pkg, test string) (seconds float64) {
	of := slices.DeleteFunc(slices.Clone(r.tests[pkg]), func(d duration) bool {
		return !strings.HasPrefix(d.Test, test+"/")
	})
	for _, d := range of {
		if !slices.ContainsFunc(of, func(sub duration) bool { return strings.HasPrefix(sub.Test, d.Test+"/") }) {
			seconds += d.Seconds
		}
	}
	return seconds
}

// over handles the end of a test or of a package.
func (r *reader) over(e event, key string) {
	output := r.output[key]
	delete(r.output, key)
	if e.Action == "fail" {
		r.all.say(output...)
		if e.Test == "" {
			r.unfinished(e.Package)
		}
	}
	if r.all.verbose && e.Test == "" && e.Action == "pass" {
		for _, s := range output {
			if strings.HasPrefix(s, "ok ") {
				r.all.say(s)
			}
		}
	}
	if r.paused[key] {
		e.Elapsed = r.subtests(e.Package, e.Test)
	}
	r.tests[e.Package] = append(r.tests[e.Package], duration{
		Run:     r.run,
		Package: e.Package,
		Test:    e.Test,
		Result:  e.Action,
		Seconds: e.Elapsed,
	})
	if e.Test == "" {
		if !r.cached[e.Package] {
			r.all.add(r.tests[e.Package]...)
		}
		delete(r.tests, e.Package)
	}
}

// unfinished prints the output of tests that were running when their package ended: after a panic or a timeout.
func (r *reader) unfinished(pkg string) {
	for key, output := range r.output {
		if !strings.HasPrefix(key, pkg+"\n") {
			continue
		}
		delete(r.output, key)
		if !slices.ContainsFunc(output, func(s string) bool { return !strings.HasPrefix(s, "=== ") }) {
			continue // it waited for its turn, or has said nothing
		}
		r.all.say(output...)
	}
}
