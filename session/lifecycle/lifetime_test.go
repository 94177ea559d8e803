package lifecycle_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/lifecycle"
)

// A page that goes away since its session is closed is told as that, whichever of the two the command hears of first.
func TestOrClosed(t *testing.T) {
	t.Parallel()
	var of lifecycle.Lifetime
	closed, within := of.Current(), func() context.Context { ctx, _ := of.Within(context.Background()); return ctx }()
	require.Equal(t, closed, of.Current())
	of.End()
	<-within.Done()
	require.Equal(t, lifecycle.Closed(), context.Cause(within))
	require.NoError(t, of.Current().Err(), "another lifetime has begun")
	gone, other := fault.New(fault.PageGone, "the tab was closed"), fault.New(fault.RefStale, "@e1 is gone")

	require.Equal(t, lifecycle.Closed(), lifecycle.OrClosed(closed, gone))
	require.Equal(t, gone, lifecycle.OrClosed(of.Current(), gone))
	require.Equal(t, other, lifecycle.OrClosed(closed, other))
	require.NoError(t, lifecycle.OrClosed(closed, nil))
}
