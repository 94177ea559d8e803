//go:build unix

package tool_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/testprogram"
	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

// newUpstreamCaller makes a caller whose calls run in the real agent-browser, where SKUA_UPSTREAM says where it is.
func newUpstreamCaller(t *testing.T) *caller {
	t.Helper()
	upstream := os.Getenv("SKUA_UPSTREAM")
	if upstream == "" {
		t.Skip("SKUA_UPSTREAM does not say where the real agent-browser is")
	}
	sockets, err := os.MkdirTemp("", "pt-") // short enough for sockets
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(sockets)) })
	dir := t.TempDir()
	b := backend.NewSubprocess(backend.SubprocessOptions{Path: upstream, SocketDir: sockets})
	opened, err := tool.Open(tool.Options{
		Backend: b, SessionID: t.Name(), Cwd: dir,
		Env: map[string]string{"HOME": dir, "PATH": os.Getenv("PATH")},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, opened.Close(context.Background())) })
	return &caller{t: t, tool: opened, dir: dir}
}

func TestOnTheSubprocessBackend(t *testing.T) {
	t.Parallel()
	c := newUpstreamCaller(t)
	r := c.do("open",
		site.Show(
			`<!doctype html><title>One</title><label>Name <input></label><button onclick="document.title = 'Two'">Go</button>`))
	require.Equal(t, "open", r.Details.Command)
	r = c.do("snapshot", "-i")
	require.Contains(t, asJSON(r.Details.Data).(map[string]any)["snapshot"], `button "Go"`)
	require.Contains(t, r.Details.RefSnapshot.RefIDs, "e1")
	r = c.call(
		contract.Params{SemanticAction: json.RawMessage(`{"action":"click","locator":"role","role":"button","name":"Go"}`)})
	require.False(t, r.IsError, textOf(r))
	require.Equal(t, map[string]any{"title": "Two"}, c.do("get", "title").Details.Data)
	r = c.try("click", "#nope")
	require.True(t, r.IsError)
	require.Equal(t, contract.SelectorNotFound, r.Details.FailureCategory)
}

func TestACallThatNeverStarts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	open := func(path string, env map[string]string) *caller {
		b := backend.NewSubprocess(backend.SubprocessOptions{Path: path})
		opened, err := tool.Open(tool.Options{Backend: b, SessionID: t.Name(), Cwd: dir, Env: env})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, opened.Close(context.Background())) })
		return &caller{t: t, tool: opened, dir: dir}
	}
	t.Run("1.7 4.11 there is no program", func(t *testing.T) {
		r := open("", map[string]string{"PATH": dir}).try("get", "title")
		require.Equal(t, contract.MissingBinary, r.Details.FailureCategory)
		require.False(t, *r.Details.Started)
		require.Contains(t, textOf(r), "not found on PATH")
	})
	t.Run("1.7 4.5 the socket directory cannot be used", func(t *testing.T) {
		r := open(os.Args[0], map[string]string{"PATH": dir, "SKUA_TOOL_SOCKET_DIR": "relative"}).try("get", "title")
		require.Equal(t, contract.ValidationError, r.Details.FailureCategory)
		require.False(t, *r.Details.Started)
	})
	t.Run("1.8 the program is of another version", func(t *testing.T) {
		old := filepath.Join(dir, "old")
		testprogram.Write(t, old, "#!/bin/sh\necho agent-browser 0.40.0\n")
		r := open(old, map[string]string{"PATH": dir}).try("get", "title")
		require.True(t, r.IsError)
		require.False(t, *r.Details.Started)
		require.Equal(t, &contract.VersionValidation{Expected: "0.41.2", Observed: "0.40.0"}, r.Details.VersionValidation)
		require.Equal(t, "0.41.2", r.Details.ExpectedVersion)
		require.Equal(t, "0.40.0", r.Details.ObservedVersion)
	})
	t.Run("1.8 every backend by itself, for a call", func(t *testing.T) {
		c := newCaller(t)
		r := c.tool.Call(t.Context(),
			tool.Request{
				Params:  contract.Params{Args: []string{"get", "title"}},
				Backend: backend.NewSubprocess(backend.SubprocessOptions{Path: dir + "/none"}),
			})
		require.Equal(t, contract.MissingBinary, r.Details.FailureCategory)
	})
}
