package mcp_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/mcp"
)

// A reply says nothing twice: what the text has is not in the data again, and what neither has is behind a link.
func TestLargeSnapshots(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, mcp.Options{})
	c := connect(t, s, nil)
	c.do("open",
		site.Show(`<title>Large</title><main><h1>Shop</h1>`+
			strings.Repeat(`<p><button>Buy one of the things</button></p>`, 2000)+`</main>`))
	r := c.try("snapshot", "-i")
	raw, err := json.Marshal(r)
	require.NoError(t, err)
	text := textOf(r)
	require.Less(t, len(raw), 2*len(text)+10_000, "the text of a page of 2,000 buttons is %d bytes", len(text))
	d := details(t, r)
	ids := d["refSnapshot"].(map[string]any)["refIds"].([]any)
	require.Less(t, len(ids), 100, "those that the text shows")
	require.Contains(t, d["inText"], "refSnapshot")

	t.Run("the rest is behind a link", func(t *testing.T) {
		link := linkOf(t, r)
		require.Contains(t, d["fullOutputPath"], link.Name)
		ctx, cancel := context.WithTimeout(context.Background(), callLimit)
		defer cancel()
		whole, err := c.session.ReadResource(ctx, &sdk.ReadResourceParams{URI: link.URI})
		require.NoError(t, err)
		require.Contains(t, whole.Contents[0].Text, "@e2001\n")
		require.EqualValues(t, len(whole.Contents[0].Text), *link.Size)
		other := connect(t, s, nil)
		other.do("get", "title")
		_, err = other.session.ReadResource(ctx, &sdk.ReadResourceParams{URI: link.URI})
		require.ErrorContains(t, err, "not found", "it is the connection's own")
	})
	t.Run("a snapshot that is shown whole is in the text alone", func(t *testing.T) {
		c.do("open", site.Show(`<title>Small</title>`+strings.Repeat(`<button>Buy one</button>`, 20)))
		r := c.try("snapshot", "-i")
		data := details(t, r)["data"].(map[string]any)
		require.NotContains(t, data, "snapshot")
		require.Len(t, data["refs"], 20)
		require.Equal(t, []any{"data.snapshot"}, details(t, r)["inText"])
	})
	t.Run("the refs of a batch are told once", func(t *testing.T) {
		d := details(t, c.try("batch", "get title", "snapshot -i"))
		require.Len(t, d["data"].([]any)[1].(map[string]any)["result"].(map[string]any)["refs"], 20)
		require.NotContains(t, d["refSnapshot"], "refs")
		require.NotContains(t, d["batchSteps"].([]any)[1], "data")
	})
	t.Run("so are help and the steps of a batch", func(t *testing.T) {
		for _, line := range [][]string{
			{"click", "--help"},
			{"batch", "snapshot -i", "read"},
			{"eval", "'word '.repeat(100)"},
		} {
			r := c.try(line...)
			require.False(t, r.IsError, textOf(r))
			raw, err := json.Marshal(r.StructuredContent)
			require.NoError(t, err)
			for part := range strings.SplitSeq(textOf(r), "\n\n") {
				quoted, err := json.Marshal(part)
				require.NoError(t, err)
				if len(part) >= 200 {
					require.NotContains(t, string(raw), string(quoted[1:len(quoted)-1]))
				}
			}
		}
	})
}

func linkOf(t *testing.T, r *sdk.CallToolResult) *sdk.ResourceLink {
	t.Helper()
	for _, item := range r.Content {
		if link, ok := item.(*sdk.ResourceLink); ok {
			return link
		}
	}
	require.Fail(t, "no link in the result")
	return nil
}
