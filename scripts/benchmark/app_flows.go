//go:build linux

package main

import (
	"context"
	"fmt"
	"slices"
)

// appFlows returns the workflows in applications of npm packages. Their data begins as prepare makes it, and check
// reads it from the application itself.
func appFlows() []flow {
	return slices.Concat(wikiFlows(), editorFlows(), repositoryFlows(), mailFlows(), interfaceFlows())
}

// allFlows returns the flows of the office and of the applications.
func allFlows() []flow { return slices.Concat(flows(), appFlows()) }

// appsOf are the applications that workflows need, each once.
func appsOf(chosen []flow) (names []string) {
	for _, f := range chosen {
		if f.app != "" && !slices.Contains(names, f.app) {
			names = append(names, f.app)
		}
	}
	return names
}

// same is an error unless the application has the data that the workflow makes.
func same(what, got, want string) error {
	if got != want {
		return fmt.Errorf("%s: %q in place of %q", what, got, want)
	}
	return nil
}

// nothing is the preparation of a workflow that needs no data.
func nothing(context.Context, *agent) error { return nil }
