package main

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// shopOfDocs is where `skua demo` serves the shop when nothing else is said.
const shopOfDocs = "http://127.0.0.1:4850"

// readDocs reads a page of the documentation.
func readDocs(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
	require.NoError(t, err)
	return string(text)
}

// serveShop runs `skua demo` until the test ends, and returns the address of the shop.
func (u *user) serveShop(t *testing.T) string {
	t.Helper()
	cmd := exec.Command(filepath.Join(u.bin, "skua"), "demo", "--port", "0")
	cmd.Env = u.environ()
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		require.NoError(t, cmd.Process.Signal(os.Interrupt))
		require.NoError(t, cmd.Wait(), "it ends with 0 when it is told to")
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	_, shop, found := strings.Cut(strings.TrimSpace(line), "✓ The demo shop is at ")
	require.True(t, found, line)
	return shop
}

// shell runs a line in a shell as the user.
func (u *user) shell(t *testing.T, line string) (result, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), callLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	cmd.Dir, cmd.Env = u.cwd, append(u.environ(), "PATH="+u.bin+":"+os.Getenv("PATH"))
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err := cmd.Run()
	return result{out.String(), errOut.String(), cmd.ProcessState.ExitCode()}, err
}

// The tutorial's commands print what it shows. A … stands for any text.
func TestTutorial(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	shop := u.serveShop(t)
	text := strings.ReplaceAll(readDocs(t, "tutorial.md"), shopOfDocs, shop)
	blocks := strings.Split(text, "```console\n")[1:]
	require.NotEmpty(t, blocks)
	for _, block := range blocks {
		block, _, _ = strings.Cut(block, "```")
		for _, step := range strings.Split("\n"+block, "\n$ ")[1:] {
			line, shown, _ := strings.Cut(step, "\n")
			got, err := u.shell(t, line)
			require.Regexp(t, printedAs(shown), withoutNotes(got.Out+got.Err), "%s: %v", line, err)
		}
	}
}

// printedAs is the pattern of what a page of the documentation shows.
func printedAs(shown string) *regexp.Regexp {
	parts := strings.Split(strings.TrimSpace(shown), "…")
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(strings.TrimSpace(part))
	}
	return regexp.MustCompile(`(?s)^` + strings.Join(parts, ".*") + `$`)
}

// withoutNotes is output without warnings, which depend on the machine.
func withoutNotes(out string) string {
	var kept []string
	for line := range strings.Lines(out) {
		if !strings.HasPrefix(line, "⚠ ") {
			kept = append(kept, line)
		}
	}
	return strings.TrimSpace(strings.Join(kept, ""))
}

// runBlocks runs the lines of a text's blocks for a shell at the shop, one after the other, and returns how many there
// were. What follows an arrow is part of what a line prints.
func runBlocks(t *testing.T, text string) (lines int) {
	t.Helper()
	u := newUser(t)
	shop := u.serveShop(t)
	for _, block := range strings.Split(text, "```sh\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		for line := range strings.Lines(strings.ReplaceAll(block, shopOfDocs, shop)) {
			lines++
			command, want, _ := strings.Cut(strings.TrimSpace(line), "# → ")
			got, err := u.shell(t, command)
			require.NoError(t, err, "%s: %s", command, got.Out+got.Err)
			require.Contains(t, got.Out+got.Err, want, command)
		}
	}
	return lines
}

// The way from a bug report to the line of code is one that works.
func TestBugReport(t *testing.T) {
	t.Parallel()
	_, text, found := strings.Cut(readDocs(t, "diagnosis.md"), "\n## From a bug report to the line\n")
	require.True(t, found)
	text, _, _ = strings.Cut(text, "\n## ")
	require.NotZero(t, runBlocks(t, text))
}

// Each recipe of the cookbook works by itself.
func TestCookbook(t *testing.T) {
	t.Parallel()
	recipes := strings.Split(readDocs(t, "cookbook.md"), "\n## ")[1:]
	require.NotEmpty(t, recipes)
	for _, recipe := range recipes {
		title, text, _ := strings.Cut(recipe, "\n")
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			require.NotZero(t, runBlocks(t, text))
		})
	}
}
