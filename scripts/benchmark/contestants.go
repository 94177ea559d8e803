//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// programs describes the two sides. It fills in the browser where none was given.
func (s *settings) programs(ctx context.Context, root string) ([2]program, error) {
	var both [2]program
	if s.browser == "" {
		path, err := exec.LookPath("chromium")
		if err != nil {
			return both, fmt.Errorf("no browser to share: name one with --browser (%w)", err)
		}
		s.browser = path
	}
	for i, side := range []struct{ name, path string }{{"skua", s.ours}, {"agent-browser", s.theirs}} {
		argv, err := argvOf(side.path)
		if err != nil {
			return both, err
		}
		both[i] = program{name: side.name, argv: argv}
	}
	named := "AGENT_BROWSER_EXECUTABLE_PATH=" + s.browser
	ours, theirs := &both[0], &both[1]
	ours.sameEnv = []string{named}
	if s.sameBrowser {
		ours.launchEnv = ours.sameEnv
	}
	// agent-browser would download its own browser; an installed one replaces that. It finds Chromium on the PATH by
	// itself, and then needs no launch option at all, which is best for it; but it runs without a sandbox by itself only
	// in some containers.
	settings, err := firstThatStarts(ctx, root, theirs, nil, []string{named},
		[]string{named, "AGENT_BROWSER_ARGS=--no-sandbox"})
	if err != nil {
		return both, err
	}
	theirs.launchEnv, theirs.sameEnv = settings, settings
	return both, nil
}

// argvOf returns how a program at a path is started; a script of npm's goes through Node.
func argvOf(path string) ([]string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	if !strings.HasSuffix(path, ".js") {
		return []string{path}, nil
	}
	node, err := exec.LookPath("node")
	return []string{node, path}, err
}

// firstThatStarts returns the first of some launch settings with which the program can open a page.
func firstThatStarts(ctx context.Context, root string, p *program, choices ...[]string) ([]string, error) {
	var failed error
	for _, settings := range choices {
		place, err := newPlace(root, p, settings)
		if err != nil {
			return nil, err
		}
		_, err = place.start(ctx, "open", "about:blank")
		if ended := place.end(ctx, "default"); err == nil {
			return settings, ended
		}
		failed = errors.Join(failed, err)
	}
	return nil, fmt.Errorf("%s starts no browser: %w", p.name, failed)
}
