package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/mcp"
)

// The tests of this file speak protocol 2026-07-28 over HTTP, which has no connections.
const alone = "2026-07-28"

// post sends one request as any program can, and returns the answer to it.
func post(t testing.TB, url, method, params string, header map[string]string) (status int, answer map[string]any) {
	t.Helper()
	var p map[string]any
	require.NoError(t, json.Unmarshal([]byte(params), &p))
	meta, _ := p["_meta"].(map[string]any)
	if meta == nil {
		meta = map[string]any{"io.modelcontextprotocol/clientCapabilities": map[string]any{}}
	}
	meta["io.modelcontextprotocol/protocolVersion"] = alone
	p["_meta"] = meta
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": p})
	require.NoError(t, err)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(string(body)))
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+secret)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Mcp-Protocol-Version", alone)
	r.Header.Set("Mcp-Method", method)
	for _, name := range []string{"name", "uri", "taskId"} {
		if v, ok := p[name].(string); ok {
			r.Header.Set("Mcp-Name", v)
		}
	}
	for k, v := range header {
		r.Header.Set(k, v)
	}
	got, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	require.NoError(t, err)
	for line := range strings.SplitSeq(string(text), "\n") {
		line = strings.TrimPrefix(line, "data: ")
		var message map[string]any
		if json.Unmarshal([]byte(line), &message) == nil && (message["result"] != nil || message["error"] != nil) {
			return got.StatusCode, message
		}
	}
	return got.StatusCode, nil
}

const knowsTasks = `"_meta":{"io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}},"elicitation":{"form":{}}}}`

// line is the parameters of a call of a command line.
func line(more string, args ...string) string {
	text, _ := json.Marshal(args)
	if more != "" {
		more = "," + more
	}
	return fmt.Sprintf(`{"name":"agent_browser","arguments":{"args":%s}%s}`, text, more)
}

func result(t testing.TB, answer map[string]any) map[string]any {
	t.Helper()
	r, ok := answer["result"].(map[string]any)
	require.True(t, ok, "%v", answer)
	return r
}

func failureCode(answer map[string]any) float64 {
	e, _ := answer["error"].(map[string]any)
	code, _ := e["code"].(float64)
	return code
}

// Every version of the protocol that a client may ask for is spoken.
func TestVersions(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, mcp.Options{})
	url := serveHTTP(t, s, mcp.Guard{Token: secret})
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", alone} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			for name, c := range map[string]*client{
				"over pipes": connectBy(t, s, nil, &sdk.ClientSessionOptions{ProtocolVersion: version}),
				"over HTTP":  dialBy(t, url, "v"+version, nil, version),
			} {
				require.Equal(t, version, c.session.InitializeResult().ProtocolVersion, name)
				c.do("open", site.Show("<title>"+version+"</title>"))
				require.Contains(t, c.do("get", "title"), version, name)
			}
		})
	}
}

// Requests of different clients belong together by what they name, whichever connection they come over.
func TestAlone(t *testing.T) {
	t.Parallel()
	s, tools := newServer(t, mcp.Options{})
	url := serveHTTP(t, s, mcp.Guard{Token: secret})
	status, answer := post(t, url, "server/discover", `{}`, nil)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, result(t, answer)["supportedVersions"], alone)
	require.Contains(t, fmt.Sprint(result(t, answer)["capabilities"]), "io.modelcontextprotocol/tasks")
	open := func(title string, header map[string]string, args ...string) {
		_, answer := post(t, url, "tools/call", line("", append(args, "open", site.Show("<title>"+title+"</title>"))...),
			header)
		require.NotEqual(t, true, result(t, answer)["isError"], "%v", answer)
	}
	title := func(header map[string]string, args ...string) string {
		_, answer := post(t, url, "tools/call", line("", append(args, "get", "title")...), header)
		return fmt.Sprint(result(t, answer)["content"])
	}
	one, two := map[string]string{mcp.TaskHeader: "one"}, map[string]string{mcp.ConnectionHeader: "two"}
	open("One", one)
	open("Two", two)
	open("Shared", nil)
	open("Named", nil, "--session", "named")
	require.Contains(t, title(one), "One")
	require.Contains(t, title(two), "Two")
	require.Contains(t, title(nil), "Shared")
	require.Contains(t, title(nil, "--session", "named"), "Named")
	require.EqualValues(t, 3, tools.live.Load())

	r, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, url, http.NoBody)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+secret)
	r.Header.Set("Mcp-Protocol-Version", alone)
	r.Header.Set(mcp.ConnectionHeader, "two")
	gone, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	require.NoError(t, gone.Body.Close())
	require.Equal(t, http.StatusNoContent, gone.StatusCode)
	require.EqualValues(t, 2, tools.live.Load())
	s.Close()
	require.Zero(t, tools.live.Load())
}

// Many clients at one time, with one task.
func TestAloneAtOnce(t *testing.T) {
	t.Parallel()
	s, tools := newServer(t, mcp.Options{})
	url := serveHTTP(t, s, mcp.Guard{Token: secret})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			_, answer := post(t, url, "tools/call", line(knowsTasks, "get", "url"), map[string]string{mcp.TaskHeader: "one"})
			if answer["result"] == nil {
				t.Errorf("no result: %v", answer)
			}
		})
	}
	all.Wait()
	require.EqualValues(t, 1, tools.live.Load())
}

// What has to be confirmed is asked in the result, and the call is sent again with the person's answer.
func TestQuestionsByResults(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, mcp.Options{})
	url := serveHTTP(t, s, mcp.Guard{Token: secret})
	for name, tc := range map[string]struct {
		answer sdk.ElicitResult
		title  string
	}{
		"allowed":     {sdk.ElicitResult{Action: "accept", Content: map[string]any{"allow": true}}, "clicked"},
		"not allowed": {sdk.ElicitResult{Action: "accept", Content: map[string]any{"allow": false}}, "clean"},
		"declined":    {sdk.ElicitResult{Action: "decline"}, "clean"},
		"not decided": {sdk.ElicitResult{Action: "cancel"}, "clean"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asks := &sdk.ClientOptions{ElicitationHandler: func(
				_ context.Context, req *sdk.ElicitRequest,
			) (*sdk.ElicitResult, error) {
				if !strings.Contains(req.Params.Message, "click #h") {
					return nil, fmt.Errorf("asked %s", req.Params.Message)
				}
				return &tc.answer, nil
			}}
			for way, c := range map[string]*client{
				"HTTP":  dialBy(t, url, strings.ReplaceAll(name, " ", "-"), asks, alone),
				"pipes": connect(t, s, asks),
			} {
				r := c.try("--confirm-actions", "click", "open", site.Show(ruledPage))
				require.False(t, r.IsError, textOf(r))
				r = c.try("click", "#h")
				require.Equal(t, tc.title == "clicked", !r.IsError, "%s: %s", way, textOf(r))
				require.Contains(t, c.do("get", "title"), tc.title, way)
			}
		})
	}
}

// The state under which a call waits is of no use for another call, and none that was made up is.
func TestQuestionsOfOthers(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, mcp.Options{})
	url := serveHTTP(t, s, mcp.Guard{Token: secret})
	const asks = `"_meta":{"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}`
	mine, others := map[string]string{mcp.TaskHeader: "mine"}, map[string]string{mcp.TaskHeader: "others"}
	post(t, url, "tools/call", line("", "--confirm-actions", "click", "open", site.Show(ruledPage)), mine)
	post(t, url, "tools/call", line("", "--confirm-actions", "click", "open", site.Show(ruledPage)), others)
	_, answer := post(t, url, "tools/call", line(asks, "click", "#h"), mine)
	r := result(t, answer)
	require.Equal(t, "input_required", r["resultType"])
	var key string
	for key = range r["inputRequests"].(map[string]any) {
	}
	again := func(state string) string {
		return fmt.Sprintf(`%s,"requestState":%q,"inputResponses":{%q:{"action":"accept","content":{"allow":true}}}`, asks,
			state, key)
	}
	state := r["requestState"].(string)
	for name, tc := range map[string]struct {
		params string
		header map[string]string
	}{
		"another call":          {line(again(state), "click", "#other"), mine},
		"another client":        {line(again(state), "click", "#h"), others},
		"a state of the client": {line(again(state+"x"), "click", "#h"), mine},
	} {
		_, answer := post(t, url, "tools/call", tc.params, tc.header)
		require.EqualValues(t, -32602, failureCode(answer), "%s: %v", name, answer)
	}
	_, answer = post(t, url, "tools/call", line(asks+fmt.Sprintf(`,"requestState":%q`, state), "click", "#h"), mine)
	require.Equal(t, "input_required", result(t, answer)["resultType"], "asked again without an answer")
	_, answer = post(t, url, "tools/call", line(again(state), "click", "#h"), mine)
	require.Equal(t, "complete", result(t, answer)["resultType"])
	require.NotEqual(t, true, result(t, answer)["isError"], "%v", answer)
	_, answer = post(t, url, "tools/call", line(again(state), "click", "#h"), mine)
	require.EqualValues(t, -32602, failureCode(answer), "it was used")
}

// The files that a call wrote are linked, and read by the client that had them written, as long as they are the same
// files.
func TestFilesAsResources(t *testing.T) {
	t.Parallel()
	s, tools := newServer(t, mcp.Options{})
	url := serveHTTP(t, s, mcp.Guard{Token: secret})
	c, other := dialBy(t, url, "one", nil, alone), dialBy(t, url, "other", nil, alone)
	c.do("open", site.Show("<title>Files</title>"))
	other.do("open", "about:blank")
	link := func(args ...string) *sdk.ResourceLink {
		r := c.try(args...)
		require.False(t, r.IsError, textOf(r))
		for _, item := range r.Content {
			if l, ok := item.(*sdk.ResourceLink); ok {
				return l
			}
		}
		require.Fail(t, "no link", "%v", textOf(r))
		return nil
	}
	read := func(c *client, uri string) ([]byte, error) {
		r, err := c.session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil {
			return nil, err
		}
		return r.Contents[0].Blob, nil
	}
	path := filepath.Join(tools.cwd, "shot.png")
	l := link("screenshot", path)
	require.Equal(t, "image/png", l.MIMEType)
	got, err := read(c, l.URI)
	require.NoError(t, err)
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, want, got)
	_, err = read(other, l.URI)
	require.Error(t, err, "another client's")
	for _, uri := range []string{
		"skua://output/..%2Fshot.png", "skua://output/shot.png", "file://" + path,
		"skua://output/" + path,
	} {
		_, err = read(c, uri)
		require.Error(t, err, uri)
	}
	pdf := link("pdf", filepath.Join(tools.cwd, "page.pdf"))
	got, err = read(c, pdf.URI)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(got), "%PDF"))
	secretFile := filepath.Join(tools.cwd, "secret")
	require.NoError(t, os.WriteFile(secretFile, []byte("secret"), 0o600))
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.Symlink(secretFile, path))
	_, err = read(c, l.URI)
	require.Error(t, err, "a link in the file's place")
}
