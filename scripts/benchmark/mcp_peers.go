//go:build linux

package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
)

// peers describes the MCP servers, ours first and agent-browser's second. All of them drive the same browser without a
// window.
func (s *settings) peers(ctx context.Context, root string) ([]*peer, error) {
	if s.browser == "" {
		path, err := exec.LookPath("chromium-headless-shell")
		if err != nil {
			path, err = exec.LookPath("chromium")
		}
		if err != nil {
			return nil, fmt.Errorf("no browser to share: name one with --browser (%w)", err)
		}
		s.browser = path
	}
	both, err := s.programs(ctx, root)
	if err != nil {
		return nil, err
	}
	ours, err := filepath.Abs(filepath.Join(filepath.Dir(s.ours), "skuad"))
	if err != nil {
		return nil, err
	}
	all := []*peer{
		{program: both[0], vocabulary: skuaWords, server: []string{ours, "mcp"}, env: both[0].sameEnv},
		{
			program: both[1], vocabulary: upstreamWords, server: append(append([]string{}, both[1].argv...), "mcp"),
			before: []string{"open", "about:blank"},
		},
	}
	if s.workflows { // which need its tools for tabs, dialogs and downloads too
		all[1].server = append(all[1].server, "--tools", "core,tabs,debug")
		return all, nil
	}
	others := []struct {
		name, script string
		vocabulary
		options []string
	}{
		{
			"playwright", s.playwright, playwrightWords,
			[]string{"--headless", "--isolated", "--no-sandbox", "--executable-path", s.browser},
		},
		{"chrome-devtools", s.devtools, devtoolsWords, []string{
			"--headless", "--isolated", "--executablePath", s.browser, "--chromeArg=--no-sandbox", "--usageStatistics=false",
		}},
	}
	for _, other := range others {
		if other.script == "" {
			continue
		}
		argv, err := argvOf(other.script)
		if err != nil {
			return nil, err
		}
		all = append(all, &peer{
			program: program{name: other.name, argv: argv}, vocabulary: other.vocabulary, server: append(argv, other.options...),
			env: []string{"CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS=1"},
		})
	}
	return all, nil
}
