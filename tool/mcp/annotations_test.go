package mcp_test

import (
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// What a person has annotated comes with its picture, once, and the picture is written where the rules let the agent
// write.
func TestAnnotationsOverMCP(t *testing.T) {
	t.Parallel()
	b := newBench(t, "environment")
	entry := entryPoint{name: "args", managed: true}
	b.begin(&entry)
	address, token := b.dashboard()
	post := func(path, body string) []byte {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
			address+"/api/sessions/"+b.session+"/annotations/"+path, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Origin", address)
		_, port, _ := strings.Cut(strings.TrimPrefix(address, "http://"), ":")
		req.AddCookie(&http.Cookie{Name: "skua_dashboard_" + port, Value: token})
		answer, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer answer.Body.Close()
		read, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, answer.StatusCode, "%s", read)
		return read
	}
	var picture struct {
		ID            string
		Width, Height float64
	}
	require.NoError(t, json.Unmarshal(post("picture", ""), &picture))
	drawn, err := json.Marshal(map[string]any{"marks": []any{map[string]any{
		"kind": "box", "from": map[string]any{"x": 0, "y": 0}, "to": map[string]any{"x": picture.Width, "y": picture.Height},
		"text": "All of it",
	}}})
	require.NoError(t, err)
	post("picture/"+picture.ID, string(drawn))

	isImage := func(c sdk.Content) bool { _, ok := c.(*sdk.ImageContent); return ok }
	require.Contains(t, b.tool(map[string]any{"args": []string{"get", "title"}}), "a person has annotated")
	r := b.client.call("agent_browser", map[string]any{"args": []string{"annotations"}})
	require.False(t, r.IsError, textOf(r))
	require.Contains(t, textOf(r), `person: "All of it"`)
	require.True(t, slices.ContainsFunc(r.Content, isImage), "the picture is in the reply")
	files, err := filepath.Glob(filepath.Join(b.dir, "out", "annotation-*.png"))
	require.NoError(t, err)
	require.Len(t, files, 1, "it is below the root of downloads")
	r = b.client.call("agent_browser", map[string]any{"args": []string{"annotations"}})
	require.False(t, slices.ContainsFunc(r.Content, isImage), "it was shown")
}
