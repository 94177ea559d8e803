package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
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
	var deep, trial, fresh, list bool
	var share, durations string
	flags := flag.NewFlagSet("scripts/test", flag.ContinueOnError)
	flags.BoolVar(&deep, "deep", false, "run the deep tier: the tests that take long, and the race detector over everything")
	flags.BoolVar(&trial, "trials", false, "run the trials of a release")
	flags.StringVar(&share, "share", "", "of the deep tier, or of the rare trials, run one part of twenty: a number from 0 to 19, or \"commit\" for the one of this commit")
	flags.BoolVar(&fresh, "fresh", false, "take no result from go's test cache")
	flags.BoolVar(&list, "list", false, "print what would run")
	flags.StringVar(&durations, "durations", "bin/test-durations.json", "where the duration of each test goes")
	if err := flags.Parse(args); err != nil {
		return false, err
	}
	if share != "" && !deep && !trial {
		return false, fmt.Errorf("--share %s: only the deep tier and the trials have shares; add --deep or --trials", share)
	}
	if deep && trial {
		return false, errors.New("--deep --trials: they are two runs; name one of them")
	}
	part := whole
	if share != "" {
		if part, err = readShare(ctx, share); err != nil {
			return false, err
		}
		fmt.Printf("share %d of 0 to %d\n", part, shares-1)
	}
	runs, err := plan(ctx, deep, trial, part)
	if err != nil {
		return false, err
	}
	if fresh {
		for i := range runs {
			runs[i].Args = append(runs[i].Args, "-count=1")
		}
	}
	if list {
		for _, r := range runs {
			fmt.Println(r)
		}
		return true, nil
	}
	return runAll(ctx, runs, durations)
}

// plan says what to run. part is a share, or whole.
func plan(ctx context.Context, deep, trial bool, part int) ([]goTest, error) {
	dir, packages := "", module+"..."
	if trial {
		dir, packages = toolsDir, trials
	}
	tests, err := readTests(ctx, dir, packages)
	switch {
	case err != nil:
		return nil, err
	case trial:
		return trialRuns(tests, part)
	case !deep:
		return ordinaryRuns(tests)
	case part != whole:
		tests = inShare(tests, part)
	}
	return deepRuns(tests), nil
}

// runAll runs one after the other, since each keeps all processors busy. The later ones run even when an earlier one failed.
func runAll(ctx context.Context, runs []goTest, durations string) (passed bool, err error) {
	began := time.Now()
	passed = true
	var all record
	for _, r := range runs {
		fmt.Printf("-- %s\n", r.Name)
		at := time.Now()
		ok, err := r.run(ctx, &all, os.Stdout)
		if err != nil {
			return false, err
		}
		passed = passed && ok
		fmt.Printf("-- %s: %.0f s\n", r.Name, time.Since(at).Seconds())
	}
	all.Seconds = time.Since(began).Seconds()
	all.print(os.Stdout)
	return passed, all.write(durations)
}
