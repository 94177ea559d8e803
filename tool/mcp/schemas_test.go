package mcp_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/testgolden"
	"github.com/skua-browser/skua/tool/mcp"
)

// The descriptions of a family's tools stay the same: prompts and programs depend on them.
func TestFamilySchemas(t *testing.T) {
	t.Parallel()
	for _, set := range []mcp.Set{mcp.SetBrowser, mcp.SetCopilot} {
		t.Run(string(set), func(t *testing.T) {
			t.Parallel()
			s, _ := newServer(t, mcp.Options{Sets: []mcp.Set{set}})
			text, err := json.MarshalIndent(listed(t, connect(t, s, nil)), "", "\t")
			require.NoError(t, err)
			testgolden.Equal(t, "tools-"+string(set)+".json", string(text)+"\n")
		})
	}
}
