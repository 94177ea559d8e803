package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"os/exec"
	"strconv"
	"strings"
)

// shares is how many parts the deep tier has, and the rare trials.
const shares = 20

// whole is in place of a part where no share is wanted.
const whole = -1

// splitFrom is from how many tests on a package is divided between shares by its tests. A smaller one is in one share
// as a whole, which spares the others its build under the race detector.
const splitFrom = 40

// readShare reads --share. The share of a commit is the number of commits up to it, modulo shares, so that any twenty
// commits in a row cover the deep tier; a shallow clone does not have that number and takes the commit's id instead.
func readShare(ctx context.Context, word string) (int, error) {
	if word != "commit" {
		n, err := strconv.Atoi(word)
		if err != nil || n < 0 || n >= shares {
			return 0, fmt.Errorf("--share %s: give a number from 0 to %d, or commit", word, shares-1)
		}
		return n, nil
	}
	shallow, err := git(ctx, "rev-parse", "--is-shallow-repository")
	if err != nil {
		return 0, err
	}
	if shallow == "true" {
		id, err := git(ctx, "rev-parse", "HEAD")
		if err != nil {
			return 0, err
		}
		return hashed(id), nil
	}
	count, err := git(ctx, "rev-list", "--count", "HEAD")
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(count)
	return n % shares, err
}

func git(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "git", args...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

// inShare returns the tests of one share. It depends on the names alone, so that a new test moves no other one to
// another share.
func inShare(tests []testFunc, part int) []testFunc {
	count := map[string]int{}
	for _, t := range tests {
		count[t.Package]++
	}
	var in []testFunc
	for _, t := range tests {
		key := t.Package
		if t.Deep || count[t.Package] >= splitFrom {
			key += "." + t.Name
		}
		if hashed(key) == part {
			in = append(in, t)
		}
	}
	return in
}

func hashed(key string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(key)) // a hash takes everything
	return int(h.Sum32() % shares)
}
