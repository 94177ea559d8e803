package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	passed, err := run(ctx, os.Args[1:])
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "scripts/test:", err)
		os.Exit(2)
	case !passed:
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) (passed bool, err error) {
	var deep, trial, changed, fresh, list, verbose bool
	var share, durations string
	flags := flag.NewFlagSet("scripts/test", flag.ContinueOnError)
	flags.BoolVar(&deep, "deep", false,
		"run the deep tier: the tests that take long, and the race detector over everything")
	flags.BoolVar(&trial, "trials", false, "run the trials of a release")
	flags.BoolVar(&changed, "changed", false,
		"run the tests that the change of the working tree can reach; that of the last commit where there is none")
	flags.StringVar(&share, "share", "",
		"of the deep tier, or of the rare trials, run one part of twenty: a number from 0 to 19, or \"commit\" for the one "+
			"of this commit")
	flags.BoolVar(&fresh, "fresh", false, "take no result from go's test cache")
	flags.BoolVar(&verbose, "verbose", false, "print a line for each package that passed")
	flags.BoolVar(&list, "list", false, "print what would run")
	flags.StringVar(&durations, "durations", "bin/test-durations.json", "where the duration of each test goes")
	if err := flags.Parse(args); err != nil {
		return false, err
	}
	if share != "" && !deep && !trial {
		return false, fmt.Errorf("--share %s: only the deep tier and the trials have shares; add --deep or --trials", share)
	}
	if deep && trial || changed && (deep || trial) {
		return false, errors.New("--changed, --deep and --trials are different runs; name one of them")
	}
	part := whole
	if share != "" {
		if part, err = readShare(ctx, share); err != nil {
			return false, err
		}
		fmt.Printf("share %d of 0 to %d\n", part, shares-1)
	}
	var lanes []lane
	if changed {
		lanes, err = changedRuns(ctx)
	} else {
		lanes, err = plan(ctx, deep, trial, part)
	}
	if err != nil {
		return false, err
	}
	for _, l := range lanes {
		for i := range l {
			if fresh {
				l[i].Args = append(l[i].Args, "-count=1")
			}
			if list {
				fmt.Println(l[i])
			}
		}
	}
	if list {
		return true, nil
	}
	return runAll(ctx, lanes, durations, verbose)
}

// plan says what to run. part is a share, or whole.
func plan(ctx context.Context, deep, trial bool, part int) ([]lane, error) {
	dir, packages := "", module+"..."
	if trial {
		dir, packages = packagingDir, trials
	}
	tests, err := readTests(ctx, dir, packages)
	if err != nil {
		return nil, err
	}
	if !deep && !trial {
		return ordinaryRuns(tests)
	}
	if trial {
		runs, err := trialRuns(tests, part)
		return []lane{runs}, err
	}
	if part != whole {
		tests = inShare(tests, part)
	}
	return deepRuns(tests, part), nil
}

// runAll runs the lanes beside each other.
func runAll(ctx context.Context, lanes []lane, durations string, verbose bool) (passed bool, err error) {
	began := time.Now()
	all := &record{out: os.Stdout, verbose: verbose}
	results := make([]result, len(lanes))
	var beside sync.WaitGroup
	for i, l := range lanes {
		beside.Go(func() { results[i] = l.run(ctx, all) })
	}
	beside.Wait()
	passed = true
	for _, r := range results {
		passed = passed && r.passed
		err = errors.Join(err, r.err)
	}
	if err != nil {
		return false, err
	}
	all.Seconds = time.Since(began).Seconds()
	all.print()
	return passed, all.write(durations)
}

type result struct {
	passed bool
	err    error // go test did not run
}

// run runs the later ones even when an earlier one failed.
func (l lane) run(ctx context.Context, all *record) result {
	passed := true
	for _, r := range l {
		all.say(fmt.Sprintf("-- %s\n", r.Name))
		at := time.Now()
		ok, err := r.run(ctx, all)
		if err != nil {
			return result{err: err}
		}
		passed = passed && ok
		all.say(fmt.Sprintf("-- %s: %.0f s\n", r.Name, time.Since(at).Seconds()))
	}
	return result{passed: passed}
}
