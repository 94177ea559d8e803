package conversation

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// 3.19: calls of a namespace go in side by side, and one that is about all of them goes in alone.
func TestGate(t *testing.T) {
	t.Parallel()
	t.Run("3.19 side by side", func(t *testing.T) {
		t.Parallel()
		g := newGate()
		for range 3 {
			_, err := g.Enter(context.Background(), false)
			require.NoError(t, err)
		}
	})
	t.Run("3.19 alone, after those inside and before those who come later", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			g := newGate()
			first, err := g.Enter(t.Context(), false)
			require.NoError(t, err)
			var order []string
			go func() {
				leave, _ := g.Enter(t.Context(), true)
				order = append(order, "alone")
				leave()
			}()
			synctest.Wait()
			go func() {
				leave, _ := g.Enter(t.Context(), false)
				order = append(order, "later")
				leave()
			}()
			synctest.Wait()
			require.Empty(t, order)
			first()
			synctest.Wait()
			require.Equal(t, []string{"alone", "later"}, order)
		})
	})
	t.Run("3.19 a caller that gives up waiting to be alone blocks no other", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			g := newGate()
			_, err := g.Enter(t.Context(), false)
			require.NoError(t, err)
			ctx, cancel := context.WithCancelCause(t.Context())
			var failed error
			go func() { _, failed = g.Enter(ctx, true) }()
			synctest.Wait()
			entered := false
			go func() { _, _ = g.Enter(t.Context(), false); entered = true }()
			synctest.Wait()
			require.False(t, entered)
			enough := errors.New("enough")
			cancel(enough)
			synctest.Wait()
			require.ErrorIs(t, failed, enough)
			require.True(t, entered)
		})
	})
}

func TestTurn(t *testing.T) {
	t.Parallel()
	t.Run("3.19 one after another, and no longer waited for than wanted", func(t *testing.T) {
		t.Parallel()
		turn := newTurn()
		leave, err := turn.Take(context.Background())
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err = turn.Take(ctx)
		require.ErrorIs(t, err, context.Canceled)
		leave()
		_, err = turn.Take(ctx)
		require.NoError(t, err, "a free turn is taken at once")
	})
}
