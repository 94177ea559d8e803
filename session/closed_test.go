package session

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/fault"
)

// A page that goes away since its session is closed is told as that, whichever of the two the command hears of first.
func TestGoneWith(t *testing.T) {
	t.Parallel()
	lasting := context.Background()
	closed, end := context.WithCancelCause(lasting)
	end(sessionClosed())
	gone, other := fault.New(fault.PageGone, "the tab was closed"), fault.New(fault.RefStale, "@e1 is gone")

	require.Equal(t, sessionClosed(), goneWith(closed, gone))
	require.Equal(t, gone, goneWith(lasting, gone))
	require.Equal(t, other, goneWith(closed, other))
	require.NoError(t, goneWith(closed, nil))
}
