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

// A call that is refused before it has become a line still says what it was asked for.
func TestARefusedCall(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	for name, p := range map[string]contract.Params{
		"two modes":       {Args: []string{"get", "title"}, Script: new("return 1")},
		"no such session": {Args: []string{"get", "title"}, SessionMode: "none"},
	} {
		r := c.call(p)
		require.True(t, r.IsError, name)
		require.NotEmpty(t, r.Details.ValidationError, name)
		require.Equal(t, p.Args, r.Details.Args, name)
	}
}
