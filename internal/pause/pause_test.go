package pause

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestFor(t *testing.T) {
	t.Parallel()
	require.NoError(t, For(t.Context(), time.Nanosecond))
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	require.ErrorIs(t, For(ctx, time.Hour), why)
	require.NoError(t, For(ctx, 0), "there is nothing to wait for")
}
