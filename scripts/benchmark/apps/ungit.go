//go:build linux

package apps

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// ungit shows a Git repository.
func ungit(a *App, folder string, port int) (launch, error) {
	return launch{
		argv: []string{
			"node", filepath.Join(folder, "bin", "ungit"), "--no-b", fmt.Sprintf("--port=%d", port), "--ungitBindIp=127.0.0.1",
			"--autoFetch=false",
			"--bugtracking=false", "--no-sendUsageStatistics",
		},
		ready: "/",
	}, nil
}

// NewRepository makes a repository with one commit and one file that is not in it yet, and returns where ungit shows
// it.
func (a *App) NewRepository(ctx context.Context, name string) (address string, err error) {
	dir := filepath.Join(a.Dir, name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	for _, words := range [][]string{
		{"init", "--quiet", "--initial-branch=main"},
		{"config", "user.name", "Ann"},
		{"config", "user.email", "ann@shop.test"},
		{"commit", "--quiet", "--allow-empty", "--message=Start"},
	} {
		if _, err := a.Git(ctx, name, words...); err != nil {
			return "", err
		}
	}
	return a.Base + "/#/repository?path=" + url.QueryEscape(dir), os.WriteFile(filepath.Join(dir, "notes.txt"),
		[]byte("Mill Lane\n"), 0o600)
}

// Git asks Git about a repository of NewRepository.
func (a *App) Git(ctx context.Context, name string, words ...string) (string, error) {
	command := exec.CommandContext(ctx, "git", append([]string{"-C", filepath.Join(a.Dir, name)}, words...)...)
	output, err := command.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(words, " "), err, output)
	}
	return strings.TrimSpace(string(output)), nil
}
