package tool_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/contract"
)

func TestACall(t *testing.T) {
	t.Parallel()
	c := showing(t, `<!doctype html><title>One</title><button onclick="document.title = 'Two'">Go</button>`)
	r := c.do("snapshot", "-i")
	require.Contains(t, textOf(r), `button "Go"`)
	c.do("click", "@e1")
	r = c.do("get", "title")
	require.Equal(t, "Two", textOf(r))
	require.Equal(t, contract.Success, r.Details.ResultCategory)
	require.True(t, *r.Details.UsedImplicitSession)
}
