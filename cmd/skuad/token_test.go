package main

import (
	"bytes"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
)

// A token comes in a file, on standard input or in the environment. A token on the command line is in the list of
// processes.
func TestGivenToken(t *testing.T) {
	registry := catalog.Registry()
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		return file
	}
	open := write("open", "of-open")
	require.NoError(t, os.Chmod(open, 0o644))
	tests := []struct {
		name, args, stdin, env string
		want, fails, warns     string
	}{
		{name: "none"},
		{name: "environment", env: "of-env", want: "of-env"},
		{name: "file", args: "--token-file " + write("file", "  of-file\r\n"), env: "of-env", want: "of-file"},
		{
			name: "file that others may read", args: "--token-file " + open, want: "of-open",
			warns: "other users may read the token",
		},
		{name: "standard input", args: "--token -", stdin: "of-stdin\nmore", env: "of-env", want: "of-stdin"},
		{name: "standard input without an end of line", args: "--token=-", stdin: "of-stdin", want: "of-stdin"},
		{
			name: "on the command line", args: "--token s3cret", env: "of-env",
			fails: "--token: a token on the command line is visible to every user",
		},
		{name: "on the command line, in one word", args: "--token=s3cret", fails: "visible to every user"},
		{name: "twice", args: "--token - --token-file " + write("twice", "x"), fails: "leave one out"},
		{name: "standard input of the agent", args: "--token -", stdin: "none", fails: "standard input is the agent's here"},
		{name: "no such file", args: "--token-file " + filepath.Join(dir, "none"), fails: "--token-file: open"},
		{name: "empty file", args: "--token-file " + write("empty", "\n"), env: "of-env", fails: "there is no token"},
		{name: "empty standard input", args: "--token -", fails: "there is no token"},
		{name: "what no header can carry", args: "--token-file " + write("lines", "a\nb"), fails: "has a space"},
		{
			name: "too long", args: "--token-file " + write("long", strings.Repeat("x", maxToken+1)),
			fails: "longer than 4096 bytes",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv(tokenVariable, tt.env)
			in, err := registry.Parse(append([]string{"serve"}, strings.Fields(tt.args)...),
				actions.ParseOptions{Getenv: func(string) string { return "" }})
			require.NoError(t, err)
			stdin := io.Reader(strings.NewReader(tt.stdin))
			if tt.stdin == "none" {
				stdin = nil
			}
			var log bytes.Buffer
			token, err := givenToken(in, slog.New(slog.NewTextHandler(&log, nil)), stdin)
			if tt.fails != "" {
				require.ErrorContains(t, err, tt.fails)
				require.NotContains(t, err.Error(), "s3cret")
				require.Empty(t, token)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, token)
			if runtime.GOOS != "windows" {
				require.Equal(t, tt.warns != "", log.Len() > 0, log.String())
				require.Contains(t, log.String(), tt.warns)
			}
		})
	}
}
