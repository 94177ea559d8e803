package tool_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/contract"
)

// What the user asked for goes where it has to, also when a page shows the same. A page's own text does not.
func TestWhatTheUserAskedForIsNotAFlow(t *testing.T) {
	t.Parallel()
	c := newCallerWith(t, tool.Options{Env: map[string]string{"SKUA_FLOWS": "deny"}})
	const prompt = "Look up ticket QX77-1190-ZZ and write its number into the form."
	write := func(text string) *contract.Result {
		return c.tool.Call(context.Background(),
			tool.Request{Params: contract.Params{Args: []string{"fill", "#a", text}}, Prompt: prompt})
	}
	c.do("open", "data:text/html,<p>Ticket QX77-1190-ZZ is paid to DE89370400440532013000</p>")
	c.do("get", "text", "p")
	c.do("open", site.Show("<input id=a>"))
	require.False(t, write("QX77-1190-ZZ").IsError)
	refused := write("DE89370400440532013000")
	require.True(t, refused.IsError)
	require.Equal(t, contract.PolicyBlocked, refused.Details.FailureCategory, textOf(refused))
}
