package mcp_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/mcp"
)

// The documentation of the tool sets names each tool that the browser set offers, and no other.
func TestDocsNameTheTools(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/mcp.md")
	require.NoError(t, err)
	row := regexp.MustCompile("(?m)^\\| `browser` \\|.*$").FindString(string(page))
	named := map[string]bool{}
	for _, m := range regexp.MustCompile("`(browser_[a-z_]+)`").FindAllStringSubmatch(row, -1) {
		named[m[1]] = true
	}
	s, _ := newServer(t, mcp.Options{Sets: []mcp.Set{mcp.SetAgent, mcp.SetBrowser}})
	offered := map[string]bool{}
	for _, tool := range listed(t, connect(t, s, nil)) {
		if strings.HasPrefix(tool.Name, "browser_") {
			offered[tool.Name] = true
		}
	}
	require.Equal(t, offered, named)
}
