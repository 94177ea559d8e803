package turn

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/fault"
)

// One command works in a session at a time: the next one waits for its end, and no longer than its own deadline.
func TestQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue()
		leave, err := q.Enter(t.Context(), "click @e1")
		require.NoError(t, err)
		require.True(t, q.Busy())

		ctx, cancel := context.WithTimeoutCause(t.Context(), 3*time.Second, fault.New(fault.Timeout, "the command's time is over"))
		defer cancel()
		_, err = q.Enter(ctx, "get title")
		require.Equal(t, fault.Timeout, fault.CodeOf(err))
		require.ErrorContains(t, err, "timed out behind `click @e1`, which has been running in this session for 3s")

		entered := make(chan func())
		go func() {
			next, err := q.Enter(t.Context(), "get url")
			if err == nil {
				entered <- next
			}
		}()
		synctest.Wait()
		select {
		case <-entered:
			require.Fail(t, "the second command did not wait for the first")
		default:
		}
		leave()
		(<-entered)()
		require.False(t, q.Busy())
	})
}
