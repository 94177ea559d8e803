//go:build unix

package tool_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/testprogram"
	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

// answering makes a caller whose agent-browser is a program that prints this to every command: what the real one prints
// at times, and cannot be made to.
func answering(t *testing.T, answer string) *caller {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "answer")
	require.NoError(t, os.WriteFile(file, []byte(answer), 0o600))
	program := filepath.Join(dir, "agent-browser")
	script := `#!/bin/sh
case "$*" in
*--version*) echo "agent-browser ` + backend.UpstreamVersion + `" ;;
*"session info"*) echo '{"success":true,"data":{"active":false,"runtime":null}}' ;;
*) cat '` + file + `' ;;
esac
`
	testprogram.Write(t, program, script)
	b := backend.NewSubprocess(backend.SubprocessOptions{Path: program, SocketDir: shortDir(t)})
	opened, err := tool.Open(tool.Options{
		Backend: b, SessionID: t.Name(), Cwd: dir,
		Env: map[string]string{"HOME": dir, "PATH": os.Getenv("PATH")},
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = opened.Close(context.Background()) })
	return &caller{t: t, tool: opened, dir: dir}
}

func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "skua-t-")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func TestOddAnswers(t *testing.T) {
	t.Parallel()
	const secret = "Pl4nted-s3cret-Value"
	t.Run("10.19 long output that cannot be read is discarded", func(t *testing.T) {
		t.Parallel()
		c := answering(t, strings.Repeat("not JSON "+secret+"\n", 50_000))
		r := c.try("open", "http://127.0.0.1:9/")
		require.True(t, r.IsError)
		require.Equal(t, contract.ParseFailure, r.Details.FailureCategory)
		require.Contains(t, r.Details.FullOutputUnavailable, "discarded because it may contain sensitive browser data")
		require.Empty(t, r.Details.FullOutputPath)
		require.Empty(t, r.Details.Stdout)
		all, err := json.Marshal(r)
		require.NoError(t, err)
		require.NotContains(t, string(all), secret)
		require.Less(t, len(all), 8000)
	})
	t.Run("9.5 output of a login that cannot be read is dropped", func(t *testing.T) {
		t.Parallel()
		c := answering(t, "saving "+strings.ToUpper(secret)+" failed oddly")
		r := c.call(contract.Params{Args: []string{"auth", "save", "x", "--password-stdin"}, Stdin: new(secret)})
		require.True(t, r.IsError)
		all, err := json.Marshal(r)
		require.NoError(t, err)
		require.NotContains(t, strings.ToLower(string(all)), strings.ToLower(secret))
	})
	t.Run("8.13 a confirmation is told with its id", func(t *testing.T) {
		t.Parallel()
		c := answering(t,
			`{"success":false,"data":{"confirmation_required":true,"confirmation_id":"c_42","action":"click"},"error":"Confirmation required"}`)
		r := c.try("click", "#a")
		require.True(t, r.IsError)
		require.Equal(t, contract.ConfirmationRequired, r.Details.FailureCategory)
		require.Contains(t, textOf(r), "Pending confirmation id: c_42")
	})
	t.Run("8.13 without an id it does not count", func(t *testing.T) {
		t.Parallel()
		c := answering(t, `{"success":true,"data":{"confirmation_required":true,"confirmation_id":" "},"error":null}`)
		require.NotContains(t, textOf(c.try("click", "#a")), "Pending confirmation")
	})
}
