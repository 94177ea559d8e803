package main

import (
	"fmt"
	"slices"
)

// packagingDir is the module of what releases are made and tried with.
const packagingDir = "scripts/packaging"

// trials is the package of the tests that install, use and remove what a release has.
const trials = module + "scripts/packaging/release/trial"

// rareTrials are the trials that CI runs for one commit of twenty, like a deep test: package managers that share npm's
// packages, what npm does besides installing for a user and in a project, what compilers say of the libraries, what
// else than a browser a machine may lack, and the ways from nothing of packages that another trial has installed on a
// machine with a browser.
var rareTrials = selection{
	pkg:   "scripts/packaging/release/trial",
	tests: `^Test(PNPM|Yarn|YarnClassic|NPM(OfOneSystem|Script|WithoutThePrograms)|TypesOfLibraries|FromNothingBy(Deb|NPM)|FirstMinuteWithout(ADisplay|Fonts))$`,
}

// trialRuns is one run of the trials.
func trialRuns(tests []testFunc, part int) (lane, error) {
	tests, err := trialsOf(tests, part)
	if err != nil {
		return nil, err
	}
	return lane{{
		Name:     "trials of a release",
		Dir:      packagingDir,
		Args:     []string{only(tests)},
		Packages: []string{trials},
	}}, nil
}

// trialsOf returns the trials of every commit and the rare ones of a share.
func trialsOf(tests []testFunc, part int) ([]testFunc, error) {
	rare := selected(tests, rareTrials)
	if len(rare) == 0 {
		return nil, fmt.Errorf("trials.go selects no test of %s by %q: they have other names now", rareTrials.pkg,
			rareTrials.tests)
	}
	if part == whole {
		return tests, nil
	}
	in := inShare(rare, part)
	return slices.DeleteFunc(slices.Clone(tests), func(t testFunc) bool {
		return slices.Contains(rare, t) && !slices.Contains(in, t)
	}), nil
}
