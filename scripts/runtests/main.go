package main

import (
	"context"
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
	var deep, fresh, list bool
	var share, durations string
	flags := flag.NewFlagSet("scripts/test", flag.ContinueOnError)
	flags.BoolVar(&deep, "deep", false, "run the deep tier: the tests that take long, and the race detector over everything")
	flags.StringVar(&share, "share", "", "of the deep tier, run one part of twenty: a number from 0 to 19, or \"commit\" for the one of this commit")
	flags.BoolVar(&fresh, "fresh", false, "take no result from go's test cache")
	flags.BoolVar(&list, "list", false, "print what would run")
	flags.StringVar(&durations, "durations", "bin/test-durations.json", "where the duration of each test goes")
	if err := flags.Parse(args); err != nil {
		return false, err
	}
	tests, err := readTests(ctx)
	if err != nil {
		return false, err
	}
	var runs []goTest
	switch {
	case !deep && share != "":
		return false, fmt.Errorf("--share %s: only the deep tier has shares; add --deep", share)
	case !deep:
		runs, err = ordinaryRuns(tests)
	case share == "":
		runs = deepRuns(tests)
	default:
		var part int
		if part, err = readShare(ctx, share); err == nil {
			fmt.Printf("share %d of 0 to %d of the deep tier\n", part, shares-1)
			runs = deepRuns(inShare(tests, part))
		}
	}
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
