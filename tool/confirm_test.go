package tool_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

// An action that needs confirmation waits, and the next actions of the result are to confirm or deny it.
func TestHeldActions(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ next, title string }{
		"6.3 confirmed": {"approve-confirmation", "clicked"},
		"6.3 denied":    {"deny-confirmation", "waiting"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			owner, err := policy.NewOwner(policy.OwnerRules{SelfConfirm: true})
			require.NoError(t, err)
			native, err := backend.NewNative(nil, owner)
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, native.Close(context.Background())) })
			c := newCallerWith(t, tool.Options{Backend: native})
			c.do("open", site.Show(`<title>waiting</title><button onclick="document.title = 'clicked'">Go</button>`))
			r := c.try("--confirm-actions", "click", "click", "button")
			require.Equal(t, contract.ConfirmationRequired, r.Details.FailureCategory, textOf(r))
			require.Equal(t, "waiting", textOf(c.do("get", "title")), "nothing was done yet")
			var args []string
			for _, next := range r.Details.NextActions {
				if next.ID == tc.next {
					args = next.Params.Args
				}
			}
			require.NotEmpty(t, args, "%+v", r.Details.NextActions)
			c.do(args...)
			require.Equal(t, tc.title, textOf(c.do("get", "title")))
		})
	}
}
