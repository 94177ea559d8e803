package mcp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/mcp"
)

// A page that does not answer in time cannot say which of its fields hide what they hold.
func TestTextForAPageThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, mcp.Options{})
	c := connect(t, s, nil)
	c.do("open", site.Show(`<input id=p type=password aria-label=Password><input id=t aria-label=Name>`))
	c.do("eval", "void setTimeout(() => { const end = performance.now() + 4000; while (performance.now() < end); }, 0)")
	for _, line := range [][]string{{"fill", "#p", "pl4nted-busy"}, {"type", "#p", "pl4nted-busy"}} {
		r := c.try(append(line, "--timeout", "300")...)
		require.True(t, r.IsError, textOf(r))
		require.NotContains(t, textOf(r)+jsonOf(r.StructuredContent), "pl4nted-busy", line)
	}
	c.do("wait", "#t")
	found := c.try("fill", "#nothing", "a plain text", "--timeout", "1000")
	require.Contains(t, jsonOf(found.StructuredContent), "a plain text",
		"a page that answers has said that there is no such field")
}
