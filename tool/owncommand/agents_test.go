package owncommand_test

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/mcp"
	"github.com/skua-browser/skua/tool/refguard"
)

// opened is a tool on a host with the command.
func opened(t *testing.T) *tool.Tool {
	t.Helper()
	b, home := backend.OnManager(manager(t)), t.TempDir()
	agent, err := tool.Open(tool.Options{Backend: b, SessionID: t.Name(), Cwd: home, Env: map[string]string{"HOME": home}})
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, agent.Close(context.Background()))
		require.NoError(t, b.Close(context.Background()))
	})
	return agent
}

// agent calls a tool.
func agent(t *testing.T) func(contract.Params) (r *contract.Result, text, whole string) {
	t.Helper()
	a := opened(t)
	return func(p contract.Params) (*contract.Result, string, string) {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		defer cancel()
		r := a.Call(ctx, tool.Request{Params: p})
		var text strings.Builder
		for _, item := range r.Content {
			text.WriteString(item.Text)
		}
		whole, err := json.Marshal(r)
		require.NoError(t, err)
		return r, text.String(), string(whole)
	}
}

// The tool shows the command's words for agents, has its follow-up, and hides its secret.
func TestTool(t *testing.T) {
	t.Parallel()
	call := agent(t)
	call(contract.Params{Args: []string{"open", page}})
	r, text, whole := call(contract.Params{Args: []string{"stamp", "One", "--seal", "hunter2"}})
	require.False(t, r.IsError, text)
	require.Contains(t, text, "Stamped: One")
	require.NotContains(t, whole, "hunter2", "a secret flag is masked")
	var followed bool
	for _, a := range r.Details.NextActions {
		if args := a.Params.Args; a.ID == "compare-stamp" {
			_, title, _ := call(contract.Params{Args: args})
			require.Equal(t, "One", title, "read in the page")
			followed = true
		}
	}
	require.True(t, followed, whole)

	rows := `[["stamp", "Two"], ["get", "title"]]`
	_, text, _ = call(contract.Params{Args: []string{"batch"}, Stdin: &rows})
	require.Contains(t, text, "Stamped: Two")
	script := "const run = async (...args) => (await browser({args})).text; await run('open', '" + page +
		"'); emit([await run('stamp', 'Three'), await run('get', 'title')])"
	_, text, whole = call(contract.Params{Script: &script})
	require.Contains(t, text, "Stamped: Three", whole)
	require.Contains(t, text, `"Three"`, "read in the page of the script's session")
	program := "await page.stamp('Four', {seal: 'hunter2'}); return (await page.getTitle()).title + '/' + (await " +
		"page.stamp('Five', {seal: 'hunter2'})).title"
	_, text, whole = call(contract.Params{Script: &program, Session: contract.CurrentSession})
	require.Equal(t, "Four/Five", text, whole)
	_, text, _ = call(contract.Params{Args: []string{"get", "title"}})
	require.Equal(t, "Five", text, "in the current session")
}

// Where refs do not heal, those of a page that the command has changed are not used in the same batch.
func TestRefsAreStale(t *testing.T) {
	t.Parallel()
	rows := []argv.Words{argv.Read([]string{"stamp", "Two"}), argv.Read([]string{"click", "@e1"})}
	require.Contains(t, refguard.Check(rows, &refguard.State{}, contract.PageTarget{}), "step 1: stamp")
	require.Empty(t, refguard.Check(rows[1:], &refguard.State{}, contract.PageTarget{}))
}

// The MCP server offers the command's tool.
func TestMCP(t *testing.T) {
	t.Parallel()
	s, err := mcp.New(mcp.Options{
		Sets: []mcp.Set{mcp.SetAgent, mcp.SetBrowser},
		Open: func(string) (*tool.Tool, func(context.Context), error) {
			return opened(t), func(context.Context) {}, nil
		},
	})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- s.ServeStdio(context.Background(), fromClient, toClient) }()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	client, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx,
		&sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = client.Close()
		<-served //nolint:errcheck // that it ended is what counts
	})
	use := func(name string, arguments map[string]any) string {
		t.Helper()
		r, err := client.CallTool(ctx, &sdk.CallToolParams{Name: name, Arguments: arguments})
		require.NoError(t, err)
		text, err := json.Marshal(r.Content)
		require.NoError(t, err)
		require.False(t, r.IsError, "%s: %s", name, text)
		return string(text)
	}
	use("browser_open", map[string]any{"url": page})
	require.Contains(t, use("browser_stamp", map[string]any{"text": "-One", "seal": "hunter2"}), "Stamped: -One")
	require.Contains(t, use("browser_get", map[string]any{"attr": "title"}), "-One")
}
