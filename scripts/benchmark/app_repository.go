//go:build linux

package main

import (
	"context"
	"errors"
	"strings"
)

// repositoryFlows returns the flows in ungit, which shows a Git repository.
func repositoryFlows() []flow {
	return []flow{
		{
			name:    "commit",
			title:   "ungit: commit a new file",
			app:     "ungit",
			prepare: newRepository,
			run:     commitFile,
			check:   committed,
		},
		{
			name:    "branch",
			title:   "ungit: make a branch",
			app:     "ungit",
			prepare: newRepository,
			run:     makeBranch,
			check:   branched,
		},
	}
}

func newRepository(ctx context.Context, a *agent) error {
	address, err := a.app.NewRepository(ctx, a.token)
	a.start = address
	return err
}

func commitFile(ctx context.Context, a *agent) error {
	return inTurn(
		func() error { return a.openApp(ctx, a.start, "notes.txt") },
		func() error {
			return a.onWish(ctx, "fill", wish{roles: "textbox", name: "Title|title"}, "Add the notes")
		},
		func() error { return a.seeOnWish(ctx, "click", wish{roles: "button", name: "^Commit$"}) },
	)
}

func committed(ctx context.Context, a *agent) error {
	return eventually(ctx, func() error {
		message, err := a.app.Git(ctx, a.token, "log", "-1", "--format=%s")
		files, listErr := a.app.Git(ctx, a.token, "ls-files")
		return errors.Join(err, listErr, same("the commit", message, "Add the notes"), same("its files", files, "notes.txt"))
	})
}

func makeBranch(ctx context.Context, a *agent) error {
	return inTurn(
		func() error { return a.openApp(ctx, a.start, "notes.txt") },
		func() error {
			return a.seeOnWish(ctx, "click", wish{roles: "button", name: "^Create a branch or tag$"})
		},
		func() error { return a.onWish(ctx, "fill", wish{roles: "textbox", name: "branch name"}, "spring") },
		func() error { return a.onWish(ctx, "click", wish{roles: "button", name: "^Branch$"}) },
	)
}

func branched(ctx context.Context, a *agent) error {
	return eventually(ctx, func() error {
		names, err := a.app.Git(ctx, a.token, "branch", "--format=%(refname:short)")
		return errors.Join(err, same("the branches", strings.ReplaceAll(names, "\n", " "), "main spring"))
	})
}
